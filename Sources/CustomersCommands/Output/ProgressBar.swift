internal import Synchronization

/// A progress bar on standard error for work that takes more than a second; only on a terminal and erased at
/// the end.
///
/// The list may be locked while it is shown, so it never waits for a stopped terminal.
final class ProgressBar: Sendable {
  private let errors: Stream
  private let isWanted: Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<(nextDrawing: ContinuousClock.Instant, isVisible: Bool)>

  init(_ session: Session) {
    errors = session.errors
    isWanted = errors.isTerminal && !session.isQuiet && session.environment["TERM"] != "dumb"
    now = session.context.now
    state = Mutex((now() + .seconds(1), false))
  }

  deinit { erase() }

  /// Shows the progress, at most ten times per second.
  ///
  /// - Parameters:
  ///   - done: the amount done.
  ///   - total: the total amount; 0 if unknown.
  func advance(to done: Int, of total: Int) {
    guard isWanted else { return }
    let now = now()
    let isDue = state.withLock { state in
      guard now >= state.nextDrawing else { return false }
      state = (now + .milliseconds(100), true)
      return true
    }
    guard isDue else { return }
    let width = max(10, min(errors.screen.columns, 60) - 10)
    let part = total > 0 ? min(Double(done) / Double(total), 1) : 0
    let filled = Int(part * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    errors.offer("\r[\(bar)] \(Int(part * 100)) %")
  }

  /// Erases the bar; the next output starts in its place.
  func erase() {
    let wasVisible = state.withLock { state in
      defer { state.isVisible = false }
      return state.isVisible
    }
    guard wasVisible else { return }
    errors.offer("\r\u{1b}[K")
  }
}
