internal import CSQLite
internal import Platform

/// Waits for other connections: random pauses up to a cap that grows to 10 ms, until a deadline.
///
/// Full jitter instead of SQLite's own growing pauses, under which the process that waits longest
/// asks least often and starves: eight writers at once, longest wait 2–3 s there, 0.5–0.7 s here.
final class BusyHandler {
  /// How long a statement waits for a lock of another connection.
  var timeout: Duration
  /// Whether the caller no longer wants to wait.
  var isCancelled: @Sendable () -> Bool = { false }
  private var deadline = ContinuousClock.now

  init(timeout: Duration) { self.timeout = timeout }

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

  /// Pauses before the next attempt.
  ///
  /// - Returns: whether there is to be one.
  private func pause(attempt: Int32) -> Bool {
    let now = ContinuousClock.now
    if attempt == 0 { deadline = now + timeout }
    guard now < deadline, !isCancelled() else { return false }
    let cap = min(10_000, 200 << min(attempt, 10))
    usleep(UInt32.random(in: 1...UInt32(cap)))
    return true
  }
}
