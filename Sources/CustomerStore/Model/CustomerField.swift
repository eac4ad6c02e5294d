/// A field of a customer: one of those that every customer has or an extra column.
public enum CustomerField: Hashable, Codable, Sendable {
  case firstName, lastName, company, email, phone, address, note, otherContacts, tags
  case isFavorite
  /// An imported column that matches no other field, by its name.
  case extra(String)

  /// The text fields that every customer has, in display order.
  public static let texts = FieldDescriptor.all.filter { $0.kind != .flag }.map(\.field)

  /// The text fields with any number of values, in display order; they are the last of `texts`.
  package static let lists = texts.filter { $0.kind == .lines }

  /// The fields that every customer has, in display order.
  public static let standard = FieldDescriptor.all.map(\.field)
}

extension CustomerField: Identifiable, CustomStringConvertible {
  /// The field itself, as its identity.
  public var id: CustomerField { self }

  /// The column of the view `customers`; the name of an extra column.
  public var column: String { if case .extra(let name) = self { name } else { descriptor?.column ?? "" } }

  /// The name that people see.
  public var title: String { if case .extra(let name) = self { name } else { descriptor?.title ?? "" } }

  /// The title.
  public var description: String { title }

  /// The value of a new, empty customer.
  public var emptyValue: FieldValue { kind == .flag ? .flag(false) : .text("") }

  /// The field for a column of the view `customers`; nil for any other name.
  public init?(column: String) {
    guard let field = CustomerField.standard.first(where: { $0.column == column }) else { return nil }
    self = field
  }

  /// The field with this name; nil for any other name, which may be an extra column.
  ///
  /// Matches its column or title, ignoring case, accents, spaces, `-`, and `_`: `last-name` and `Last name` are
  /// the same field.
  public init?(named name: String) {
    guard let found = Name(name).best(of: CustomerField.standard, by: { [$0.column, $0.title] }) else {
      return nil
    }
    self = found.elements[0]
  }

  /// Parses a string as a value of this field.
  ///
  /// A mark is set by `yes`, `true`, or `1` and removed by `no`, `false`, `0`, or an empty text; case is
  /// ignored.
  ///
  /// - Throws: `FieldError` for any other text.
  public func value(parsing text: String) throws(FieldError) -> FieldValue {
    guard kind == .flag else { return .text(text) }
    return switch caseFolded(text) {
    case "yes", "true", "1": .flag(true)
    case "no", "false", "0", "": .flag(false)
    default: throw FieldError(field: self)
    }
  }
}

extension CustomerField {
  /// What a field holds.
  public enum Kind: Hashable, Codable, Sendable {
    /// A string of one line.
    case text
    /// A string that may have several lines, separated by line feeds.
    case multilineText
    /// A string with one value per line, such as tags; a file leaves the field out if it is empty.
    case lines
    /// A mark.
    case flag
  }

  /// What the field holds; an extra column holds a string.
  public var kind: Kind { descriptor?.kind ?? .text }

  /// The descriptor of a field that every customer has; nil for an extra column.
  var descriptor: FieldDescriptor? { index.map { FieldDescriptor.all[$0] } }

  /// Where the field is kept; nil for an extra column.
  var storage: FieldDescriptor.Storage? { index.map { FieldDescriptor.storages[$0] } }

  private var index: Int? {
    if case .extra = self { return nil }
    return CustomerField.standard.firstIndex(of: self)
  }
}
