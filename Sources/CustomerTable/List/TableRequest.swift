public import CustomerStore

/// A request of a table for rows of the list.
public struct TableRequest: Hashable, Sendable {
  /// A row, by what is known about it.
  public struct Anchor: Hashable, Sendable {
    /// The first of these that is in the list.
    public var ids: [CustomerID] = []
    /// Otherwise the row with this number, from 0, or the last one.
    public var row = 0
  }

  /// The action for the row in `wanted`.
  public enum Purpose: Hashable, Sendable {
    /// Nothing, unless the customer under the cursor is gone.
    case keep
    /// The cursor goes there.
    case cursor
    /// The rows in hand are shown above it.
    case gap
  }

  /// The greatest number of lines on a screen; the same as for a terminal.
  public static let mostLines = 65_535

  /// The row at the top of the screen.
  public var top = Anchor()
  /// A row to find.
  public var wanted = Anchor()
  /// What to do with it.
  public var purpose = Purpose.keep
  /// The number of lines on the screen, at most `mostLines`.
  public var height = 0
  /// Customers that are needed, wherever they are.
  public var held: Set<CustomerID> = []
  /// The rows to show, in list order; nil for all.
  public var only: SearchHits?
}
