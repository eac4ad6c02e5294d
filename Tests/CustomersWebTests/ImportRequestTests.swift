import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

@testable import CustomersWeb

/// Imports of tables: what columns become, where rows go, and files that come back.
@Suite(.onThreads) struct ImportRequestTests {
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B | Two: C") }

  private func ask(_ content: String, _ members: String, isDryRun: Bool = true) async throws -> Answer {
    let content = String(decoding: try JSONEncoder().encode(content), as: UTF8.self)
    return try await list.v1(
      "import",
      body: """
        {"name":"a.csv","content":\(content),"token":"\(TransactionToken().rawValue)","page":"p"\
        \(isDryRun ? #","dry_run":true"# : "")\(members.isEmpty ? "" : "," + members)}
        """)
  }

  private func columns(_ answer: Answer) -> [String] {
    (answer.object("table")["columns"] as? [[String: Any]] ?? []).map { column in
      ["name", "to", "kind"].map { column[$0] as? String ?? "" }.joined(separator: "|")
        + ((column["readings"] as? [String]).map { "|" + $0.joined(separator: ",") } ?? "")
    }
  }

  @Test func `a dry run has the start of the table, and what its columns become`() async throws {
    let rows = (1...9).map { "P\($0),p\($0)@x.example,0\($0)/02/2025,Club \($0)\n" }.joined()
    let answer = try await ask("Name,E-mail,Since,Club\n" + rows, "")
    #expect(
      columns(answer) == [
        "Name|name|", "E-mail|email|", "Since|extra|text|day first,month first", "Club|extra|text",
      ])
    let shown = answer.object("table")["rows"] as? [[String]]
    #expect(shown?.count == 5 && shown?.first == ["P1", "p1@x.example", "01/02/2025", "Club 1"])
    #expect(answer.object("table")["is_returned"] as? Bool == false)
    // A file that is no table has none.
    let card = try await list.v1(
      "import", body: #"{"name":"a.vcf","content":"BEGIN:VCARD\nFN:Dan\nEND:VCARD\n","dry_run":true}"#)
    #expect(card.status == 200 && card.json["table"] == nil)
  }

  @Test func `columns become what was chosen, and rows go where they are to go`() async throws {
    let file = "Wer,Seit,Mail\nDan,01/02/2025,d@x.example\n"
    let members = #"""
      "columns":[{"name":"Wer","to":"name"},{"name":"Seit","to":"extra.Since","kind":"month first"},{"name":"Mail","to":"-"}],
      "section":2,"to":"first"
      """#
    #expect(columns(try await ask(file, members)) == ["Wer|name|", "Seit|extra.Since|date", "Mail|-|"])
    #expect(try await ask(file, members, isDryRun: false).status == 200)
    let dan = try list.look { try $0.customer(named: "Dan") }
    #expect(dan.fields[.extra("Since")].text == "2025-01-02" && dan.fields.email.isEmpty)
    #expect(dan.place == CustomerPlace(section: 2, order: 1))
    #expect(
      try await ask(file, members.replacing("\"first\"", with: #"{"after":9}"#), isDryRun: false).status
        >= 400)
  }

  @Test(arguments: [
    (#""columns":[{"name":"Wer","to":"nobody"}]"#, 400), (#""columns":[{"name":"Wer","kind":"color"}]"#, 400),
    (#""columns":[{"name":"Wer","to":"name"},{"name":"Seit","to":"last_name"}]"#, 422),
    (#""columns":[{"name":"Wer","to":"name"},{"name":"Room","kind":"number"}]"#, 422),
    (#""columns":[{"name":"Nobody","to":"name"}]"#, 422), ("", 422),
  ])
  func `what can't be is refused, with the table in which it is put right`(members: String, status: Int)
    async throws
  {
    let before = try list.version
    let answer = try await ask("Wer,Seit\nDan,01.02.2025\n", members)
    #expect(answer.status == status, "\(answer.json)")
    if !members.contains("last_name"), status == 422 {
      #expect(
        answer.object("table")["rows"] as? [[String]] == [["Dan", "01.02.2025"]] || members.contains("Nobody")
      )
    }
    #expect(try list.version == before)
  }

  @Test func `a file with ids comes back, and each conflict is decided`() async throws {
    try list.change { list in
      for id in 1...3 { try list.update(CustomerID(rawValue: Int64(id))) { $0.phone = "old" } }
    }
    let name = String(repeating: "b", count: 32)
    #expect(
      try await list.v1("export", body: #"{"file":"\#(name)","format":"vcard","with_ids":true}"#).status
        == 400)
    #expect(
      try await list.v1("export", body: #"{"file":"\#(name)","format":"csv","with_ids":true}"#).status == 200)
    let bytes = await list.api.answer(
      APIRequest(method: "GET", path: "/v1/files", query: ["file": name, "at": "0"])
    ).body
    let file = String(decoding: bytes, as: UTF8.self).replacing("old", with: "file")
    try list.change { list in
      for id in 1...2 { try list.update(CustomerID(rawValue: Int64(id))) { $0.phone = "list" } }
    }
    let preview = try await ask(file, #""duplicates":"update""#)
    #expect(preview.object("table")["is_returned"] as? Bool == true)
    let conflicts = preview.objects("conflicts")
    #expect(
      conflicts.map { $0["text"] as? String } == [
        "\"A\" (@1): phone is \"list\" here, \"file\" in the file",
        "\"B\" (@2): phone is \"list\" here, \"file\" in the file",
      ])
    // Someone must say whose change counts.
    let refused = try await ask(file, #""duplicates":"update""#, isDryRun: false)
    #expect(refused.status == 409 && refused.objects("conflicts").count == 2)
    let keys = conflicts.compactMap { $0["key"] as? String }
    let sides =
      #""duplicates":"update","sides":[{"key":"\#(keys[0])","side":"ours"},{"key":"\#(keys[1])","side":"theirs"}]"#
    #expect(try await ask(file, sides, isDryRun: false).status == 200)
    #expect(
      try list.look { list in try (1...3).map { try list.customer(CustomerID(rawValue: $0)).fields.phone } }
        == ["list", "file", "file"])
  }

  @Test func `a copy of the list is fetched, and opens`() async throws {
    let name = String(repeating: "c", count: 32)
    let answer = try await list.v1("backup", body: #"{"file":"\#(name)"}"#)
    #expect(answer["text"] == "Backed up 3 customers." && answer["name"] == "customers.sqlite")
    var bytes: [UInt8] = []
    while bytes.count < answer[number: "size"] ?? 0 {
      bytes += await list.api.answer(
        APIRequest(method: "GET", path: "/v1/files", query: ["file": name, "at": "\(bytes.count)"])
      ).body
    }
    try withTemporaryFolder { folder in
      try Data(bytes).write(to: URL(filePath: folder + "/copy.sqlite"))
      #expect(
        try CustomerStore(path: folder + "/copy.sqlite").read { try SampleList($0) }
          == list.look { try SampleList($0) })
    }
  }

  @Test func `customers that may be the same are listed in groups`() async throws {
    try list.change { list in
      for id in [1, 3] { try list.update(CustomerID(rawValue: Int64(id))) { $0.phone = "+49 30 123456" } }
    }
    let answer = try await list.v1("duplicates")
    let groups = answer.objects("groups")
    #expect(answer[number: "count"] == 1 && groups.first?["reasons"] as? [String] == ["phone"])
    #expect((groups.first?["rows"] as? [[String: Any]])?.map { $0["id"] as? Int } == [1, 3])
  }
}
