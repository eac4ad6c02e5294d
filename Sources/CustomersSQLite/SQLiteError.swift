internal import CSQLite
internal import CustomersSystem

/// An error reported by SQLite.
///
/// It never contains bound values, which are people's data.
package struct SQLiteError: Error, Equatable, Sendable {
  /// The extended result code (https://sqlite.org/rescode.html).
  ///
  /// It can hold codes that this layer has no name for.
  package var code: ResultCode
  /// SQLite's message; if a trigger refused, the text of its `RAISE`.
  package var message: String
  /// The statement, with `?` where values were bound.
  package var sql: String?
  /// The `errno` that SQLite got from the system; 0 if that is not the reason.
  package var systemCode: Int32 = 0
  /// The file beside the database that was refused because someone else may have put it there.
  package var refusedFile: String?

  /// Creates an error.
  package init(code: ResultCode, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// What `LocalFile.hasDamagedHeader` says.
  package static let damagedHeader = SQLiteError(code: .corrupt, message: "its header is damaged")

  /// That the last page of the file is not whole.
  package static let cutFile = SQLiteError(code: .corrupt, message: "its end is missing")

  /// That a table gives its rows in another order than that of their ids, so that going on after one would never end.
  package static let idsOutOfOrder = SQLiteError(code: .corrupt, message: "its row ids are out of order")

  /// Creates an error from the last failed call of a connection.
  init(_ code: Int32, of connection: OpaquePointer?, sql: String) {
    self.init(
      code: ResultCode(rawValue: code), message: unsafe String(cString: sqlite3_errmsg(connection)), sql: sql)
    if [.readOnly, .notADatabase].contains(self.code.primary), unsafe LocalFile.hasDamagedHeader(connection) {
      (self.code, message) = (Self.damagedHeader.code, Self.damagedHeader.message)
    }
    if self.code.primary == .cannotOpen, let path = unsafe sqlite3_db_filename(connection, "main") {
      refusedFile = JournalGuard.takeRefusal(unsafe String(cString: path))
    }
    guard self.code.primary == .inputOutput else { return }
    systemCode = unsafe sqlite3_system_errno(connection)
    // SQLite does not record it for a COMMIT.
    if systemCode == 0 { systemCode = errno }
  }
}

/// An extended result code of SQLite.
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  /// The number, as in `sqlite3.h`.
  package var rawValue: Int32

  /// Creates a code from any number, including those that this layer has no name for.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The primary code, which extended codes of one kind share.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// A statement is not valid SQL or names something that is missing or exists already (primary).
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  /// A value is of the wrong type for a key (primary).
  package static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  /// Another connection has the lock (primary).
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  /// The file or its folder can't be written (primary).
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  /// A journal must be rolled back, but the file can't be written.
  package static let readOnlyRollback = ResultCode(rawValue: SQLITE_READONLY | (3 << 8))
  /// The system could not read, write, or lock the file (primary).
  package static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  /// There is no folder in which SQLite may make a temporary file.
  package static let noTemporaryFolder = ResultCode(rawValue: SQLITE_IOERR | (25 << 8))
  /// A file can't be opened (primary).
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  /// The file is damaged (primary).
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  /// The disk is full (primary).
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  /// The file is not a database (primary).
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
  /// A string, blob, or statement is longer than the limit (primary).
  package static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
  /// A row violates a constraint, or a trigger refused (primary).
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  /// The transaction was canceled (primary).
  package static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
  /// An error has ended the transaction, so nothing more can be done in it.
  package static let rolledBack = ResultCode(rawValue: SQLITE_ABORT | (2 << 8))
  /// An engine over a network can't be reached, or the connection to it was lost.
  package static let unreachable = ResultCode(rawValue: SQLITE_IOERR | (0x7f << 8))
  /// A row would refer to nothing.
  package static let constraintForeignKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (3 << 8))
  /// A trigger refused with `RAISE`.
  package static let constraintTrigger = ResultCode(rawValue: SQLITE_CONSTRAINT | (7 << 8))
}
