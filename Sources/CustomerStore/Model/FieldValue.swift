internal import CustomersFormats

/// A string that is not a valid value of a field.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field.
  public var field: CustomerField

  /// Makes an error.
  public init(field: CustomerField) { self.field = field }

  /// The accepted values, in one line.
  public var description: String { "\(field.title) must be yes, no, true, false, 1, or 0" }
}

/// The value of a field.
public enum FieldValue: Hashable, Codable, Sendable {
  /// A string.
  case text(String)
  /// A mark.
  case flag(Bool)
  /// JSON in an extra column that is not a string: a number, true, false, null, an object, or an array.
  case json(String)

  /// The value as displayed text.
  public var text: String {
    switch self {
    case .text(let text), .json(let text): text
    case .flag(let isSet): isSet ? "yes" : "no"
    }
  }
}

extension FieldValue {
  /// Whether both are the same entry: the same text, even if one is a JSON number or mark and the other a
  /// string, as from a CSV file.
  public func isSame(as other: FieldValue) -> Bool { text == other.text }

  /// The value after a user has typed a string over this one.
  ///
  /// The same text leaves it as it is. JSON stays JSON of its type if the text is: a number typed over a number
  /// is a number, with all the digits as typed. Anything else is a string, even one that looks like a number.
  public func replaced(by text: String) -> FieldValue {
    if self.text.utf8.elementsEqual(text.utf8) { return self }
    guard case .json(let old) = self, case .json? = JSON.value(text), jsonType(old) == jsonType(text) else {
      return .text(text)
    }
    return .json(text)
  }
}

/// The type of a JSON value that is not a string.
private enum JSONType {
  case number, mark, null, array, object
}

private func jsonType(_ json: String) -> JSONType {
  switch json.utf8.first {
  case UInt8(ascii: "{"): .object
  case UInt8(ascii: "["): .array
  case UInt8(ascii: "n"): .null
  case UInt8(ascii: "t"), UInt8(ascii: "f"): .mark
  default: .number
  }
}

extension FieldValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral {
  /// A string, as in `[.note: "call back"]` or `[.note: "call \(day)"]`.
  public init(stringLiteral text: String) { self = .text(text) }

  /// A mark, as in `[.isFavorite: true]`.
  public init(booleanLiteral isSet: Bool) { self = .flag(isSet) }
}
