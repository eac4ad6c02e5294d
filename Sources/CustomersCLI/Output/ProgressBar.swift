/// A bar on standard error for work that takes more than a second; it is there only for a person who
/// looks at a terminal, and leaves nothing behind.
///
/// The list may be locked in the meantime, so a terminal that was stopped is not waited for.
final class ProgressBar {
  private let errors: Stream
  private let isWanted: Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  private var nextDrawing: ContinuousClock.Instant
  private var isVisible = false

  init(_ session: Session) {
    errors = session.errors
    isWanted = errors.isTerminal && !session.isQuiet && session.environment["TERM"] != "dumb"
    now = session.context.now
    nextDrawing = now() + .seconds(1)
  }

  deinit { erase() }

  /// Shows how far the work is, at most ten times a second.
  ///
  /// - Parameters:
  ///   - done: how much is done.
  ///   - total: how much there is; 0 if nobody knows.
  func advance(to done: Int, of total: Int) {
    guard isWanted, now() >= nextDrawing else { return }
    nextDrawing = now() + .milliseconds(100)
    let width = max(10, min(errors.screen.columns, 60) - 10)
    let part = total > 0 ? min(Double(done) / Double(total), 1) : 0
    let filled = Int(part * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    isVisible = true
    errors.offer("\r[\(bar)] \(Int(part * 100)) %")
  }

  /// Takes the bar away; what is written next begins where it stood.
  func erase() {
    guard isVisible else { return }
    isVisible = false
    errors.offer("\r\u{1b}[K")
  }
}
