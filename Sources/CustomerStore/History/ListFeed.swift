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
  /// The last step at the last poll, to recognize another list of the same history: an older copy.
  private var lastStep: HistoryStep?
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

  /// Creates a feed of an open list.
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
        (version, lastStep) = (nil, nil)
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
      if let stamp, let stampOfContent, stamp != stampOfContent { try store.validateLastStep(is: lastStep) }
      stampOfContent = stamp ?? stampOfContent
    } else {
      let (version, lastStep, readsList) = (version, lastStep, readsList)
      func isSame(_ list: borrowing CustomerList) throws -> Bool {
        try version?.isOf(list.historyID()) == true && list.hasHad(lastStep)
      }
      let read = try store.readAtLength(
        waitPolicy, rows: { list in try readsList && !isSame(list) ? list.count() : 0 }
      ) { list in
        (read: try body(list, isSame(list) ? version : nil), lastStep: try list.history(limit: 1).first)
      }
      ((result, self.version), self.lastStep, stampOfContent) = (read.read, read.lastStep, stamp)
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

extension CustomerList {
  /// Whether the history had a step: an older copy of the list, put in its place and edited, did not.
  fileprivate func hasHad(_ step: HistoryStep?) throws -> Bool {
    guard let step else { return true }
    if let present = try self.step(step.id) { return present.time == step.time }
    // The history may have forgotten the step.
    return try (history(limit: 1).first?.id ?? 0) >= step.id
  }
}

extension CustomerStore {
  /// Refuses to go on with a file that was written although SQLite's count of its changes is the same, unless
  /// it still has the same history: a write was rolled back.
  ///
  /// SQLite does not notice a copy over the file that has the same count; only a new connection reads it.
  ///
  /// - Throws: `StoreError.replaced`.
  fileprivate func validateLastStep(is known: HistoryStep?) throws {
    let last = try CustomerStore.translatingSQLiteErrors {
      let list = try connectAgain(WaitPolicy(.zero))
      return try list.connection.readTransaction { try list.history(limit: 1).first }
    }
    guard last?.id == known?.id, last?.time == known?.time else { throw StoreError.replaced }
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
}
