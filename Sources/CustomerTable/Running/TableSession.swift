public import CustomerStore

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
///     ForEach(Array(session.state.lines.enumerated()), id: \.offset) { _, line in LineView(line) }
///       .task {
///         while !Task.isCancelled {
///           session.poll()
///           try? await Task.sleep(for: .milliseconds(50))
///         }
///       }
///
/// A UIKit table gets its counts from `state.layout` and its cells from `state.lines`, and sends what the
/// person does: `setEditing`, `askToDelete`, `pickUp`, `drag(over:)`, `drop`. A web page gets the lines and
/// sends events in the same way.
///
/// It never blocks: while another program locks the file, the rows stay as they are, and an edit is made as
/// soon as the file is free.
public struct TableSession: Sendable {
  /// The table.
  public private(set) var state: TableState
  /// Whether there is background work: call `work` when there are no events.
  public var hasWork: Bool { scan != nil }

  private let store: CustomerStore
  private var feed: ListFeed
  private var scan: TableScan?

  /// Creates a session with a table that has not read anything yet.
  public init(_ store: CustomerStore, policy: EditingPolicy = EditingPolicy()) {
    self.store = store
    state = TableState(policy: policy)
    feed = store.feed(after: nil)
  }

  /// Sends the table an event and runs its effects.
  public mutating func send(_ event: TableEvent) {
    var events = [event][...]
    while let event = events.popFirst() {
      for effect in state.update(event) { if let answer = perform(effect) { events.append(answer) } }
      if state.search == nil { scan = nil }
    }
  }

  /// Checks whether the list has changed, and retries what waits for the file.
  public mutating func poll() {
    if let write = state.waiting, let answer = perform(.write(write)) {
      if case .failed(_, let error) = answer, (error as? StoreError) == .locked { return }
      send(answer)
    }
    let request = state.request()
    do {
      let found = try feed.poll { list, edit in
        let steps = try edit.flatMap { try list.steps(after: $0) }
        let page = try TablePage(list, request.without(steps?.movedCustomers ?? []))
        return (result: (steps, page), edit: page.edit)
      }
      if let (steps, page) = found {
        send(.changed(steps, page))
      } else if state.trouble?.isOfEdit == false, let answer = perform(.load(request)) {
        send(answer)
      }
    } catch StoreError.locked {
      // What is shown stays.
    } catch {
      send(.failed(.load(request), error))
    }
  }

  /// Continues a search, for a few hundredths of a second.
  public mutating func work() {
    guard let scan else { return }
    self.scan = nil
    do {
      guard let result = try store.readAtOnce({ list in try scan.run(list) }) else { return self.scan = scan }
      send(.scanned(scan, result))
    } catch {
      send(.failed(.scan(scan), error))
    }
  }

  /// Runs the effects of the table.
  private mutating func perform(_ effect: TableEffect) -> TableEvent? {
    do {
      switch effect {
      case .load(let request):
        guard let page = try store.readAtOnce({ list in try TablePage(list, request) }) else {
          throw StoreError.locked
        }
        return .loaded(page)
      case .write(let write):
        return .wrote(
          write, try store.write(action: write.action, busyTimeout: .zero) { list in try write.run(&list) })
      case .lookUp(let reversal):
        let step = try store.readAtOnce { list in
          [try reversal == .undo ? list.undoable() : list.redoable()]
        }
        guard let step else { throw StoreError.locked }
        return .offered(step[0], reversal)
      case .scan(let scan):
        self.scan = scan
        return nil
      }
    } catch {
      return .failed(effect, error)
    }
  }
}

extension [ListStep] {
  /// The rows that were moved.
  var movedCustomers: Set<CustomerID> {
    var ids: Set<CustomerID> = []
    for change in lazy.flatMap(\.changes) {
      switch change {
      case .move(let id, _, _): ids.insert(id)
      case .arrange(_, let moves): ids.formUnion(moves.lazy.map(\.id))
      default: break
      }
    }
    return ids
  }
}
