internal import SQLite

/// A place in the log of all changes, from which one goes on.
///
/// Nothing is lost and nothing comes twice, whichever program makes the changes: they are read from the
/// history in the file. `CustomerStore.events` looks again and again; this is one look, for programs and
/// tests that have a loop of their own.
public struct ListFeed: Sendable {
  /// How long the system's word that the file is unchanged is believed.
  private static let longestTrust = Duration.seconds(1)

  private let store: CustomerStore
  /// The number of the last edit that was delivered; nil before the first look of a feed that begins with
  /// the list.
  public private(set) var edit: Int64?
  /// The last step of the history at the last look, which tells another list with the same path.
  private var step: HistoryStep?
  /// What the store said last about whether there is anything new.
  private var version: Int64?
  /// The stamp of the file at the last look; nil if the file can't be trusted to be unchanged since.
  private var stamp: FileStamp?
  private var lastLook = ContinuousClock.now

  init(store: CustomerStore, after edit: Int64?) { (self.store, self.edit) = (store, edit) }

  /// What happened since the last look; nothing is waited for.
  ///
  /// If nothing happened, it takes some microseconds and no transaction.
  ///
  /// - Returns: steps, or one `reload`, or nothing.
  /// - Throws: `StoreError.locked` if another program is just writing; look again. `StoreError.replaced` if
  ///   the file is another one now.
  public mutating func poll() throws -> [ListEvent] { try poll(Patience(.zero)) }

  /// Reads what happened since the last look in a way of one's own; nothing is waited for.
  ///
  /// - Parameter body: the reading, in one transaction. It gets the last edit that is known, nil if the list
  ///   is to be read from the start; it returns its result, and the last edit that is known then.
  /// - Returns: the result; nil if nothing happened, after some microseconds and without a transaction.
  /// - Throws: what `poll()` throws, or what `body` throws; then the next look begins where this one did.
  public mutating func poll<Result: Sendable>(
    _ body: (borrowing CustomerList, _ edit: Int64?) throws -> (result: Result, edit: Int64)
  ) throws -> Result? {
    try poll(Patience(.zero), body)
  }

  /// Whether a look could find anything: one question to the system, without opening or locking the file.
  public var mayHaveNews: Bool {
    guard let stamp, ContinuousClock.now - lastLook < Self.longestTrust else { return true }
    return store.stamp() != stamp
  }

  /// A feed of the list whose file has the same name now; it begins with that list.
  ///
  /// - Throws: `StoreError`, mostly `missing` while there is none.
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
    if version != self.version {
      let (edit, step) = (edit, step)
      let read = try store.read(patience) { list in
        let isOther = try step.map { try list.isOther(than: $0) } ?? false
        let read = try body(list, isOther ? nil : edit)
        return (result: read.result, edit: read.edit, step: try list.history(limit: 1).first)
      }
      (result, self.edit, self.step) = (read.result, read.edit, read.step)
    }
    (self.version, self.stamp, lastLook) = (version, stamp, .now)
    return result
  }
}

extension CustomerList {
  /// Whether the history has another step by the number of one that it had: the file was overwritten.
  fileprivate func isOther(than known: HistoryStep) throws -> Bool {
    try step(known.id).map { $0.time != known.time } ?? false
  }
}

extension CustomerStore {
  /// A feed of what happens after an edit: `CustomerList.lastEdit`, or the `edit` of a snapshot; of nil, one
  /// that begins with the list.
  public func feed(after edit: Int64?) -> ListFeed { ListFeed(store: self, after: edit) }
}
