/// The permanent id of a customer.
///
/// The file never reuses an id.
public struct CustomerID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
  /// The number in column `id`, 1 or more.
  public var rawValue: Int64

  /// Creates an id from a number; no customer needs to have it.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether one id was assigned before the other.
  public static func < (left: CustomerID, right: CustomerID) -> Bool { left.rawValue < right.rawValue }
}

extension CustomerID: ExpressibleByIntegerLiteral {
  /// Creates an id from a literal, as in `try list.customer(17)`.
  public init(integerLiteral number: Int) { self.init(rawValue: Int64(number)) }
}
