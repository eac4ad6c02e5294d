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
  /// The number of the last edit that was delivered.
  public private(set) var edit: Int64
  /// What the store said last about whether there is anything new.
  private var version: Int64?
  /// The stamp of the file at the last look; nil if the file can't be trusted to be unchanged since.
  private var stamp: FileStamp?
  private var lastLook = ContinuousClock.now

  init(store: CustomerStore, after edit: Int64) { (self.store, self.edit) = (store, edit) }

  /// What happened since the last look; nothing is waited for.
  ///
  /// If nothing happened, it takes some microseconds and no transaction.
  ///
  /// - Returns: steps, or one `reload`, or nothing.
  /// - Throws: `StoreError.locked` if another program is just writing; look again. `StoreError.replaced` if
  ///   the file is another one now.
  public mutating func poll() throws -> [ListEvent] { try poll(Patience(.zero)) }

  /// Whether a look could find anything: one question to the system, without opening or locking the file.
  var mayHaveNews: Bool {
    guard let stamp, ContinuousClock.now - lastLook < Self.longestTrust else { return true }
    return store.stamp() != stamp
  }

  mutating func poll(_ patience: Patience) throws -> [ListEvent] {
    let stamp = store.stamp()
    let version = try store.version(patience)
    var events: [ListEvent] = []
    if version != self.version {
      let known = edit
      events = try store.read(patience) { list in try list.events(after: known) }
    }
    (self.version, self.stamp, lastLook) = (version, stamp, .now)
    switch events.last {
    case .step(let step): edit = step.edits.upperBound
    case .reload(let snapshot): edit = snapshot.edit
    case .waiting, nil: break
    }
    return events
  }
}

extension CustomerStore {
  /// A feed of what happens after an edit: `CustomerList.lastEdit`, or the `edit` of a snapshot.
  public func feed(after edit: Int64) -> ListFeed { ListFeed(store: self, after: edit) }
}
