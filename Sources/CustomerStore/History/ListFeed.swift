/// A place in the log of all changes, from which one goes on.
///
/// Nothing is lost and nothing comes twice, whichever program makes the changes: they are read from the
/// history in the file. `CustomerStore.events` looks again and again; this is one look, for programs and
/// tests that have a loop of their own.
public struct ListFeed: Sendable {
  private let store: CustomerStore
  /// The number of the last edit that was told.
  public private(set) var edit: Int64
  /// What the store said last about whether there is anything new.
  private var version: Int64?

  init(store: CustomerStore, after edit: Int64) { (self.store, self.edit) = (store, edit) }

  /// What happened since the last look; nothing is waited for.
  ///
  /// If nothing happened, it takes some microseconds and no transaction.
  ///
  /// - Returns: steps, or one `reload`, or nothing.
  /// - Throws: `StoreError.locked` if another program is just writing; look again. `StoreError.replaced` if
  ///   the file is another one now.
  public mutating func poll() throws -> [ListEvent] { try poll(Patience(.zero)) }

  mutating func poll(_ patience: Patience) throws -> [ListEvent] {
    let version = try store.version(patience)
    guard version != self.version else { return [] }
    let known = edit
    let events = try store.read(patience) { list in try list.events(after: known) }
    self.version = version
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
