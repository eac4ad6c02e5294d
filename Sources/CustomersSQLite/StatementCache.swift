/// The prepared statements of a connection, by their SQL; the least recently used one is dropped when there are
/// too many.
struct StatementCache {
  private struct Entry {
    /// Nil while it runs.
    var spare: (any StatementBackend)?
    var lastUse: UInt64
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { entries.count }

  /// Takes a statement while it runs, so that the same SQL can be run again until it ends.
  ///
  /// Its entry stays: removing it would hash the SQL of others, too.
  mutating func checkOut(_ sql: String) -> Statement? { entries[sql]?.spare.take().map { Statement($0) } }

  mutating func checkIn(_ statement: borrowing Statement, _ sql: String) {
    statement.backend.reset()
    uses += 1
    entries[sql] = Entry(spare: statement.backend, lastUse: uses)
    guard entries.count > capacity,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    entries[oldest.key] = nil
  }

  mutating func removeAll() { entries = [:] }
}
