import CustomerFixtures
@testable import CustomerStore
import CustomersWeb
import CustomersSQLite
import CustomersTestSupport
import Testing

/// What a page gets of a list that has lost rows.
@Suite(.onThreads) struct IncompleteListTests {
  @Test func `the page gets all rows of a window, a search, and a file, or an error`() async throws {
    let list = try TestAPI("A, B, C, D | More: X, Y")
    try list.change { list in try list.connection.execute("DELETE FROM customer_record WHERE id = 3") }
    #expect(try await list.rows(["from": "1", "limit": "2"]).status == 200)
    for answer in [
      try await list.rows(), try await list.rows(["from": "3", "limit": "1"]),
      try await list.view("x"),
      try await list.view("", sort: "last_name"),
    ] {
      #expect(answer.status == 503 && answer.kind == "damaged", "\(answer)")
      #expect(
        answer.json["remedy"] as? String == "Run customers check where the list is: no other request helps.")
      #expect(answer.json["message"] as? String == "1 of 6 rows can't be read.", "\(answer)")
    }
  }

  @Test func `a row that can't be read is not said to be deleted`() async throws {
    let list = try TestAPI("A, B, C, D | More: X, Y")
    try list.change { list in try list.delete([2]) }
    try list.change { list in try list.connection.execute("DELETE FROM customer_record WHERE id = 3") }
    for (id, status) in [(2, 404), (3, 503)] {
      for answer in [
        try await list.v1("rows/\(id)"),
        try await list.v1(edits: #"{"delete":{"ids":[\#(id)]}}"#),
        try await list.v1(edits: #"{"update":{"ids":[\#(id)],"set":{"phone":"5"}}}"#),
        try await list.v1(edits: #"{"batch":{"updates":[{"delete":{"row":{"id":\#(id)}}}]}}"#),
      ] { #expect(answer.status == status, "\(answer)") }
    }
  }

  @Test func `rows whose extra column was dropped since they were seen are not deleted`() async throws {
    let list = try TestAPI("A, B, C")
    try list.change { list in
      try list.update(1) { $0.set([.extra("Town"): "Bonn"]) }
      try list.update(2) { $0.set([.extra("Town"): "Ulm"]) }
    }
    let seen = try list.version
    try list.change { list in try list.dropColumn("Town") }
    let refused = try await list.edit(#"{"delete":{"ids":[2,3]}}"#, seen: seen)
    #expect(refused.status == 409 && refused.json["reason"] as? String == "changed", "\(refused)")
    #expect(try await list.edit(#"{"delete":{"ids":[3]}}"#, seen: seen).status == 200)
  }
}
