public import CustomerStore

extension CustomerListModel {
  /// Makes an edit, and shows at once what it does to rows that are moved, deleted, or changed; `problem` says why it was
  /// not made.
  ///
  /// A row is moved or deleted only if no one else has moved or changed it since it was shown.
  public func apply(_ edit: ListEdit) {
    nextEdit += 1
    let number = nextEdit
    let pending = PendingEdit(id: number, edit: edit, seenAt: version)
    cache.pending.append(pending)
    showEdits(of: pending.customers)
    attempt { model in
      guard let now = model.cache.pending.first(where: { $0.id == number }) else { return }
      defer { model.settle(number) }
      try await model.write(now.action, settling: number) { list in _ = try list.apply(now.seen) }
    }
  }

  /// Moves rows within a section, for `onMove(perform:)` of SwiftUI.
  ///
  /// - Parameters:
  ///   - offsets: the rows, from 0.
  ///   - offset: the row, from 0, before which they go, counted before any is removed; the number of rows for the end.
  ///   - section: the section.
  public func move(_ offsets: some Sequence<Int>, to offset: Int, in section: Section) {
    let rows = section.ids
    let moved = Set(offsets).intersection(rows.indices)
    let next = rows.indices.first { $0 >= offset && !moved.contains($0) }
    move(moved.sorted().map { rows[$0] }, before: next.map { rows[$0] }, in: section)
  }

  /// Moves a row that a person has dropped, for `tableView(_:moveRowAt:to:)` of UIKit.
  ///
  /// - Parameters:
  ///   - id: the row.
  ///   - index: its row in the section, from 0, once it is there.
  ///   - section: the section.
  public func move(_ id: CustomerID, to index: Int, in section: Section) {
    let rows = section.ids.filter { $0 != id }
    move([id], before: rows.indices.contains(index) ? rows[index] : nil, in: section)
  }

  private func move(_ ids: [CustomerID], before next: CustomerID?, in section: Section) {
    guard !ids.isEmpty else { return }
    let last = section.ids.last { !ids.contains($0) }
    // The end of what is shown, which may not be that of the section.
    let end: Destination = view.condition == nil ? .last : last.map { .after($0) } ?? .last
    apply(.move(ids, to: next.map { .before($0) } ?? end, in: section.id))
  }

  /// Deletes rows of a section, for `onDelete(perform:)` of SwiftUI.
  ///
  /// - Parameters:
  ///   - offsets: the rows, from 0.
  ///   - section: the section.
  public func delete(_ offsets: some Sequence<Int>, in section: Section) {
    let rows = section.ids
    let ids = Set(offsets).intersection(rows.indices).sorted().map { rows[$0] }
    if !ids.isEmpty { apply(.delete(ids)) }
  }

  /// Changes fields of a row that is shown; what others have changed in the same fields since is not overwritten.
  public func update(_ id: CustomerID, _ change: (inout CustomerFields) -> Void) {
    guard let old = self[id]?.fields else { return }
    var new = old
    change(&new)
    if new != old { apply(.save(id, from: old, to: new)) }
  }

  /// Edits the list after the edits before, and shows what changed once it is on disk.
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
    try await inOrder { model in try await model.write(action, body).result }
  }

  /// Does the same without waiting for it; `problem` says why it was not done.
  public func perform(_ action: String, _ body: @escaping @Sendable (inout CustomerList) throws -> Void) {
    attempt { model in try await model.write(action, body) }
  }

  /// Makes an edit without a caller.
  private func attempt(_ edit: @escaping @MainActor (CustomerListModel) async throws -> Void) {
    editCount += 1
    lastEdit = Task { [lastEdit] in
      await lastEdit?.value
      do { try await edit(self) } catch { await explain(error) }
      editCount -= 1
    }
  }

  /// Makes an edit after those before it, because each builds on them.
  private func inOrder<Result: Sendable>(
    _ edit: @escaping @MainActor (CustomerListModel) async throws -> Result
  ) async throws -> Result {
    editCount += 1
    defer { editCount -= 1 }
    let task = Task { [lastEdit] in
      await lastEdit?.value
      return try await edit(self)
    }
    lastEdit = Task { _ = await task.result }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Writes to the list and shows it, without the pending edit that it makes.
  ///
  /// - Returns: what `body` returns, and the step that was made, if anything was changed.
  @discardableResult
  func write<Result: Sendable>(
    _ action: String, settling number: Int? = nil, as kind: HistoryStep.Kind = .edit,
    _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> (result: Result, step: HistoryStep.ID?) {
    let (known, view) = (base, view)
    let written = try await store.write(action: action, since: known.version) { list in
      let result = try body(&list)
      // Read in the same transaction, so that no one can write in between.
      return (result, try view.reading(of: list, after: known), try list.undoable(), try list.redoable())
    }
    let (result, reading, undoable, redoable) = written.result
    if let number { forget(number, seenAt: reading.snapshot.version) }
    if case .edit = kind, let step = written.step { own.add(step.id) }
    (self.undoable, self.redoable) = (undoable, redoable)
    await take(written.others + written.own, reading)
    return (result, written.step?.id)
  }

  /// Ends a pending edit, which the list now has or has refused.
  private func settle(_ number: Int) {
    let customers = cache.pending.first { $0.id == number }?.customers
    forget(number)
    if let customers { showEdits(of: customers) }
  }

  private func forget(_ number: Int, seenAt version: ListVersion? = nil) {
    guard let index = cache.pending.firstIndex(where: { $0.id == number }) else { return }
    var pending = cache.pending
    let customers = Set(pending.remove(at: index).customers)
    // Who edits a row again has seen the first edit.
    if let version {
      for index in pending.indices where !customers.isDisjoint(with: pending[index].customers) {
        pending[index].seenAt = version
      }
    }
    cache.pending = pending
  }

  private func showEdits(of customers: [CustomerID]) {
    show(base, changed: Set(customers), isReload: customers.count > 1_000)
  }
}

extension CustomerListModel {
  /// Whose steps are undone.
  public enum Scope: Sendable {
    /// Those of all programs: the one that the menu shows.
    case all
    /// Those that this model has made, whatever others have done since.
    case mine
  }

  /// Undoes the last step, after the edits before; `problem` says why it was not undone.
  ///
  /// Of all programs, it is a step that this model has made or that `undoable` has when it is called: no step that a person
  /// has not seen. Of this model, it is the last step that was not undone; what others did since stays. A step that others
  /// have undone, or built on, is passed over: `problem` says so, and the next call undoes the one before. While the file is
  /// locked, the step stays the next one.
  public func undo(_ scope: Scope = .all) {
    let seen = undoable
    attempt { model in
      switch scope {
      case .all:
        let own = model.own
        let undone = try await model.write("undo", as: .undo) { list in
          guard let next = try list.undoable() else { return HistoryStep.ID?.none }
          guard own.done.contains(next.id) || next == seen else {
            throw ListError.otherStep(expected: seen?.id ?? 0, found: next.id)
          }
          try list.undo(expecting: next)
          return next.id
        }.result
        if let undone { model.own.undid(undone) }
      case .mine:
        guard let step = model.own.done.last else { return }
        let revert = try await model.settling({ $0.undid(step) }) {
          try await model.takeBack(step, "undo") { list in
            guard try list.undoable()?.id == step else { return false }
            try list.undo()
            return true
          }
        }
        model.own.undone.append((step, revert))
      }
    }
  }

  /// Redoes the last step that was undone, after the edits before; `problem` says why it was not redone.
  ///
  /// Of all programs, it is the step that `redoable` has; of this model, the one that `undo(.mine)` undid last.
  public func redo(_ scope: Scope = .all) {
    attempt { model in
      switch scope {
      case .all:
        guard let step = model.redoable else { return }
        try await model.write("redo", as: .redo) { list in try list.redo(expecting: step) }
        model.own.redid(step.id)
      case .mine:
        guard let (step, revert) = model.own.undone.last else { return }
        try await model.settling({ $0.undone.removeAll { $0.step == step } }) {
          try await model.takeBack(revert ?? step, "redo") { list in
            guard revert == nil else { return false }
            guard let next = try list.redoable(), next.id == step else {
              throw ListError.otherStep(expected: step, found: nil)
            }
            try list.redo(expecting: next)
            return true
          }
        }
        model.own.redid(step, revertedBy: revert)
      }
    }
  }

  /// Runs `body`, and then forgets its step, unless the file could not be written and it may be tried again.
  @discardableResult
  private func settling<Result>(
    _ forget: (inout OwnSteps) -> Void, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      let result = try await body()
      forget(&own)
      return result
    } catch let error where error is StoreError || error is CancellationError {
      throw error
    } catch {
      forget(&own)
      throw error
    }
  }

  /// Undoes or redoes a step of this model if it is the next one, or else reverts it alone.
  ///
  /// - Returns: the step that reverted it.
  @discardableResult
  private func takeBack(
    _ step: HistoryStep.ID, _ action: String,
    ifNext next: @escaping @Sendable (inout CustomerList) throws -> Bool
  ) async throws -> HistoryStep.ID? {
    let canceled = own.canceled
    let (isNext, new) = try await write(action, as: .undo) { list in
      if try next(&list) { return true }
      try list.revert(step, besides: canceled)
      return false
    }
    guard !isNext, let new else { return nil }
    own.cancel(step, new)
    return new
  }
}

/// The steps that a model has made.
struct OwnSteps: Sendable {
  /// Those in effect, the last one last.
  var done: [HistoryStep.ID] = []
  /// Those that were undone as the model's own, the last one last, and the steps that reverted them, if any did.
  var undone: [(step: HistoryStep.ID, revert: HistoryStep.ID?)] = []
  /// Steps that cancel each other out: those that were reverted, and those that did so.
  private(set) var canceled: Set<HistoryStep.ID> = []

  mutating func add(_ step: HistoryStep.ID) {
    done.append(step)
    undone = []
  }

  mutating func undid(_ step: HistoryStep.ID) { done.removeAll { $0 == step } }

  mutating func redid(_ step: HistoryStep.ID, revertedBy revert: HistoryStep.ID? = nil) {
    if revert != nil { canceled.remove(step) }
    done.append(step)
  }

  /// Notes two steps, of which the second one reverted the first.
  mutating func cancel(_ step: HistoryStep.ID, _ revert: HistoryStep.ID) {
    canceled.formUnion([step, revert])
  }
}

extension CustomerListModel {
  /// Says in `problem` why an edit was not made.
  func explain(_ error: any Error) async {
    let id =
      switch error {
      case let error as ListError: error.customer ?? error.missing
      case let error as FieldConflict: error.id
      case let error as RevertError: error.customer
      default: CustomerID?.none
      }
    var customer = id.flatMap { cache.has($0) ? cache[$0] : nil }
    if customer == nil, let id { customer = try? await store.read { list in try list.customers([id])[id] } }
    problem = Self.sentence(about: error, customer?.fields.name ?? "")
  }

  /// A sentence for a person, without ids.
  nonisolated static func sentence(about error: any Error, _ name: String) -> String {
    let who = name.isEmpty ? "the customer" : "“\(name)”"
    let reason =
      switch error {
      case ListError.noSuchCustomer: "\(who) is no longer in the list"
      case ListError.noSuchSection: "the section is no longer in the list"
      case ListError.noSuchLine: "the line is no longer in the log"
      case ListError.otherStep: "someone else has changed the list since"
      case ListError.tooLongAgo: "too much has happened since \(who) was shown"
      case ListError.historyDiffers: "\(who) is not where it was left"
      case let error as ListError: error.explanation(naming: who).reason
      case let error as FieldConflict:
        "someone else has changed \(listed(error.fields.map(\.nameInSentence), "and")) of \(who)"
      case RevertError.changedSince: "someone else has changed \(who) since"
      case RevertError.valueOfOtherKind(let column, let kind, _):
        "\"\(column)\" of \(who) was not \(kind.noun), which it has to be since"
      case RevertError.noSuchStep, RevertError.notInEffect: "it was undone already"
      default: (error as? any ExplainedError)?.explanation.reason ?? "\(error)"
      }
    return reason.prefix(1).uppercased() + reason.dropFirst() + "."
  }
}

extension ListError {
  /// The customer that is not in the list.
  fileprivate var missing: CustomerID? { if case .noSuchCustomer(let id) = self { id } else { nil } }
}

extension RevertError {
  fileprivate var customer: CustomerID? {
    switch self {
    case .changedSince(let ids) where ids.count == 1: ids[0]
    case .valueOfOtherKind(_, _, let id): id
    default: nil
    }
  }
}
