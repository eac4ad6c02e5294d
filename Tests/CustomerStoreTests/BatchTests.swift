@_spi(Tools) @testable import CustomerStore
import Foundation
import CustomersSQLite
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Batches against the definition: what is deleted or moved goes, the last row first; what is inserted or
/// moved comes, the first place first.
@Suite(.onThreads) struct BatchTests {
  @Test(arguments: sampled(0..<30, oneIn: 15))
  func `the results of random batches pass the display check, and wrong ones fail`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    for turn in 0..<(isLong ? 20_000 : 200) {
      let before = Self.rows([random.below(21), random.below(21), random.below(4)])
      let batch = RandomBatch(before, rarity: 1 + random.below(6), inserts: 6, &random)
      // New customers have ids that no display has seen.
      let after = batch.after.map { $0.map { $0 < 0 ? 1_000 - $0 : $0 } }
      #expect(throws: Never.self, "seed \(seed), turn \(turn)") {
        try batch.updates.check(before: Self.display(before), after: Self.display(after))
      }
      let wrong = after.map { $0.count > 1 ? Array($0.reversed()) : $0 }
      if wrong.map({ $0.filter { $0 < 1_000 } }) != after.map({ $0.filter { $0 < 1_000 } }) {
        #expect(throws: BatchError.self, "seed \(seed), turn \(turn)") {
          try batch.updates.check(before: Self.display(before), after: Self.display(wrong))
        }
      }
    }
  }

  @Test(arguments: sampled(0..<36, oneIn: 18))
  func `random batches match the definition`(seed: Int) throws {
    var random = SplitMix64(seed: 100 + seed)
    for _ in 0..<(isLong ? 40 : 1) {
      let capacity = Capacity.allCases[seed % 3]
      let walk = try BatchWalk([random.below(21), random.below(21), random.below(4)], capacity)
      for turn in 0..<25 {
        try walk.step(rarity: 1 + random.below(8), "seed \(seed), turn \(turn)", &random)
      }
    }
  }

  @Test(arguments: sampled([62, 63, 64, 65, 126, 127, 128, 129, 200], oneIn: 3))
  func `random batches at the borders of blocks match the definition`(size: Int) throws {
    var random = SplitMix64(seed: size)
    for _ in 0..<(isLong ? 20 : 1) {
      let walk = try BatchWalk([size, random.below(20), size], .real)
      for turn in 0..<8 {
        try walk.step(rarity: [1, 3, 40][turn % 3], "size \(size), turn \(turn)", &random)
      }
    }
  }

  /// Rows with ids that follow each other, so many in each section.
  static func rows(_ counts: [Int]) -> [[Int64]] {
    var last: Int64 = 0
    return counts.map { count in
      last += Int64(count)
      return Array(last - Int64(count) + 1..<last + 1)
    }
  }

  static func display(_ rows: [[Int64]]) -> [SectionID: [CustomerID]] {
    Dictionary(
      uniqueKeysWithValues: rows.enumerated().map { index, ids in
        (SectionID(rawValue: Int64(index + 1)), ids.map(CustomerID.init))
      })
  }
}

/// A list in memory that goes from batch to batch.
private struct BatchWalk {
  let store = try? CustomerStore.inMemory()
  let sections: Int

  init(_ counts: [Int], _ capacity: Capacity) throws {
    sections = counts.count
    try write { list in
      try list.connection.setCapacity(capacity)
      for index in counts.indices.dropFirst() { _ = try list.addSection(title: "\(index)") }
      for (index, count) in counts.enumerated() { try list.connection.append(count, to: Int64(index + 1)) }
    }
  }

  /// Makes a batch and compares its results and its history step.
  func step(rarity: Int, _ name: Comment, _ random: inout SplitMix64) throws {
    let before = try write { list in try self.rows(list.connection) }
    let protected = Set(before.joined().filter { _ in random.oneIn(16) })
    try write { list in
      let ids = protected.map(String.init).joined(separator: ", ")
      try list.connection.execute("UPDATE customer_record SET can_move = id NOT IN (\(ids))")
    }
    let batch = RandomBatch(before, rarity: rarity, inserts: rarity == 1 ? 40 : 5, &random)
    let copy = try write { list in (try ListCopy(list), try list.version()) }
    do {
      let result = try write { list in try list.performBatchUpdates(batch.updates) }
      #expect(!batch.breaks(protected: protected), name)
      try compare(batch, result, copy, name)
      // A batch that changed nothing is no step.
      let isStep = try write { list in try list.version() } != copy.1
      if isStep && random.oneIn(3) {
        _ = try write { list in try list.undo() }
        let undone = try write { list in try self.rows(list.connection) }
        #expect(undone == before, name)
      }
    } catch BatchError.refused(_, .moveForbidden(let id)) {
      #expect(batch.breaks(protected: protected) && protected.contains(id.rawValue), name)
      let (after, version) = try write { list in (try self.rows(list.connection), try list.version()) }
      #expect(after == before && version == copy.1, name)
    }
  }

  private func compare(
    _ batch: RandomBatch, _ result: BatchResult, _ copy: (list: ListCopy, version: ListVersion),
    _ name: Comment
  ) throws {
    let expected = batch.after.map { $0.map { $0 < 0 ? result.inserted[-Int($0) - 1].rawValue : $0 } }
    try write { list in
      let (found, broken) = try (self.rows(list.connection), list.connection.brokenInvariants())
      #expect(found == expected && broken == [], name)
      var followed = copy.list
      for change in try list.changes(after: copy.version)?.changes ?? [] { try followed.apply(change) }
      let present = try ListCopy(list)
      #expect(followed == present, name)
      try batch.updates.check(
        before: BatchTests.display(batch.before), after: BatchTests.display(found))
      #expect(Set(result.moves.map(\.id.rawValue)) == batch.moving, name)
      for move in result.moves {
        #expect(
          batch.before[Int(move.from.section.rawValue) - 1][move.from.order - 1] == move.id.rawValue, name)
        #expect(found[Int(move.to.section.rawValue) - 1][move.to.order - 1] == move.id.rawValue, name)
      }
    }
  }

  private func rows(_ connection: Connection) throws -> [[Int64]] {
    try (1...Int64(sections)).map { try connection.ids(in: $0) }
  }

  private func write<Result: Sendable>(_ body: (inout CustomerList) throws -> Result) throws -> Result {
    try #require(store).write(body)
  }
}
