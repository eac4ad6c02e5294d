/// A customer and its place in the list.
public struct Customer: Hashable, Identifiable, Codable, Sendable {
  /// The permanent id.
  public var id: CustomerID
  /// The section and the place in it when the customer was read.
  public var place: CustomerPlace
  /// The fields.
  public var fields: CustomerFields
  /// Whether the customer may be edited and deleted.
  public var canEdit: Bool
  /// Whether the customer may be moved.
  ///
  /// It still shifts when rows around it move.
  public var canMove: Bool

  /// Creates a customer for a preview or a test; to get customers of a list, read the list.
  public init(
    id: CustomerID, place: CustomerPlace, fields: CustomerFields, canEdit: Bool = true, canMove: Bool = true
  ) {
    self.id = id
    self.place = place
    self.fields = fields
    self.canEdit = canEdit
    self.canMove = canMove
  }

  /// First and last name with one space between; the company if both are empty.
  public var name: String { fields.name }
}

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
