@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport

/// A database that is used as if over a network: each connection of it runs on SQLite in this process.
final class RemoteCopy {
  /// What is lost of a COMMIT, once.
  enum Loss { case nothing, ofRequest, ofAnswer }

  var loss = Loss.nothing
  /// The list that another program loads while the request is lost.
  var other: CustomerStore?
  private let folder: TemporaryFolder
  var path: String { folder.path + "/remote.sqlite" }

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

  /// A store on an engine that has the database, without losses.
  func store() throws -> CustomerStore { try CustomerStore(on: Engine(path: path), options: .init()) }

  private func open() throws -> Connection { try Connection(path: path) }

  private struct Engine: ListEngine {
    let path: String
    func database() -> sending any RemoteDatabase {
      do { return Remote(nil, try Connection(path: path)) } catch { preconditionFailure("\(error)") }
    }
    func dump(_ write: (Int, [UInt8]) throws -> Void) throws { try write(0, bytes(of: path)) }
  }

  /// One connection.
  private final class Remote: RemoteDatabase {
    private let copy: RemoteCopy?
    private let local: Connection

    init(_ copy: RemoteCopy?, _ local: Connection) { (self.copy, self.local) = (copy, local) }

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
        guard let copy, sql.hasSuffix("COMMIT"), copy.loss != .nothing else { return try run(sql, values) }
        let loss = copy.loss
        copy.loss = .nothing
        try run(loss == .ofAnswer ? sql : "ROLLBACK", loss == .ofAnswer ? values : [])
        if let other = copy.other { _ = try other.load(into: copy.connect) }
      } catch let error as SQLiteError { throw error } catch { preconditionFailure("\(error)") }
      throw SQLiteError(code: .unreachable, message: "the connection was lost")
    }

    private func run(_ sql: String, _ values: [SQLiteValue]) throws {
      guard !values.isEmpty else { return try local.executeScript(sql) }
      // The values are those of the first statement.
      let commit = "; COMMIT"
      try local.execute(sql.hasSuffix(commit) ? String(sql.dropLast(commit.count)) : sql, values)
      if sql.hasSuffix(commit) { try local.executeScript("COMMIT") }
    }

    var isInTransaction: Bool { local.isInTransaction }
    let mostValues = 255
    func wait(_ timeout: Duration, while shouldContinue: @escaping @Sendable (_ pause: Duration) -> Bool) {
      local.wait(timeout, while: shouldContinue)
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
