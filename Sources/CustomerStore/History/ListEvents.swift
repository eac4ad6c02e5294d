/// The changes of a list as they happen, whichever program makes them.
///
///     var snapshot = try await store.read { list in
///       try list.snapshot()
///     }
///     for try await event in store.events(after: snapshot.version) {
///       switch event {
///       case .step(let step): table.perform(try snapshot.apply(step))
///       case .reload(let new): snapshot = new; table.reloadData()
///       case .waiting: break
///       }
///     }
///
/// Edits made through the same store are included. If `write(since:)` has already applied them, skip the
/// steps whose `edits` are not beyond the snapshot's version, as `ListSnapshot.apply` does.
public struct ListEvents: AsyncSequence, Sendable {
  let store: CustomerStore
  let start: ListVersion
  let interval: Duration

  init(store: CustomerStore, start: ListVersion, interval: Duration) {
    (self.store, self.start) = (store, start)
    // A pause can't be negative, and the clock can't add one of any length.
    self.interval = Swift.min(Swift.max(interval, .milliseconds(1)), .seconds(86_400))
  }

  /// Polls for changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let store: CustomerStore
    private let interval: Duration
    private var feed: ListFeed
    private var pending: ArraySlice<ListEvent> = []
    private var hasToldOfLock = false
    /// The number of polls in a row without a change.
    private var idleLooks = 0
    /// Longer while nothing happens, because waking up is the cost of an idle feed.
    private var pause: Duration { interval * Swift.min(4, 1 + idleLooks / 100) }

    fileprivate init(_ events: ListEvents) {
      (store, interval) = (events.store, events.interval)
      feed = events.store.feed(after: events.start)
    }

    /// The next event; nil when the task is canceled.
    ///
    /// - Throws: `StoreError`, but never `.locked`.
    public mutating func next() async throws -> ListEvent? {
      while pending.isEmpty {
        do {
          if feed.mayHaveNews { try await look() }
          idleLooks = pending.isEmpty ? idleLooks + 1 : 0
          if pending.isEmpty { try await Task.sleep(for: pause, tolerance: pause / 10) }
        } catch is CancellationError {
          return nil
        }
      }
      return pending.removeFirst()
    }

    private mutating func look() async throws {
      let feed = feed
      (self.feed, pending) = try await store.reader.runAsync { call in
        var feed = feed
        let events = try feed.followEvents(WaitPolicy(.zero, call))
        // Only now, because the feed knows where to continue.
        return (feed, events[...])
      }
      guard let start = self.feed.lockedSince else { return hasToldOfLock = false }
      if !hasToldOfLock, ContinuousClock.now - start >= .milliseconds(500) {
        hasToldOfLock = true
        pending = [.waiting(.locked)]
      }
    }
  }

  /// Starts polling.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension CustomerStore {
  /// The changes after a version, as they happen.
  ///
  /// - Parameters:
  ///   - version: the version that the caller knows: `ListSnapshot.version` or `CustomerList.version`.
  ///   - interval: how often to poll, from a millisecond to a day; up to four times as long while nothing
  ///     happens.
  /// - Returns: a sequence that ends when its task is canceled, and throws if the file can't be read for
  ///   three seconds, or a cluster for a minute. If the list was restored or repaired, or if another file
  ///   replaces it, it delivers a `reload`; in the latter case, the store itself must be opened again.
  public func events(after version: ListVersion, every interval: Duration = .milliseconds(50)) -> ListEvents {
    ListEvents(store: self, start: version, interval: interval)
  }
}
