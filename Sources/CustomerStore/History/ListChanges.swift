/// The changes of a list as they happen, whichever program makes them.
///
/// Nothing is lost and nothing comes twice: the changes are read from the history in the file, from
/// where the last look ended.
///
///     let (customers, edit) = try store.read { list in (try list.page(…), try list.lastEdit()) }
///     for try await change in store.changes(after: edit) { … }
public struct ListChanges: AsyncSequence, Sendable {
  let store: CustomerStore
  let start: Int64
  let interval: Duration

  /// What a look at the history gives.
  public enum Element: Hashable, Sendable {
    /// The list was changed.
    case change(ListChange)
    /// The history has forgotten what happened since the last look: read the list anew. What comes
    /// after this has happened after edit `lastEdit`.
    case reload(lastEdit: Int64)
  }

  /// Looks for changes, and waits while there are none.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let store: CustomerStore
    let interval: Duration
    var lastEdit: Int64
    var waiting: ArraySlice<ListChange> = []

    /// The next change; nil when the task is cancelled.
    public mutating func next() async throws -> Element? {
      while waiting.isEmpty {
        guard !Task.isCancelled else { return nil }
        let known = lastEdit
        let found = try store.read { list in
          try (changes: list.changes(after: known), lastEdit: list.lastEdit())
        }
        guard let (changes, last) = found.changes else {
          lastEdit = found.lastEdit
          return .reload(lastEdit: lastEdit)
        }
        lastEdit = last
        waiting = changes[...]
        if waiting.isEmpty {
          do { try await Task.sleep(for: interval) } catch { return nil }
        }
      }
      return .change(waiting.removeFirst())
    }
  }

  /// Begins to look.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(store: store, interval: interval, lastEdit: start)
  }
}

extension CustomerStore {
  /// The changes after an edit, as they happen.
  ///
  /// - Parameters:
  ///   - edit: `CustomerList.lastEdit` of the list as the caller knows it.
  ///   - interval: how often to look; a look at a list in which nothing happens takes some microseconds.
  /// - Returns: a sequence that ends when its task is cancelled.
  public func changes(after edit: Int64, every interval: Duration = .milliseconds(50)) -> ListChanges {
    ListChanges(store: self, start: edit, interval: interval)
  }
}
