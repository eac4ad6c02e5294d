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

  /// Rows that were found and are too many to remember.
  @Test func `many rows that are read again while they are written get the same values`() throws {
    let many = 2 * FoundCustomers.few + 500
    var changes: FieldChanges = [.note: .text("seen")]
    changes.added[.tags] = ["vip"]
    let (one, other) = (
      try CustomerStore.inMemory(.generated(many)), try CustomerStore.inMemory(.generated(many))
    )
    let ids = try one.write { list in
      let resolver = try RowResolver(list)
      var read = 0
      let ids = try resolver.ids(RowSelectors([]), matching: RowFilter(), in: list) { _ in read += 1 }
      #expect(read == many && ids.count == many)
      let outcome = try list.apply(.update(ids.reversed(), changes), to: resolver.takeFound(), listing: .max)
      #expect(outcome.rows.count == many && outcome.rows.allSatisfy { $0.fields == [.note, .tags] })
      return ids
    }
    try other.write { list in
      for start in stride(from: 0, to: many, by: 500) {
        _ = try list.apply(.update(Array(ids[start..<start + 500]), changes))
      }
    }
    func rows(_ store: CustomerStore) throws -> [Customer] {
      try store.read { list in try list.sectionsWithRows().flatMap(\.rows) }
    }
    #expect(try rows(one) == rows(other))
    #expect(try rows(one).allSatisfy { $0.fields.note == "seen" && $0.fields.tags.contains("vip") })
  }

  @Test func `one of many rows that must not be changed keeps all as they are`() throws {
    let store = try CustomerStore.inMemory(.generated(FoundCustomers.few + 100))
    try store.write { list in
      let ids = try list.sectionsWithRows().flatMap(\.rows).map(\.id)
      try list.protect(ids[700], canEdit: false)
      let before = try list.sectionsWithRows().flatMap(\.rows)
      let note: FieldChanges = [.note: .text("seen")]
      #expect(throws: ListError.editForbidden(ids[700])) { try list.apply(.update(ids, note)) }
      #expect(try list.sectionsWithRows().flatMap(\.rows) == before)
      try list.delete(ids[800])
      #expect(throws: ListError.noSuchCustomer(ids[800])) { try list.apply(.protect(ids, canMove: false)) }
      #expect(try list.sectionsWithRows().flatMap(\.rows).allSatisfy(\.canMove))
    }
  }
}
