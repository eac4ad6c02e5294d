public import CustomerStore

/// What a table wants to know of the list.
public struct TableRequest: Hashable, Sendable {
  /// A row, by what is known of it.
  public struct Anchor: Hashable, Sendable {
    /// The first of these that is in the list.
    public var ids: [CustomerID] = []
    /// Else the row with this number, from 0, or the last one.
    public var row = 0
  }

  /// What becomes of the row in `wanted`.
  public enum Purpose: Hashable, Sendable {
    /// Nothing, unless the cursor has lost its customer.
    case keep
    /// The cursor goes there.
    case cursor
    /// The rows in hand are shown above it.
    case gap
  }

  /// The row at the top of the screen.
  public var top = Anchor()
  /// A row that is looked for.
  public var wanted = Anchor()
  /// What for.
  public var purpose = Purpose.keep
  /// The number of lines on the screen.
  public var height = 0
  /// Customers that are needed wherever they are.
  public var held: Set<CustomerID> = []
  /// The rows to show, in list order; nil for all.
  public var only: SearchHits?
}
