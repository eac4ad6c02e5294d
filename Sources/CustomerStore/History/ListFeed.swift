internal import CustomersSQLite

/// A position in the log of all changes, for everyone who follows a list: `CustomerStore.events`, the table, and
/// `customers watch`.
///
/// No change is missed or repeated, whichever program makes it: changes are read from the history in the
/// file.
package struct ListFeed: Sendable {
  /// How long to trust the system's report that the file is unchanged.
  private static let longestTrust = Duration.seconds(1)

  /// Opens the list that has the name of this one.
  private let open: @Sendable () throws -> CustomerStore
  /// The open list; nil until there is one and after trouble.
  package private(set) var store: CustomerStore?
  /// The last delivered version; nil before the first poll of a feed that starts with the list.
  package private(set) var version: ListVersion?
  /// The version of the list at the last poll.
  private var lastVersion: ListVersion?
  /// What the store last answered when it was asked for news.
  private var pulse: CustomerStore.Pulse?
  /// The stamp of the file at the last poll; nil if it does not prove that the file is unchanged since.
  private var stamp: FileStamp?
  /// The last stamp that could be trusted of the content that was read.
  private var stampOfContent: FileStamp?
  private var lastLook = ContinuousClock.now
  /// Whether the last poll found the file locked or could not read the list.
  package var isInTrouble: Bool { troubleSince != nil || lockedSince != nil }
  /// Since when the list can't be read.
  private var troubleSince: ContinuousClock.Instant?
  private var longestTrouble = Duration.seconds(3)
  /// Whether the whole list is read when a feed starts with it.
  package var readsList = false
  /// Since when another program locks the file.
  package private(set) var lockedSince: ContinuousClock.Instant?

  /// Creates a feed of a list that need not exist yet; for nil, it starts with the list.
  package init(after version: ListVersion?, opening open: @escaping @Sendable () throws -> CustomerStore) {
    (self.version, self.open) = (version, open)
  }

  package init(
    _ store: CustomerStore, after version: ListVersion?,
    opening open: @escaping @Sendable () throws -> CustomerStore
  ) {
    self.init(after: version, opening: open)
    use(store)
  }

  /// Returns the changes since the last poll, without waiting.
  ///
  /// If nothing happened, it takes a few microseconds and no transaction.
  ///
  /// - Returns: steps, or one `reload`, or an empty array.
  /// - Throws: `StoreError.locked` if another program is writing; poll again. `StoreError.replaced` if the
  ///   file has been replaced.
  package mutating func poll() throws -> [ListEvent] { try poll(.none, ListFeed.events) ?? [] }

  /// Reads what happened since the last poll with a custom function; it does not wait.
  ///
  /// - Parameter body: the function, in one transaction. It gets the last known version, nil to read the
  ///   list from the start; it returns its result and the new version.
  /// - Returns: the result; nil if nothing happened, after a few microseconds and without a transaction.
  /// - Throws: what `poll()` throws or what `body` throws; the next poll then starts where this one did.
  package mutating func poll<Result: Sendable>(
    _ body: (borrowing CustomerList, ListVersion?) throws -> (result: Result, version: ListVersion)
  ) throws -> Result? {
    try poll(.none, body)
  }

  /// The same, but trouble that may pass is nothing new: a file that is locked, for any time; one that is
  /// being replaced or a cluster that elects a leader, for as long as `CustomerStore.longestTrouble`.
  ///
  /// If another list has taken the place of this one, it starts with that.
  ///
  /// - Throws: the `StoreError` that lasts or what `body` throws.
  package mutating func follow<Result: Sendable>(
    _ body: (borrowing CustomerList, ListVersion?) throws -> (result: Result, version: ListVersion)
  ) throws -> Result? {
    try follow(.none, body)
  }

  /// Whether a poll could find anything: one system call, without opening or locking the file.
  package var mayHaveNews: Bool {
    guard let store, let stamp, ContinuousClock.now - lastLook < Self.longestTrust else { return true }
    return store.stamp() != stamp
  }

  mutating func followEvents(_ waitPolicy: WaitPolicy) throws -> [ListEvent] {
    try follow(waitPolicy, ListFeed.events) ?? []
  }

  private static func events(
    _ list: borrowing CustomerList, after version: ListVersion?
  ) throws -> (result: [ListEvent], version: ListVersion) {
    let events = try version.map { try list.events(after: $0) } ?? [.reload(list.snapshot())]
    return (events, try list.version())
  }

  private mutating func follow<Result: Sendable>(
    _ waitPolicy: WaitPolicy,
    _ body: (borrowing CustomerList, ListVersion?) throws -> (result: Result, version: ListVersion)
  ) throws -> Result? {
    let isAwaited = store == nil && troubleSince == nil
    do {
      var result: Result?
      do {
        result = try poll(waitPolicy, body)
      } catch StoreError.replaced {
        // If there is no file now, it may be this one that comes back.
        store = nil
        use(try open())
        version = nil
        result = try poll(waitPolicy, body)
      }
      (troubleSince, lockedSince) = (nil, nil)
      return result
    } catch StoreError.locked {
      lockedSince = lockedSince ?? .now
    } catch StoreError.missing where isAwaited {
    } catch let error as StoreError {
      // The connection may have read what was not there for long.
      if case .unreachable = error {} else { store = nil }
      let start = troubleSince ?? .now
      troubleSince = start
      guard ContinuousClock.now - start < longestTrouble else { throw error }
    }
    return nil
  }

  private mutating func poll<Result: Sendable>(
    _ waitPolicy: WaitPolicy,
    _ body: (borrowing CustomerList, ListVersion?) throws -> (result: Result, version: ListVersion)
  ) throws -> Result? {
    if store == nil { use(try open()) }
    guard let store else { return nil }
    let stamp = store.stamp()
    let pulse = try store.pulse(waitPolicy)
    var result: Result?
    if pulse == self.pulse {
      if let stamp, let stampOfContent, stamp != stampOfContent { try store.validateVersion(is: lastVersion) }
      stampOfContent = stamp ?? stampOfContent
    } else {
      let (version, readsList) = (version, readsList)
      func isSame(_ list: borrowing CustomerList) throws -> Bool {
        try version.map { try list.has($0) } ?? false
      }
      let read = try store.readAtLength(
        waitPolicy, rows: { list in try readsList && !isSame(list) ? list.count() : 0 }
      ) { list in
        (read: try body(list, isSame(list) ? version : nil), last: try list.version())
      }
      ((result, self.version), lastVersion, stampOfContent) = (read.read, read.last, stamp)
    }
    (self.pulse, self.stamp, lastLook) = (pulse, stamp, .now)
    return result
  }

  /// Continues with a list that was opened elsewhere, such as a file that was created because there was none.
  package mutating func use(_ store: CustomerStore) {
    (self.store, longestTrouble) = (store, store.longestTrouble)
    (pulse, stamp, stampOfContent) = (nil, nil, nil)
  }
}

extension CustomerStore {
  /// Refuses to go on with a file that was written although SQLite's count of its changes is the same, unless
  /// it still is the same: a write was rolled back.
  ///
  /// SQLite does not notice a copy over the file that has the same count; only a new connection reads it.
  ///
  /// - Throws: `StoreError.replaced`.
  fileprivate func validateVersion(is known: ListVersion?) throws {
    let now = try CustomerStore.translatingSQLiteErrors { try connectAgain(WaitPolicy(.zero)).version() }
    guard now == known else { throw StoreError.replaced }
  }

  /// A feed of what happens after a version; for nil, one that starts with the list.
  package func feed(after version: ListVersion?) -> ListFeed {
    // A feed waits for nothing; it comes back later.
    ListFeed(self, after: version) { try self.openedAgain(busyTimeout: .zero) }
  }

  /// Opens the list that has the name of this one now, such as a file in its place.
  ///
  /// - Parameter busyTimeout: how long the store waits for another program's lock; nil for as long as this one.
  /// - Returns: the store.
  /// - Throws: `StoreError`.
  package func openedAgain(busyTimeout: Duration? = nil) throws -> CustomerStore {
    guard let file else { return self }
    var options = options
    (options.createsFile, options.busyTimeout) = (false, busyTimeout ?? options.busyTimeout)
    return try CustomerStore(path: file.path, options: options)
  }

  /// Opens the list again for a person who is known by a key.
  ///
  /// - Parameters:
  ///   - person: the name, which the history then has.
  ///   - isReadOnly: whether the store refuses to write.
  /// - Returns: the store.
  /// - Throws: `StoreError`.
  package func opened(for person: String, isReadOnly: Bool) throws -> CustomerStore {
    guard let file else { return self }
    var options = options
    (options.createsFile, options.person) = (false, person)
    options.isReadOnly = options.isReadOnly || isReadOnly
    return try CustomerStore(path: file.path, options: options)
  }
}

/// The changes of a list as they happen, whichever program makes them.
///
///     for try await event in store.events(after: version) {
///       switch event {
///       case .step: show(try await store.read { try $0.snapshot() })
///       case .reload(let new): show(new)
///       case .waiting: break
///       }
///     }
///
/// Edits made through the same store are included.
package struct ListEvents: AsyncSequence, Sendable {
  let store: CustomerStore
  let start: ListVersion
  let interval: Duration

  init(store: CustomerStore, start: ListVersion, interval: Duration) {
    (self.store, self.start) = (store, start)
    // A pause can't be negative, and the clock can't add one of any length.
    self.interval = Swift.min(Swift.max(interval, .milliseconds(1)), .seconds(86_400))
  }

  /// Polls for changes.
  package struct AsyncIterator: AsyncIteratorProtocol {
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
    package mutating func next() async throws -> ListEvent? {
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
  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
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
  package func events(after version: ListVersion, every interval: Duration = .milliseconds(50)) -> ListEvents
  {
    ListEvents(store: self, start: version, interval: interval)
  }
  /// The versions of the list: the one now, and one after each change, whichever program makes it.
  ///
  ///     for try await _ in store.changes() {
  ///       view.show(try await store.read { list in try list.page(from: 1, limit: 50, in: section) })
  ///     }
  ///
  /// - Parameter interval: how often to look, from a millisecond to a day; up to four times as long while nothing happens.
  /// - Returns: a sequence that ends when its task is canceled, and throws if the file can't be read for three seconds.
  public func changes(
    every interval: Duration = .milliseconds(50)
  ) -> some AsyncSequence<ListVersion, any Error> & Sendable {
    events(after: .none, every: interval).compactMap { event in
      switch event {
      case .step(let step): step.version
      case .reload(let snapshot): snapshot.version
      case .waiting: nil
      }
    }
  }
}
