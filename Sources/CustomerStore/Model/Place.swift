/// Where a customer is: a section, and the number in it.
public struct Place: Hashable, Codable, Sendable {
  /// The section.
  public var section: SectionID
  /// The number in the section, from 1 to its count.
  public var order: Int

  /// Makes a place.
  public init(section: SectionID, order: Int) {
    self.section = section
    self.order = order
  }
}

/// Where rows go.
public enum Destination: Hashable, Codable, Sendable {
  /// To the top of the section.
  case first
  /// To the end of the section.
  case last
  /// To place n of the section, counted from 1 **after** the edit; of several rows the first.
  case place(Int)
  /// To just before a customer, in that customer's section.
  case before(CustomerID)
  /// To just after a customer, in that customer's section.
  case after(CustomerID)
}
