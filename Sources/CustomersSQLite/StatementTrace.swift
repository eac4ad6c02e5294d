internal import CSQLite

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
