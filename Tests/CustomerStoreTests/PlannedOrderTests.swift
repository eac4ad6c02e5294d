@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// The order in memory against arrays.
@Suite(.onThreads) struct PlannedOrderTests {
  @Test(arguments: [[0, 0], [1, 0], [15, 17], [300, 5], [0, 1_000]])
  func `moves match a model in arrays`(counts: [Int]) {
    var random = SplitMix64(seed: counts[0])
    var rows = BatchTests.rows(counts).map { $0.map(CustomerID.init) }
    var order = PlannedOrder(
      Dictionary(uniqueKeysWithValues: rows.enumerated().map { (Self.section($0), $1) }))
    let count = counts.reduce(0, +)
    var moved: Set<CustomerID> = []
    // Many moves to one spot make chunks split, and empty others, until all are rebuilt.
    for turn in 0..<4 * count {
      let before = rows
      for _ in 0..<1 + random.below(3) {
        let id = CustomerID(rawValue: Int64(1 + random.below(count)))
        let from = rows.firstIndex { $0.contains(id) } ?? 0
        let old = rows[from].firstIndex(of: id) ?? 0
        rows[from].remove(at: old)
        let to = random.below(2)
        let index = turn % 1_000 < 700 ? min(7, rows[to].count) : random.below(rows[to].count + 1)
        rows[to].insert(id, at: index)
        if from != to || old != index { moved.insert(id) }
        order.move(id, to: CustomerPlace(section: Self.section(to), order: index + 1))
      }
      if random.oneIn(4) {
        order.rollBack()
        rows = before
      } else {
        order.accept()
      }
      if turn % 7 == 0 { expect(order, rows) }
    }
    expect(order, rows)
    #expect(order.moved.isSubset(of: moved))
  }

  private static func section(_ index: Int) -> SectionID { SectionID(rawValue: Int64(index + 1)) }

  private func expect(_ order: PlannedOrder, _ rows: [[CustomerID]]) {
    for (index, rows) in rows.enumerated() {
      let section = Self.section(index)
      #expect(order.count(of: section) == rows.count)
      var found: [CustomerID] = []
      while case let more = order.rows(from: found.count + 1, in: section), !more.isEmpty { found += more }
      #expect(found == rows)
      for (index, id) in rows.enumerated() where index % 50 == 3 || index == rows.count - 1 {
        #expect(order.place(of: id) == CustomerPlace(section: section, order: index + 1))
      }
    }
    #expect(order.place(of: CustomerID(rawValue: 9_999)) == nil)
    #expect(order.rows(from: 0, in: Self.section(0)).isEmpty)
  }
}
