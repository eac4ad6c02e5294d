public import CustomerStore
public import Observation
internal import Synchronization

/// The list for a table that scrolls by itself, such as a `UITableView` or a `List`: its sections, its rows when
/// they are needed, and everything that happens to them, whichever program does it.
///
///     let model = CustomerListModel(try CustomerStore(path: path))
///     model.onUpdates = { [weak self] updates in
///       self?.table.perform(updates)
///     }
///
/// It follows the list as long as it lives. Nothing here waits for the file: a row that can't be read at once is nil
/// until it arrives, and edits are made in the background. An edit is shown once, when it is in the list; rows that
/// were dropped elsewhere are shown there at once and go back if the list refuses the move.
///
/// A view of SwiftUI only reads it: it is observable.
@MainActor @Observable public final class CustomerListModel {
  /// What hinders the model from showing the list as it is now.
  public enum Status: Sendable {
    /// The list was not read yet.
    case loading
    /// Nothing: changes arrive as they happen.
    case current
    /// Another program has locked the file; the rows are those of the last version that could be read.
    case waiting
    /// The list can't be read; the model keeps trying.
    case failed(any Error)
  }

  /// Whether the rows are those of the list.
  public internal(set) var status = Status.loading
  /// Why the last edit without a caller, such as a drop, was not made; the app shows it and sets it to nil.
  public var problem: (any Error)?
  /// The step that `undo` undoes, whichever program made it; nil if there is none.
  public internal(set) var undoable: HistoryStep?
  /// The step that `redo` redoes; nil if there is none.
  public internal(set) var redoable: HistoryStep?

  var pendingEdits = 0
  /// Whether edits are not on disk yet.
  public var isSaving: Bool { pendingEdits > 0 }

  /// Gets the updates that lead from what a table shows to what the model has now; for tables that don't observe it.
  @ObservationIgnored public var onUpdates: ([TableUpdate]) -> Void = { _ in }

  /// The list on disk; another one if another file takes its place.
  @ObservationIgnored public internal(set) var store: CustomerStore
  var draft = DraftSnapshot()
  /// Counts the changes of `draft`, to notice one while another is computed.
  @ObservationIgnored var draftNumber = 0
  @ObservationIgnored var rows = RowCache()
  @ObservationIgnored var isReadingRows = false
  /// Counts the changes of `rows` that no one asked for in the same moment.
  var rowsNumber = 0
  @ObservationIgnored var search = TypedSearch()
  var hits = SearchHits()
  /// Whether rows were not searched yet.
  public internal(set) var isSearching = false
  /// The text that is looked for: words or a question such as `City=Berlin`; the matches are `results`.
  public var searchText = "" { didSet { if searchText != oldValue { findMatches() } } }

  /// Whether nothing was read yet of the list that took the place of the one before.
  @ObservationIgnored var isReopened = false
  /// Since when the list has another history than before: ids may be those of other customers.
  @ObservationIgnored var historyStart: ContinuousClock.Instant?
  @ObservationIgnored private let following = FollowingTask()
  @ObservationIgnored var writing: Task<Void, Never>?
  @ObservationIgnored var reading: Task<Void, Never>?
  @ObservationIgnored var searching: Task<Void, Never>?

  /// Creates the model of a list, which follows it from now on.
  ///
  /// A list of up to 10,000 rows is there at once, unless another program has locked it.
  ///
  /// - Parameters:
  ///   - store: the list.
  ///   - interval: how often to look for changes, from a millisecond to a day; up to four times as long while
  ///     nothing happens.
  public init(_ store: CustomerStore, every interval: Duration = .milliseconds(50)) {
    self.store = store
    if case let snapshot?? = try? store.readAtOnce({ list in
      try list.count() <= 10_000 ? list.snapshot() : nil
    }) {
      (draft, status) = (DraftSnapshot(snapshot), .current)
      lookUpUndo()
    }
    following.begin { [weak self] in
      while !Task.isCancelled { await Self.follow({ [weak self] in self }, every: interval) }
    }
  }

  /// The sections in order, each with the ids of its rows.
  public var sections: [ListSnapshot.Section] { draft.shown.sections }

  /// The version of the list that is shown, for `asSeenAt` and `write(since:)`.
  public var version: ListVersion { draft.base.version }

  /// The id of a row; nil if there is no such row.
  public func id(at path: RowPath) -> CustomerID? { draft.shown[path] }
}

/// Ends following when the model goes.
private final class FollowingTask: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  func begin(_ body: @escaping @MainActor () async -> Void) {
    let new = Task { await body() }
    task.withLock { $0 = new }
  }

  deinit { task.withLock(\.self)?.cancel() }
}
