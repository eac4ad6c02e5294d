internal import CustomersSQLite

/// A position in the log of all changes, for everyone who follows a list: `CustomerStore.events`, the table and
/// `customers watch`.
///
/// No change is missed or repeated, whichever program makes it: changes are read from the history in the
/// file.
package struct ListFeed: Sendable {
  /// How long to trust the system's report that the file is unchanged.
  private static let longestTrust = Duration.seconds(1)

  /// Opens the list that has the name of this one.
  private let open: @Sendable () throws -> CustomerStore
  /// The open list; nil until there is one, and after trouble.
  package private(set) var store: CustomerStore?
  /// The number of the last delivered edit; nil before the first poll of a feed that starts with the list.
  package private(set) var edit: Int64?
  /// The history at the last poll, and its last step, to recognize another list.
  private var known: Known?
  /// The store's last answer about whether there is anything new.
  private var version: Int64?
  /// The stamp of the file at the last poll; nil if it does not prove that the file is unchanged since.
  private var stamp: FileStamp?
  /// The last stamp that could be trusted of the content that was read.
  private var stampOfContent: FileStamp?
  private var lastLook = ContinuousClock.now
  /// Since when the list can't be read.
  private var troubleSince: ContinuousClock.Instant?
  private var longestTrouble = Duration.seconds(3)
  /// Since when another program locks the file.
  private(set) var lockedSince: ContinuousClock.Instant?

  /// Creates a feed of a list that need not exist yet; for nil, it starts with the list.
  package init(after edit: Int64?, opening open: @escaping @Sendable () throws -> CustomerStore) {
    (self.edit, self.open) = (edit, open)
  }

  /// Creates a feed of an open list.
  package init(
    _ store: CustomerStore, after edit: Int64?, opening open: @escaping @Sendable () throws -> CustomerStore
  ) {
    self.init(after: edit, opening: open)
    use(store)
  }

  /// Returns the changes since the last poll, without waiting.
  ///
  /// If nothing happened, it takes a few microseconds and no transaction.
  ///
  /// - Returns: steps, or one `reload`, or an empty array.
  /// - Throws: `StoreError.locked` if another program is writing; poll again. `StoreError.replaced` if the
  ///   file has been replaced.
  package mutating func poll() throws -> [ListEvent] { try poll(Patience(.zero), ListFeed.events) ?? [] }

  /// Reads what happened since the last poll with a custom function; it does not wait.
  ///
  /// - Parameter body: the function, in one transaction. It gets the last known edit, nil to read the list
  ///   from the start; it returns its result and the new last known edit.
  /// - Returns: the result; nil if nothing happened, after a few microseconds and without a transaction.
  /// - Throws: what `poll()` throws, or what `body` throws; the next poll then starts where this one did.
  package mutating func poll<Result: Sendable>(
    _ body: (borrowing CustomerList, _ edit: Int64?) throws -> (result: Result, edit: Int64)
  ) throws -> Result? {
    try poll(Patience(.zero), body)
  }

  /// The same, but trouble that may pass is nothing new: a file that is locked, for any time; one that is
  /// being replaced, or a cluster that elects a leader, for as long as `CustomerStore.longestTrouble`.
  ///
  /// If another list has taken the place of this one, it starts with that.
  ///
  /// - Throws: the `StoreError` that lasts, or what `body` throws.
  package mutating func follow<Result: Sendable>(
    _ body: (borrowing CustomerList, _ edit: Int64?) throws -> (result: Result, edit: Int64)
  ) throws -> Result? {
    try follow(Patience(.zero), body)
  }

  /// Whether a poll could find anything: one system call, without opening or locking the file.
  package var mayHaveNews: Bool {
    guard let store, let stamp, ContinuousClock.now - lastLook < Self.longestTrust else { return true }
    return store.stamp() != stamp
  }

  mutating func followEvents(_ patience: Patience) throws -> [ListEvent] {
    try follow(patience, ListFeed.events) ?? []
  }

  private static func events(
    _ list: borrowing CustomerList, after edit: Int64?
  ) throws -> (result: [ListEvent], edit: Int64) {
    let events = try edit.map { try list.events(after: $0) } ?? [.reload(list.snapshot())]
    return (events, try list.lastEdit())
  }

  private mutating func follow<Result: Sendable>(
    _ patience: Patience,
    _ body: (borrowing CustomerList, _ edit: Int64?) throws -> (result: Result, edit: Int64)
  ) throws -> Result? {
    let isAwaited = store == nil && troubleSince == nil
    do {
      var result: Result?
      do {
        result = try poll(patience, body)
      } catch StoreError.replaced {
        // If there is no file now, it may be this one that comes back.
        store = nil
        use(try open())
        (edit, known) = (nil, nil)
        result = try poll(Patience(.zero), body)
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
    _ patience: Patience,
    _ body: (borrowing CustomerList, _ edit: Int64?) throws -> (result: Result, edit: Int64)
  ) throws -> Result? {
    if store == nil { use(try open()) }
    guard let store else { return nil }
    let stamp = store.stamp()
    let version = try store.version(patience)
    var result: Result?
    if version == self.version {
      if let stamp, let stampOfContent, stamp != stampOfContent { try store.proveLastStep(is: known?.step) }
      stampOfContent = stamp ?? stampOfContent
    } else {
      let (edit, known) = (edit, known)
      let read = try store.read(patience) { list in
        let isOther = try known.map { try list.isOther(than: $0) } ?? false
        let read = try body(list, isOther ? nil : edit)
        return (result: read.result, edit: read.edit, known: try ListFeed.known(list))
      }
      (result, self.edit, self.known, stampOfContent) = (read.result, read.edit, read.known, stamp)
    }
    (self.version, self.stamp, lastLook) = (version, stamp, .now)
    return result
  }

  fileprivate typealias Known = (history: String, step: HistoryStep?)

  private static func known(_ list: borrowing CustomerList) throws -> Known {
    (try list.historyID(), try list.history(limit: 1).first)
  }

  /// Continues with a list that was opened elsewhere, such as a file that was created because there was none.
  package mutating func use(_ store: CustomerStore) {
    (self.store, longestTrouble) = (store, store.longestTrouble)
    (version, stamp, stampOfContent) = (nil, nil, nil)
  }
}

extension CustomerList {
  /// Whether the list is not the one that had a known step: the file was overwritten.
  fileprivate func isOther(than known: ListFeed.Known) throws -> Bool {
    guard let step = known.step else { return false }
    if let present = try self.step(step.id) { return present.time != step.time }
    // The history may also have forgotten the step.
    return try historyID() != known.history || (history(limit: 1).first?.id ?? 0) < step.id
  }
}

extension CustomerStore {
  /// Refuses to go on with a file that was written although SQLite's count of its changes is the same, unless
  /// it still has the same history: a write was rolled back.
  ///
  /// SQLite does not notice a copy over the file that has the same count; only a new connection reads it.
  ///
  /// - Throws: `StoreError.replaced`.
  fileprivate func proveLastStep(is known: HistoryStep?) throws {
    let last = try CustomerStore.translatingSQLiteErrors {
      let list = try connectAgain(Patience(.zero))
      return try list.connection.readTransaction { try list.history(limit: 1).first }
    }
    guard last?.id == known?.id, last?.time == known?.time else { throw StoreError.replaced }
  }

  /// A feed of what happens after an edit: `CustomerList.lastEdit`, or the `edit` of a snapshot; for nil, a
  /// feed that starts with the list.
  package func feed(after edit: Int64?) -> ListFeed {
    ListFeed(self, after: edit) {
      guard let file = self.file else { return self }
      var options = self.options
      options.createsFile = false
      return try CustomerStore(path: file.path, options: options)
    }
  }
}
