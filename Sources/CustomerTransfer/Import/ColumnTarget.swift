public import CustomerStore

/// What a column of a file is imported as.
public enum ColumnTarget: Hashable, Sendable {
  /// A field; for an extra column, its name in the list, which may differ from that in the file.
  case field(CustomerField)
  /// First and last name in one column.
  case name
  /// Whether the customer may be edited.
  case canEdit
  /// Whether the customer may be moved.
  case canMove
  /// The title of the section.
  case section
  /// The id in the list that the file was written from, to recognize the customer.
  case id
  /// An extra column of the same name.
  case extra
  /// Extra columns, one per member of a JSON object.
  case members
  /// Nothing.
  case ignored

  /// The targets with a word of their own.
  private static let words: [(String, ColumnTarget)] = [
    ("name", .name), ("is_favorite", .field(.isFavorite)), ("section", .section), ("extra", .extra),
    ("-", .ignored),
  ]

  /// The words for targets; besides them, `extra.NAME` keeps a column under another name.
  public static let targetNames = CustomerField.texts.map(\.column) + words.map(\.0)

  /// The target with a word: one of `targetNames`, or `extra.NAME`; nil for any other.
  ///
  /// Case, accents, spaces, `-` and `_` are ignored.
  public init?(named name: String) {
    if let field = Name(name).only(of: CustomerField.texts, by: \.column) {
      self = .field(field)
    } else if let word = Name(name).only(of: ColumnTarget.words, by: \.0) {
      self = word.1
    } else if name.hasPrefix(ExtraName.prefix), name != ExtraName.prefix {
      self = .field(.extra(String(name.dropFirst(ExtraName.prefix.count))))
    } else {
      return nil
    }
  }

  /// The target of a column by its name or a synonym, in any spelling.
  init(column: String) {
    switch column {
    case "can_edit": self = .canEdit
    case "can_move": self = .canMove
    case "section": self = .section
    case "extra": self = .members
    default: self = Self.bySynonym[Name(column).key.filter { $0.isLetter || $0.isNumber }] ?? .extra
    }
  }

  /// The targets by names and synonyms, in lowercase without spaces and symbols.
  private static let bySynonym: [String: ColumnTarget] = {
    let others: [(ColumnTarget, [String])] = [
      (.name, ["name", "fullname", "contactname", "displayname", "contact"]),
      (.field(.isFavorite), ["isfavorite", "favorite", "favourite"]),
    ]
    let fields = CustomerField.texts.map { field in
      (ColumnTarget.field(field), [field.column.filter { $0 != "_" }] + field.synonyms)
    }
    let pairs = (others + fields).flatMap { target, names in names.map { ($0, target) } }
    return Dictionary(pairs) { first, _ in first }
  }()

  /// Whether it is one or more extra columns.
  public var isExtra: Bool {
    switch self {
    case .field(.extra), .extra, .members: true
    default: false
    }
  }

  /// Whether it is one extra column.
  var hasColumnOfItsOwn: Bool { isExtra && self != .members }

  /// Whether it is a text field that every customer has, or two of them.
  public var isText: Bool {
    if case .field(let field) = self { CustomerField.texts.contains(field) } else { self == .name }
  }

  /// Whether other columns may have the same target.
  var mayBeWrittenOver: Bool { self != .extra && self != .ignored }

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
  /// The target in words, as in "first_name and last_name".
  public var description: String {
    switch self {
    case .field(.extra(let name)): "extra column \"\(name)\""
    case .field(let field): field.column
    case .name: "first_name and last_name"
    case .canEdit: "can_edit"
    case .canMove: "can_move"
    case .section: "section"
    case .id: "id"
    case .extra, .members: "extra column"
    case .ignored: "ignored"
    }
  }

  /// The target in one word, as `init(named:)` takes most of them.
  public var word: String {
    switch self {
    case .field(.extra(let name)): ExtraName.prefix + name
    case .name: "name"
    case .extra, .members: "extra"
    case .ignored: "-"
    case .field, .canEdit, .canMove, .section, .id: description
    }
  }
}
