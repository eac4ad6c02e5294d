/// Times things that take turns, each in its own lane.
///
/// The baseline runs in the same loop as what is compared with it, so that a noisy machine affects both
/// equally. Medians are compared, which a few slow syncs do not shift.
struct Stopwatch {
  /// The lanes to measure.
  enum Lane { case baseline, move, insert, delete, middle, anywhere, whole }

  private let clock = ContinuousClock()
  private var times: [Lane: [Duration]] = [:]

  /// Runs `body` and notes how long it took; `count` is the number of repetitions in it.
  mutating func time(_ lane: Lane, count: Int = 1, _ body: () throws -> Void) rethrows {
    let time = try clock.measure(body)
    times[lane, default: []].append(time / count)
  }

  /// The median time of one thing in a lane.
  func median(_ lane: Lane) -> Duration {
    let sorted = (times[lane] ?? []).sorted()
    precondition(!sorted.isEmpty, "nothing was measured")
    return sorted[sorted.count / 2]
  }
}
