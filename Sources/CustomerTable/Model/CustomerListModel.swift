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

extension CustomerListModel {
  /// Edits the list and shows what changed once it is on disk.
  ///
  /// - Parameters:
  ///   - action: the name of the step in the history; it must not contain people's data.
  ///   - body: the edits; all are made or, if it throws, none.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws, usually a `ListError`.
  @discardableResult
  public func perform<Result: Sendable>(
    _ action: String, _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> Result {
    pendingEdits += 1
    defer { pendingEdits -= 1 }
    let written = try await store.write(action: action, since: version, body)
    await apply(written.others + written.own)
    return written.result
  }

  /// Deletes a row, unless someone has changed it since it was shown; `problem` says why it was not deleted.
  public func delete(at path: RowPath) { delete([path]) }

  /// Deletes rows, unless someone has changed one of them since they were shown; `problem` says why they were not
  /// deleted.
  public func delete(_ paths: [RowPath]) {
    let (ids, version) = (paths.compactMap { id(at: $0) }, version)
    attempt { model in
      try await model.perform("delete") { list in _ = try list.apply(.delete(ids, asSeenAt: version)) }
    }
  }

  /// Takes a row that a table has moved: it is there at once and goes back if the list refuses the move.
  ///
  /// For `tableView(_:moveRowAt:to:)`; the table is not told about the move, because it has made it.
  ///
  /// - Parameters:
  ///   - path: where the row was.
  ///   - destination: where it is, in a table without it at `path`.
  public func drop(_ path: RowPath, to destination: RowPath) {
    guard let id = id(at: path), sections.indices.contains(destination.section) else { return }
    let section = sections[destination.section]
    // The rows of the table after the move, without the row itself.
    let row =
      path.section == destination.section && path.row <= destination.row
      ? destination.row.addingReportingOverflow(1).partialValue : destination.row
    drop([id], before: section.rows.indices.contains(row) ? section.rows[row] : nil, in: section.id)
  }

  /// Takes rows that a list has moved within a section, for `onMove(perform:)` of SwiftUI.
  ///
  /// - Parameters:
  ///   - offsets: the rows, from 0.
  ///   - offset: the row, from 0, before which they are now; the number of rows for the end.
  ///   - section: the section.
  public func move(fromOffsets offsets: some Sequence<Int>, toOffset offset: Int, in section: SectionID) {
    guard let rows = sections.first(where: { $0.id == section })?.rows else { return }
    let moved = Set(offsets).intersection(rows.indices)
    let next = rows.indices.first { $0 >= offset && !moved.contains($0) }
    drop(moved.sorted().map { rows[$0] }, before: next.map { rows[$0] }, in: section)
  }

  private func drop(_ ids: [CustomerID], before next: CustomerID?, in section: SectionID) {
    guard let drop = draft.drop(ids, before: next, in: section) else { return }
    draftNumber += 1
    pendingEdits += 1
    // One after the other, because each builds on those before it.
    writing = Task { [writing] in
      await writing?.value
      await self.write(drop.id)
      pendingEdits -= 1
    }
  }

  private func write(_ id: DraftSnapshot.Drop.ID) async {
    guard let drop = draft.drops.first(where: { $0.id == id }) else { return }
    do {
      let written = try await store.write(action: "move", since: version) { list in
        try list.move(drop.customers, to: drop.destination, in: drop.section, asSeenAt: drop.seenAt)
      }
      await apply(written.others + written.own, settling: id)
    } catch {
      problem = error
      await apply([], settling: id)
    }
  }

  /// Undoes `undoable`, unless another step would be undone now; `problem` says why it was not undone.
  public func undo() {
    guard let step = undoable else { return }
    attempt { model in try await model.perform("undo") { list in _ = try list.undo(expecting: step) } }
  }

  /// Redoes `redoable`, unless another step would be redone now; `problem` says why it was not redone.
  public func redo() {
    guard let step = redoable else { return }
    attempt { model in try await model.perform("redo") { list in _ = try list.redo(expecting: step) } }
  }

  private func attempt(_ edit: @escaping @MainActor (CustomerListModel) async throws -> Void) {
    pendingEdits += 1
    Task {
      do { try await edit(self) } catch { problem = error }
      pendingEdits -= 1
    }
  }
}

extension CustomerListModel {
  /// Does what a person wants who has ended a form.
  ///
  /// - Parameters:
  ///   - outcome: what `FormState.update` has returned.
  ///   - form: the form.
  /// - Returns: nil if it was done, so that the form can be closed; the form with the reason if it was not.
  public func perform(_ outcome: FormState.Outcome, of form: FormState) async -> FormState? {
    var form = form
    let (edits, version) = (form.edits(outcome), version)
    guard !edits.isEmpty else { return nil }
    let isOfShown = form.isOfCustomer
    if isOfShown, form.isOlder(than: self) {
      form.detach()
      return form
    }
    do {
      try await perform(form.action(outcome)) { list in
        // The id may be that of another customer now.
        if isOfShown { try list.refuseOtherHistory(than: version) }
        for edit in edits { _ = try list.apply(edit.seen(at: version)) }
      }
      return nil
    } catch {
      switch error {
      case let conflict as FieldConflict: form.refuse(conflict)
      case ListError.otherHistory where isOfShown: form.detach()
      default: form.refuse("Not saved: \(error).")
      }
      return form
    }
  }
}

extension FormState {
  /// Updates the form with what others have done to its customer; call it in `onUpdates`.
  @MainActor public mutating func follow(_ model: CustomerListModel) {
    guard case .edit(let id) = mode else { return }
    if isOlder(than: model) {
      if !isDetached { detach() }
    } else if model.draft.base.path(of: id) == nil {
      follow(nil)
    } else if let customer = model.rows[id] {
      follow(customer.fields)
    }
  }

  /// Whether it was opened before another list took the place of the one that the model shows.
  @MainActor fileprivate func isOlder(than model: CustomerListModel) -> Bool {
    model.historyStart.map { start < $0 } ?? false
  }

  /// Whether it edits a customer that is still there.
  fileprivate var isOfCustomer: Bool { if case .edit = mode { !isGone } else { false } }

  /// The name of the step in the history.
  fileprivate func action(_ outcome: Outcome) -> String {
    switch (outcome, mode) {
    case (.delete, _): "delete"
    case (_, .edit) where !isGone: "edit"
    default: "add"
    }
  }

  /// The edits that an outcome asks for.
  fileprivate func edits(_ outcome: Outcome) -> [ListEdit] {
    switch (outcome, mode) {
    case (.save(let fields, let place), .edit(let id)) where !isGone:
      [.save(id, from: original, to: fields)] + (place.map { [.move([id], to: .place($0))] } ?? [])
    case (.save(let fields, let place), .edit):
      [.insert([NewCustomer(fields)], at: place.map { .place($0) } ?? .last, in: section)]
    case (.save(let fields, _), .add(let destination, let section)):
      [.insert([NewCustomer(fields)], at: destination, in: section)]
    case (.delete, .edit(let id)): [.delete([id])]
    case (.cancel, _), (.delete, .add): []
    }
  }
}

extension ListEdit {
  /// A deletion only of what was seen.
  fileprivate func seen(at version: ListVersion) -> ListEdit {
    if case .delete(let ids, nil) = self { .delete(ids, asSeenAt: version) } else { self }
  }
}
