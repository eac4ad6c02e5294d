/// A step of the history as a follower gets it: what one transaction, or one statement of another client,
/// did.
public struct ListStep: Hashable, Sendable {
  /// The numbers of its edits, one for each change.
  public let edits: ClosedRange<Int64>
  /// The changes, in the order made.
  public let changes: [ListChange]
  /// Which step of the history it is, for `undo(expecting:)`.
  public let id: HistoryStep.ID
  /// The program that made it; empty if it did not say.
  public let program: String
  /// The login name of the person who ran the program; empty if it did not say.
  public let user: String
  /// The machine on which the program ran; empty if it did not say.
  public let host: String
  /// What the program was asked; empty if it did not say.
  public let action: String
  /// Whether edits made it, or undo or redo.
  public let kind: HistoryStep.Kind
  /// The last edit that was made when the step was read; `customers` and `sections` are as they were then.
  public let readAt: Int64
  /// The customers that `changes` inserts one by one or updates, but those that were deleted since.
  public let customers: [CustomerID: Customer]
  /// The sections that `changes` inserts or updates, but those that were deleted since.
  public let sections: [SectionID: CustomerSection]
}

/// What a follower of the list gets to know.
public enum ListEvent: Equatable, Sendable {
  /// The list was changed.
  case step(ListStep)
  /// More has happened than is worth following, or the history has forgotten some of it: this is the list
  /// now. What comes next has happened after it.
  case reload(ListSnapshot)
  /// For half a second already the file is locked by another program. The next event comes when it no
  /// longer is.
  case waiting(StoreError)
}
