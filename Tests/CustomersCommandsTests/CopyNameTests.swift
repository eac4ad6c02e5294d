import CustomerFixtures
@testable import CustomersCommands
import CustomersTestSupport
import Foundation
import Testing

/// The names of copies, and which copies of a series are kept.
struct CopyNameTests {
  @Test(arguments: [
    "copy.sqlite", "copy", "a.b.sqlite", ".hidden", "x-20261122T093000Z", "Käse 9.db", "-",
    "e\u{301}\u{200d}.x",
  ])
  func `the name of a copy has its series and its time`(series: String) throws {
    for seconds in [0, 951_782_399, 1_795_253_400, 4_102_444_800] as [Int64] {
      let name = CopyName(ofSeries: series, at: seconds)
      let read = try #require(CopyName(name.text))
      #expect(read == name && read.series == series && read.seconds == seconds)
    }
    #expect(CopyName(series) == nil || series.contains("Z"))
  }

  @Test func `it is the name that the documents show`() throws {
    let name = try #require(CopyName("copy-20261122T093000Z.sqlite"))
    #expect(name.series == "copy.sqlite" && name.time == "2026-11-22T09:30:00.000Z")
    #expect(CopyName(ofSeries: "copy.sqlite", at: name.seconds).text == "copy-20261122T093000Z.sqlite")
  }

  @Test(arguments: [
    "copy.sqlite", "20261122T093000Z.sqlite", "copy-20261322T093000Z.sqlite", "copy-20260230T093000Z.sqlite",
    "copy-20261122T243000Z.sqlite", "copy-20261122T093060Z.sqlite", "copy-20261122T093000Z.a.sqlite",
    "copy-20261122t093000Z.sqlite", "copy-２0261122T093000Z.sqlite", "co\npy-20261122T093000Z.sqlite",
    "co\u{1b}py-20261122T093000Z.sqlite", "copy-20261122T093000Z.sqlite.x1y2z3", "",
  ])
  func `any other name is none`(text: String) { #expect(CopyName(text) == nil) }

  /// What the options say, word by word.
  private func expected(_ times: [Int64], last: Int, hours: Int, days: Int, weeks: Int) -> Set<Int64> {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    var kept = Set(times.suffix(last))
    for (count, unit) in [(hours, Calendar.Component.hour), (days, .day), (weeks, .weekOfYear)] {
      let spans = Dictionary(grouping: times) { time in
        calendar.dateInterval(of: unit, for: Date(timeIntervalSince1970: Double(time)))?.start ?? .distantPast
      }
      kept.formUnion(spans.sorted { $0.key < $1.key }.suffix(count).compactMap { $0.value.max() })
    }
    return kept
  }

  @Test func `a copy is kept if one of the options keeps it`() {
    var random = SplitMix64(seed: 61)
    for _ in 0..<500 {
      let span: Int64 = [600, 20_000, 400_000, 9_000_000].randomElement(using: &random)!
      let count = Int.random(in: 1...40, using: &random)
      let times = Set((0..<count).map { _ in 1_790_000_000 + Int64.random(in: 0...span, using: &random) })
        .sorted()
      let counts = (0..<4).map { _ in
        Bool.random(using: &random) ? Int?.none : Int.random(in: 1...5, using: &random)
      }
      let names = times.map { CopyName(ofSeries: "c.sqlite", at: $0) }
      let retention = CopyRetention(last: counts[0], hourly: counts[1], daily: counts[2], weekly: counts[3])
      let kept = Set(times).subtracting(retention.removed(names).map(\.seconds))
      // The newest one stays in any case.
      let wanted = expected(
        times, last: counts[0] ?? 1, hours: counts[1] ?? 0, days: counts[2] ?? 0, weeks: counts[3] ?? 0)
      #expect(kept == wanted, "\(times) \(counts)")
    }
  }
}
