import CustomersSQLite
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Random statements of a foreign client against plain arrays.
///
/// Each seed is a client with its own settings; it meets every conflict clause. After every
/// statement the whole list is read back, and the internal tables are checked, in the short form every fourth
/// time: damage persists.
@Suite(.onThreads) struct RawModelTests {
  static let statements = isLong ? 6_400 : 400

  @Test(arguments: sampled(0..<36, oneIn: 18))
  func `random statements on the views match a model in arrays`(seed: Int) throws {
    var client = try RandomClient(seed: seed)
    for number in 1...Self.statements {
      if let difference = try client.step() {
        Issue.record("seed \(seed), statement \(number): \(difference)")
        return
      }
    }
  }

  @Test(arguments: 0..<(isLong ? 2 : 1))
  func `at the real sizes chapters split and merge too`(seed: Int) throws {
    var client = try RandomClient(seed: seed, capacity: .real)
    let connection = client.connection
    let chapters = "(SELECT DISTINCT chapter FROM located_block)"
    let count = isLong ? 9_000 : 5_000
    try connection.execute("BEGIN")
    try connection.append(count)
    try client.model.reload(from: connection)
    client.model.lastID = Int64(count)
    #expect(try connection.count(chapters) > 3)
    while client.model.count > 300 {
      // Many rows come in at one place, or the rows of some blocks go.
      let edit = client.generator.oneIn(3) ? client.insertMany(300) : client.deleteRange(of: 800)
      if let difference = try client.run(edit) {
        Issue.record("seed \(seed): \(difference)")
        return
      }
    }
    #expect(try connection.count(chapters) <= 3)
  }

  @Test func `a list that shrank row by row is one block again`() throws {
    var generator = SplitMix64(seed: 7)
    let connection = try Connection.newList()
    try connection.append(1_000)
    #expect(try connection.count("located_block") == 32)
    for id in (1...1_000).shuffled(using: &generator).dropLast(8) {
      try connection.execute("DELETE FROM customers WHERE id = ?", [.integer(id)])
    }
    #expect(try connection.count("located_block") == 1)
    #expect(try connection.count("node") == 3)
    #expect(try connection.brokenInvariants() == [])
  }
}
