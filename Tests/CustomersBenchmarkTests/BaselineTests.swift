import CustomerFixtures
import CustomersSQLite
import Testing

@testable import CustomersBenchmark

/// A baseline that did less than the real work would flatter no one but itself.
struct BaselineTests {
  private static let moves = (1...9).flatMap { source in (1...9).map { (source, $0) } }

  @Test func `a key lies between its neighbors, however often the gap is halved`() {
    var random = SplitMix64(seed: 7)
    var keys = FractionalIndex.keys(100)
    #expect(Set(keys.map(\.utf8.count)).count == 1)
    for turn in 0..<3_000 {
      // Half of them at one spot, where keys grow; the others anywhere, the two ends included.
      let index = turn.isMultiple(of: 2) ? 7 : Int.random(in: 0...keys.count, using: &random)
      let low = index > 0 ? keys[index - 1] : nil
      let high = index < keys.count ? keys[index] : nil
      keys.insert(FractionalIndex.key(between: low, and: high), at: index)
    }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    #expect(!keys.contains { $0.hasSuffix("0") })
  }

  @Test func `a move in the fractional table ends at the place asked for`() throws {
    try inScratchFolder { folder in
      let table = try FractionalTable(folder, rows: 9)
      try compareWithArray(table.connection, "SELECT id FROM fractional ORDER BY key", table.move)
    }
  }

  @Test func `a move in the flat table ends at the place asked for`() throws {
    try inScratchFolder { folder in
      let table = try FlatTable(folder, rows: 9)
      try compareWithArray(table.connection, #"SELECT id FROM flat ORDER BY "order""#, table.move)
      let places = try table.connection.fetchAll(#"SELECT "order" FROM flat ORDER BY "order""#) { $0.int(0) }
      #expect(places == Array(1...9))
    }
  }

  private func compareWithArray(
    _ connection: Connection, _ query: String, _ move: (Int, Int) throws -> Void
  ) throws {
    var expected = try connection.fetchAll(query) { $0.integer(0) }
    for (source, destination) in BaselineTests.moves {
      try move(source, destination)
      expected.insert(expected.remove(at: source - 1), at: destination - 1)
      #expect(try connection.fetchAll(query) { $0.integer(0) } == expected, "\(source) to \(destination)")
    }
  }

  private func inScratchFolder(_ body: (ScratchFolder) throws -> Void) throws {
    let folder = ScratchFolder(in: ".")
    defer { folder.remove() }
    try body(folder)
  }
}
