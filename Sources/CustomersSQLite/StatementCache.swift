internal import CSQLite

/// The prepared statements of a connection that are not running, by their SQL; the least recently used one is
/// dropped when there are too many.
///
/// Those that run over a network are not kept here.
@safe struct StatementCache {
  @safe private struct Spare {
    var handle: OpaquePointer
    var lastUse: UInt64
  }

  private let capacity: Int
  private var spare: [String: Spare] = [:]
  private var uses: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { spare.count }

  /// Removes a statement while it runs, so that the same SQL can be run again in the meantime.
  mutating func checkOut(_ sql: String) -> Statement? {
    guard let found = spare.removeValue(forKey: sql) else { return nil }
    return unsafe Statement(handle: found.handle)
  }

  mutating func checkIn(_ statement: borrowing Statement, _ sql: String) {
    statement.reset()
    guard let handle = unsafe statement.handle else { return }
    uses += 1
    let entry = unsafe Spare(handle: handle, lastUse: uses)
    if let twin = spare.updateValue(entry, forKey: sql) { unsafe sqlite3_finalize(twin.handle) }
    if spare.count > capacity { evict() }
  }

  private mutating func evict() {
    guard let oldest = spare.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    spare[oldest.key] = nil
    unsafe sqlite3_finalize(oldest.value.handle)
  }

  mutating func finalizeAll() {
    for entry in spare.values { unsafe sqlite3_finalize(entry.handle) }
    spare = [:]
  }
}
