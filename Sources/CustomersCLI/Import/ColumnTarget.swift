internal import CustomerStore
internal import CustomersTerminalText

/// The target of a column of an imported file.
enum ColumnTarget: Equatable {
  /// To a text field.
  case field(CustomerField)
  /// First and last name in one column.
  case name
  case favorite
  case canEdit
  case canMove
  /// The title of the section.
  case section
  /// The id in the list that the file was written from.
  case id
  /// Kept as an extra column.
  case extra
  /// Kept as an extra column under another name.
  case renamed(String)
  /// Kept as extra columns, one per member of the object.
  case extras
  case ignored

  /// The targets of `--map` other than fields.
  private static let words: [(String, ColumnTarget)] = [
    ("name", .name), ("is_favorite", .favorite), ("section", .section), ("extra", .extra), ("-", .ignored),
  ]

  /// The target named by `--map`.
  init(named name: String) throws {
    if let field = Name(name).only(of: CustomerField.texts, by: \.column) {
      self = .field(field)
    } else if let word = Name(name).only(of: ColumnTarget.words, by: \.0) {
      self = word.1
    } else if name.hasPrefix(ExtraName.prefix), name != ExtraName.prefix {
      self = .renamed(String(name.dropFirst(ExtraName.prefix.count)))
    } else {
      let names = CustomerField.texts.map(\.column) + ColumnTarget.words.map(\.0)
      let near = nearest(to: name, among: names).map { "did you mean '\($0)'?" }
      throw Failure.usage(
        "--map: there is no field \(quoted(name))",
        hint: near
          ?? "the fields are \(names.joined(separator: ", ")); extra.NAME keeps the column under that name")
    }
  }

  /// The target of a column by its name or a synonym, in any spelling.
  init(column: String) {
    let key = Name(column).key.filter { $0.isLetter || $0.isNumber }
    switch column {
    case "can_edit": self = .canEdit
    case "can_move": self = .canMove
    case "section": self = .section
    case "extra": self = .extras
    case _ where ["name", "fullname", "contactname", "displayname", "contact"].contains(key): self = .name
    case _ where ["isfavorite", "favorite", "favourite"].contains(key): self = .favorite
    default:
      let field = CustomerField.texts.first { field in
        field.column.filter { $0 != "_" } == key || field.synonyms.contains(key)
      }
      self = field.map { .field($0) } ?? .extra
    }
  }

  /// Whether it is one or more extra columns.
  var isExtra: Bool {
    if case .renamed = self { true } else { self == .extra || self == .extras }
  }

  /// Whether other columns may have the same target.
  var mayBeWrittenOver: Bool { self != .extra && self != .ignored }

  /// Whether it is a text field of a customer, or two of them.
  var isField: Bool {
    if case .field = self { true } else { self == .name }
  }

  /// Whether the values of two columns would go to the same field.
  func writesOver(_ other: ColumnTarget) -> Bool {
    switch (self, other) {
    case (.extra, _), (.ignored, _): false
    case (.name, .field(let field)), (.field(let field), .name): field == .firstName || field == .lastName
    default: self == other
    }
  }
}

extension ColumnTarget: CustomStringConvertible {
  var description: String {
    switch self {
    case .field(let field): field.column
    case .name: "first_name and last_name"
    case .favorite: "is_favorite"
    case .canEdit: "can_edit"
    case .canMove: "can_move"
    case .section: "section"
    case .id: "id"
    case .extra, .extras: "extra column"
    case .renamed(let name): "extra column \(quoted(name))"
    case .ignored: "ignored"
    }
  }

  /// The target in JSON and in `--map`.
  var word: String {
    switch self {
    case .name: "name"
    case .extra, .extras: "extra"
    case .renamed(let name): ExtraName.prefix + name
    case .ignored: "-"
    case .field, .favorite, .canEdit, .canMove, .section, .id: description
    }
  }
}

extension CustomerField {
  /// Other names of the column in imported files, in lowercase without spaces and symbols.
  fileprivate var synonyms: [String] {
    switch self {
    case .firstName: ["first", "given", "givenname", "forename", "vorname", "prenom"]
    case .lastName: ["last", "family", "familyname", "surname", "nachname", "nom"]
    case .company: ["companyname", "organization", "organisation", "org", "firm", "firma", "business"]
    case .email: ["mail", "emailaddress", "mailaddress", "email1value", "email1"]
    case .phone: ["phonenumber", "telephone", "tel", "mobile", "phone1value", "telefon"]
    case .address: ["postaladdress", "street", "streetaddress", "adresse", "anschrift"]
    case .note: ["notes", "comment", "comments", "remark", "remarks", "notiz"]
    case .isFavorite, .extra: []
    }
  }
}
