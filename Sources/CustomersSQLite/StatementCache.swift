/// The prepared statements of a connection that are not running, by their SQL; the least recently used one is
/// dropped when there are too many.
struct StatementCache {
  private struct Spare {
    var statement: any StatementBackend
    var lastUse: UInt64
  }

  private let capacity: Int
  private var spare: [String: Spare] = [:]
  private var uses: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { spare.count }

  /// Removes a statement while it runs, so that the same SQL can be run again in the meantime.
  mutating func checkOut(_ sql: String) -> Statement? {
    spare.removeValue(forKey: sql).map { Statement($0.statement) }
  }

  mutating func checkIn(_ statement: borrowing Statement, _ sql: String) {
    statement.backend.reset()
    uses += 1
    spare[sql] = Spare(statement: statement.backend, lastUse: uses)
    guard spare.count > capacity, let oldest = spare.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
      return
    }
    spare[oldest.key] = nil
  }

  mutating func removeAll() { spare = [:] }
}
