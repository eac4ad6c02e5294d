internal import CSQLite
internal import CustomersPlatform

/// Waits for other connections: random pauses up to a cap that grows to 10 ms, and falls again after a second,
/// until they add up to a timeout.
///
/// It uses full jitter. With SQLite's own growing pauses, the process that waits longest tries least often
/// and starves: with eight writers the longest wait was 2–3 s, and is 0.5–0.7 s here. On a machine so busy that
/// each lock is held for a tenth of a second, only pauses that fall again keep the longest wait below the timeout.
final class BusyHandler {
  /// How long the statements of one call wait for locks of other connections, in total.
  private var timeout: Duration
  /// How much of that is left.
  private var left: Duration
  /// Whether a caller says when a call begins; otherwise each transaction is one, and each statement outside.
  private var isOfCalls = false
  /// Asked after each pause whether to keep waiting.
  private var goesOn: @Sendable (_ pause: Duration) -> Bool = { _ in true }

  init(timeout: Duration) { (self.timeout, left) = (timeout, timeout) }

  /// Restarts the count.
  func begin(_ timeout: Duration, _ goesOn: @escaping @Sendable (_ pause: Duration) -> Bool) {
    (self.timeout, left, self.goesOn, isOfCalls) = (timeout, timeout, goesOn, true)
  }

  /// Restarts the count for a statement outside a transaction, unless it is part of a call.
  func beginStatement() { if !isOfCalls { left = timeout } }

  /// Limits the remaining time to half of the timeout.
  ///
  /// While a COMMIT waits for current readers, no new one gets in. So it gives up before they do, since they
  /// may wait as long as we do.
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

  /// Runs a statement again while another connection holds a lock; for an engine that does not wait itself.
  func repeatWhileBusy(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    var attempt: Int32 = 0
    while true {
      do { return try body() } catch {
        guard error.code.primary == .busy, pause(attempt: attempt) else { throw error }
        attempt += 1
      }
    }
  }

  /// Pauses before the next attempt, if there is one.
  ///
  /// - Returns: whether to try again.
  private func pause(attempt: Int32) -> Bool {
    guard left > .zero else { return false }
    let start = ContinuousClock.now
    usleep(UInt32.random(in: 1...Self.longestPause(attempt: attempt, waited: timeout - left)))
    let pause = ContinuousClock.now - start
    left -= pause
    return goesOn(pause)
  }

  /// The cap of a pause in microseconds: at least 1 and at most 10,000, however long the wait.
  static func longestPause(attempt: Int32, waited: Duration) -> UInt32 {
    let growing = Double(min(10_000, 200 << min(max(attempt, 0), 10)))
    // The connections that have waited longest try most often.
    let falling = 10_000 / max(1, 2 * (waited / .seconds(1)) - 1)
    return UInt32(max(1, min(growing, falling)))
  }
}
