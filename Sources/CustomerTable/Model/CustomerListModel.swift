public import CustomerStore
public import Observation
internal import Synchronization

/// The list for a view that scrolls by itself, such as a `List` of SwiftUI or a table of UIKit: its sections, its rows
/// when they are needed, and everything that happens to them, whichever program does it.
///
///     List {
///       ForEach(list.sections) { section in
///         Section(section.title) {
///           ForEach(section.rows) { row in Text(row.name) }
///             .onMove { list.move($0, to: $1, in: section) }
///             .onDelete { list.delete($0, in: section) }
///         }
///       }
///     }
///
/// It follows the list as long as it lives. Nothing here waits for the file: a row that can't be read at once is empty
/// until it arrives, and edits are made in the background. What a person does shows at once; if the list refuses it, the
/// rows are as they were, and `problem` says why.
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

  package typealias Update = (changed: Set<CustomerID>, isReload: Bool)

  /// Whether the rows are those of the list.
  public internal(set) var status = Status.loading
  /// Why the last edit without a caller, such as a move, was not made, in a sentence; the app shows it and sets it to nil.
  public var problem: String?
  /// The step that `undo` undoes, whichever program made it; nil if there is none.
  public internal(set) var undoable: HistoryStep?
  /// The step that `redo` redoes; nil if there is none.
  public internal(set) var redoable: HistoryStep?

  var editCount = 0
  /// Whether edits are not on disk yet.
  package var isSaving: Bool { editCount > 0 }

  /// The list on disk; another one if another file takes its place.
  @ObservationIgnored package internal(set) var store: CustomerStore
  /// The rows that are shown, of all rows.
  @ObservationIgnored let view: ListView
  /// What the file has.
  @ObservationIgnored var base = ListSnapshot()
  /// The same with the edits that are not in the file yet.
  var shown: [ListSnapshot.Section] = []
  @ObservationIgnored let cache = RowCache()
  @ObservationIgnored var isReadingRows = false
  /// Whether rows could not be read at once.
  @ObservationIgnored var isLocked = false
  @ObservationIgnored let listeners = Listeners()

  @ObservationIgnored var search = TypedSearch()
  var hits: [CustomerID] = []
  /// Whether rows were not searched yet.
  public internal(set) var isSearching = false
  /// What is wrong with a question in `searchText`, such as `Age<`, which is then looked for as words; nil if nothing is.
  public internal(set) var searchProblem: String?
  /// The text that is looked for: words or a question such as `City=Berlin`; the matches are `results`.
  public var searchText = "" { didSet { if searchText != oldValue { searchTextChanged(from: oldValue) } } }

  /// Whether nothing was read yet of the list that took the place of the one before.
  @ObservationIgnored var isReopened = false
  /// Since when the list has another history than before: ids may be those of other customers.
  @ObservationIgnored var historyStart: ContinuousClock.Instant?
  @ObservationIgnored var own = OwnSteps()
  @ObservationIgnored private let following = FollowingTask()
  @ObservationIgnored var lastEdit: Task<Void, Never>?
  /// The forms that are being saved, by when they were opened.
  @ObservationIgnored var saving: [ContinuousClock.Instant: Task<FormState?, Never>] = [:]
  @ObservationIgnored var nextEdit = 0
  @ObservationIgnored var reading: Task<Void, Never>?
  @ObservationIgnored var searching: Task<Void, Never>?

  /// Creates the model of a list, which follows it from now on.
  ///
  /// A list of up to 10,000 rows is there at once, unless another program has locked it.
  ///
  /// - Parameters:
  ///   - store: the list.
  ///   - condition: the rows to show, such as `tag=vip`; nil for all.
  ///   - interval: how often to look for changes, from a millisecond to a day; up to four times as long while
  ///     nothing happens.
  public init(
    _ store: CustomerStore, where condition: String? = nil, every interval: Duration = .milliseconds(50)
  ) {
    let view = ListView(condition: condition)
    (self.store, self.view) = (store, view)
    if case let snapshot?? = try? store.readAtOnce({ list in
      try list.count() <= 10_000 ? view.snapshot(of: list) : nil
    }) {
      (base, shown, status) = (snapshot, snapshot.sections, .current)
      lookUpUndo()
    }
    following.begin { [weak self] in
      while !Task.isCancelled { await Self.follow({ [weak self] in self }, every: interval) }
    }
  }

  /// The version of the list that is shown.
  package var version: ListVersion { base.version }

  /// What happens from now on, for views that do not observe the model, which has the new rows already; the first update
  /// is there at once.
  ///
  ///     for await (changed, isReload) in list.updates { show(changed, isReload) }
  ///
  /// `changed` has the rows that look different, for `reconfigureItems`; `isReload` says that so many have other places that
  /// to reload the view is faster than to find out which: more than 1,000, or all because the list is another one. Each use
  /// gets all updates. It ends with the model.
  public var updates: AsyncStream<(changed: Set<CustomerID>, isReload: Bool)> { listeners.add() }

  /// Waits until the file has all edits, and the model shows the file and all rows that were asked for.
  ///
  /// - Throws: `StoreError`, `CancellationError`, or what is wrong with the condition of the model.
  public func shown() async throws {
    while true {
      if case .failed(let error) = status, error is FilterError { throw error }
      if !isSaving, !isSearching, !isReadingRows, cache.wanted.isEmpty {
        let now = try await store.read { try $0.version() }
        if now == version, !isSaving { return }
      }
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// The rows that a model shows, of all rows of the list.
struct ListView: Sendable {
  /// A question such as `tag=vip`; nil for all rows.
  let condition: String?

  /// The order of the rows now.
  ///
  /// - Throws: what `CustomerList.snapshot` throws, and `FilterError`.
  func snapshot(of list: borrowing CustomerList) throws -> ListSnapshot {
    guard let condition else { return try list.snapshot() }
    let filter = try RowFilter([FilterExpression(condition)], in: list)
    var rows: [SectionID: [CustomerID]] = [:]
    try list.forEach(matching: filter) { customer in
      rows[customer.place.section, default: []].append(customer.id)
      return true
    }
    return ListSnapshot(
      version: try list.version(),
      sections: try list.sections().map { ListSnapshot.Section($0, rows: rows[$0.id] ?? []) })
  }

  /// The order of the rows now, compared with what was known.
  func reading(of list: borrowing CustomerList, after known: ListSnapshot) throws -> Reading {
    guard try list.version() != known.version else { return Reading(snapshot: known, isFar: false) }
    let snapshot = try snapshot(of: list)
    return Reading(snapshot: snapshot, isFar: known.isFar(from: snapshot))
  }

  struct Reading: Sendable {
    var snapshot: ListSnapshot
    /// Whether more than 1,000 rows have other places.
    var isFar: Bool
  }
}

extension ListSnapshot {
  /// The most rows with other places for which finding out which they are is faster than to reload a view:
  /// `CollectionDifference` takes the rows times this.
  private static let mostPlaces = 1_000

  /// Whether more rows have other places.
  ///
  /// - Complexity: O(rows log rows).
  func isFar(from other: ListSnapshot) -> Bool {
    let (before, after) = (sections.flatMap(\.rows), other.sections.flatMap(\.rows))
    let start = zip(before, after).prefix { $0 == $1 }.count
    let end = zip(before.dropFirst(start).reversed(), after.dropFirst(start).reversed()).prefix { $0 == $1 }
      .count
    let (old, new) = (before[start..<before.count - end], after[start..<after.count - end])
    if max(old.count, new.count) <= Self.mostPlaces { return false }
    let places = Dictionary(zip(old, old.indices)) { first, _ in first }
    let staying = new.compactMap { places[$0] }.longestAscent
    return max(old.count, new.count) - staying > Self.mostPlaces
  }
}

extension [Int] {
  /// The length of the longest ascending sequence in it, by patience sorting.
  fileprivate var longestAscent: Int {
    var tops: [Int] = []
    for number in self {
      var (low, high) = (0, tops.count)
      while low < high {
        let middle = (low + high) / 2
        if tops[middle] < number { low = middle + 1 } else { high = middle }
      }
      if low == tops.count { tops.append(number) } else { tops[low] = number }
    }
    return tops.count
  }
}

/// Who hears of updates.
final class Listeners: Sendable {
  typealias Update = CustomerListModel.Update
  private struct State {
    var next = 0
    var all: [Int: AsyncStream<Update>.Continuation] = [:]
  }
  private let state = Mutex(State())

  func add() -> AsyncStream<Update> {
    let (stream, continuation) = AsyncStream.makeStream(of: Update.self)
    let number = state.withLock { state in
      state.next += 1
      state.all[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.all[number] = nil }
    }
    continuation.yield((changed: [], isReload: true))
    return stream
  }

  func send(_ update: Update) {
    for listener in state.withLock({ Array($0.all.values) }) { listener.yield(update) }
  }

  deinit { for listener in state.withLock({ Array($0.all.values) }) { listener.finish() } }
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
