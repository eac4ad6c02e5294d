/// A field of a customer: one of those that every customer has, or an extra column.
public enum CustomerField: Hashable, Codable, Sendable {
  case firstName, lastName, company, email, phone, address, note
  case isFavorite
  /// An imported column that matches no other field, by its name.
  case extra(String)

  /// The text fields that every customer has, in display order.
  public static let texts: [CustomerField] = [
    .firstName, .lastName, .company, .email, .phone, .address, .note,
  ]

  /// The fields that every customer has, in display order.
  public static let standard = texts + [.isFavorite]
}

extension CustomerField: Identifiable, CustomStringConvertible {
  /// The field itself, as its identity.
  public var id: CustomerField { self }

  /// The column of the view `customers`; the name of an extra column.
  public var column: String { definition.column }

  /// The name that people see.
  public var title: String { definition.title }

  /// The title.
  public var description: String { title }

  /// The value of a new, empty customer.
  public var emptyValue: FieldValue {
    if case .flag = definition.path { .flag(false) } else { .text("") }
  }

  /// The field for a column of the view `customers`; nil for any other name.
  public init?(column: String) {
    guard let field = CustomerField.standard.first(where: { $0.column == column }) else { return nil }
    self = field
  }

  /// The field with this name; nil for any other name, which may be an extra column.
  ///
  /// Matches its column or title, ignoring case, accents, spaces, `-` and `_`: `last-name` and `Last name` are
  /// the same field.
  public init?(named name: String) {
    guard let found = Name(name).best(of: CustomerField.standard, by: { [$0.column, $0.title] }) else {
      return nil
    }
    self = found.elements[0]
  }

  /// Parses a text as a value of this field.
  ///
  /// A mark is set by `yes`, `true` or `1` and removed by `no`, `false`, `0` or an empty text; case is
  /// ignored.
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
