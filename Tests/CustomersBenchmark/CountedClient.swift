internal import CSQLite

/// A plain SQLite client, as any other program is one, that counts its work: the same on every machine, so that a
/// change of a few percent shows.
@safe final class CountedClient {
  /// What some statements took.
  struct Work {
    var time = Duration.zero
    /// Instructions of SQLite's virtual machine, those of triggers included.
    var steps = 0
    /// Pages that were looked at and written.
    var pagesRead = 0, pagesWritten = 0
    /// The rows returned.
    var rows = 0

    /// The counts for a line of the table; those of one thing, if there were several.
    func note(per count: Int = 1) -> String {
      func each(_ number: Int) -> String { decimal(Double(number) / Double(count), places: 1) }
      return "\(each(steps)) steps, \(each(pagesRead)) pages read, \(each(pagesWritten)) written"
    }
  }

  private let handle: OpaquePointer

  init(_ path: String) throws {
    var handle: OpaquePointer?
    guard unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      let handle = unsafe handle
    else { throw ProgramError(description: "can't open \(path)") }
    unsafe self.handle = handle
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs a statement.
  func run(_ sql: String) throws -> Work {
    var work = Work()
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw error(sql) }
    defer { unsafe sqlite3_finalize(statement) }
    for status in [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS, SQLITE_DBSTATUS_CACHE_WRITE] {
      _ = count(status)
    }
    var code = SQLITE_ROW
    work.time = ContinuousClock().measure {
      while true {
        code = unsafe sqlite3_step(statement)
        guard code == SQLITE_ROW else { break }
        work.rows += 1
      }
    }
    guard code == SQLITE_DONE else { throw error(sql) }
    work.steps = Int(unsafe sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0))
    work.pagesRead = count(SQLITE_DBSTATUS_CACHE_HIT) + count(SQLITE_DBSTATUS_CACHE_MISS)
    work.pagesWritten = count(SQLITE_DBSTATUS_CACHE_WRITE)
    return work
  }

  /// A count of the connection since the last call.
  private func count(_ status: Int32) -> Int {
    var (current, greatest): (Int32, Int32) = (0, 0)
    unsafe sqlite3_db_status(handle, status, &current, &greatest, 1)
    return Int(current)
  }

  private func error(_ sql: String) -> ProgramError {
    ProgramError(description: "\(unsafe String(cString: sqlite3_errmsg(handle))): \(sql)")
  }
}
