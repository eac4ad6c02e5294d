internal import CustomersSQLite

/// Results that a transaction has read since its last write; until the next write, they stay valid.
struct KnownAnswers {
  private static let most = 16

  private var answers: [(sql: String, values: [SQLiteValue], rows: RemoteBatch)] = []

  func find(_ sql: String, _ values: [SQLiteValue]) -> (any RemoteRows)? {
    answers.first { $0.sql == sql && $0.values == values }.map { KnownRows($0.rows) }
  }

  mutating func add(_ sql: String, _ values: [SQLiteValue], _ rows: RemoteBatch) {
    if answers.count == Self.most { answers.removeFirst() }
    answers.append((sql, values, rows))
  }
}

/// Rows of a known result.
private final class KnownRows: RemoteRows {
  private var batch: RemoteBatch?

  init(_ batch: RemoteBatch) { self.batch = batch }

  func next() -> RemoteBatch? { batch.take() }

  func discard() { batch = nil }
}
