internal import CSQLite
internal import Platform

/// Waits for other connections: random pauses up to a cap that grows to 10 ms, until they add up to a
/// time-out.
///
/// Full jitter instead of SQLite's own growing pauses, under which the process that waits longest
/// asks least often and starves: eight writers at once, longest wait 2–3 s there, 0.5–0.7 s here.
final class BusyHandler {
  /// How long the statements of one call wait for locks of other connections, in all.
  private var timeout: Duration
  /// How much of that is left.
  private var left: Duration
  /// Is asked after each pause whether to go on waiting.
  private var goesOn: @Sendable (_ pause: Duration) -> Bool = { _ in true }

  init(timeout: Duration) { (self.timeout, left) = (timeout, timeout) }

  /// Begins to count again.
  func begin(_ timeout: Duration, _ goesOn: @escaping @Sendable (_ pause: Duration) -> Bool) {
    (self.timeout, left, self.goesOn) = (timeout, timeout, goesOn)
  }

  /// Leaves half of the time-out at most.
  ///
  /// While a COMMIT waits for the readers that are there, no other one gets in; so it gives up before they
  /// do, who may wait as long as we.
  func beginCommit() { left = min(left, timeout / 2) }

  /// The handler must live as long as the connection.
  func install(on connection: OpaquePointer) {
    unsafe sqlite3_busy_handler(
      connection,
      { context, calls in
        guard let context = unsafe context else { return 0 }
        let handler = unsafe Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
        return handler.pause(attempt: calls) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs a statement until another connection's lock is not in the way; for an engine that does not wait.
  func repeatWhileBusy(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    var attempt: Int32 = 0
    while true {
      do { return try body() } catch {
        guard error.code.primary == .busy, pause(attempt: attempt) else { throw error }
        attempt += 1
      }
    }
  }

  /// Pauses before the next attempt.
  ///
  /// - Returns: whether there is to be one.
  private func pause(attempt: Int32) -> Bool {
    guard left > .zero else { return false }
    let start = ContinuousClock.now
    let cap = min(10_000, 200 << min(attempt, 10))
    usleep(UInt32.random(in: 1...UInt32(cap)))
    let pause = ContinuousClock.now - start
    left -= pause
    return goesOn(pause)
  }
}
