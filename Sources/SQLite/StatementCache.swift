internal import CSQLite
internal import Synchronization

/// The prepared statements of a connection that are not running, by their SQL.
final class StatementCache: Sendable {
  private let spare = Mutex<[String: Address]>([:])

  /// Takes a statement out while it runs, so that the same SQL can be run again meanwhile.
  func checkOut(_ sql: String) -> Statement? {
    guard let address = spare.withLock({ $0.removeValue(forKey: sql) }) else { return nil }
    return unsafe Statement(handle: address.pointer)
  }

  func checkIn(_ statement: borrowing Statement, _ sql: String) {
    statement.reset()
    let address = unsafe Address(statement.handle)
    if let twin = spare.withLock({ $0.updateValue(address, forKey: sql) }) {
      unsafe sqlite3_finalize(twin.pointer)
    }
  }

  func finalizeAll() {
    for address in spare.withLock({ $0.values }) { unsafe sqlite3_finalize(address.pointer) }
  }
}
