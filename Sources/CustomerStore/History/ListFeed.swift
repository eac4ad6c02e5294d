internal import CustomersSQLite

/// A position in the log of all changes.
///
/// No change is missed or repeated, whichever program makes it: changes are read from the history in the
/// file. `CustomerStore.events` polls repeatedly; this polls once, for programs and tests with their own
/// loop.
public struct ListFeed: Sendable {
  /// How long to trust the system's report that the file is unchanged.
  private static let longestTrust = Duration.seconds(1)

  private let store: CustomerStore
  /// The number of the last delivered edit; nil before the first poll of a feed that starts with the list.
  public private(set) var edit: Int64?
  /// The last step of the history at the last poll, to recognize another list with the same path.
  private var step: HistoryStep?
  /// The store's last answer about whether there is anything new.
  private var version: Int64?
  /// The stamp of the file at the last poll; nil if it does not prove that the file is unchanged since.
  private var stamp: FileStamp?
  /// The last stamp that could be trusted of the content that was read.
  private var stampOfContent: FileStamp?
  private var lastLook = ContinuousClock.now

  init(store: CustomerStore, after edit: Int64?) { (self.store, self.edit) = (store, edit) }

  /// Returns the changes since the last poll, without waiting.
  ///
  /// If nothing happened, it takes a few microseconds and no transaction.
  ///
  /// - Returns: steps, or one `reload`, or an empty array.
  /// - Throws: `StoreError.locked` if another program is writing; poll again. `StoreError.replaced` if the
  ///   file has been replaced.
  public mutating func poll() throws -> [ListEvent] { try poll(Patience(.zero)) }

  /// Reads what happened since the last poll with a custom function; it does not wait.
  ///
  /// - Parameter body: the function, in one transaction. It gets the last known edit, nil to read the list
  ///   from the start; it returns its result and the new last known edit.
  /// - Returns: the result; nil if nothing happened, after a few microseconds and without a transaction.
  /// - Throws: what `poll()` throws, or what `body` throws; the next poll then starts where this one did.
  public mutating func poll<Result: Sendable>(
    _ body: (borrowing CustomerList, _ edit: Int64?) throws -> (result: Result, edit: Int64)
  ) throws -> Result? {
    try poll(Patience(.zero), body)
  }

  /// Whether a poll could find anything: one system call, without opening or locking the file.
  public var mayHaveNews: Bool {
    guard let stamp, ContinuousClock.now - lastLook < Self.longestTrust else { return true }
    return store.stamp() != stamp
  }

  /// A feed of the list that has the file's name now; it starts with that list.
  ///
  /// - Throws: `StoreError`, usually `missing` while there is none.
  func reopened() throws -> ListFeed {
    guard let file = store.file else { return self }
    var options = store.options
    options.createsFile = false
    return try CustomerStore(path: file.path, options: options).feed(after: nil)
  }

  mutating func poll(_ patience: Patience) throws -> [ListEvent] {
    try poll(patience) { list, edit in
      let events = try edit.map { try list.events(after: $0) } ?? [.reload(list.snapshot())]
      return (events, try list.lastEdit())
    } ?? []
  }

  private mutating func poll<Result: Sendable>(
    _ patience: Patience,
    _ body: (borrowing CustomerList, _ edit: Int64?) throws -> (result: Result, edit: Int64)
  ) throws -> Result? {
    let stamp = store.stamp()
    let version = try store.version(patience)
    var result: Result?
    if version == self.version {
      if let stamp, let stampOfContent, stamp != stampOfContent { try store.proveLastStep(is: step) }
      stampOfContent = stamp ?? stampOfContent
    } else {
      let (edit, step) = (edit, step)
      let read = try store.read(patience) { list in
        let isOther = try step.map { try list.isOther(than: $0) } ?? false
        let read = try body(list, isOther ? nil : edit)
        return (result: read.result, edit: read.edit, step: try list.history(limit: 1).first)
      }
      (result, self.edit, self.step, stampOfContent) = (read.result, read.edit, read.step, stamp)
    }
    (self.version, self.stamp, lastLook) = (version, stamp, .now)
    return result
  }
}

extension CustomerList {
  /// Whether a known step number now has a different step: the file was overwritten.
  fileprivate func isOther(than known: HistoryStep) throws -> Bool {
    try step(known.id).map { $0.time != known.time } ?? false
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
  public func feed(after edit: Int64?) -> ListFeed { ListFeed(store: self, after: edit) }
}
