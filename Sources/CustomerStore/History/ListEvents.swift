/// What happens to a list, as it happens, whichever program does it.
///
///     var snapshot = try await store.read { list in try list.snapshot() }
///     for try await event in store.events(after: snapshot.edit) {
///       switch event {
///       case .step(let step): table.perform(try snapshot.apply(step))
///       case .reload(let new): snapshot = new; table.reloadData()
///       case .waiting: break
///       }
///     }
///
/// The edits of the same store are among them. Who has applied them already, by `write(since:)`, leaves out
/// steps whose `edits` are not beyond the snapshot's edit, as `ListSnapshot.apply` does.
public struct ListEvents: AsyncSequence, Sendable {
  let store: CustomerStore
  let start: Int64
  let interval: Duration

  /// Looks for changes, and waits while there are none.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let store: CustomerStore
    private let interval: Duration
    private var feed: ListFeed
    private var pending: ArraySlice<ListEvent> = []
    /// How long a file that is being replaced may be gone, or half there; or a cluster without a leader.
    private var longestTrouble: Duration { .seconds(store.isOnCluster ? 60 : 3) }

    private var troubleSince: ContinuousClock.Instant?
    /// Since when the file is locked.
    private var lockedSince: ContinuousClock.Instant?
    private var hasToldOfLock = false
    /// How many looks in a row have found nothing.
    private var idleLooks = 0
    /// Longer while nothing happens: the waking up is what an idle feed costs.
    private var pause: Duration { interval * Swift.min(4, 1 + idleLooks / 100) }

    fileprivate init(_ events: ListEvents) {
      (store, interval) = (events.store, events.interval)
      feed = events.store.feed(after: events.start)
    }

    /// The next event; nil when the task is cancelled.
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
      do {
        let feed = feed
        (self.feed, pending) = try await store.reader.runAsync { call in
          var feed = feed
          let events: [ListEvent]
          do {
            events = try feed.poll(Patience(.zero, call))
          } catch StoreError.replaced {
            feed = try feed.reopened()
            events = try feed.poll(Patience(.zero))
          }
          // Only now: the feed knows where it goes on.
          return (feed, events[...])
        }
        (troubleSince, lockedSince, hasToldOfLock) = (nil, nil, false)
      } catch StoreError.locked {
        let start = lockedSince ?? .now
        lockedSince = start
        if !hasToldOfLock, ContinuousClock.now - start >= .milliseconds(500) {
          hasToldOfLock = true
          pending = [.waiting(.locked)]
        }
      } catch let error as StoreError {
        let start = troubleSince ?? .now
        troubleSince = start
        guard ContinuousClock.now - start < longestTrouble else { throw error }
      }
    }
  }

  /// Begins to look.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension CustomerStore {
  /// What happens after an edit, as it happens.
  ///
  /// - Parameters:
  ///   - edit: the last edit that the caller knows: `ListSnapshot.edit` or `CustomerList.lastEdit`.
  ///   - interval: how often to look; while nothing happens for long, up to four times that.
  /// - Returns: a sequence that ends when its task is cancelled, and throws when the file can't be read for
  ///   three seconds, or a cluster for a minute. Where another file takes the place of the list, that comes as a `reload`; the store
  ///   itself has to be opened again.
  public func events(after edit: Int64, every interval: Duration = .milliseconds(50)) -> ListEvents {
    ListEvents(store: self, start: edit, interval: interval)
  }
}
