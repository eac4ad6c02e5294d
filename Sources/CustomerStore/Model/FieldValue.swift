/// A text that a field can't take.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field.
  public var field: CustomerField

  /// Makes an error.
  public init(field: CustomerField) { self.field = field }

  /// What the field takes, in one line.
  public var description: String { "\(field.title) takes yes, no, true, false, 1 or 0" }
}

/// What a field has.
public enum FieldValue: Hashable, Codable, Sendable {
  /// A text.
  case text(String)
  /// A mark.
  case flag(Bool)
  /// JSON in an extra column that is not a string: a number, true, false, null, an object or an array.
  case json(String)

  /// The value as people read it.
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
