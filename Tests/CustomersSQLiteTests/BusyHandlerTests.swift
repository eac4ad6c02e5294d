import CustomerFixtures
import CustomersTestSupport
@testable import CustomersSQLite
import Testing

/// How long connections wait for each other, in simulated time.
@Suite(.onThreads) struct BusyHandlerTests {
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

  /// The pauses of SQLite's own busy handler in milliseconds; the last one is repeated.
  private static let stockPauses = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  /// Nine writers that edit without a pause, and a program with SQLite's own busy handler; times in microseconds.
  @Test(arguments: sampled([3_000, 40_000, 80_000], oneIn: 3, salt: 1), sampled([0, 1, 2], oneIn: 3))
  func `a program that waits as SQLite does gets in within two seconds`(longestEdit: Int, seed: Int) throws {
    var random = SplitMix64(seed: seed)
    func edit() -> Int { longestEdit / 3 + random.below(longestEdit * 2 / 3) }
    var writers = (0..<9).map { _ in Writer(next: random.below(10_000), since: 0) }
    var stock = (next: 500_000, since: 500_000, attempts: 0)
    // The file changes halfway through an edit; the rest makes it durable.
    var (freeAt, changedAt, longest, edits) = (0, 0, 0, 0)
    while edits < 200, longest < 2_000_000,
      let index = writers.indices.min(by: { writers[$0].next < writers[$1].next })
    {
      let now = min(writers[index].next, stock.next)
      let isOthersTurn = FairnessPause.isNow(Int64(now) * 1_000, lastChange: Int64(changedAt) * 1_000)
      if now == stock.next {
        longest = max(longest, now - stock.since)
        if now >= freeAt {
          let length = edit()
          (changedAt, freeAt) = (now + length / 2, now + length)
          let start = now + random.below(300_000)
          stock = (next: start, since: start, attempts: 0)
          edits += 1
        } else {
          let pause = Self.stockPauses[min(stock.attempts, Self.stockPauses.count - 1)]
          // A program is woken late.
          stock.next += pause * 1_000 + random.below(5_000)
          stock.attempts += 1
        }
      } else if now >= freeAt, !isOthersTurn {
        let length = edit()
        (changedAt, freeAt) = (now + length / 2, now + length)
        writers[index] = Writer(next: freeAt + 100, since: freeAt + 100)
      } else {
        let most = BusyHandler.longestPause(
          attempt: isOthersTurn ? 10 : writers[index].attempts,
          waited: .microseconds(now - writers[index].since))
        writers[index].next += 1 + random.below(Int(most))
        writers[index].attempts += 1
      }
    }
    #expect(longest < 2_000_000)
  }

  @Test func `the turn of others follows a change at the start of a period, and ends`() {
    let change = 7 * FairnessPause.period + 1
    #expect(FairnessPause.isNow(change, lastChange: change))
    #expect(FairnessPause.isNow(change + FairnessPause.length - 1, lastChange: change))
    #expect(!FairnessPause.isNow(change + FairnessPause.length, lastChange: change))
    // A clock that was set back; and a change at another time.
    #expect(!FairnessPause.isNow(change - 1, lastChange: change))
    #expect(!FairnessPause.isNow(change + FairnessPause.length, lastChange: change + FairnessPause.length))
  }

  @Test func `who waits is seen by the other programs of its folder, until it has stopped`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      func isUp() -> Bool { WaitingSign.isUp(beside: path) }
      var signs = [WaitingSign(beside: path), WaitingSign(beside: path)]
      #expect(signs.allSatisfy { $0 != nil })
      for _ in 0..<2 {
        #expect(isUp() && isUp())
        signs.removeLast()
      }
      #expect(!isUp() && WaitingSign(beside: folder + "/none/list.sqlite") == nil)
    }
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
