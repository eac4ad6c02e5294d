/// A customer, and where it is in the list.
public struct Customer: Hashable, Identifiable, Codable, Sendable {
  /// The lasting number.
  public var id: CustomerID
  /// The section and the place in it when the customer was read.
  public var place: Place
  /// What people wrote down.
  public var fields: CustomerFields
  /// Whether the fields may change and the customer may be deleted.
  public var canEdit: Bool
  /// Whether the customer may be moved.
  ///
  /// It still slides when rows around it move.
  public var canMove: Bool

  /// Makes a customer, for a preview or a test; those of a list come from the list.
  public init(
    id: CustomerID, place: Place, fields: CustomerFields, canEdit: Bool = true, canMove: Bool = true
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
