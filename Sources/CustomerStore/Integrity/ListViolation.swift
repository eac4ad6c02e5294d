/// A problem found in a file.
public struct ListViolation: Hashable, Sendable {
  /// The problem, without people's data.
  public var message: String
  /// The section, if any.
  public var section: SectionID?
  /// The number of the row in the file, if any.
  public var order: Int?
  /// The customer, if any.
  public var customer: CustomerID?
}
