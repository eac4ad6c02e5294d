import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// The query of `Documentation/sql.md`, which reads the rows with certain numbers, against the view.
@Suite(.onThreads) struct RowsByNumberTests {
  @Test(arguments: sampled(0..<36, oneIn: 18))
  func `the query finds the rows that the view numbers so`(seed: Int) throws {
    let query = try Self.query()
    var client = try RandomClient(seed: seed)
    let connection = client.connection
    for _ in 0..<100 {
      #expect(try client.step() == nil)
      // Sections without rows and without a record, and ranges that are empty or reach beyond both ends.
      let section = client.generator.below(5)
      let first = client.generator.below(client.model.count + 6) - 2
      let last = first + client.generator.below(client.model.count + 6) - 2
      let expected = try connection.rows(Self.plain, section, first, last)
      #expect(try connection.rows(query, section, first, last) == expected)
    }
  }

  @Test func `the query finds every row and every range of a list of several parts`() throws {
    let query = try Self.query()
    let connection = try Connection.newList(.least)
    try connection.append(40)
    for first in 0...41 {
      for last in first - 1...42 {
        let found = try connection.rows(query, 1, first, last)
        #expect(try found == connection.rows(Self.plain, 1, first, last))
        #expect(found.count == max(0, min(last, 40) - max(first, 1) + 1))
      }
    }
    #expect(try connection.count("node WHERE parent = -1") > 2)
  }

  private static let plain = """
    SELECT id, "order", first_name, last_name FROM customers
    WHERE section = ?1 AND "order" BETWEEN ?2 AND ?3 ORDER BY "order"
    """

  /// The query as the document has it.
  private static func query() throws -> String {
    let path = "../../../Documentation/sql.md"
    let article = try String(
      contentsOf: URL(filePath: #filePath).appending(path: path).standardizedFileURL, encoding: .utf8)
    let text = try #require(
      article.components(separatedBy: "```").first { $0.hasPrefix("sql\n") && $0.contains(":first") })
    return [(":section", "?1"), (":first", "?2"), (":last", "?3")].reduce(String(text.dropFirst(4))) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}

extension Connection {
  /// The rows of a query of rows by number, as texts.
  fileprivate func rows(_ sql: String, _ section: Int, _ first: Int, _ last: Int) throws -> [String] {
    try fetchAll(sql, [.integer(section), .integer(first), .integer(last)]) { row in
      "\(row.integer(0)) \(row.integer(1)) \(row.text(2)) \(row.text(3))"
    }
  }
}
