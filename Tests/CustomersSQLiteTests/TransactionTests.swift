import Foundation
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Transactions, on one connection and between two.
@Suite(.onThreads) struct TransactionTests {
  private struct Stop: Error {}

  @Test func `what follows an error that has rolled everything back fails with that error`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/full.sqlite"
      try write([], to: path)
      let connection = try Connection(path: path)
      try connection.executeScript("CREATE TABLE t (x); PRAGMA max_page_count = 3")
      #expect(throws: Stop.self) {
        try connection.immediateTransaction {
          #expect { try connection.execute("INSERT INTO t VALUES (zeroblob(100000))") } throws: {
            ($0 as? SQLiteError)?.code.primary == .full
          }
          #expect(!connection.isInTransaction)
          #expect { try connection.execute("INSERT INTO t VALUES (1)") } throws: {
            ($0 as? SQLiteError)?.code.primary == .full
          }
          throw Stop()
        }
      }
    }
  }

  @Test func `a transaction is rolled back if it throws, and otherwise committed`() throws {
    let connection = try numbers(at: ":memory:")
    for begin in [connection.immediateTransaction, connection.readTransaction]
      as [(() throws -> Void) throws -> Void]
    {
      #expect(throws: Stop.self) {
        try begin {
          try connection.execute("INSERT INTO t VALUES (1)")
          throw Stop()
        }
      }
      #expect(!connection.isInTransaction)
      #expect(try content(connection) == [])
    }
    let result = try connection.immediateTransaction {
      try connection.execute("INSERT INTO t VALUES (2)")
      return "done"
    }
    #expect(result == "done")
    #expect(try content(connection) == [2])
  }

  @Test func `a savepoint rolls back only its own part, at any depth`() throws {
    let connection = try numbers(at: ":memory:")
    let insert = { (number: Int) in try connection.execute("INSERT INTO t VALUES (?)", [.integer(number)]) }
    let insertAndStop = { (number: Int) in
      try insert(number)
      try connection.savepoint { try insert(number + 1) }
      throw Stop()
    }
    try connection.immediateTransaction {
      try insert(1)
      try connection.savepoint {
        try insert(2)
        do { try connection.savepoint { try insertAndStop(3) } } catch is Stop {}
        try insert(5)
      }
      do { try connection.savepoint { try insertAndStop(6) } } catch is Stop {}
    }
    #expect(try content(connection) == [1, 2, 5])
  }

  @Test func `the first error wins when SQLite has rolled back itself`() throws {
    let connection = try numbers(at: ":memory:")
    let error = #expect(throws: SQLiteError.self) {
      try connection.immediateTransaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.savepoint { try connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)") }
      }
    }
    #expect(error?.message == "UNIQUE constraint failed: t.x")
    #expect(!connection.isInTransaction)
    #expect(try content(connection) == [])
  }

  @Test func `a writer waits for another one`() throws {
    try withTemporaryFolder { folder in
      let path = try emptyFile(in: folder)
      let one = try numbers(at: path)
      try one.execute("BEGIN IMMEDIATE")
      try one.execute("INSERT INTO t VALUES (1)")
      let isWaiting = DispatchSemaphore(value: 0)
      let isDone = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) {
          let other = try Connection(path: path)
          isWaiting.signal()
          try other.immediateTransaction { try other.execute("INSERT INTO t SELECT max(x) + 1 FROM t") }
        }
        isDone.signal()
      }.start()
      isWaiting.wait()
      try one.execute("COMMIT")
      isDone.wait()
      #expect(try content(one) == [1, 2])
    }
  }

  @Test func `a writer gets a busy error after its timeout`() throws {
    try withTemporaryFolder { folder in
      let path = try emptyFile(in: folder)
      let (one, other) = (try numbers(at: path), try Connection(path: path, busyTimeout: .milliseconds(20)))
      try one.immediateTransaction {
        for _ in 0..<2 {
          let error = #expect(throws: SQLiteError.self) { try other.immediateTransaction {} }
          #expect(error?.code.primary == .busy)
        }
      }
      try other.immediateTransaction { try other.execute("INSERT INTO t VALUES (3)") }
      #expect(try content(one) == [3])
    }
  }

  /// A program that has waited long for one lock waits for the next one too.
  @Test func `each transaction has its whole timeout`() throws {
    try withTemporaryFolder { folder in
      let path = try emptyFile(in: folder)
      let (one, other) = (try numbers(at: path), try Connection(path: path, busyTimeout: .milliseconds(100)))
      let attempts = [
        { try other.immediateTransaction {} }, { try other.execute("INSERT INTO t VALUES (1)") },
        { try other.executeScript("INSERT INTO t VALUES (1)") },
      ]
      try one.immediateTransaction {
        for attempt in attempts + attempts {
          let start = ContinuousClock.now
          let error = #expect(throws: SQLiteError.self) { try attempt() }
          #expect(error?.code.primary == .busy)
          // Never too long for a busy machine: it is a lower limit.
          #expect(.now - start >= .milliseconds(100))
        }
      }
      #expect(try content(one) == [])
    }
  }

  @Test func `a read transaction sees one state`() throws {
    try withTemporaryFolder { folder in
      let path = try emptyFile(in: folder)
      let (one, other) = (try numbers(at: path), try Connection(path: path, busyTimeout: .milliseconds(20)))
      let states = try one.readTransaction {
        let before = try content(one)
        // With a rollback journal, the writer can't commit while another connection reads.
        #expect(throws: SQLiteError.self) {
          try other.immediateTransaction { try other.execute("INSERT INTO t VALUES (1)") }
        }
        return try [before, content(one)]
      }
      #expect(states == [[], []])
    }
  }

  private func emptyFile(in folder: String) throws -> String {
    let path = folder + "/file.sqlite"
    try DatabaseFile.create(path)
    return path
  }

  private func numbers(at path: String) throws -> Connection {
    let connection = try Connection(path: path)
    try connection.execute("CREATE TABLE t (x UNIQUE)")
    return connection
  }

  private func content(_ connection: Connection) throws -> [Int] {
    try connection.fetchAll("SELECT x FROM t ORDER BY x") { $0.int(0) }
  }
}
