internal import CustomerStore
internal import CustomerTable

/// The elements that the screen shows for a limited time.
struct Timers {
  /// How long rows that another program changed are highlighted.
  private static let highlight = Duration.seconds(1)

  private var flashing: Set<CustomerID> = []
  private var flashEnd: ContinuousClock.Instant?
  private var waitingSince: ContinuousClock.Instant?
  /// For how many seconds an edit has been waiting.
  private(set) var waitingSeconds = 0

  /// Updates the time.
  ///
  /// - Returns: whether to end the highlight of rows.
  mutating func look(at state: TableState, _ now: ContinuousClock.Instant) -> Bool {
    if state.waiting == nil { waitingSince = nil }
    if state.waiting != nil, waitingSince == nil { waitingSince = now }
    waitingSeconds = waitingSince.map { Int(($0.duration(to: now)).components.seconds) } ?? 0
    if state.flashing != flashing {
      flashing = state.flashing
      flashEnd = flashing.isEmpty ? nil : now + Self.highlight
    }
    guard let end = flashEnd, now >= end else { return false }
    flashEnd = nil
    return true
  }
}
