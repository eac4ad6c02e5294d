/// Where a column of an imported file goes.
enum ColumnTarget: Equatable {
  /// To the text field with this index in `Field.all`.
  case field(Int)
  /// First and last name in one column.
  case name
  case favorite
  case canEdit
  case canMove
  /// The title of the section.
  case section
  /// The id that the customer had in the list which the file is of.
  case id
  /// Kept beside the fields.
  case extra
  /// Kept beside the fields, each member of the object for itself.
  case extras
  case ignored

  /// What a person may write after the equals sign of `--map`, but the fields.
  private static let words: [(String, ColumnTarget)] = [
    ("name", .name), ("is_favorite", .favorite), ("section", .section), ("extra", .extra), ("-", .ignored),
  ]

  /// The target that `--map` names.
  init(named name: String) throws {
    if let index = Field.all.firstIndex(where: { $0.column == name }) {
      self = .field(index)
    } else if let word = ColumnTarget.words.first(where: { $0.0 == name }) {
      self = word.1
    } else {
      let names = Field.all.map(\.column) + ColumnTarget.words.map(\.0)
      let near = nearest(to: name, among: names).map { "did you mean '\($0)'?" }
      throw Failure.usage(
        "--map: there is no field \(quoted(name))",
        hint: near ?? "the fields are \(names.joined(separator: ", "))")
    }
  }

  /// The target of a column by its name, or by a synonym of it in any spelling.
  init(column: String) {
    let key = column.lowercased().filter { $0.isLetter || $0.isNumber }
    switch column {
    case "can_edit": self = .canEdit
    case "can_move": self = .canMove
    case "section": self = .section
    case "extra": self = .extras
    case _ where ["name", "fullname", "contactname", "displayname", "contact"].contains(key): self = .name
    case _ where ["isfavorite", "favorite", "favourite"].contains(key): self = .favorite
    default:
      let index = Field.all.firstIndex { field in
        field.column.filter { $0 != "_" } == key || field.synonyms.contains(key)
      }
      self = index.map { .field($0) } ?? .extra
    }
  }

  /// Whether it is a text field of a customer, or two of them.
  var isField: Bool {
    if case .field = self { true } else { self == .name }
  }

  /// Whether the values of two columns would go to the same field.
  func writesOver(_ other: ColumnTarget) -> Bool {
    switch (self, other) {
    case (.extra, _), (.ignored, _): false
    case (.name, .field(let index)), (.field(let index), .name):
      ["first_name", "last_name"].contains(Field.all[index].column)
    default: self == other
    }
  }
}

extension ColumnTarget: CustomStringConvertible {
  var description: String {
    switch self {
    case .field(let index): Field.all[index].column
    case .name: "first_name and last_name"
    case .favorite: "is_favorite"
    case .canEdit: "can_edit"
    case .canMove: "can_move"
    case .section: "section"
    case .id: "id"
    case .extra, .extras: "kept"
    case .ignored: "left out"
    }
  }
}
