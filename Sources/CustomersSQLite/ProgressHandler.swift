internal import CSQLite
internal import Dispatch

/// Ends the transaction of a call that was canceled: SQLite asks it, many times a second, whether a statement goes on.
///
/// A statement that does not fails with `ResultCode.interrupted`, and the transaction is rolled back.
/// (`sqlite3_interrupt` has no effect between two statements.)
final class ProgressHandler {
  /// How many instructions of SQLite's virtual machine run between two questions: some hundredths of a millisecond.
  private static let instructions: Int32 = 1_000

  private var isCancelled: @Sendable () -> Bool = { false }
  /// Whether there is a transaction that can still be ended; nothing stops a COMMIT or a ROLLBACK.
  var isActive = false { didSet { isEnding = false } }
  /// Whether it is being ended.
  private var isEnding = false

  /// Sets what decides about the transactions that follow.
  func begin(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

  /// Ends a transaction that must not go on.
  func check() throws(SQLiteError) {
    if mustEnd { throw SQLiteError(code: .interrupted, message: "interrupted") }
  }

  private var mustEnd: Bool {
    if isActive, !isEnding { isEnding = isCancelled() }
    return isEnding
  }

  /// Runs a statement that takes long without asking, while another thread asks.
  func ask<Result>(about connection: OpaquePointer, _ body: () throws -> Result) rethrows -> Result {
    nonisolated(unsafe) let connection = unsafe connection
    let (isCancelled, isDone, hasEnded) = (
      isCancelled, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    DispatchQueue(label: "customers.interrupt").async {
      repeat {
        if isCancelled() { unsafe sqlite3_interrupt(connection) }
      } while isDone.wait(timeout: .now() + .milliseconds(10)) == .timedOut
      hasEnded.signal()
    }
    defer {
      isDone.signal()
      hasEnded.wait()
    }
    return try body()
  }

  /// The handler must live as long as the connection.
  func install(on connection: OpaquePointer) {
    unsafe sqlite3_progress_handler(
      connection, Self.instructions,
      { context in
        guard let context = unsafe context else { return 0 }
        let handler = unsafe Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue()
        return handler.mustEnd ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
