import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// Who is due, and the log.
@Suite(.onThreads) struct DueRequestTests {
  private let list: TestAPI

  init() throws {
    list = try TestAPI("A, B, C | More: X")
    try list.change { list in
      try list.update(1) { $0.next = "2026-12-02" }
      try list.apply(.log([2], "x"))
    }
  }

  @Test(
    arguments: [
      (["due": "2026-12-01"], [3, 4]), (["due": "2026-12-02"], [1, 3, 4]),
      (["due": "2026-12-02", "section": "1"], [1, 3]),
      (["due": "2026-12-02", "where": "name!=A"], [3, 4]), (["due": "2026-12-02", "search": "x"], [4]),
      (["due": "2026-12-02", "text": "C"], [3]), (["due": "2026-12-02", "sort": "-name"], [4, 3, 1]),
      (["due": "2026-12-02", "from": "2", "limit": "1"], [3]),
    ] as [([String: String], [Int])])
  func `rows that are due`(query: [String: String], ids: [Int]) async throws {
    let answer = try await list.v1("rows", query)
    #expect(answer.status == 200 && answer.objects("rows").map { $0["id"] as? Int } == ids)
    let next = try await list.v1("next", query.filter { !["sort", "from", "limit"].contains($0.key) })
    let first = query["from"] != nil ? 1 : query["sort"] != nil ? 1 : ids[0]
    #expect((next.json["row"] as? [String: Any])?["id"] as? Int == first)
  }

  @Test func `today is that of the caller's clock`() async throws {
    // The clocks of both are never on the same day.
    let days = [-840, 840].map { minutes in CallersClock.$minutes.withValue(minutes) { CalendarDay.today } }
    #expect(days[0] < days[1])
    try list.change { list in
      try list.declareColumn("Due", kind: .date)
      for (id, day) in zip([1, 2] as [CustomerID], days) {
        try list.update(id) { $0.set([.extra("Due"): .text(day.description)]) }
      }
    }
    func found(_ zone: String?) async throws -> [Int] {
      let zone = zone.map { ["zone": $0] } ?? [:]
      return try await list.v1("rows", ["where": "Due=today"].merging(zone) { $1 }).objects("rows")
        .compactMap { $0["id"] as? Int }
    }
    #expect(try await found("-840") == [1])
    #expect(try await found("840") == [2])
    #expect(try await list.v1("rows", ["zone": "841"]).status == 400)
    #expect(try await list.v1("rows", ["zone": "Europe/Berlin"]).status == 400)
    let edit = #"{"edits":[{"update":{"ids":[3],"set":{"extra":{"Due":"today"}}}}]}"#
    #expect(try await list.v1("edits", ["zone": "840"], body: edit).status == 200)
    #expect(try await found("840") == [2, 3])
  }

  @Test func `a day is needed`() async throws {
    for path in ["rows", "next", "ids"] { #expect(try await list.v1(path, ["due": "soon"]).status == 400) }
    #expect(try await list.v1("next", ["due": "today"]).status == 200)
    #expect(try await list.v1("next", ["section": "9"]).status == 404)
  }

  @Test func `the next row has its last three lines, and no one is null`() async throws {
    for text in ["1", "2", "3", "4"] {
      _ = try await list.v1(edits: #"{"log":{"ids":[1],"text":"\#(text)"}}"#)
    }
    let row = try #require(
      try await list.v1("next", ["due": "2026-12-02", "where": "name=A"]).json["row"] as? [String: Any])
    #expect((row["log"] as? [[String: Any]])?.map { $0["text"] as? String } == ["4", "3", "2"])
    let whole = try await list.v1("rows/1").json["row"] as? [String: Any]
    #expect((whole?["log"] as? [[String: Any]])?.count == 4)
    let form = try await list.v1("form", ["id": "1"])
    #expect(form.objects("log").count == 4)
    let fields = form.objects("sections").flatMap { $0["fields"] as? [[String: Any]] ?? [] }
    #expect(fields.first { $0["name"] as? String == "next" }?["value"] as? String == "2026-12-02")
    _ = try await list.v1(edits: #"{"done":{"view":{"due":"2026-12-02"}}}"#)
    let none = try await list.v1("next", ["due": "2026-12-02"])
    #expect(none.status == 200 && none.json["row"] is NSNull)
  }

  @Test func `a wrong next date is refused at its field`() async throws {
    let wrong = try await list.edit(#"{"save":{"id":1,"from":{},"to":{"next":"soon"}}}"#)
    let problem = (wrong.object("error")["fields"] as? [String: String])?["next"]
    #expect(problem == #""soon" is not a date; for example: 2026-12-24, friday, or +3d"#)
    // What another program wrote stays, if nothing is typed over it.
    try list.change { _ = try $0.update(1) { $0.next = "soon" } }
    let edit = #"{"save":{"id":1,"from":{"next":"soon","note":""},"to":{"next":"soon","note":"x"}}}"#
    #expect(try await list.edit(edit)["reason"] == nil)
    #expect(try list.look { try $0.customer(1).fields.note } == "x")
  }

  @Test func `a date counts from the day of the caller`() async throws {
    _ = try await list.v1(edits: #"{"log":{"ids":[3],"text":"x","next":"+1w","today":"2026-12-28"}}"#)
    #expect(try list.look { try $0.customer(3).fields.next } == "2027-01-04")
    let seen = try list.version
    try list.change { _ = try $0.update(3) { $0.note = "x" } }
    #expect(try await list.edit(#"{"log":{"ids":[3],"text":"x"}}"#, seen: seen)["reason"] == "changed")
  }
}
