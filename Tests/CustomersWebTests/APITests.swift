import CustomerFixtures
@_spi(Tools) import CustomerStore
import CustomersHTTP
import CustomersSQLite
import CustomersText
@testable import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// What a program reads.
@Suite(.onThreads) struct APIReadingTests {
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B, C, D | More: X, Y") }

  private func names(_ query: [String: String]) async throws -> [String] {
    try await list.v1("rows", query).objects("rows").compactMap { $0["name"] as? String }
  }

  @Test func `rows are those of the command line, with the version`() async throws {
    let answer = try await list.v1("rows", ["from": "4", "limit": "2"])
    #expect(answer.status == 200 && answer[number: "count"] == 6 && answer[number: "from"] == 4)
    #expect(answer["version"] == (try list.version).text)
    let rows = answer.objects("rows")
    #expect(rows.map { $0["id"] as? Int } == [4, 5] && rows.map { $0["position"] as? Int } == [4, 5])
    #expect(rows[1]["section_title"] as? String == "More" && rows[1]["order"] as? Int == 1)
    #expect(rows[0]["extra"] is [String: Any] && rows[0]["can_edit"] as? Bool == true)
  }

  @Test func `rows of a section, those that match, in another order, and some of their fields`() async throws
  {
    try list.change { list in
      try list.update(2) {
        $0.company = "Tea"; $0.extraColumns["City"] = .text("Bonn")
      }
      try list.update(6) { $0.company = "Tea & Co" }
    }
    #expect(try await names(["section": "2"]) == ["X", "Y"])
    #expect(try await names(["section": "2", "from": "2"]) == ["Y"])
    #expect(try await names(["where": "company~tea"]) == ["B", "Y"])
    #expect(try await names(["where": "City=Bonn"]) == ["B"])
    #expect(try await names(["search": "tea", "section": "2"]) == ["Y"])
    #expect(try await names(["sort": "-name", "limit": "2"]) == ["Y", "X"])
    let answer = try await list.v1("rows", ["fields": "name,extra.City", "where": "City=Bonn"])
    #expect(answer[number: "count"] == 1)
    #expect(answer.objects("rows").first?.keys.sorted() == ["extra.City", "id", "name"])
    #expect(try await list.v1("rows", ["limit": "0"]).objects("rows").isEmpty)
    #expect(try await list.v1("rows", ["from": "\(Int.max)"]).objects("rows").isEmpty)
  }

  @Test func `one row, its history, sections, and columns`() async throws {
    try list.change { list in try list.update(2) { $0.extraColumns["City"] = .text("Bonn") } }
    let row = try await list.v1("rows/2")
    #expect(row.object("row")["name"] as? String == "B" && row["version"] != nil)
    let history = try await list.v1("rows/2/history")
    #expect(history.objects("steps").first?["changes"] is [Any])
    #expect((history.objects("steps").first?["text"] as? String)?.contains("B") == true)
    #expect(try await list.v1("history", ["limit": "1"]).objects("steps").count == 1)
    #expect(
      try await list.v1("sections").objects("sections").map { $0["title"] as? String } == [
        "Customers", "More",
      ])
    let columns = try await list.v1("columns").objects("columns")
    #expect(columns.first?["name"] as? String == "first_name")
    #expect(columns.last?["name"] as? String == "extra.City" && columns.last?["count"] as? Int == 1)
  }

  @Test(
    arguments: [
      ("rows", ["form": "1"], 400), ("rows", ["from": "0"], 400), ("rows", ["limit": "1001"], 400),
      ("rows", ["fields": "nme"], 400), ("rows", ["sort": "nme"], 400), ("rows", ["where": "City"], 422),
      ("rows", ["section": "9"], 404), ("rows", ["section": "9", "where": "name=A"], 404),
      ("export", ["section": "9"], 404), ("ids", ["section": "9"], 404), ("next", ["section": "9"], 404),
      ("rows/77", [:], 404), ("rows/0", [:], 404), ("rows/x", [:], 404),
      ("rows/2/", [:], 404), ("nothing", [:], 404), ("edits", [:], 405), ("events", ["after": "x"], 400),
    ] as [(String, [String: String], Int)])
  func `what can't be read is refused, and says how it can`(
    path: String, query: [String: String], status: Int
  ) async throws {
    let answer = try await list.v1(path, query)
    #expect(answer.status == status)
    let error = answer.object("error")
    for name in ["kind", "message", "remedy"] { #expect((error[name] as? String)?.isEmpty == false) }
  }
}

/// What a program changes.
@Suite(.onThreads) struct APIEditingTests {
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B, C, D | More: X, Y") }

  @Test(arguments: [
    (#"{"move":{"ids":[4],"to":{"before":2}}}"#, [1, 4, 2, 3, 5, 6], "move"),
    (#"{"move":{"ids":[1],"to":{"after":2}}}"#, [2, 1, 3, 4, 5, 6], "move"),
    (#"{"move":{"ids":[3,1],"to":"first","section":2}}"#, [2, 4, 1, 3, 5, 6], "move"),
    (#"{"move":{"ids":[1],"to":3}}"#, [2, 3, 1, 4, 5, 6], "move"),
    (#"{"move":{"ids":[1],"to":{"position":6}}}"#, [2, 3, 4, 5, 6, 1], "move"),
    (#"{"move":{"ids":[1],"by":2}}"#, [2, 3, 1, 4, 5, 6], "move"),
    (#"{"swap":{"ids":[1,4]}}"#, [4, 2, 3, 1, 5, 6], "swap"),
    ("{\"delete\":{\"ids\": [\n2\n,\t6 ]}}", [1, 3, 4, 5], "delete"),
    (#"{"delete":{"range":{"from":2,"to":3}}}"#, [1, 4, 5, 6], "delete"),
    (#"{"delete":{"range":{"from":1,"to":1,"section":2}}}"#, [1, 2, 3, 4, 6], "delete"),
    (#"{"delete":{"view":{"where":"name=B or name=Y"}}}"#, [1, 3, 4, 5], "delete"),
    (
      #"{"insert":{"customers":[{"name":"Ann Lee"},{"first_name":"N"}],"to":"first","section":2}}"#,
      [1, 2, 3, 4, 7, 8, 5, 6], "add"
    ),
    (
      #"{"update":{"ids":[2],"set":{"phone":"5","extra":{"n":1.50}},"add":{"tags":["a"]}}}"#,
      [1, 2, 3, 4, 5, 6], "edit"
    ),
    (#"{"save":{"id":2,"from":{"phone":""},"to":{"phone":"5"}}}"#, [1, 2, 3, 4, 5, 6], "edit"),
    (#"{"protect":{"ids":[1],"can_move":false}}"#, [1, 2, 3, 4, 5, 6], "protect"),
    (#"{"log":{"ids":[1],"text":"x","next":"+1d","today":"2026-12-31"}}"#, [1, 2, 3, 4, 5, 6], "log"),
    (#"{"log":{"range":{"from":1,"to":2},"text":"x","to":"last"}}"#, [3, 4, 1, 2, 5, 6], "log"),
    (#"{"log":{"ids":[1],"text":"x","section":2}}"#, [2, 3, 4, 5, 6, 1], "log"),
    (#"{"log":{"ids":[1],"text":"x","next":null}}"#, [1, 2, 3, 4, 5, 6], "log"),
    (#"{"done":{"ids":[5,2,1]}}"#, [3, 4, 1, 2, 6, 5], "done"),
    (#"{"sort":{"by":["name"],"descending":true,"section":1}}"#, [4, 3, 2, 1, 5, 6], "sort"),
    (#"{"arrange":{"ids":[6,5],"section":2}}"#, [1, 2, 3, 4, 6, 5], "arrange"),
    (#"{"merge":{"ids":[1,2]}}"#, [1, 3, 4, 5, 6], "merge"),
    (#"{"move_section":{"id":2,"to":1}}"#, [5, 6, 1, 2, 3, 4], "section move"),
    (#"{"delete_section":{"id":2,"with_customers":true}}"#, [1, 2, 3, 4], "section delete"),
    (
      #"{"batch":{"updates":[{"delete":{"row":{"id":1}}},{"move":{"row":{"section":2,"order":1},"to":{"section":1,"order":"first"}}}]}}"#,
      [5, 2, 3, 4, 6], "apply"
    ),
  ])
  func `an edit is one step`(edit: String, ids: [Int64], action: String) async throws {
    let answer = try await list.v1(edits: edit)
    #expect(answer.status == 200 && answer["outcome"] == "done" && answer.again == false)
    #expect(try list.ids == ids)
    let step = try list.look { try $0.undoable() }
    #expect(answer[number: "step"].map(Int64.init) == step?.id && step?.action == action)
    #expect(answer["version"] == (try list.version).text)
    #expect(!answer.objects("changes").isEmpty && answer["text"]?.isEmpty == false)
  }

  @Test func `edits of a request are one step, all or nothing`() async throws {
    let all =
      #"{"insert":{"customers":[{"first_name":"N"}]}},{"move":{"ids":[1],"to":"last"}},{"delete":{"ids":[2]}}"#
    let answer = try await list.v1(edits: all)
    #expect(answer.status == 200 && answer.objects("changes").count == 3)
    #expect(try list.look { try $0.undoable() }?.action == "apply")
    let before = try list.version
    let refused = try await list.v1(edits: #"{"delete":{"ids":[3]}},{"delete":{"ids":[77]}}"#)
    #expect(refused.status == 404 && refused.kind == "not_found")
    #expect(try list.version == before)
    #expect(try await list.v1("undo", body: "{}").status == 200)
    #expect(try list.ids == [1, 2, 3, 4, 5, 6])
  }

  @Test func `a batch that names no row or place is a mistake`() async throws {
    let before = try list.version
    let delete = #"{"delete":{"row":{"section":1,"order":1}}}"#
    for update in [delete.replacing(":1}}}", with: ":99}}}"), "\(delete),\(delete)"] {
      let answer = try await list.v1(edits: #"{"batch":{"updates":[\#(update)]}}"#)
      #expect(answer.status == 422 && answer.kind == "invalid", "\(answer)")
    }
    #expect(try list.version == before)
  }

  @Test func `rows of a range are those before the request`() async throws {
    let edits = #"{"delete":{"range":{"from":1,"to":1}}},{"delete":{"range":{"from":2,"to":2}}}"#
    #expect(try await list.v1(edits: edits).status == 200)
    #expect(try list.ids == [3, 4, 5, 6])
  }

  @Test func `an edit of a view says which values it could not compare`() async throws {
    try list.change { list in
      try list.update(1) { $0.extraColumns["Club"] = .text("2026-01-02") }
      try list.update(2) { $0.extraColumns["Club"] = .text("soon") }
      try list.setKind(.date, ofColumn: "Club", keepingText: true)
    }
    let seen = try list.version
    try list.change { try $0.move([6], to: .first) }
    for at in ["", #","at":"\#(seen.text)""#] {
      func edit(_ more: String) async throws -> Answer {
        try await list.v1(
          edits: #"{"update":{"view":{"where":"Club<2027-01-01"\#(at)\#(more)},"set":{"note":"x"}}}"#)
      }
      // Not without consent.
      let refused = try await edit("")
      #expect(refused.status == 409 && refused["reason"] == "skipped", "\(refused)")
      #expect(refused.objects("skipped").first?["count"] as? Int == 1)
      let answer = try await edit(#","leave_out":true"#)
      #expect(answer.status == 200, "\(answer)")
      #expect(
        answer["text"]?.hasSuffix("1 value of \"Club\" is not a date; these rows were left out.") == true,
        "\(answer["text"] ?? "")")
      #expect(try list.look { try $0.customer(2).fields.note }.isEmpty)
      #expect(try await list.v1("undo", body: "{}").status == 200)
    }
    let ids = try await list.v1("ids", ["where": "Club<2027-01-01"])
    #expect(ids.objects("skipped").first?["column"] as? String == "Club", "\(ids)")
  }

  @Test func `a range and a view are the rows of the version at which they were chosen`() async throws {
    let seen = try list.version
    try list.change { list in
      try list.insert(CustomerFields(name: "New"), at: .first)
      try list.move([1], to: .last)
      try list.delete([3])
      try list.update(2) { $0.firstName = "Else" }
    }
    #expect(try list.ids == [7, 2, 4, 1, 5, 6])
    let chosen = try await list.v1("ids", ["first": "1", "last": "3", "seen": "\(seen.text)"])
    #expect(chosen.json["ids"] as? [Int] == [1, 2] && chosen["version"] == seen.text)
    for (way, ids, deleted) in [
      (#""range":{"from":1,"to":3,"at":"\#(seen.text)"}"#, [7, 4, 5, 2, 1, 6], true),
      (#""range":{"from":1,"to":3,"at":"\#(seen.text)","except":[1],"also":[4]}"#, [7, 1, 5, 2, 4, 6], true),
      (#""view":{"where":"name=B","at":"\#(seen.text)"}"#, [7, 4, 1, 5, 2, 6], false),
    ] {
      let answer = try await list.v1(
        edits: #"{"move":{\#(way),"to":{"before":6}}}"#, #""seen":"\#(try list.version.text)""#)
      #expect(answer.status == 200)
      #expect(
        answer["text"]?.hasSuffix("1 of the rows had been deleted.") == deleted, "\(answer["text"] ?? "")")
      #expect(try list.ids.map(Int.init) == ids, "\(way)")
      #expect(try await list.v1("undo", body: "{}").status == 200)
    }
    // Whoever has moved since is meant as well; who was changed is not deleted unseen.
    let moved = try await list.v1(
      edits: #"{"move":{"range":{"from":1,"to":1},"to":"first"}}"#, #""seen":"\#(seen.text)""#)
    #expect(moved.status == 200)
    #expect(try list.ids == [1, 7, 2, 4, 5, 6])
    let refused = try await list.v1(
      edits: #"{"delete":{"range":{"from":2,"to":2}}}"#, #""seen":"\#(seen.text)""#)
    #expect(refused.status == 409 && refused.object("error")["reason"] as? String == "changed")
    try list.change { try $0.forgetHistory() }
    let version = try list.version
    let late = try await list.v1(edits: #"{"delete":{"range":{"from":1,"to":1,"at":"\#(seen.text)"}}}"#)
    #expect(late.status == 409 && late.kind == "conflict")
    #expect(try list.version == version)
  }

  @Test func `a dry run answers what would happen, and changes nothing`() async throws {
    try list.change { list in try list.update(1) { $0.note = "x" } }
    let before = try list.version
    let (one, two) = (#"{"delete":{"ids":[2]}}"#, #"{"delete":{"ids":[3]}}"#)
    for (path, body, text) in [
      ("edits", #"{"edits":[\#(one)],"dry_run":true}"#, "Would delete "),
      ("edits", #"{"edits":[\#(one),\#(two)],"dry_run":true}"#, "Would delete 2 customers"),
      ("undo", #"{"dry_run":true}"#, "Would undo "),
      (
        "revert", #"{"step":\#(try list.look { try $0.history(limit: 1)[0].id }),"dry_run":true}"#,
        "Would edit "
      ),
    ] {
      let answer = try await list.v1(path, body: body)
      #expect(answer["text"]?.hasPrefix(text) == true, "\(answer.json)")
      #expect(
        answer.status == 200 && answer.json["dry_run"] as? Bool == true && answer.json["step"] is NSNull)
      #expect(answer.objects("changes").count >= 1 && answer["version"] == before.text)
      #expect(try list.version == before)
    }
    #expect(try await list.v1(edits: #"{"delete":{"ids":[77]}}"#, #""dry_run":true"#).status == 404)
  }

  @Test func `a row that was changed since it was seen is refused, and shown as it is now`() async throws {
    let seen = #""seen":"\#(try list.version.text)""#
    try list.change { list in
      try list.update(2) { $0.note = "x" }
      _ = try list.move([3], to: .last)
    }
    for (edit, reason) in [
      (#"{"delete":{"ids":[1,2]}}"#, "changed"), (#"{"update":{"ids":[2],"set":{"note":"y"}}}"#, "changed"),
      (#"{"move":{"ids":[3],"to":"first"}}"#, "moved"),
      (#"{"delete":{"view":{"where":"name=B"}}}"#, "changed"),
      (#"{"update":{"range":{"from":1,"to":2},"set":{"note":"y"}}}"#, "changed"),
    ] {
      let answer = try await list.v1(edits: edit, seen)
      #expect(answer.status == 409 && answer.kind == "conflict")
      #expect(answer.object("error")["reason"] as? String == reason)
      #expect(answer.object("error")["version"] as? String == (try list.version).text)
    }
    let rows =
      try await list.v1(edits: #"{"delete":{"ids":[2]}}"#, seen).object("error")["rows"] as? [[String: Any]]
    #expect(rows?.first?["note"] as? String == "x")
    // Own edits are no news, and neither are those of other rows.
    #expect(
      try await list.v1(edits: #"{"update":{"ids":[1],"set":{"note":"z"}}},{"delete":{"ids":[1]}}"#, seen)
        .status == 200)
    #expect(try await list.v1(edits: #"{"delete":{"ids":[4]}}"#, #""seen":"other:5""#).kind == "conflict")
  }

  @Test func `a token is done once, also after a restart, and stands for one request`() async throws {
    let token = #""token":"\#(TransactionToken().rawValue)""#
    let edit = #"{"insert":{"customers":[{"first_name":"N"}]}}"#
    let first = try await list.v1(edits: edit, token)
    try list.change { list in try list.update(1) { $0.note = "x" } }
    for api in [list, TestAPI(list.store)] {
      let second = try await api.v1(edits: edit, token)
      #expect(second.status == 200 && second.again == true)
      #expect(second["version"] == first["version"] && second[number: "step"] == first[number: "step"])
      #expect(second["text"] == first["text"] && second.objects("changes").count == 1)
      // The order of members says nothing.
      let same = try await api.v1("edits", body: #"{\#(token), "edits": [\#(edit)]}"#)
      #expect(same.again == true)
      let other = try await api.v1(edits: #"{"delete":{"ids":[1]}}"#, token)
      #expect(other.status == 409 && other.kind == "token_used")
      #expect(try await api.v1("undo", body: "{\(token)}").kind == "token_used")
    }
    #expect(try list.ids.count == 7)
    #expect(try await list.v1("settle", body: "{\(token)}")[number: "step"] == first[number: "step"])
    #expect(try await TestAPI(list.store).v1("settle", body: "{\(token)}")["outcome"] == "done")
  }

  @Test func `a token is a UUID, too`() async throws {
    let edit = #"{"insert":{"customers":[{"first_name":"N"}]}}"#
    let uuid = UUID().uuidString
    #expect(try await list.v1(edits: edit, #""token":"\#(uuid)""#).again == false)
    #expect(try await list.v1(edits: edit, #""token":"\#(uuid.lowercased())""#).again == true)
    #expect(try await list.v1(edits: edit, #""token":"1""#).status == 400)
  }

  @Test func `a token that is older than all receipts is refused`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/list.sqlite"
    let list = TestAPI(try CustomerStore(path: path))
    try list.store.fill(with: "A, B")
    let old = #""token":"\#(String(repeating: "0", count: 31))1""#
    let edit = #"{"move":{"ids":[1],"to":"last"}}"#
    try list.change { list in try list.update(1) { $0.note = "x" } }
    try Connection(path: path).execute("DELETE FROM receipt WHERE id < (SELECT max(id) FROM receipt)", [])
    let answer = try await list.v1(edits: edit, old)
    #expect(answer.status == 409 && answer.kind == "token_expired")
    #expect(try list.ids == [1, 2])
  }

  @Test(arguments: [
    #"{"move":{"ids":[1],"to":1}}"#, #"{"move_section":{"id":1,"to":1}}"#, #"{"insert":{"customers":[]}}"#,
  ])
  func `a request that changed nothing is not done later`(edit: String) async throws {
    let token = #""token":"\#(TransactionToken().rawValue)""#
    #expect(try await list.v1(edits: edit, token)["outcome"] == "unchanged")
    try list.change { list in _ = try list.move([1], to: .last) }
    let again = try await list.v1(edits: edit, token)
    #expect(again.again == true && again["outcome"] == "unchanged")
    #expect(try list.ids == [2, 3, 4, 1, 5, 6])
  }

  @Test(arguments: [
    #"{"update":{"ids":[1],"set":{"note":"x"}}}, {"update":{"ids":[1],"set":{"note":""}}}"#,
    #"{"move":{"ids":[1],"to":"last"}}, {"move":{"ids":[1],"to":"first"}}"#,
    #"{"swap":{"ids":[1,2]}}, {"swap":{"ids":[2,1]}}"#,
    #"{"rename_section":{"id":2,"title":"x"}}, {"rename_section":{"id":2,"title":"More"}}"#,
  ])
  func `edits that are nothing together leave no step, and what can be redone`(edits: String) async throws {
    try list.change { list in try list.update(4) { $0.note = "y" } }
    _ = try await list.v1("undo", body: "{}")
    let before = try list.version
    let token = #""token":"\#(TransactionToken().rawValue)""#
    for isAgain in [false, true] {
      let answer = try await list.v1(edits: edits, token)
      #expect(answer.status == 200 && answer["outcome"] == "unchanged" && answer.again == isAgain)
      #expect(answer[number: "step"] == nil && answer["version"] == before.text, "\(answer.json)")
    }
    #expect(try list.version == before)
    #expect(try await list.v1("redo", body: "{}").status == 200)
  }

  @Test(arguments: [
    #"{"move":{"ids":[1,3],"by":-1}}"#, #"{"move":{"ids":[1,3],"to":"first"}}"#,
    #"{"update":{"ids":[1,2],"set":{"note":"x"}}}"#,
  ])
  func `an answer that is repeated names the same customers`(edit: String) async throws {
    try list.change { list in try list.update(2) { $0.note = "x" } }
    let token = #""token":"\#(TransactionToken().rawValue)""#
    let (first, second) = (try await list.v1(edits: edit, token), try await list.v1(edits: edit, token))
    #expect(first.status == 200 && second.again == true)
    #expect(first.ids.count == 2 && second.ids == first.ids)
  }

  @Test func `what was never there has no history`() async throws {
    try list.change { list in try list.delete([6]) }
    #expect(try await list.v1("rows/6/history").objects("steps").count == 1)
    for id in [7, 0] { #expect(try await list.v1("rows/\(id)/history").status == 404) }
  }

  @Test func `undo, redo, and revert do what is expected`() async throws {
    let step = try await list.v1(edits: #"{"delete":{"ids":[2]}}"#)[number: "step"] ?? 0
    _ = try await list.v1(edits: #"{"delete":{"ids":[4]}}"#)
    let other = try await list.v1("undo", body: #"{"step":\#(step)}"#)
    #expect(other.status == 409 && other.kind == "conflict")
    #expect((other.object("error")["next"] as? [String: Any]) != nil)
    #expect(
      try await list.v1("undo", body: #"{"step":\#(step + 1)}"#)["text"]?.hasPrefix("Undid delete") == true)
    #expect(try await list.v1("redo", body: "{}").status == 200)
    #expect(try await list.v1("redo", body: "{}").status == 409)
    #expect(try await list.v1("revert", body: #"{"step":\#(step)}"#).status == 200)
    #expect(try list.ids == [1, 2, 3, 5, 6])
    #expect(try await list.v1("revert", body: #"{"step":999}"#).status == 409)
    #expect(try await list.v1("revert", body: "{}").status == 400)
  }

  @Test(arguments: [
    ("{", 400), ("[]", 400), ("{}", 400), (#"{"edits":[]}"#, 400), (#"{"edits":{}}"#, 400),
    (#"{"edits":[{"fly":{}}]}"#, 400), (#"{"edits":[{"delete":{"ids":[1]},"move":{}}]}"#, 400),
    (#"{"edits":[{"delete":{"ids":[1],"id":2}}]}"#, 400), (#"{"edits":[{"delete":{"ids":["1"]}}]}"#, 400),
    (#"{"edits":[{"delete":{"ids":[1]}}],"tokn":"x"}"#, 400), (#"{"edits":[{"delete":{"ids":[1.5]}}]}"#, 400),
    (#"{"edits":[{"delete":{"ids":[1],"range":{"from":1,"to":1}}}]}"#, 400),
    (#"{"edits":[{"delete":{"ids":[1]}}],"seen":"x"}"#, 400),
    (#"{"edits":[{"delete":{"ids":[1]}}],"dry_run":1}"#, 400),
    (#"{"edits":[{"move":{"ids":[1]}}]}"#, 400), (#"{"edits":[{"move":{"ids":[1],"to":"top"}}]}"#, 400),
    (#"{"edits":[{"insert":{"customers":[{"nme":"x"}]}}]}"#, 400),
    (#"{"edits":[{"merge":{"ids":[]}}]}"#, 400),
    (#"{"edits":[{"delete":{"ids":[1]}}],"changes":-1}"#, 400),
    (#"{"edits":[{"update":{"ids":[1],"set":{"name":"A B","first_name":"C"}}}]}"#, 400),
    (#"{"edits":[{"insert":{"customers":[{"name":"A B","last_name":"C"}]}}]}"#, 400),
    (#"{"edits":[{"move":{"ids":[1],"to":99}}]}"#, 422), (#"{"edits":[{"move":{"ids":[1,1],"to":1}}]}"#, 422),
    (#"{"edits":[{"add_section":{"title":""}}]}"#, 422),
    (#"{"edits":[{"arrange":{"ids":[1],"section":1}}]}"#, 422),
    (#"{"edits":[{"update":{"ids":[1],"set":{"note":"\u0007"}}}]}"#, 422),
    (#"{"edits":[{"delete":{"range":{"from":1,"to":99}}}]}"#, 422),
    (#"{"edits":[{"delete":{"ids":[77]}}]}"#, 404),
    (#"{"edits":[{"move_section":{"id":9,"to":1}}]}"#, 404),
    (#"{"edits":[{"drop_column":{"name":"x"}}]}"#, 404),
    (#"{"edits":[{"delete":{"ids":[5]}}]}"#, 409),
    (#"{"edits":[{"move":{"ids":[1],"by":-9223372036854775808}}]}"#, 200),
    (#"{"edits":[{"add_section":{"title":"x","to":-9223372036854775808}}]}"#, 422),
    (#"{"edits":[{"move":{"ids":[1],"to":{"position":-9223372036854775808}}}]}"#, 422),
  ])
  func `a refusal has its status, and nothing is changed`(body: String, status: Int) async throws {
    try list.change { list in try list.protect(5, canEdit: false, canMove: false) }
    let before = try list.version
    let answer = try await list.v1("edits", body: body)
    #expect(answer.status == status)
    guard status != 200 else { return }
    for name in ["kind", "message", "remedy"] {
      #expect((answer.object("error")[name] as? String)?.isEmpty == false)
    }
    #expect(try list.version == before)
  }

  @Test func `a file is imported after a dry run, and exported`() async throws {
    let file = #""name":"new.csv","content":"name,City\nAnn Lee,Bonn\nB,\n""#
    let before = try list.version
    let preview = try await list.v1("import", body: #"{\#(file),"dry_run":true}"#)
    #expect(
      preview.status == 200 && preview["text"]?.contains("2") == true && preview.json["lines"] is [String])
    #expect(preview.objects("changes").count == 2 && preview["version"] == before.text)
    #expect(try list.version == before)
    let token = #""token":"\#(TransactionToken().rawValue)""#
    for again in [false, true] {
      let answer = try await list.v1("import", body: "{\(file),\(token)}")
      #expect(answer.status == 200 && answer.again == again && answer.objects("changes").count == 2)
    }
    #expect(try list.ids.count == 8)
    #expect(try await list.v1("import", body: #"{"name":"x.exe","content":""}"#).kind == "invalid")
    #expect(
      try await list.v1("import", body: #"{"name":"x.csv","content":"a,b\n1\n\"","duplicates":"x"}"#).status
        == 400)
    let answer = await list.api.answer(
      APIRequest(method: "GET", path: "/v1/export", query: ["format": "csv", "where": "City=Bonn"]))
    #expect(answer.status == 200)
    #expect(String(decoding: answer.body, as: UTF8.self).contains("Bonn"))
    #expect(try await list.v1("export", ["format": "exe"]).status == 400)
  }

  @Test func `a list that can only be read refuses edits`() async throws {
    let reader = TestAPI(list.store, isReadOnly: true)
    for path in ["edits", "undo", "redo", "revert"] {
      #expect(try await reader.v1(path, body: "{}").kind == "read_only")
    }
    let rows = try await reader.rows()
    #expect(rows.json["read_only"] as? Bool == true)
    #expect(rows.objects("rows").allSatisfy { $0["can_edit"] as? Bool == false })
  }

  @Test func `an edit is the same value in every form`() throws {
    let edits: [ListEdit] = [
      .insert([NewCustomer(CustomerFields(firstName: "N"), canMove: false)], at: .place(2), in: 1),
      .update(
        [1, 2], FieldChanges([.note: "x", .extra("City"): "Bonn", .isFavorite: true], adding: [.tags: ["a"]])),
      .save(1, from: CustomerFields(firstName: "A"), to: CustomerFields(firstName: "B")), .merge([1, 2]),
      .delete([1], asSeenAt: ListVersion(mark: "h", edit: 3)), .move([1], to: .before(2)),
      .moveBy([1], -2), .log([1], "x"), .log([1], "x", next: "", to: .last, in: 2),
      .log([1], "x", next: "2026-12-24", to: .before(2)), .done([1, 2]), .done([1], "sold"),
      .swap(1, 2), .protect([1], canEdit: false),
      .sort(SortOrder(by: [.name, .field(.extra("City"))]), in: 2),
      .arrange([2, 1], in: 1), .section(.add(title: "T", at: 1)), .section(.rename(1, title: "T")),
      .section(.move(1, to: 2)), .section(.delete(1, withCustomers: true)), .column(.rename("a", to: "b")),
      .column(.drop("a")),
      .batch(
        {
          var batch = BatchUpdates()
          batch.delete(.place(1, in: 1))
          batch.insert(CustomerFields(firstName: "N"), at: .first(in: 1))
          batch.move(.customer(3), to: .place(2, in: 1))
          batch.update(.customer(4), [.note: "x"])
          return batch
        }()),
    ]
    for edit in edits {
      let json = try JSON(reading: Array(edit.json.text.utf8))
      #expect(try ListEdit(JSONMembers(json)) == edit)
    }
    #expect(throws: JSONMistake.self) {
      try ListEdit(JSONMembers(JSON(reading: Array(#"{"delete":{"ids":[1],"x":2}}"#.utf8))))
    }
  }
}

/// Keys, routes, and the document.
@Suite(.onThreads) struct APIDoorTests {
  private static let key = WebAddress().token

  private static func judge(_ method: String, _ path: String, key: String?) throws -> Int {
    let hosts = PageHosts(port: 4711, names: [])
    var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost:4711"]
    if let key { lines.append("Authorization: Bearer \(key)") }
    if method == "POST" {
      lines += ["Content-Type: \(SitePath.bodyType(of: path.prefix { $0 != "?" }))", "Content-Length: 2"]
    }
    let head = try #require(Self.head(lines))
    switch PageGuard(token: Self.key, hosts: hosts).judge(head) {
    case .refused(let response): return response.status
    case .admitted(let isKnown): return isKnown ? 200 : 0
    }
  }

  private static func head(_ lines: [String]) -> RequestHead? {
    var parser = HeadParser()
    return parser.read(Array((lines + ["", ""]).joined(separator: "\r\n").utf8))
  }

  @Test func `every route needs the key of this list`() throws {
    for route in Route.all {
      let path = route.path.replacing("{id}", with: "1")
      #expect(try Self.judge(route.method, path, key: nil) == 401)
      #expect(try Self.judge(route.method, path, key: "") == 401)
      // That of another list, or of a page that can only read.
      #expect(try Self.judge(route.method, path, key: WebAddress().token) == 401)
      #expect(try Self.judge(route.method, path + "?key=\(Self.key)", key: nil) == 401)
      #expect(try Self.judge(route.method, path, key: Self.key) == 200)
      #expect(try Self.judge("DELETE", path, key: Self.key) == 405)
    }
    #expect(try Self.judge("GET", "/health", key: nil) == 0)
    #expect(try Self.judge("GET", "/metrics", key: nil) == 401)
    #expect(try Self.judge("GET", "/metrics", key: Self.key) == 200)
  }

  @Test func `a list that can only be read answers every route that reads, and refuses the others`()
    async throws
  {
    let reader = try TestAPI(CustomerStore.inMemory("A"), isReadOnly: true)
    for route in Route.all {
      let path = String(route.path.replacing("{id}", with: "1").dropFirst(4))
      let answer = try await reader.v1(path, body: route.method == "POST" ? "{}" : nil)
      #expect((answer.status == 403) == !route.isReading)
    }
  }

  @Test func `the document names every route, and every reference in it is there`() async throws {
    let list = try TestAPI("A")
    let answer = try await list.v1("openapi.json")
    #expect(answer["openapi"] == "3.1.0")
    let paths = answer.object("paths")
    for route in Route.all {
      let operation = (paths[route.path] as? [String: Any])?[route.method.lowercased()] as? [String: Any]
      #expect(operation?["operationId"] as? String == route.name)
    }
    let text = OpenAPI.document(version: "1").text
    let schemas = (answer.object("components")["schemas"] as? [String: Any]) ?? [:]
    for match in text.matches(of: /#\/components\/schemas\/([a-z_]+)/) {
      #expect(schemas[String(match.1)] != nil)
    }
  }

  @Test func `a stream goes on from a version, or says that the list must be read`() async throws {
    let list = try TestAPI("A, B")
    let seen = try list.version
    func events(_ after: String) async -> String {
      let answer = await list.api.answer(
        APIRequest(method: "GET", path: "/v1/events", query: ["after": after]))
      return String(decoding: answer.body, as: UTF8.self)
    }
    #expect(await !events(seen.text).contains("event: edit"))
    _ = try await list.v1(edits: #"{"delete":{"ids":[1]}}"#, #""page":"p""#)
    let missed = await events(seen.text)
    #expect(
      missed.contains("event: hello") && missed.contains("event: edit") && missed.contains(#""op":"delete""#))
    #expect(missed.contains(#""page":"p""#))
    #expect(await events("other:1").contains("event: reload"))
    #expect(await events("\(try list.version.mark):99").contains("event: reload"))
    try list.change { list in try list.limitHistory(steps: 1, bytes: 1_000_000) }
    _ = try await list.v1(edits: #"{"update":{"ids":[2],"set":{"note":"x"}}}"#)
    #expect(await events(seen.text).contains("event: reload"))
  }
}
