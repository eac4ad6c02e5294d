import CustomerFixtures
import CustomerStore
import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// Windows of rows.
@Suite(.onThreads) struct RowsRequestTests {
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B, C, D | More: X, Y") }

  private func names(_ answer: Answer) -> [String] {
    answer.objects("rows").compactMap { $0["name"] as? String }
  }

  @Test func `rows are numbered through the whole list, with the sections`() async throws {
    let answer = try await list.rows()
    #expect(answer.status == 200)
    #expect(names(answer) == ["A", "B", "C", "D", "X", "Y"])
    #expect(answer.objects("rows").map { $0["position"] as? Int } == [1, 2, 3, 4, 5, 6])
    #expect(answer[number: "count"] == 6)
    let sections = try #require(answer.object("outline")["sections"] as? [[String: Any]])
    #expect(sections.map { $0["title"] as? String } == ["Customers", "More"])
    #expect(sections.map { $0["count"] as? Int } == [4, 2])
    #expect(answer.json["undo"] is NSNull && answer.json["redo"] is NSNull)
  }

  @Test func `an own column with the name of a part of the address has its own values, and sorts by them`()
    async throws
  {
    let list = try TestAPI("Ann, Bob")
    try list.change { list in
      try list.update(1) { $0.set([.part(.region): "SP"]) }
      _ = try list.declareColumn("Region")
      try list.update(2) { $0.extra = #"{"Region":"North"}"# }
    }
    let query = ["fields": "name,extra.Region", "sort": "extra.Region"]
    let rows = try await list.v1("rows", query).objects("rows")
    #expect(rows.map { "\($0["name"] ?? "") \($0["extra.Region"] ?? "")" } == ["Bob North", "Ann "])
  }

  @Test func `a window starts where it is asked to, and within the list`() async throws {
    #expect(names(try await list.rows(["from": "3", "limit": "3"])) == ["C", "D", "X"])
    #expect(names(try await list.rows(["from": "99", "limit": "3"])) == [])
    #expect(names(try await list.rows(["from": "9223372036854775807", "limit": "500"])) == [])
  }

  @Test func `a window leaves out the rows of folded sections, but counts them`() async throws {
    let list = try TestAPI("A, B | Two: C, D, E | Three: F, G | Four: | Five: H")
    let folded = try await list.rows(["folded": "2", "from": "2", "limit": "3"])
    #expect(names(folded) == ["B", "F", "G"])
    #expect(folded.objects("rows").map { $0["position"] as? Int } == [2, 6, 7])
    #expect(folded[number: "count"] == 8 && folded[number: "from"] == 2)
    #expect(names(try await list.rows(["folded": "1,3,9"])) == ["C", "D", "E", "H"])
    #expect(names(try await list.rows(["folded": "1,2,3,4,5"])) == [])
    // Around one of them are the rows that were asked for.
    #expect(names(try await list.rows(["folded": "1", "around": "7", "limit": "3"])) == ["F", "G", "H"])
    #expect(
      names(try await list.rows(["folded": "1", "around": "1", "from": "2", "limit": "2"])) == ["D", "E"])
    #expect(try await list.rows(["folded": "1", "sort": "name"]).status == 400)
  }

  @Test func `a window has its anchor in the middle, wherever that was moved`() async throws {
    let answer = try await list.rows(["around": "5", "limit": "3", "from": "1"])
    #expect(names(answer) == ["D", "X", "Y"])
    #expect(answer[number: "from"] == 4)
    let gone = try await list.rows(["around": "77", "limit": "2", "from": "2"])
    #expect(names(gone) == ["B", "C"])
    let section = try await list.rows(["section": "2", "around": "6", "limit": "1"])
    #expect(names(section) == ["Y"] && section[number: "from"] == 2 && section[number: "count"] == 2)
    #expect(names(try await list.rows(["section": "2", "around": "1", "limit": "1"])) == ["X"])
    #expect(try await list.rows(["where": "name=A", "around": "1"]).status == 400)
  }

  @Test func `sections are sent again only if they have changed`() async throws {
    let tag = try #require(try await list.rows().object("outline")["tag"] as? String)
    #expect(try await list.rows(["outline": tag]).object("outline").keys.sorted() == ["tag"])
    _ = try await list.edit(#"{"delete":{"ids":[1]}}"#)
    #expect(try await list.rows(["outline": tag]).object("outline")["sections"] != nil)
  }

  @Test func `members that say nothing are left out`() async throws {
    try list.change { list in
      try list.update(2) { ($0.isFavorite, $0.note, $0.phone) = (true, "n", "5") }
      try list.protect(2, canEdit: false, canMove: false)
    }
    let rows = try await list.rows(["fields": "phone,email,name"]).objects("rows")
    #expect(rows[0].keys.sorted() == ["id", "name", "position"])
    #expect(
      rows[1].keys.sorted()
        == ["can_edit", "can_move", "id", "is_favorite", "name", "phone", "position", "subtitle"])
  }

  @Test func `the steps to undo and redo are described as by the command line`() async throws {
    _ = try await list.edit(#"{"move":{"ids":[4],"to":{"position":1}}}"#)
    let undo = try await list.rows().object("undo")
    #expect(undo["text"] as? String == #"Moved "D" 4 → 1."#)
    #expect(undo["action"] as? String == "move")
    try list.change { list in _ = try list.undo() }
    let answer = try await list.rows()
    #expect(answer.json["undo"] is NSNull)
    #expect(answer.object("redo")["text"] as? String == #"Moved "D" 4 → 1."#)
  }

  @Test func `who made a step is named as by the command line`() async throws {
    var options = CustomerStore.Options()
    (options.user, options.host) = ("ann", "desk")
    let list = TestAPI(try CustomerStore.inMemory(options: options))
    try list.change { list in try list.insert(CustomerFields(name: "A"), at: .last) }
    let by = try await list.rows().object("undo")["by"] as? String
    #expect(by?.hasSuffix("ann@desk") == true, "\(by ?? "")")
  }

  @Test func `long texts are cut, wherever they are shown`() async throws {
    let long = String(repeating: "\u{1F600}", count: 100_000)
    try list.change { list in
      for id in try list.sections().flatMap({ try list.ids(in: $0.id) }) {
        try list.update(id) { fields in
          (fields.firstName, fields.company, fields.email) = (long, long, long)
          (fields.phone, fields.note) = (long, long)
        }
      }
      try list.renameSection(list.sections()[0].id, title: long)
    }
    let rows = await list.api.answer(
      APIRequest(
        method: "GET", path: "/v1/rows",
        query: ["brief": "true", "outline": "", "steps": "true", "fields": "company,email,phone"]))
    #expect(rows.status == 200 && rows.body.count < 60_000, "\(rows.body.count)")
    #expect(names(Answer(rows)) == Array(repeating: long.prefix(300) + "…", count: 6))
    let made = try await list.edit(#"{"delete":{"ids":[1,2,3]}}"#)
    #expect((made["text"]?.utf8.count ?? 0) < 1300 && made["text"]?.hasSuffix("…") == true)
    // Whoever edits a customer gets it whole.
    #expect(try await list.v1("rows/4").object("row")["note"] as? String == long)
  }

  @Test func `a window of many rows has each once`() async throws {
    try list.change { list in
      for number in 0..<90 { try list.insert(CustomerFields(name: "N\(number)"), at: .last) }
    }
    let all = try list.ids
    for (from, limit) in [(1, 100), (1, 20), (3, 41), (80, 100), (96, 1)] {
      let rows = try await list.rows(["from": "\(from)", "limit": "\(limit)"]).objects("rows")
      #expect(rows.map { $0["position"] as? Int } == Array(from..<min(from + limit, 97)))
      #expect(rows.map { ($0["id"] as? Int).map(Int64.init) } == Array(all[(from - 1)...].prefix(limit)))
    }
  }

  @Test(arguments: [
    ["limit": "1001"], ["limit": "-1"], ["limit": "x"], ["from": ""], ["from": "1e3"],
    ["from": "99999999999999999999"], ["around": "é"], ["form": "1"], ["steps": "1"], ["only": "true"],
    ["above": "1"],
  ])
  func `a wrong parameter is named`(query: [String: String]) async throws {
    let answer = try await list.rows(query)
    #expect(answer.status == 400)
    #expect(answer["message"]?.contains(try #require(query.keys.first)) == true)
  }
}
