@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Loading a list into a database on another machine, whose COMMIT may get no answer.
@Suite struct LoadingTests {
  @Test func `a loaded list is the same, with its history`() throws {
    let (store, remote) = (try CustomerStore.inMemory(.sections), try RemoteCopy())
    #expect(try store.load(into: remote.connect) == 8)
    #expect(try remote.names() == store.names())
    #expect(throws: LoadError.isOccupied) { try store.load(into: remote.connect) }
  }

  @Test func `a commit without an answer is reported as what became of it`() throws {
    let store = try CustomerStore.inMemory(.sections)
    for (loss, outcome) in [(RemoteCopy.Loss.ofAnswer, TransactionOutcome.committed), (.ofRequest, .unknown)]
    {
      let remote = try RemoteCopy()
      remote.loss = loss
      let error = #expect(throws: CommitError.self) { try store.load(into: remote.connect) }
      #expect(error?.outcome == outcome)
      // Looking for the copy must not make a list of its own.
      #expect(try (remote.tableCount() > 0) == (outcome == .committed))
      if outcome == .committed { #expect(try remote.names() == store.names()) }
    }
  }

  @Test func `another list that is there afterwards is not the copy`() throws {
    let (store, remote) = (try CustomerStore.inMemory(.sections), try RemoteCopy())
    (remote.loss, remote.other) = (.ofRequest, try CustomerStore.inMemory("Zoe"))
    let error = #expect(throws: CommitError.self) { try store.load(into: remote.connect) }
    #expect(error?.outcome == .unknown)
    #expect(try remote.names() == ["Zoe"])
  }
}

extension CustomerStore {
  fileprivate func names() throws -> [String] {
    try read { list in
      var names: [String] = []
      try list.forEach { customer in
        names.append(customer.name)
        return true
      }
      return names
    }
  }
}

/// A database that is used as if over a network: each connection of it runs on SQLite in this process.
private final class RemoteCopy {
  /// What is lost of a COMMIT, once.
  enum Loss { case nothing, ofRequest, ofAnswer }

  var loss = Loss.nothing
  /// The list that another program loads while the request is lost.
  var other: CustomerStore?
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/remote.sqlite" }

  init() throws {
    folder = try TemporaryFolder()
    try write([], to: folder.path + "/remote.sqlite")
  }

  func connect() -> Connection {
    do { return Connection(Remote(self, try open())) } catch { preconditionFailure("\(error)") }
  }

  func tableCount() throws -> Int {
    try open().fetchOne("SELECT count(*) FROM sqlite_schema") { $0.int(0) } ?? 0
  }

  func names() throws -> [String] { try CustomerStore(path: path).names() }

  fileprivate func open() throws -> Connection { try Connection(path: path) }

  /// One connection.
  private final class Remote: RemoteDatabase {
    private let copy: RemoteCopy
    private let local: Connection

    init(_ copy: RemoteCopy, _ local: Connection) { (self.copy, self.local) = (copy, local) }

    func query(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> any RemoteRows {
      do {
        return try local.query(sql, values) { row in
          let rows = Rows()
          while try row.step() { rows.add((0..<row.columnCount).map { row.value($0) ?? .null }) }
          return rows
        }
      } catch let error as SQLiteError { throw error } catch { preconditionFailure("\(error)") }
    }

    func execute(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
      do {
        let loss = sql.hasSuffix("COMMIT") ? copy.loss : .nothing
        if loss == .nothing { return try run(sql, values) }
        copy.loss = .nothing
        try run(loss == .ofAnswer ? sql : "ROLLBACK", loss == .ofAnswer ? values : [])
        if let other = copy.other { _ = try other.load(into: copy.connect) }
      } catch let error as SQLiteError { throw error } catch { preconditionFailure("\(error)") }
      throw SQLiteError(code: .unreachable, message: "the connection was lost")
    }

    private func run(_ sql: String, _ values: [SQLiteValue]) throws {
      if values.isEmpty { try local.executeScript(sql) } else { try local.execute(sql, values) }
    }

    var lastInsertedID: Int64 { local.lastInsertedID }
    var isInTransaction: Bool { local.isInTransaction }
    let mostValues = 255
    func wait(_ timeout: Duration, while goesOn: @escaping @Sendable (_ pause: Duration) -> Bool) {
      local.wait(timeout, while: goesOn)
    }
  }

  /// All rows of a query, in one batch.
  private final class Rows: RemoteRows {
    private var bytes: [UInt8] = []
    private var cells: [RemoteBatch.Cell] = []
    private var columnCount = 0

    func add(_ row: [SQLiteValue]) {
      columnCount = row.count
      for value in row {
        switch value {
        case .integer(let number): cells.append(.integer(number))
        case .text(let text):
          cells.append(.text(bytes.count..<bytes.count + text.utf8.count))
          bytes += Array(text.utf8)
        default: cells.append(.null)
        }
      }
    }

    func next() -> RemoteBatch? {
      guard !cells.isEmpty else { return nil }
      defer { cells = [] }
      return RemoteBatch(bytes: bytes, columnCount: columnCount, cells: cells)
    }

    func discard() { cells = [] }
  }
}
