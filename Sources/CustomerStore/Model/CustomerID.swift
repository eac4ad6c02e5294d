/// The lasting number of a customer.
///
/// The file gives it once and never uses it again.
public struct CustomerID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
  /// The number in column `id`, 1 or more.
  public var rawValue: Int64

  /// Takes a number; whether a customer has it is for the list to say.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether one id was given before the other.
  public static func < (left: CustomerID, right: CustomerID) -> Bool { left.rawValue < right.rawValue }
}

extension CustomerID: ExpressibleByIntegerLiteral {
  /// Takes a number, as in `try list.customer(17)`.
  public init(integerLiteral number: Int) { self.init(rawValue: Int64(number)) }
}
