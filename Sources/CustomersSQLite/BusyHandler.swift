internal import CSQLite
internal import CustomersPlatform

/// Waits for other connections: random pauses up to a cap that grows to 10 ms, and falls again after a second,
/// until they add up to a timeout.
///
/// It uses full jitter. With SQLite's own growing pauses, the process that waits longest tries least often
/// and starves: with eight writers the longest wait was 2–3 s and is 0.5–0.7 s here. On a machine so busy that
/// each lock is held for a tenth of a second, only pauses that fall again keep the longest wait below the timeout.
final class BusyHandler {
  /// How long the statements of one call wait for locks of other connections, in total.
  private var timeout: Duration
  /// How much of that is left.
  private var left: Duration
  /// Whether a caller says when a call begins; otherwise each transaction is one, and each statement outside.
  private var isOfCalls = false
  /// The file in which a transaction that writes begins; empty at any other time.
  private var beginning = ""
  /// Whether there was such a transaction: a program may make many, one after the other.
  private var hasWritten = false
  /// Asked after each pause whether to keep waiting.
  private var shouldContinue: @Sendable (_ pause: Duration) -> Bool = { _ in true }

  init(timeout: Duration) { (self.timeout, left) = (timeout, timeout) }

  /// Restarts the count.
  func begin(_ timeout: Duration, _ shouldContinue: @escaping @Sendable (_ pause: Duration) -> Bool) {
    (self.timeout, left, self.shouldContinue, isOfCalls) = (timeout, timeout, shouldContinue, true)
  }

  /// Restarts the count for a statement outside a transaction, unless it is part of a call.
  func beginStatement() { if !isOfCalls { left = timeout } }

  /// Begins a transaction that writes to a file, but not in the turn of others.
  ///
  /// A program's first transaction leaves a turn to others only if there are some that wait: nothing gets slower for
  /// who is alone. Whoever has begun goes on in anyone's turn, because it keeps the others out until it has ended.
  func beginWriting(to path: String, _ begin: () throws -> Void) rethrows {
    beginning = path
    defer { (beginning, hasWritten) = ("", true) }
    beginStatement()
    if isOthersTurn, hasWritten || WaitingSign.isUp(beside: path) { _ = pause(attempt: 0) }
    try begin()
  }

  private var isOthersTurn: Bool { FairnessPause.isNow(in: beginning) }

  /// Has a COMMIT give up a little before anyone that it keeps out.
  ///
  /// While it waits for the readers of the moment, no new one gets in. If one of those readers keeps its lock
  /// until a program that is kept out has done its work, as in a pipe of two commands, only an end of
  /// the COMMIT ends the wait of all three. Whoever is kept out came later and waits as long, so it still has time
  /// left then; the twentieth makes up for what is not counted, such as a thread that is not scheduled.
  func beginCommit() { left -= timeout / 20 }

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
    var longest = Self.longestPause(attempt: attempt, waited: timeout - left)
    var sign: WaitingSign?
    while true {
      guard left > .zero else { return false }
      let start = ContinuousClock.now
      usleep(UInt32.random(in: 1...longest))
      let pause = ContinuousClock.now - start
      left -= pause
      guard shouldContinue(pause) else { return false }
      guard isOthersTurn else { return true }
      longest = 10_000
      if sign == nil { sign = WaitingSign(beside: beginning) }
    }
  }

  /// The cap of a pause in microseconds: at least 1 and at most 10,000, however long the wait.
  static func longestPause(attempt: Int32, waited: Duration) -> UInt32 {
    let growing = Double(min(10_000, 200 << min(max(attempt, 0), 10)))
    // The connections that have waited longest try most often.
    let falling = 10_000 / max(1, 2 * (waited / .seconds(1)) - 1)
    return UInt32(max(1, min(growing, falling)))
  }
}
