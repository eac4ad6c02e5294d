@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// The order of a file that comes back, merged with that of the list, on arrays.
@Suite(.onThreads) struct ReturnedOrderTests {
  private typealias Lists = [[CustomerID]]

  private static let count = 3

  private static func section(_ index: Int) -> SectionID { SectionID(rawValue: Int64(index) + 1) }

  private static func random(_ random: inout SplitMix64) -> Lists {
    var lists = Lists(repeating: [], count: count)
    for id in (1...12).shuffled(using: &random) {
      lists[random.below(count)].append(CustomerID(rawValue: Int64(id)))
    }
    return lists
  }

  /// Moves some rows.
  private static func move(_ times: Int, _ lists: inout Lists, _ random: inout SplitMix64) -> Set<CustomerID>
  {
    var moved: Set<CustomerID> = []
    for _ in 0..<times {
      let from = random.below(count)
      guard !lists[from].isEmpty else { continue }
      let id = lists[from].remove(at: random.below(lists[from].count))
      let to = random.below(count)
      lists[to].insert(id, at: random.below(lists[to].count + 1))
      moved.insert(id)
    }
    return moved
  }

  private static func rows(_ file: Lists, hasSections: Bool = true) -> [ReturnedOrder.Row] {
    file.enumerated().flatMap { index, ids in
      ids.map { ReturnedOrder.Row(id: $0, section: hasSections ? section(index) : nil) }
    }
  }

  private static func arrangement(_ lists: Lists) -> ListArrangement {
    ListArrangement(parts: lists.enumerated().map { .init(section: section($0), rows: $1) })
  }

  private static func merge(
    _ file: [ReturnedOrder.Row], base: Lists, list: Lists? = nil, touched: Set<CustomerID> = [],
    without deleted: Set<CustomerID> = [], winner: ConflictSide = .theirs
  ) -> (order: ReturnedOrder, lists: Lists) {
    let order = ReturnedOrder(
      file, base: arrangement(base), list: arrangement(list ?? base), isTouched: touched.contains,
      without: deleted
    ) { _ in winner }
    return (
      order,
      (0..<count).map { index in order.arrangement.parts.first { $0.section == section(index) }?.rows ?? [] }
    )
  }

  @Test func `if only the file was rearranged, the list gets its order`() {
    for seed in 0..<(isLong ? 2_000 : 400) {
      var random = SplitMix64(seed: seed)
      let base = Self.random(&random)
      var theirs = base
      let touched = Self.move(random.below(5), &theirs, &random)
      let (order, lists) = Self.merge(Self.rows(theirs), base: base)
      #expect(order.moved.count <= touched.count && order.contested.isEmpty, "seed \(seed)")
      #expect(lists == theirs, "seed \(seed)")
    }
  }

  @Test func `without sections in the file, the whole list gets its order`() {
    for seed in 0..<(isLong ? 1_000 : 200) {
      var random = SplitMix64(seed: seed)
      let base = Self.random(&random)
      var theirs = base
      _ = Self.move(random.below(5), &theirs, &random)
      let lists = Self.merge(Self.rows(theirs, hasSections: false), base: base).lists
      #expect(lists.flatMap(\.self) == theirs.flatMap(\.self), "seed \(seed)")
    }
  }

  @Test func `a file in its old order moves nothing, whatever happened to the list`() {
    for seed in 0..<(isLong ? 500 : 200) {
      var random = SplitMix64(seed: seed)
      let base = Self.random(&random)
      var ours = base
      let touched = Self.move(random.below(5), &ours, &random)
      // Only some of the rows may be in the file.
      let file = Self.rows(base).filter { _ in random.oneIn(2) }
      let (order, lists) = Self.merge(file, base: base, list: ours, touched: touched)
      #expect(order.moved.isEmpty && order.contested.isEmpty && lists == ours, "seed \(seed)")
    }
  }

  @Test func `both orders are kept as far as they do not contradict, and nothing is lost or twice`() {
    for seed in 0..<(isLong ? 3_000 : 500) {
      var random = SplitMix64(seed: seed)
      let base = Self.random(&random)
      var (ours, theirs) = (base, base)
      let movedHere = Self.move(random.below(4), &ours, &random)
      let movedThere = Self.move(random.below(4), &theirs, &random)
      let new = CustomerID(rawValue: 100)
      if random.oneIn(2) {
        let index = random.below(Self.count)
        theirs[index].insert(new, at: random.below(theirs[index].count + 1))
      }
      let gone = Set((1...12).map { CustomerID(rawValue: $0) }.filter { _ in random.oneIn(9) })
      for winner in [ConflictSide.ours, .theirs] {
        let (order, lists) = Self.merge(
          Self.rows(theirs).filter { !gone.contains($0.id) }, base: base, list: ours, touched: movedHere,
          without: gone,
          winner: winner)
        let file = theirs.map { $0.filter { !gone.contains($0) } }
        #expect(
          lists.joined().sorted() == (Set(ours.joined()).union(file.joined())).subtracting(gone).sorted(),
          "seed \(seed)")
        // A row is in conflict only if both moved it; the file moves as few rows as possible.
        #expect(Set(order.contested).isSubset(of: movedHere), "seed \(seed)")
        #expect(order.moved.count <= movedThere.count, "seed \(seed)")
        // Rows that no one moved keep their order, and each of the others is in the section where the one that counts put it.
        let touched = movedHere.union(order.moved).union(order.contested)
        for index in 0..<Self.count {
          let still = base[index].filter { !touched.contains($0) && !gone.contains($0) }
          #expect(lists[index].filter(Set(still).contains) == still, "seed \(seed)")
          for id in file[index] where order.moved.contains(id) || id == new {
            #expect(lists[index].contains(id), "seed \(seed), row \(id)")
          }
        }
      }
    }
  }

  @Test func `a row that must not be moved stays if the others can go`() {
    let base: Lists = [[1, 2], [], []]
    for fixed in [CustomerID(rawValue: 1), 2] {
      let rows = [2, 1].map { ReturnedOrder.Row(id: $0, section: Self.section(0), canMove: $0 != fixed) }
      #expect(Self.merge(rows, base: base).order.moved == [fixed == 1 ? 2 : 1])
    }
  }
}
