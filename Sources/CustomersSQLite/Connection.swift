internal import CSQLite

/// One connection to an SQLite database, with a cache of its prepared statements.
///
/// It is used by one thread at a time; because it is not `Sendable`, the compiler ensures that. Everything it
/// needs from a database engine is in this file, `Statement`, and `Transaction.swift`; what only applies to a
/// database in a local file is in `LocalFile`. The engine is SQLite in this process or a
/// `RemoteDatabase`.
@safe package final class Connection {
  private let local: OpaquePointer?
  /// The engine, if it is reached over a network.
  let remote: (any RemoteDatabase)?
  private var statements = StatementCache(capacity: 128)
  let busyHandler: BusyHandler
  let progressHandler = ProgressHandler()
  /// The first error of the open transaction after which SQLite had rolled it back.
  var rolledBackBy: SQLiteError?
  private var statementTrace: StatementTrace?
  /// The path of the file whose journals are guarded; empty for a database that is in no file.
  let guardedPath: String
  /// The statement to send together with the next COMMIT.
  var statementWithCommit: (sql: String, values: [SQLiteValue])?
  /// How many statements were run, not counting those inside triggers.
  package private(set) var statementCount = 0

  /// How long to wait for a lock, unless the caller knows better: the same for every program and library.
  package static let usualTimeout = Duration.seconds(10)

  /// How many prepared statements are cached.
  package var keptStatementCount: Int { statements.count }

  /// Opens an existing database file, for reading and writing if its mode allows.
  ///
  /// Its statements have a function `may_have(word, text, …)`: whether a string may have a word in it when
  /// case and accents are ignored; `may_be_day(json, key, first, last)`: whether a value may be a day among some;
  /// `are_readable(most, text, …)`: whether values are UTF-8 texts of up to so many bytes; `fingerprint(secret, value, …)`: a
  /// number that other values do not have; and `integers(number, …)`, which `fetchIntegers` reads.
  ///
  /// - Parameters:
  ///   - path: the file or `:memory:` for a database of this connection alone.
  ///   - isReadOnly: whether it can only be read.
  ///   - refusesLinks: whether to fail if any part of the path is a link by then, also of the files beside it.
  ///   - busyTimeout: how long a transaction, or a statement outside one, waits for locks of other connections.
  /// - Throws: SQLite's error if the file can't be opened.
  package init(
    path: String, isReadOnly: Bool = false, refusesLinks: Bool = false, busyTimeout: Duration = usualTimeout
  ) throws(SQLiteError) {
    Connection.withoutMemoryStatistics
    if refusesLinks { JournalGuard.begin(path, refusingLinks: true) }
    defer { if refusesLinks { JournalGuard.end(path) } }
    var handle: OpaquePointer?
    let flags =
      (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX
      | SQLITE_OPEN_EXRESCODE | (refusesLinks ? SQLITE_OPEN_NOFOLLOW : 0)
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle = unsafe handle else {
      let message = unsafe String(cString: sqlite3_errstr(code))
      unsafe sqlite3_close_v2(handle)
      throw SQLiteError(code: ResultCode(rawValue: code), message: message)
    }
    unsafe local = handle
    remote = nil
    busyHandler = BusyHandler(timeout: busyTimeout)
    unsafe busyHandler.install(on: handle)
    unsafe progressHandler.install(on: handle)
    guardedPath = unsafe sqlite3_db_filename(handle, "main").map { unsafe String(cString: $0) } ?? ""
    JournalGuard.begin(guardedPath)
    // SQLite follows links before it opens the file that it has found.
    guard !refusesLinks || guardedPath == path else {
      throw SQLiteError(code: .cannotOpen, message: "the path contains a link")
    }
    let added = unsafe csqlite_add_functions(handle)
    guard added == SQLITE_OK else { throw lastError(added, sql: "may_have") }
  }

  /// Uses a database over a network.
  ///
  /// - Parameters:
  ///   - remote: the database.
  ///   - busyTimeout: how long a statement waits for a lock of another connection.
  package init(_ remote: any RemoteDatabase, busyTimeout: Duration = usualTimeout) {
    unsafe local = nil
    self.remote = remote
    guardedPath = ""
    busyHandler = BusyHandler(timeout: busyTimeout)
  }

  /// SQLite's own connection.
  var handle: OpaquePointer {
    guard let local = unsafe local else { preconditionFailure("this database is not in this process") }
    return unsafe local
  }

  /// Sets how the following statements wait for locks of other connections, and what ends a transaction.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait, in total.
  ///   - shouldContinue: whether to keep waiting; called every few milliseconds with the length of the last pause.
  ///   - isCancelled: whether to end the transaction; called thousands of times a second while one runs. Its
  ///     statement, or at the latest its commit, then fails with `ResultCode.interrupted`.
  package func wait(
    _ timeout: Duration,
    while shouldContinue: @escaping @Sendable (_ pause: Duration) -> Bool = { _ in true },
    unless isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    busyHandler.begin(timeout, shouldContinue)
    progressHandler.begin(isCancelled)
    remote?.wait(timeout, while: shouldContinue)
  }

  /// Ends a transaction that was canceled, between two statements.
  ///
  /// - Throws: an error with `ResultCode.interrupted`.
  package func checkCancellation() throws(SQLiteError) { try progressHandler.check() }

  /// Reports each statement that has run, with `?` for its values, and how long it took; not those of an engine that
  /// is reached over a network.
  package func trace(_ report: @escaping @Sendable (_ sql: String, _ duration: Duration) -> Void) {
    guard let local = unsafe local else { return }
    let trace = StatementTrace(report)
    unsafe trace.install(on: local)
    statementTrace = trace
  }

  /// Prepares for COMMIT, which gives up before those that it keeps out.
  func waitForCommit() { busyHandler.beginCommit() }

  /// Turns off SQLite's memory statistics, which use a process-wide mutex.
  ///
  /// With them, two threads with a connection each are slower together than one after the other; nothing here
  /// needs them (https://sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus). If
  /// another library has used SQLite before, it is too late, and everything still works.
  private static let withoutMemoryStatistics: Void = { _ = csqlite_disable_memory_statistics() }()

  deinit {
    // Before the connection, which could not be closed otherwise.
    statements.removeAll()
    if let local = unsafe local { unsafe sqlite3_close_v2(local) }
    JournalGuard.end(guardedPath)
  }

  /// Runs a statement and passes it to `body`, which steps through its rows.
  ///
  /// The statement is prepared once and cached.
  package func query<Result>(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing Statement) throws -> Result
  ) throws -> Result {
    try query(sql, binding: { statement in try statement.bind(values) }, body)
  }

  func query<Result>(
    _ sql: String, binding bind: (borrowing Statement) throws -> Void,
    _ body: (borrowing Statement) throws -> Result
  ) throws -> Result {
    try beginStatement()
    let statement = try statements.checkOut(sql) ?? prepare(sql)
    statementCount += 1
    defer { statements.checkIn(statement, sql) }
    return try notingRollback {
      try bind(statement)
      return try body(statement)
    }
  }

  /// Takes note of an error that rolls back the transaction, for the statements that follow.
  private func notingRollback<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLiteError {
      if progressHandler.isActive, !isInTransaction { rolledBackBy = rolledBackBy ?? error }
      throw error
    }
  }

  /// Refuses statements that follow in a transaction which an error has rolled back: each would be one of its own.
  private func beginStatement() throws(SQLiteError) {
    guard !isInTransaction else { return }
    guard !progressHandler.isActive else {
      try checkCancellation()
      throw rolledBackBy ?? SQLiteError(code: .rolledBack, message: "the transaction was rolled back")
    }
    busyHandler.beginStatement()
  }

  /// Runs a statement for its effect.
  package func execute(_ sql: String, _ values: [SQLiteValue] = []) throws {
    try query(sql, values) { statement in while try statement.step() {} }
  }

  /// Runs a statement repeatedly, which is faster than separate calls.
  ///
  /// - Parameters:
  ///   - sql: the statement, which returns no rows and ends in `VALUES (?, …)`.
  ///   - bindNext: binds all values of the next run; false ends it.
  /// - Returns: the number of runs.
  /// - Throws: `SQLiteError` or what `bindNext` throws.
  package func executeMany(_ sql: String, _ bindNext: (borrowing Statement) throws -> Bool) throws -> Int {
    if let remote { return try executeMany(sql, on: remote, bindNext) }
    try beginStatement()
    let statement = try statements.checkOut(sql) ?? prepare(sql)
    defer { statements.checkIn(statement, sql) }
    var count = 0
    try notingRollback {
      while try bindNext(statement) {
        _ = try statement.step()
        statement.backend.rewind()
        count += 1
      }
    }
    statementCount += count
    return count
  }

  /// The same for each of some elements, whose values `bind` binds.
  @discardableResult
  package func executeMany<Elements: Sequence>(
    _ sql: String, for elements: Elements, _ bind: (borrowing Statement, Elements.Element) throws -> Void
  ) throws -> Int {
    var rest = elements.makeIterator()
    return try executeMany(sql) { statement in
      guard let next = rest.next() else { return false }
      try bind(statement, next)
      return true
    }
  }

  /// The first row of a query or nil.
  package func fetchOne<Result>(
    _ sql: String, _ values: [SQLiteValue] = [], _ row: (borrowing Statement) throws -> Result
  ) throws -> Result? {
    try query(sql, values) { statement in try statement.step() ? row(statement) : nil }
  }

  /// All rows of a query.
  package func fetchAll<Result>(
    _ sql: String, _ values: [SQLiteValue] = [], _ row: (borrowing Statement) throws -> Result
  ) throws -> [Result] {
    try query(sql, values) { statement in
      var results: [Result] = []
      while try statement.step() { results.append(try row(statement)) }
      return results
    }
  }

  /// The numbers in some columns of all rows of a query, row by row; the least one stands for what is no whole number.
  ///
  /// SQLite gathers them, in a third of the time that it takes to step through the rows.
  ///
  /// - Parameters:
  ///   - columns: the columns.
  ///   - source: what follows `FROM`. The rows come in the order in which SQLite reads them: a table `NOT INDEXED` by its
  ///     key, and without that by any index that another program may have added.
  ///   - values: those of its parameters.
  /// - Returns: the numbers.
  /// - Throws: `SQLiteError`.
  package func fetchIntegers(
    _ columns: String, from source: String, _ values: [SQLiteValue] = []
  ) throws -> [Int64] {
    guard remote == nil else {
      return try query("SELECT \(columns) FROM \(source)", values) { row in
        var numbers: [Int64] = []
        while try row.step() {
          for index in 0..<row.columnCount {
            numbers.append(row.isInteger(index) ? row.integer(index) : .min)
          }
        }
        return numbers
      }
    }
    return try fetchOne("SELECT integers(\(columns)) FROM \(source)", values) { row in
      (row.backend as? LocalStatement)?.integers(0) ?? []
    } ?? []
  }

  /// Runs several statements, separated by semicolons, without values.
  package func executeScript(_ script: String) throws(SQLiteError) {
    try beginStatement()
    if let remote {
      return try busyHandler.repeatWhileBusy { () throws(SQLiteError) in try remote.execute(script, []) }
    }
    let code = unsafe sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw lastError(code, sql: script) }
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool {
    if let remote { return remote.isInTransaction }
    return unsafe sqlite3_get_autocommit(handle) == 0
  }

  /// Whether the file can't be written.
  package var isReadOnly: Bool { unsafe remote == nil && sqlite3_db_readonly(handle, "main") == 1 }

  /// The version of the SQLite library, such as 3040001.
  package static var libraryVersion: Int { Int(sqlite3_libversion_number()) }

  private func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    if let remote { return Statement(RemoteStatement(sql, remote, self)) }
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK else { throw lastError(code, sql: sql) }
    guard let statement = unsafe statement else { preconditionFailure("no statement in \"\(sql)\"") }
    return unsafe Statement(LocalStatement(statement))
  }

  func lastError(_ code: Int32, sql: String) -> SQLiteError {
    unsafe SQLiteError(code, of: handle, sql: sql)
  }
}

/// How a connection guards against damaged and hostile files (https://sqlite.org/security.html).
extension LocalFile {
  /// Sets the limits and switches of every connection, before the first statement.
  package func harden() throws {
    // What another client has stored must be readable to be reported; `Statement.bind` accepts less.
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 1_000_000_000)
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_SQL_LENGTH, 1_000_000)
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_TRIGGER_DEPTH, 20)
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0)
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    // Off, because otherwise `ORDER BY "ordr"` would be a string, and rows would silently come unsorted.
    try configure(SQLITE_DBCONFIG_DQS_DML, false)
    try configure(SQLITE_DBCONFIG_DQS_DDL, false)
    // foreign_keys: our tables have none; those of another program's tables must not stop an edit of the list.
    // secure_delete: deleted content is overwritten.
    try connection.executeScript(
      """
      PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
      PRAGMA foreign_keys = OFF; PRAGMA secure_delete = ON;
      """)
    try synchronizeFully()
  }

  /// Leaves a write-ahead log as it is when the last connection is closed, instead of moving it into the file.
  package func keepWriteAheadLog() throws { try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }

  /// Has SQLite empty the drive's cache at each commit, too, where `fsync` alone does not
  /// (https://sqlite.org/pragma.html#pragma_fullfsync).
  private func synchronizeFully() throws {
    #if canImport(Darwin)
      try connection.executeScript("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;")
    #endif
  }

  func configure(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
    let code = unsafe csqlite_db_config(connection.handle, option, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw connection.lastError(code, sql: "sqlite3_db_config(\(option))") }
  }
}

/// Reports each statement that has run, as SQLite does (https://sqlite.org/c3ref/trace_v2.html).
final class StatementTrace {
  private let report: (_ sql: String, _ duration: Duration) -> Void

  init(_ report: @escaping @Sendable (_ sql: String, _ duration: Duration) -> Void) { self.report = report }

  /// The trace must live as long as the connection.
  func install(on connection: OpaquePointer) {
    unsafe sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_PROFILE),
      { _, context, statement, nanoseconds in
        guard let context = unsafe context, let nanoseconds = unsafe nanoseconds,
          let sql = unsafe sqlite3_sql(OpaquePointer(statement))
        else { return 0 }
        let trace = unsafe Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
        let duration = unsafe Duration.nanoseconds(nanoseconds.load(as: Int64.self))
        unsafe trace.report(String(cString: sql), duration)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
