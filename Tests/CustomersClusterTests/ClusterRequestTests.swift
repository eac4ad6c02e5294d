@testable import CustomersCluster
import CustomersSQLite
import CustomersTestSupport
import Testing

/// What a client sends, byte by byte (https://dqlite.io/docs/protocol), and what it need not send.
@Suite(.onThreads) struct ClusterRequestTests {
  private static let zeros = [UInt8](repeating: 0, count: 8)

  private static func word(_ bytes: UInt8...) -> [UInt8] { bytes + zeros.dropFirst(bytes.count) }

  @Test(arguments: [("1234567", 1), ("12345678", 2)])
  func `a text with its zero byte fills whole words, and no more`(text: String, words: Int) {
    let padding = [UInt8](repeating: 0, count: 8 * words - text.utf8.count)
    #expect(
      ClusterRequest.prepare(sql: text).bytes
        == Self.word(UInt8(words + 1), 0, 0, 0, 4) + Self.zeros + text.utf8 + padding)
  }

  @Test func `a prepared statement is named after its database, with the types of its values`() {
    #expect(
      ClusterRequest.executePrepared(statement: 7, [.integer(258), .null, .text("a")]).bytes
        == Self.word(5, 0, 0, 0, 5) + Self.word(0, 0, 0, 0, 7) + Self.word(3, 1, 5, 3) + Self.word(2, 1)
        + Self.zeros + Self.word(0x61))
  }

  @Test func `a result is known for its statement and its values only`() {
    var known = KnownAnswers()
    known.add("SELECT ?", [.integer(1)], RemoteBatch(bytes: [], columnCount: 1, cells: [.integer(1)]))
    #expect(known.find("SELECT ?", [.integer(1)]) != nil)
    #expect(known.find("SELECT ?", [.integer(2)]) == nil && known.find("SELECT ?1", [.integer(1)]) == nil)
  }
}
