@testable import CustomersCluster
import CustomerFixtures
import CustomersSystem
@testable import CustomersSQLite
import CustomersTestSupport
import Testing

/// A server may answer anything: the client rejects it, and never crashes.
@Suite(.onThreads) struct HostileServerTests {
  @Test func `decoding random bytes never crashes`() {
    var generator = SplitMix64(seed: 1)
    let sound = part(columns: ["id", "name"], [[1, 3], [5, 2]])
    for _ in 0..<20_000 {
      var bytes =
        generator.oneIn(4) ? (0..<generator.below(200)).map { _ in UInt8(generator.below(256)) } : sound
      for _ in 0...generator.below(4) where !bytes.isEmpty {
        bytes[generator.below(bytes.count)] = UInt8(
          [0, 1, 0x7f, 0xee, 0xff, generator.below(256)][generator.below(6)])
      }
      if generator.oneIn(3) { bytes.removeLast(generator.below(bytes.count + 1)) }
      guard let batch = try? RemoteBatch.decode(AnswerReader(bytes)).batch else { continue }
      _ = batch
    }
  }

  @Test func `a part with two rows is decoded`() throws {
    let (batch, isLast) = try RemoteBatch.decode(
      AnswerReader(part(columns: ["id", "name"], [[1, 3], [5, 2]])))
    #expect(isLast)
    let kinds = batch.cells.map { cell in "\(cell)".prefix { $0 != "(" } }
    #expect(kinds == ["integer", "text", "null", "real"])
    #expect(throws: SQLiteError.malformedAnswer) { try RemoteBatch.decode(AnswerReader([])) }
    #expect(throws: SQLiteError.malformedAnswer) {
      try RemoteBatch.decode(AnswerReader(part(columns: ["id"], [[1]]).dropLast(8)))
    }
  }

  @Test func `whatever a server sends, the client reports an error`() throws {
    var generator = SplitMix64(seed: 2)
    for round in 0..<60 {
      var answers: [UInt8] = []
      for _ in 0..<4 {
        var bytes = (0..<8 * generator.below(40)).map { _ in UInt8(generator.below(256)) }
        // Often a message with a valid header: its length, and a kind that the client may expect.
        if bytes.count >= 8, round % 3 != 0 {
          bytes[..<8] = [UInt8(bytes.count / 8 - 1), 0, 0, 0, UInt8(generator.below(10)), 0, 0, 0]
        }
        if round % 10 == 9, bytes.count >= 8 { bytes[..<4] = [0xff, 0xff, 0xff, 0x7f] }
        answers += bytes
      }
      let server = FakeServer(sending: answers)
      let connection = try DqliteConnection(server.address)
      connection.shouldContinue = { _ in false }
      #expect(throws: SQLiteError.self) {
        for _ in 0..<10 {
          _ = try connection.leader()
          try connection.open(database: "customers")
          let rows = try connection.askForRows(.query(sql: "SELECT 1", []))
          while try rows.next() != nil {}
        }
      }
      server.end()
    }
  }

  /// An answer with rows whose values have the given types, one word each.
  private func part(columns: [String], _ rows: [[UInt8]]) -> [UInt8] {
    var part = WordWriter()
    part.write(UInt64(columns.count))
    for column in columns { part.write(column) }
    for row in rows {
      part.write(row.enumerated().reduce(0) { $0 | UInt64($1.element) << (4 * UInt64($1.offset)) })
      for kind in row { if kind == 3 { part.write("text") } else { part.write(kind == 5 ? 0 : 42) } }
    }
    part.write(UInt64.max)
    return part.bytes
  }
}
