@_spi(Tools) @testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Every batch on every short list.
@Suite(.onThreads) struct ExhaustiveBatchTests {
  @Test(arguments: sampled([Capacity.least, .real], oneIn: 2))
  func `every batch of deletes, moves, and inserts matches the definition`(capacity: Capacity) throws {
    var made = 0
    for size in 0...(isLong ? 4 : 3) {
      try CustomerStore.inMemory().write { list in
        try list.connection.setCapacity(capacity)
        try list.connection.append(size)
        for batch in sampled(SmallBatch.all(size: size, inserts: 1), oneIn: 3) {
          made += 1
          try list.connection.execute("SAVEPOINT attempt")
          try batch.validate(&list)
          try list.connection.execute("ROLLBACK TO attempt")
          try list.connection.execute("RELEASE attempt")
        }
      }
    }
    #expect(made > 100)
  }
}

/// A batch on a list whose rows have the ids 1…n.
private struct SmallBatch {
  enum Fate: CaseIterable { case stays, goes, moves }
  var fates: [Fate]
  /// The destinations of the moved rows, then those of the new ones.
  var places: [Int]

  static func all(size: Int, inserts: Int) -> [SmallBatch] {
    fates(size).flatMap { fates in
      (0...inserts).flatMap { inserts in
        let count = size - fates.count { $0 == .goes } + inserts
        return choices(of: fates.count { $0 == .moves } + inserts, from: Array(1..<count + 1)).map {
          SmallBatch(fates: fates, places: $0)
        }
      }
    }
  }

  private static func fates(_ size: Int) -> [[Fate]] {
    size == 0 ? [[]] : fates(size - 1).flatMap { fates in Fate.allCases.map { fates + [$0] } }
  }

  private static func choices(of count: Int, from places: [Int]) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return places.flatMap { place in
      choices(of: count - 1, from: places.filter { $0 != place }).map { [place] + $0 }
    }
  }

  func validate(_ list: inout CustomerList) throws {
    let section = SectionID(rawValue: 1)
    var batch = BatchUpdates()
    var rows = (1..<Int64(fates.count) + 1).filter { fates[Int($0) - 1] == .stays }
    let moving = fates.indices.filter { fates[$0] == .moves }
    // The last row and the last place first: the order of the calls means nothing.
    for (number, place) in places.enumerated().reversed() {
      if number < moving.count {
        batch.move(.place(moving[number] + 1, in: section), to: .place(place, in: section))
      } else {
        batch.insert(CustomerFields(), at: .place(place, in: section))
      }
    }
    for index in fates.indices.reversed() where fates[index] == .goes {
      batch.delete(.place(index + 1, in: section))
    }
    let inserted = try list.performBatchUpdates(batch).inserted.first?.rawValue ?? 0
    for (number, place) in places.enumerated().sorted(by: { $0.element < $1.element }) {
      rows.insert(number < moving.count ? Int64(moving[number] + 1) : inserted, at: place - 1)
    }
    let (found, broken) = try (list.connection.ids(), list.connection.brokenInvariants())
    #expect(found == rows && broken == [], "\(self)")
  }
}
