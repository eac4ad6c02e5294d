/// The place of a customer: a section and the number in it.
public struct CustomerPlace: Hashable, Codable, Sendable {
  /// The section.
  public var section: SectionID
  /// The number in the section, from 1 to its count.
  public var order: Int

  /// Creates a place.
  public init(section: SectionID, order: Int) {
    self.section = section
    self.order = order
  }
}

/// Where to put rows.
public enum Destination: Hashable, Codable, Sendable {
  /// The top of the section.
  case first
  /// The end of the section.
  case last
  /// Place n of the section, counted from 1 **after** the edit; for several rows, that of the first.
  case place(Int)
  /// Just before a customer, in that customer's section.
  case before(CustomerID)
  /// Just after a customer, in that customer's section.
  case after(CustomerID)
}

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
