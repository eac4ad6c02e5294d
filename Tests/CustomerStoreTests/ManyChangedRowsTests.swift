import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Testing

/// The outcome of edits of many rows, of which a report lists some and counts the others.
@Suite(.onThreads) struct ManyChangedRowsTests {
  @Test(arguments: sampled(0..<(isLong ? 200 : 20), oneIn: 4))
  func `rows that are read a few at a time have the same outcome, and a brief one the same report`(seed: Int)
    throws
  {
    var random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory(.generated(90))
    for _ in 0..<20 {
      try store.write { list in
        let last = try list.lastEdit()
        for _ in 0..<1 + random.below(4) { _ = try? list.apply(RandomEdit.make(in: list, &random)) }
        let all = try list.sectionsWithRows().flatMap(\.rows).map(\.id)
        let some = all.filter { _ in random.oneIn(2) }
        if random.oneIn(3) { _ = try? list.apply(.update(some, [.note: .text("\(random.below(3))")])) }
        if random.oneIn(4) {
          _ = try? list.apply(.update(some, [.extra("City"): .text("\(random.below(3))")]))
        }
        if random.oneIn(4) { _ = try? list.apply(.protect(some, canEdit: random.oneIn(2))) }
        let named = NamedRows(customers: random.oneIn(2) ? some : [])
        let whole = try list.outcome(after: last, naming: named, few: .max)
        #expect(try list.outcome(after: last, naming: named, few: 1 + random.below(9)) == whole)
        for most in [1, 4, 21] {
          let brief = try list.outcome(after: last, naming: named, listing: most, few: 1 + random.below(50))
          #expect(brief.rows.count <= most + 2 && brief.rows.first == whole.rows.first)
          #expect(brief.rows.count + brief.rest.rows == whole.rows.count && brief.isEmpty == whole.isEmpty)
          let (short, long) = (TextPresenter(brief), TextPresenter(whole))
          #expect(short.unmoved == long.unmoved && short.sameRights == long.sameRights)
          guard most >= TextPresenter.needed else { continue }
          #expect(short.summary == long.summary && short.report == long.report)
        }
      }
    }
  }

  @Test(arguments: [50, 90])
  func `a report counts the rows of long runs that it does not list`(place: Int) throws {
    let store = try CustomerStore.inMemory(.generated(400))
    try store.write { list in
      let all = try list.sectionsWithRows().flatMap(\.rows).map(\.id)
      _ = try list.apply(.move([all[399]], to: .place(place)))
      let last = try list.lastEdit()
      _ = try list.apply(.delete(Array(all.dropLast())))
      let presenter = TextPresenter(try list.outcome(after: last))
      #expect(presenter.sentences.count > 4)
      let counts = presenter.summary.matches(of: /(\d+) customers|(\d+) rows|… (\d+) more$/)
      #expect(
        counts.compactMap { Int($0.output.1 ?? $0.output.2 ?? $0.output.3 ?? "") }.reduce(0, +) == 399,
        "\(presenter.summary)")
      #expect(presenter.report.last == "… and \(399 - 20) more changes.")
    }
  }
}
