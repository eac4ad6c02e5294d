package import CustomerStore

/// A table and its store, for any user interface. A program with its own loop, such as one in a terminal:
///
///     var session = TableSession(store)
///     session.send(.resize(24))
///     while true {
///       for event in events() { session.send(event) }
///       session.poll()
///       if session.hasWork { session.work() }
///       draw(session.state.lines)
///     }
///
/// In SwiftUI it is the state of a view, whose task polls:
///
///     @State private var session: TableSession
///
///     ForEach(Array(session.state.lines.enumerated()), id: \.offset) {
///       _, line in LineView(line)
///     }
///     .task {
///       while !Task.isCancelled {
///         session.poll()
///         try? await Task.sleep(for: .milliseconds(50))
///       }
///     }
///
/// A UIKit table gets its counts from `state.layout` and its cells from `state.lines`, and sends what the
/// person does: `setEditing`, `askToDelete`, `pickUp`, `drag(over:)`, `drop`. A web page gets the lines and
/// sends events in the same way.
///
/// It never blocks: while another program locks the file, or another call of the store writes, the rows stay as they
/// are, and an edit is made as soon as the file is free. Long reads of the same store don't concern it.
package struct TableSession: Sendable {
  /// The table.
  package private(set) var state: TableState
  /// Whether there is background work: call `work` when there are no events.
  package var hasWork: Bool { !parts.isEmpty }

  /// How many events there were: as long as it is the same, so is `state`.
  package private(set) var eventCount = 0

  /// The list that was open last; an empty one in memory as long as there is no file.
  private var store: CustomerStore
  private var feed: ListFeed
  /// Whether there was a file: no edit makes a new one in its place.
  private var hadFile = true
  /// The next part of a search and of a sort.
  private var parts: [TableEffect] = []
  /// Opens the file and makes it if there is none and that is wanted.
  private let open: (@Sendable (_ creating: Bool) throws -> CustomerStore)?

  /// Creates a session with a table that has not read anything yet.
  package init(_ store: CustomerStore, policy: EditingPolicy = EditingPolicy()) {
    self.store = store
    self.open = nil
    state = TableState(policy: policy)
    feed = store.feed(after: nil)
  }

  /// Creates a session with a file that may be missing, or be replaced while the session runs.
  ///
  /// A missing file is an empty table; the first edit creates the file. A file that is moved away or deleted
  /// later is missed: the table says so, and no edit makes another; one that appears there is read.
  ///
  /// - Parameters:
  ///   - policy: what may be edited.
  ///   - open: opens the file; creates a missing one if `creating` is true, else throws `StoreError.missing`.
  /// - Throws: what `open` throws.
  package init(
    policy: EditingPolicy = EditingPolicy(),
    opening open: @escaping @Sendable (_ creating: Bool) throws -> CustomerStore
  ) throws {
    do {
      store = try open(false)
      feed = ListFeed(store, after: nil) { try open(false) }
    } catch StoreError.missing {
      (store, hadFile) = (try .inMemory(), false)
      feed = ListFeed(after: try store.read { try $0.version() }) { try open(false) }
    }
    self.open = open
    state = TableState(policy: policy)
  }

  /// Sends the table an event and runs its effects.
  package mutating func send(_ event: TableEvent) {
    eventCount += 1
    var events = [event][...]
    while let event = events.popFirst() {
      for effect in state.update(event) { if let answer = perform(effect) { events.append(answer) } }
      parts.removeAll { $0.isObsolete(in: state) }
    }
  }

  /// Checks whether the list has changed and retries what waits for the file.
  package mutating func poll() {
    if let write = state.waiting, let answer = perform(.write(write)) {
      if case .failed(_, let error) = answer, (error as? StoreError) == .locked { return }
      send(answer)
    }
    let state = state
    do {
      let found = try feed.follow { list, version in
        let steps = try version.flatMap { try list.steps(after: $0) }
        let contents = try state.read(list, without: steps?.movedCustomers ?? [])
        return (result: (steps, contents), version: contents.version)
      }
      if let open = feed.store { (store, hadFile) = (open, true) }
      if let (steps, contents) = found {
        send(.changed(steps, contents))
      } else if state.trouble?.isOfEdit == false, let answer = perform(.load(.keep)) {
        send(answer)
      }
    } catch {
      send(.failed(.load(.keep), error))
    }
  }

  /// Takes steps for the table's own that the user made by other means, such as a command line: the cursor
  /// goes to the first row that they changed, and they are undone without a question.
  package mutating func adopt(_ steps: [HistoryStep.ID]) {
    send(.adopt(steps))
    poll()
  }

  /// Opens the file if it was missing or has been replaced; creates one if there never was any.
  private mutating func openForWriting() throws {
    guard feed.store == nil, let open else { return }
    (store, hadFile) = (try open(!hadFile), true)
    feed.use(store)
  }

  /// Continues a search or a sort, for a few hundredths of a second.
  package mutating func work() {
    guard let next = parts.first else { return }
    parts.removeFirst()
    do {
      guard let answer = try store.readAtOnce({ list in [try next.run(list)] }) else {
        return parts.insert(next, at: 0)
      }
      if let event = answer[0] { send(event) }
    } catch {
      send(.failed(next, error))
    }
  }

  /// Runs the effects of the table.
  private mutating func perform(_ effect: TableEffect) -> TableEvent? {
    let state = state
    do {
      switch effect {
      case .load(let goal):
        guard let contents = try store.readAtOnce({ list in try state.read(list, for: goal) }) else {
          throw StoreError.locked
        }
        return .loaded(contents)
      case .write(let write):
        try openForWriting()
        // Read in the same transaction, so that the table shows what it wrote.
        let (result, contents) = try store.writeAtOnce(action: write.action) { list in
          // In another list, the ids are those of other customers.
          if write.namesRows, state.contents.isRead {
            try list.refuseOtherHistory(than: state.contents.version)
          }
          return (try write.run(&list), try state.read(list, without: write.moved))
        }
        return .wrote(write, result, contents)
      case .lookUp(let reversal):
        let step = try store.readAtOnce { list in
          [try reversal == .undo ? list.undoable() : list.redoable()]
        }
        guard let step else { throw StoreError.locked }
        return .offered(step[0], reversal)
      case .choose:
        guard let answer = try store.readAtOnce({ list in [try effect.run(list)] }) else {
          throw StoreError.locked
        }
        return answer[0]
      case .scan, .sort:
        parts.removeAll { $0.replaces(effect) }
        parts.append(effect)
        return nil
      }
    } catch {
      return .failed(effect, error)
    }
  }
}

extension [ListStep] {
  /// The rows that were added or edited.
  var writtenCustomers: [CustomerID] {
    flatMap(\.changes).compactMap { change in
      switch change {
      case .insert(let id, _), .update(let id, _): id
      default: nil
      }
    }
  }

  /// The rows that were moved.
  var movedCustomers: Set<CustomerID> { customersMoved(bySorting: true) }

  /// The rows that were moved, with or without those that a sort has moved.
  func customersMoved(bySorting: Bool) -> Set<CustomerID> {
    var ids: Set<CustomerID> = []
    for change in lazy.flatMap(\.changes) {
      switch change {
      case .move(let id, _, _): ids.insert(id)
      case .rows(let changes): ids.formUnion(changes.lazy.filter { $0.from != nil && $0.to != nil }.map(\.id))
      case .arrange(_, let moves) where bySorting: ids.formUnion(moves.lazy.map(\.id))
      default: break
      }
    }
    return ids
  }
}

extension TableEffect {
  /// Reads what is needed and no rows of the screen.
  fileprivate func run(_ list: borrowing CustomerList) throws -> TableEvent? {
    switch self {
    case .choose(let choice): try choice.run(list)
    case .scan(let scan): .scanned(scan, try scan.run(list))
    case .sort(let sort): .sorted(sort, try sort.run(list))
    case .load, .write, .lookUp: nil
    }
  }

  /// Whether it is background work for something that was ended.
  fileprivate func isObsolete(in state: TableState) -> Bool {
    switch self {
    case .scan: state.search == nil
    case .sort: state.sorting == nil
    default: false
    }
  }

  /// Whether both are parts of a search or of a sort.
  fileprivate func replaces(_ other: TableEffect) -> Bool {
    switch (self, other) {
    case (.scan, .scan), (.sort, .sort): true
    default: false
    }
  }
}
