import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Testing

@testable import CustomerTransfer

/// The three-way merge of the order, on arrays.
@Suite(.onThreads) struct OrderMergeTests {
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

  private static func rows(_ theirs: Lists, base: Lists, hasSections: Bool = true) -> [OrderMerge.Row] {
    var places: [CustomerID: CustomerPlace] = [:]
    for (index, ids) in base.enumerated() {
      for (order, id) in ids.enumerated() {
        places[id] = CustomerPlace(section: section(index), order: order + 1)
      }
    }
    return theirs.enumerated().flatMap { index, ids in
      ids.map { OrderMerge.Row(id: $0, from: places[$0], section: hasSections ? section(index) : nil) }
    }
  }

  private static func listed(_ lists: Lists) -> [(section: SectionID, rows: [CustomerID])] {
    lists.enumerated().map { (section($0), $1) }
  }

  /// Puts rows in their places, as a batch does.
  private static func put(_ places: [(id: CustomerID, place: CustomerPlace)], in lists: Lists) -> Lists {
    let leaving = Set(places.map(\.id))
    var lists = lists.map { $0.filter { !leaving.contains($0) } }
    for (id, place) in places.sorted(by: { $0.place.order < $1.place.order }) {
      lists[Int(place.section.rawValue) - 1].insert(id, at: place.order - 1)
    }
    return lists
  }

  private static let sections = (0..<count).map(section)

  @Test func `if only the file was rearranged, the list gets its order`() {
    for seed in 0..<2_000 {
      var random = SplitMix64(seed: seed)
      let base = Self.random(&random)
      var theirs = base
      let times = random.below(5)
      let touched = Self.move(times, &theirs, &random)
      let order = OrderMerge(Self.rows(theirs, base: base), sections: Self.sections)
      #expect(order.moved.count <= touched.count, "seed \(seed)")
      let places = order.places(of: order.moved, in: Self.listed(base))
      #expect(Self.put(places, in: base) == theirs, "seed \(seed)")
    }
  }

  @Test func `without sections in the file, the whole list gets its order`() {
    for seed in 0..<1_000 {
      var random = SplitMix64(seed: seed)
      let base = Self.random(&random)
      var theirs = base
      _ = Self.move(random.below(5), &theirs, &random)
      let rows = Self.rows(theirs, base: base, hasSections: false)
      let order = OrderMerge(rows, sections: Self.sections)
      let places = order.places(of: order.moved, in: Self.listed(base))
      #expect(Self.put(places, in: base).flatMap(\.self) == theirs.flatMap(\.self), "seed \(seed)")
    }
  }

  @Test func `a file in its old order moves nothing, whatever happened to the list`() {
    for seed in 0..<500 {
      var random = SplitMix64(seed: seed)
      let base = Self.random(&random)
      #expect(OrderMerge(Self.rows(base, base: base), sections: Self.sections).moved.isEmpty, "seed \(seed)")
    }
  }

  @Test func `both orders are kept as far as they do not contradict, and nothing is lost or twice`() {
    for seed in 0..<3_000 {
      var random = SplitMix64(seed: seed)
      let base = Self.random(&random)
      var (ours, theirs) = (base, base)
      let movedHere = Self.move(random.below(4), &ours, &random)
      _ = Self.move(random.below(4), &theirs, &random)
      let new = CustomerID(rawValue: 100)
      var file = theirs
      if random.oneIn(2) {
        let index = random.below(Self.count)
        file[index].insert(new, at: random.below(file[index].count + 1))
        ours[index].append(new)
      }
      let rows = Self.rows(file, base: base)
      let order = OrderMerge(rows, sections: Self.sections)
      let conflicts = order.conflicts(with: Self.listed(ours), isMoved: movedHere.contains)
      // A row is in conflict only if both moved it, and if it is not where the other has it.
      #expect(Set(conflicts).isSubset(of: order.moved.intersection(movedHere)), "seed \(seed)")
      for winner in [ConflictSide.ours, .theirs] {
        var leaving = order.moved.subtracting(movedHere).union(winner == .theirs ? conflicts : [])
        if ours.joined().contains(new) { leaving.insert(new) }
        let result = Self.put(order.places(of: leaving, in: Self.listed(ours)), in: ours)
        #expect(result.flatMap(\.self).sorted() == ours.flatMap(\.self).sorted(), "seed \(seed)")
        // Rows that did not go keep their order.
        #expect(
          result.map { $0.filter { !leaving.contains($0) } }
            == ours.map { $0.filter { !leaving.contains($0) } },
          "seed \(seed)")
        // Those that went are in the section of the file, below the same row if that is there.
        for index in 0..<Self.count {
          #expect(Set(file[index]).intersection(leaving).isSubset(of: result[index]), "seed \(seed)")
        }
        for id in leaving {
          guard let index = file.firstIndex(where: { $0.contains(id) }),
            let at = file[index].firstIndex(of: id), at > 0,
            result[index].contains(file[index][at - 1]), let found = result[index].firstIndex(of: id)
          else { continue }
          #expect(found > 0 && result[index][found - 1] == file[index][at - 1], "seed \(seed), row \(id)")
        }
      }
    }
  }

  @Test func `a row that must not be moved stays if the others can go`() {
    let base: Lists = [[1, 2], [], []]
    var rows = Self.rows([[2, 1], [], []], base: base)
    rows[0].canMove = false
    #expect(OrderMerge(rows, sections: Self.sections).moved == [1])
    rows[0].canMove = true
    rows[1].canMove = false
    #expect(OrderMerge(rows, sections: Self.sections).moved == [2])
  }
}
