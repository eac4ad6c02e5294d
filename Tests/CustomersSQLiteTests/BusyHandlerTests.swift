import CustomerFixtures
@testable import CustomersSQLite
import Testing

/// How long connections wait for each other, in simulated time.
@Suite struct BusyHandlerTests {
  /// A program that edits again and again.
  private struct Writer {
    /// When it tries to get the lock next, in microseconds.
    var next: Int
    /// When it tried first, and how often since.
    var since: Int
    var attempts: Int32 = 0
  }

  @Test(arguments: 0..<5)
  func `of twelve writers that compete for a lock, none waits for its whole timeout`(seed: Int) {
    var random = SplitMix64(seed: seed)
    var writers = (0..<12).map { _ in
      let start = random.below(100_000)
      return Writer(next: start, since: start)
    }
    var (freeAt, longest, edits) = (0, 0, 0)
    while edits < 600, let index = writers.indices.min(by: { writers[$0].next < writers[$1].next }) {
      let now = writers[index].next
      let waited = now - writers[index].since
      if now >= freeAt {
        freeAt = now + 50_000 + random.below(100_000)
        let start = freeAt + random.below(100_000)
        writers[index] = Writer(next: start, since: start)
        longest = max(longest, waited)
        edits += 1
      } else {
        let most = BusyHandler.longestPause(
          attempt: writers[index].attempts, waited: .microseconds(waited))
        writers[index].next += 1 + random.below(Int(most))
        writers[index].attempts += 1
      }
    }
    #expect(longest < 6_000_000)
  }

  @Test func `there is a pause before any attempt, however long the wait`() {
    let waits: [Duration] = [
      .zero, .nanoseconds(1), .milliseconds(999), .seconds(1), .seconds(4_999), .seconds(5_001),
      .seconds(5_002),
      .seconds(100_000), .seconds(Int64.max), .seconds(Int64.min), .seconds(-1),
    ]
    for attempt in [.min, -1, 0, 1, 5, 6, 10, 11, 64, .max] as [Int32] {
      for waited in waits {
        let most = BusyHandler.longestPause(attempt: attempt, waited: waited)
        #expect((1...10_000).contains(most), "attempt \(attempt) after \(waited)")
      }
    }
  }
}
