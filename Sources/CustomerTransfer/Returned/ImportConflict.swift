public import CustomerStore

/// What both the list and a returned file changed, or may have changed, to something else.
///
/// If the history does not reach back to the version of the file, every difference is a conflict.
public struct ImportConflict: Hashable, Sendable {
  /// What the two sides did.
  public enum Kind: Hashable, Sendable {
    /// The two sides have different values in a column.
    case value(column: String, ours: String, theirs: String)
    /// The list deleted the customer, which was changed in the file.
    case deletedFromList
    /// The customer is missing in the file and was changed in the list.
    case deletedFromFile
    /// Both moved the row to another place.
    case moved
  }

  /// The customer.
  public var id: CustomerID
  /// The name in the list, or if the list deleted the customer, in the file.
  public var name: String
  /// Where the customer is in the file; nil if it is missing or for an order.
  public var place: FilePlace?
  /// What the two sides did.
  public var kind: Kind
}
