/// A field of a customer: one of those that every customer has, or an extra column.
public enum CustomerField: Hashable, Codable, Sendable {
  case firstName, lastName, company, email, phone, address, note
  case isFavorite
  /// A column of an imported list that fits no other field, by its name.
  case extra(String)

  /// The fields that every customer has and that are texts, in the order in which they are shown.
  public static let texts: [CustomerField] = [
    .firstName, .lastName, .company, .email, .phone, .address, .note,
  ]

  /// The fields that every customer has, in the order in which they are shown.
  public static let standard = texts + [.isFavorite]
}

extension CustomerField: Identifiable, CustomStringConvertible {
  /// The field itself, which no other field equals.
  public var id: CustomerField { self }

  /// The column of the view `customers`; the name of an extra column.
  public var column: String { definition.column }

  /// What people call the field.
  public var title: String { definition.title }

  /// The title.
  public var description: String { title }

  /// The value of a customer of whom nothing is known.
  public var emptyValue: FieldValue {
    if case .flag = definition.path { .flag(false) } else { .text("") }
  }

  /// The field with a column of the view `customers`; nil for any other name.
  public init?(column: String) {
    guard let field = CustomerField.standard.first(where: { $0.column == column }) else { return nil }
    self = field
  }

  /// The field that people call so; nil for any other name, maybe one of an extra column.
  ///
  /// Its column or its title, case, blanks, `-` and `_` ignored: `last-name` and `Last name` are one field.
  public init?(named name: String) {
    let key = CustomerField.key(name)
    let field = CustomerField.standard.first {
      [$0.column, $0.title].contains { CustomerField.key($0) == key }
    }
    guard let field else { return nil }
    self = field
  }

  /// A name without what does not count in the names of fields: case, blanks, `-` and `_`.
  package static func key(_ name: String) -> String {
    caseFolded(name).filter { !$0.isWhitespace && $0 != "-" && $0 != "_" }
  }

  /// The value that a text means.
  ///
  /// A mark is set by `yes`, `true` or `1` and removed by `no`, `false`, `0` or nothing; case is ignored.
  ///
  /// - Throws: `FieldError` for any other text.
  public func value(parsing text: String) throws(FieldError) -> FieldValue {
    guard case .flag = definition.path else { return .text(text) }
    return switch caseFolded(text) {
    case "yes", "true", "1": .flag(true)
    case "no", "false", "0", "": .flag(false)
    default: throw FieldError(field: self)
    }
  }
}

/// The one table of the fields.
extension CustomerField {
  struct Definition {
    /// Where a value is kept.
    enum Path {
      case text(WritableKeyPath<CustomerFields, String>)
      case flag(WritableKeyPath<CustomerFields, Bool>)
      case extra(String)
    }

    var column: String
    var title: String
    var path: Path

    init(_ column: String, _ title: String, _ path: Path) {
      (self.column, self.title, self.path) = (column, title, path)
    }
  }

  var definition: Definition {
    switch self {
    case .firstName: Definition("first_name", "First name", .text(\.firstName))
    case .lastName: Definition("last_name", "Last name", .text(\.lastName))
    case .company: Definition("company", "Company", .text(\.company))
    case .email: Definition("email", "E-mail", .text(\.email))
    case .phone: Definition("phone", "Phone", .text(\.phone))
    case .address: Definition("address", "Address", .text(\.address))
    case .note: Definition("note", "Note", .text(\.note))
    case .isFavorite: Definition("is_favorite", "Favorite", .flag(\.isFavorite))
    case .extra(let name): Definition(name, name, .extra(name))
    }
  }
}
