/// A text that is not a valid value of a field.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field.
  public var field: CustomerField

  /// Makes an error.
  public init(field: CustomerField) { self.field = field }

  /// The accepted values, in one line.
  public var description: String { "\(field.title) must be yes, no, true, false, 1 or 0" }
}

/// The value of a field.
public enum FieldValue: Hashable, Codable, Sendable {
  /// A text.
  case text(String)
  /// A mark.
  case flag(Bool)
  /// JSON in an extra column that is not a string: a number, true, false, null, an object or an array.
  case json(String)

  /// The value as displayed text.
  public var text: String {
    switch self {
    case .text(let text), .json(let text): text
    case .flag(let isSet): isSet ? "yes" : "no"
    }
  }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// A text, as in `[.note: "call back"]`.
  public init(stringLiteral text: String) { self = .text(text) }

  /// A mark, as in `[.isFavorite: true]`.
  public init(booleanLiteral isSet: Bool) { self = .flag(isSet) }
}
