/// A step of the history as the feed delivers it: what one transaction, or one statement of another client,
/// did.
public struct ListStep: Hashable, Sendable {
  /// The numbers of its edits, one for each change.
  public let edits: ClosedRange<Int64>
  /// The changes, in the order made.
  public let changes: [ListChange]
  /// The number of the step in the history.
  public let id: HistoryStep.ID
  /// The program that made it; empty if unknown.
  public let program: String
  /// The login name of the user who ran the program; empty if unknown.
  public let user: String
  /// The machine on which the program ran; empty if unknown.
  public let host: String
  /// What the program was asked to do; empty if unknown.
  public let action: String
  /// Whether edits made it, or undo or redo.
  public let kind: HistoryStep.Kind
  /// The version when the step was read; `customers` and `sections` have the state of that moment.
  public let readAt: ListVersion
  /// The customers that `changes` inserts one by one or updates, except those deleted since.
  public let customers: [CustomerID: Customer]
  /// The sections that `changes` inserts or updates, except those deleted since.
  public let sections: [SectionID: CustomerSection]
}

/// An event in the feed of a list.
public enum ListEvent: Equatable, Sendable {
  /// The list was changed.
  case step(ListStep)
  /// Too much has happened to follow, or the history has forgotten some of it: this is the list now. Later
  /// events happened after it.
  case reload(ListSnapshot)
  /// Another program has locked the file for half a second. The next event comes when the lock is released.
  case waiting(StoreError)
}
