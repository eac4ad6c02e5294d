/// Where a customer stands: a section, and the number in it.
public struct Place: Hashable, Sendable {
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
public enum Destination: Hashable, Sendable {
  /// To the top of the section.
  case first
  /// To the end of the section.
  case last
  /// To place n of the section, counted from 1 **after** the edit; of several rows the first.
  case place(Int)
  /// To just before a customer, in that customer's section.
  case before(CustomerID)
  /// To just behind a customer, in that customer's section.
  case after(CustomerID)
}

/// A row that went from one place to another.
public struct Move: Hashable, Sendable {
  /// The customer.
  public var id: CustomerID
  /// The place before the edit.
  public var from: Place
  /// The place after the edit.
  public var to: Place
}
