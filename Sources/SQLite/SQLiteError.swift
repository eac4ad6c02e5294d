internal import CSQLite
internal import Platform

/// What SQLite answered when it could not do something.
///
/// Bound values, which are people's data, are never part of it.
public struct SQLiteError: Error, Equatable, Sendable {
  /// The extended result code (https://sqlite.org/rescode.html).
  ///
  /// Codes that this layer has no name for stay representable.
  public var code: ResultCode
  /// SQLite's own words; for a refusal of a trigger, the text of its `RAISE`.
  public var message: String
  /// The statement, with `?` where values were bound.
  public var sql: String?
  /// What the system answered to SQLite, as `errno`; 0 if that is not the reason.
  public var systemCode: Int32 = 0

  /// Makes an error.
  public init(code: ResultCode, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// Takes what a connection says of the call that failed last.
  init(_ code: Int32, of connection: OpaquePointer?, sql: String) {
    self.init(
      code: ResultCode(rawValue: code), message: unsafe String(cString: sqlite3_errmsg(connection)), sql: sql)
    guard self.code.primary == .inputOutput else { return }
    systemCode = unsafe sqlite3_system_errno(connection)
    // SQLite takes no note of it in a COMMIT.
    if systemCode == 0 { systemCode = errno }
  }
}

/// An extended result code of SQLite.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
  /// The number, as in `sqlite3.h`.
  public var rawValue: Int32

  /// Takes any number, also one that this layer has no name for.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The code without its extension: what the extended codes of one kind share.
  public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// What a statement names is not there, or is there already, or it is no SQL (primary).
  public static let error = ResultCode(rawValue: SQLITE_ERROR)
  /// A value is of the wrong type for a key (primary).
  public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  /// Another connection has the lock (primary).
  public static let busy = ResultCode(rawValue: SQLITE_BUSY)
  /// The file or its folder can't be written (primary).
  public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  /// A journal waits to be rolled back, and the file can't be written.
  public static let readOnlyRollback = ResultCode(rawValue: SQLITE_READONLY | (3 << 8))
  /// The system could not read, write or lock the file (primary).
  public static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  /// The file is damaged (primary).
  public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  /// The disk is full (primary).
  public static let full = ResultCode(rawValue: SQLITE_FULL)
  /// The file is no database (primary).
  public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
  /// A text, blob or statement is longer than the limit (primary).
  public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
  /// A row would break a promise of its table, or a trigger refused (primary).
  public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  /// The engine over a network can't be reached, or the connection to it was lost.
  public static let unreachable = ResultCode(rawValue: SQLITE_IOERR | (0x7f << 8))
  /// A trigger refused with `RAISE`.
  public static let constraintTrigger = ResultCode(rawValue: SQLITE_CONSTRAINT | (7 << 8))
}
