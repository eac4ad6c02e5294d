/// The move of a row from one place to another.
public struct CustomerMove: Hashable, Identifiable, Codable, Sendable {
  /// The customer.
  public var id: CustomerID
  /// The place before the edit.
  public var from: CustomerPlace
  /// The place after the edit.
  public var to: CustomerPlace

  /// Creates a move.
  public init(id: CustomerID, from: CustomerPlace, to: CustomerPlace) {
    self.id = id
    self.from = from
    self.to = to
  }
}
