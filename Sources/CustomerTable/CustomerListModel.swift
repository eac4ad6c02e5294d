public import CustomerStore
public import Observation

/// A list on a screen: what its table shows, kept up to date whoever changes the list.
///
/// It never makes the main actor wait for the file. The table's data source asks it for sections, counts
/// and rows, and `onUpdate` says what the table has to do; both always fit, as a table wants it.
@MainActor @Observable public final class CustomerListModel {
  /// The store.
  public let store: CustomerStore
  /// Brings the table up to date; called when the model shows the new list already.
  @ObservationIgnored public var onUpdate: ([TableUpdate]) -> Void = { _ in }
  /// Whether another program has kept the file locked for half a second or longer.
  public private(set) var isWaiting = false

  private var list: ShownList
  private var rows = RowCache()
  @ObservationIgnored private var isLoading = false

  /// Reads the order of a list; rows are read when they are shown.
  ///
  /// - Throws: `StoreError`, `ListError.damaged`.
  public init(_ store: CustomerStore) async throws {
    self.store = store
    list = ShownList(try await store.read { list in try list.snapshot() })
  }

  /// Keeps the model up to date until the task is cancelled.
  ///
  /// - Throws: `StoreError`, when the file can't be read any more.
  public func follow(every interval: Duration = .milliseconds(50)) async throws {
    for try await event in store.events(after: list.known.edit, every: interval) { try absorb([event]) }
  }

  // MARK: What the table shows

  /// What the table shows.
  public var snapshot: ListSnapshot { list.shown }

  /// The sections in order.
  public var sections: [ListSnapshot.Section] { list.shown.sections }

  /// How many rows a section has.
  public func count(_ section: Int) -> Int { list.shown.sections[section].count }

  /// The id of the row at a path; nil if there is none.
  public func id(at path: RowPath) -> CustomerID? { list.shown[path] }

  /// The row at a path; nil if there is none, and while the file is in the way: then it comes as a
  /// `reload`.
  public subscript(path: RowPath) -> Customer? {
    guard let id = list.shown[path] else { return nil }
    if let known = rows[id] { return known }
    let wanted = list.shown.rows(around: path)
    if let (found, edit) = try? store.readAtOnce({ list in (try list.customers(wanted), try list.lastEdit()) }
    ) {
      rows.add(found, readAt: edit)
    } else {
      load(wanted)
    }
    return rows[id]
  }

  // MARK: Edits

  /// Makes edits, and shows what they did together with what others have done before them.
  ///
  /// - Parameters:
  ///   - action: what the step is called in the history.
  ///   - body: the edits.
  /// - Returns: what `body` returns.
  /// - Throws: what `CustomerStore.write` throws; then nothing has changed.
  @discardableResult
  public func perform<Result: Sendable>(
    _ action: String, _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> Result {
    let written = try await store.write(action: action, since: list.known.edit, body)
    try absorb(written.others + written.own)
    return written.result
  }

  /// Moves a row that a person has dropped somewhere; the table shows it there already.
  ///
  /// The model shows it there when this returns; the list has it there when the task ends. If the list
  /// refuses, the table gets updates that take it back.
  @discardableResult
  public func drop(_ path: RowPath, at target: RowPath) -> Task<Void, any Error> {
    let drop = list.drop(path, at: target)
    return Task {
      guard let (id, destination, section) = drop else { return }
      do {
        let written = try await store.write(action: "move", since: list.known.edit) { list in
          try list.move([id], to: destination, in: section)
        }
        list.decideDrop()
        try absorb(written.others + written.own)
      } catch {
        list.decideDrop()
        settle()
        throw error
      }
    }
  }

  /// The step that `undo` would take back, for the title of a button; nil if there is none.
  public func undoable() async throws -> HistoryStep? {
    try await store.read { list in try list.undoable() }
  }

  /// Takes the last step back that is done.
  ///
  /// - Parameter step: the step that the person means; nil for whichever is the last.
  /// - Returns: the step and what it changed, or nil if the history has none.
  /// - Throws: `ListError.otherStep` if the last step is another one, and what `CustomerStore.write` throws.
  @discardableResult
  public func undo(expecting step: HistoryStep.ID? = nil) async throws -> RevertedStep? {
    try await perform("undo") { list -> RevertedStep? in try list.undo(expecting: step) }
  }

  /// A form for the row at a path; nil if there is none.
  public func form(for path: RowPath) -> CustomerForm? { self[path].map { CustomerForm($0, in: self) } }

  // MARK: Keeping up

  private func absorb(_ events: [ListEvent]) throws {
    for event in events {
      isWaiting = if case .waiting = event { true } else { false }
      switch event {
      case .step(let step): rows.add(step.customers, readAt: step.readAt)
      case .reload: rows = RowCache()
      case .waiting: break
      }
      try list.apply(event)
    }
    settle()
  }

  private func settle() {
    let updates = list.settle()
    if !updates.isEmpty { onUpdate(updates) }
  }

  private func load(_ ids: [CustomerID]) {
    guard !isLoading else { return }
    isLoading = true
    Task {
      defer { isLoading = false }
      guard
        let (found, edit) = try? await store.read({ list in (try list.customers(ids), try list.lastEdit()) })
      else { return }
      rows.add(found, readAt: edit)
      let paths = list.shown.paths(of: Set(found.keys)).values.sorted()
      if !paths.isEmpty { onUpdate(paths.map { .reload($0) }) }
    }
  }
}

extension ListSnapshot {
  /// The rows of a section that are worth reading when one of them is.
  fileprivate func rows(around path: RowPath) -> [CustomerID] {
    let rows = sections[path.section].rows
    return Array(rows[max(0, path.row - 50)..<min(rows.count, path.row + 50)])
  }
}
