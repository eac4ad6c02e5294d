import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersText
@testable import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// Searches and other orders of a page.
@Suite(.onThreads) struct ViewRequestTests {
  private let list: TestAPI

  init() throws {
    list = try TestAPI("Ann Lee, Bob Lee, Cid Ray | More: Dan Lee, Eve Kay")
    try list.change { list in
      try list.update(3) { ($0.note, $0.company) = ("met Lee", "acme") }
      try list.update(5) { ($0.phone, $0.company, $0.extra) = ("555 1234", "Beta", #"{"Age":"30"}"#) }
    }
  }

  private func names(_ answer: Answer) -> [String] {
    answer.objects("rows").compactMap { $0["name"] as? String }
  }

  @Test func `only matches are shown, with their rows in the list and the field that matched`() async throws {
    let answer = try await list.view("lee")
    #expect(answer.status == 200)
    #expect(names(answer) == ["Ann Lee", "Bob Lee", "Cid Ray", "Dan Lee"])
    #expect(answer.objects("rows").map { $0["position"] as? Int } == [1, 2, 3, 4])
    #expect(answer.objects("rows").map { $0["match"] as? String } == ["", "", "", ""])
    #expect(answer[number: "count"] == 4)
    let found = answer.object("found")
    #expect(found["count"] as? Int == 4 && found["read"] as? Int == 5 && found["complete"] as? Bool == true)
    // The subtitle is the note, so it need not be shown again; the phone number is nowhere else.
    #expect(
      try await list.view("5551234").objects("rows").map { $0["match"] as? String } == ["Phone: 555 1234"])
  }

  @Test func `values that a question can't compare are counted, with and without a session`() async throws {
    try list.change { list in
      try list.declareColumn("Due", kind: .date)
      for (id, due) in [(1, "2026-11-20"), (2, "soon"), (3, "2026-12-20"), (4, "later")] {
        try list.update(CustomerID(rawValue: Int64(id))) { $0[.extra("Due")] = .text(due) }
      }
    }
    for answer in [
      try await list.view("Due<2026-12-01"), try await list.v1("rows", ["where": "Due<2026-12-01"]),
    ] {
      #expect(names(answer) == ["Ann Lee"])
      let skipped = answer.objects("skipped")
      #expect(
        skipped.map { $0["column"] as? String } == ["Due"] && skipped.map { $0["count"] as? Int } == [2])
      #expect(skipped.map { $0["kind"] as? String } == ["date"])
    }
    let found = try await list.view("Due<2026-12-01").object("found")
    #expect(found["skipped"] as? String == "2 values of \"Due\" are no dates")
    #expect(try await list.view("lee").json["skipped"] == nil)
    #expect(try await list.v1("rows", ["where": "name~lee"]).json["skipped"] == nil)
  }

  @Test func `in place all rows are shown, and the matches among them are marked`() async throws {
    let answer = try await list.view("lee", only: false)
    #expect(names(answer) == ["Ann Lee", "Bob Lee", "Cid Ray", "Dan Lee", "Eve Kay"])
    #expect(answer.objects("rows").map { $0["match"] != nil } == [true, true, true, true, false])
    #expect(answer[number: "count"] == 5 && answer.object("found")["count"] as? Int == 4)
  }

  @Test(arguments: [
    ("section=More", ["Dan Lee", "Eve Kay"]), ("company=Acme or age>20", ["Cid Ray", "Eve Kay"]),
    ("name~lee company=", ["Ann Lee", "Bob Lee", "Dan Lee"]), ("Nothing=x", []), ("", []),
  ])
  func `the terms of --where are understood`(text: String, expected: [String]) async throws {
    let all = ["Ann Lee", "Bob Lee", "Cid Ray", "Dan Lee", "Eve Kay"]
    #expect(names(try await list.view(text)) == (text.isEmpty ? all : expected))
  }

  @Test func `rows are sorted for the view, and the list stays as it is`() async throws {
    let sorted = try await list.view("", sort: "company")
    #expect(names(sorted) == ["Cid Ray", "Eve Kay", "Ann Lee", "Bob Lee", "Dan Lee"])
    #expect(sorted.objects("rows").map { $0["position"] as? Int } == [3, 5, 1, 2, 4])
    #expect(
      names(try await list.view("", sort: "-name")) == [
        "Eve Kay", "Dan Lee", "Cid Ray", "Bob Lee", "Ann Lee",
      ])
    #expect(
      names(try await list.view("lee", sort: "extra.Age")) == ["Ann Lee", "Bob Lee", "Cid Ray", "Dan Lee"])
    #expect(names(try await list.view("lee", only: false, sort: "-name")).first == "Eve Kay")
    #expect(try list.ids == [1, 2, 3, 4, 5])
  }

  @Test func `a long list is sorted`() async throws {
    let store = try CustomerStore.inMemory(.generated(6_000, sections: 2))
    let answer = try await TestAPI(store).view("", sort: "company", ["from": "5996", "limit": "5"])
    let order = SortOrder(by: [.field(.company)])
    let all = try await store.read { list in
      order.sorted(try list.customers(matching: RowFilter())).map { Int($0.id.rawValue) }
    }
    #expect(answer.status == 200 && answer.objects("rows").compactMap { $0["id"] as? Int } == all.suffix(5))
  }

  @Test func `a window of matches is around its anchor, and within them`() async throws {
    let around = try await list.view("lee", ["around": "4"])
    #expect(around[number: "from"] == 1 && names(around).count == 4)
    let two = try await list.view("lee", ["limit": "2", "around": "4"])
    #expect(names(two) == ["Cid Ray", "Dan Lee"] && two[number: "from"] == 3)
    let other = try await list.view("lee", ["from": "4", "limit": "2", "around": "5"])
    #expect(names(other) == ["Dan Lee"])
    #expect(names(try await list.view("zzz", ["from": "9223372036854775807", "limit": "500"])) == [])
  }

  @Test func `the next match below a row, and the last above it, are found`() async throws {
    func hit(_ row: Int, _ by: Int) async throws -> Int? {
      let answer = try await list.view("lee", only: false, [by > 0 ? "below" : "above": "\(row)"])
      return answer.objects("rows").first?["position"] as? Int
    }
    #expect(try await hit(0, 1) == 1)
    #expect(try await hit(2, 1) == 3)
    #expect(try await hit(4, 1) == nil)
    #expect(try await hit(3, -1) == 2)
    #expect(try await hit(1, -1) == nil)
    #expect(try await hit(.max, -1) == 4)
  }

  @Test func `all matches are named, to be moved or deleted in one edit`() async throws {
    for query in [["session": "p", "text": "lee"], ["text": "lee"], ["where": "name~lee or note~lee"]] {
      let answer = try await list.v1("ids", query)
      #expect(answer.json["complete"] as? Bool == true && answer.ids == [1, 2, 3, 4])
      #expect(answer["version"] == (try list.version).text)
    }
    #expect(try await list.v1("ids").ids == [1, 2, 3, 4, 5])
    #expect(try await list.v1("ids", ["section": "2"]).ids == [4, 5])
    // By the text, however many they are, as long as they are those that were seen.
    let seen = try list.version
    try list.change { try $0.update(2) { $0.note = "x" } }
    let edit = #"{"delete":{"view":{"text":"lee"}}}"#
    #expect(try await list.edit(edit, seen: seen)["reason"] == "changed")
    #expect(try await list.edit(edit).status == 200)
    #expect(try list.ids == [5])
    #expect(try await list.v1("ids", ["session": "p", "text": "lee"]).ids == [])
    for text in ["", " "] {
      #expect(try await list.edit(#"{"delete":{"view":{"text":"\#(text)"}}}"#).kind == "invalid")
    }
  }

  @Test func `another program's edits are found by the next request`() async throws {
    #expect(names(try await list.view("lee")).count == 4)
    try list.change { list in
      try list.delete([1, 2])
      try list.insert(CustomerFields(name: "Fay Lee"), at: .last)
      try list.move([4], to: .first)
    }
    #expect(Set(names(try await list.view("lee"))) == ["Dan Lee", "Cid Ray", "Fay Lee"])
    #expect(names(try await list.view("lee", sort: "name")).first == "Cid Ray")
  }

  @Test func `many pages have sessions, of which the older are lost without harm`() async throws {
    for round in 1...2 {
      for page in 1...9 {
        #expect(names(try await list.view("lee", page: "page\(page)")).count == 4, "\(round)")
      }
    }
  }

  @Test func `the sessions of pages that search at the same time are kept`() async {
    let sessions = ViewSessions()
    var first: [ViewSession] = []
    for page in 1...20 { first.append(await sessions.session(of: "\(page)")) }
    for page in 1...20 { #expect(await sessions.session(of: "\(page)") === first[page - 1]) }
    // But not of any number of pages.
    for page in 21...100 { _ = await sessions.session(of: "\(page)") }
    #expect(await sessions.session(of: "1") !== first[0])
  }

  @Test func `the columns that a page asks for are sent, and others are not`() async throws {
    let rows = try await list.view("", ["fields": "extra.Age\ncompany\n"]).objects("rows")
    #expect(rows[4]["extra.Age"] as? String == "30" && rows[4]["company"] as? String == "Beta")
    #expect(rows[4]["phone"] == nil)
    let all = try await list.v1("columns").objects("columns")
    #expect(all[2]["name"] as? String == "company" && all.last?["name"] as? String == "extra.Age")
    #expect(all.last?["title"] as? String == "Age")
  }

  @Test func `a list that can only be read is searched too`() async throws {
    let reader = TestAPI(list.store, isReadOnly: true)
    #expect(try await reader.view("lee").objects("rows").count == 4)
  }

  @Test(arguments: [
    ["text": "x", "only": "1"], ["text": "x", "sort": "nothing"], ["text": "x", "where": "City=Bonn"],
    ["session": String(repeating: "p", count: 65)], ["text": String(repeating: "x", count: 1_001)],
    ["above": "-1"],
  ])
  func `a wrong request is refused, with the reason`(query: [String: String]) async throws {
    let answer = try await list.view("x", query)
    #expect(answer.kind == "bad_request" && answer.message?.isEmpty == false, "\(answer.json)")
  }

  @Test func `a question with a value that can't be compared says what is wrong`() async throws {
    try list.change { try $0.declareColumn("Due", kind: .date) }
    let problem = "Due: \"tomorow\" is not a date; did you mean tomorrow?"
    let found = try await list.view("Due<tomorow").object("found")
    #expect(found["problem"] as? String == problem && found["count"] as? Int == 0)
    #expect(try await list.view("Due<today").object("found")["problem"] == nil)
    let alone = try await list.v1("rows", ["text": "Due<tomorow"])
    #expect(alone.status == 422 && alone.message?.contains("\"tomorow\" is not a date") == true)
  }
}

/// A long list, which is searched in pieces.
@Suite(.onThreads) struct LongSearchTests {
  @Test func `keys typed in any order find what a search of the whole list finds`() async throws {
    let folder = try TemporaryFolder()
    let list = TestAPI(try CustomerStore(path: folder.path + "/list.sqlite"))
    try list.change { list in
      let new = (1...12_000).map { NewCustomer(CustomerFields(name: "N\($0 * 7919 % 12_000)")) }
      try list.apply(.insert(new))
    }
    var random = SplitMix64(seed: 35)
    var text = ""
    for round in 0..<60 {
      switch random.below(4) {
      case 0: text = String(text.dropLast(random.below(3)))
      case 1 where round % 3 == 0:
        try list.change { list in
          let id = try list.customers(matching: RowFilter(), limit: 1 + random.below(50)).last?.id
          if random.oneIn(2) { try list.delete([id!]) } else { try list.move([id!], to: .last) }
        }
      default: text += ["n", "1", "2", "7", " ", "n1"][random.below(6)]
      }
      guard !text.allSatisfy(\.isWhitespace) else { continue }
      let wanted = try list.look { try $0.search(text).map { Int($0.id.rawValue) } }
      var answer = try await list.view(text, ["limit": "500"])
      while answer.object("found")["complete"] as? Bool != true {
        answer = try await list.view(text, ["limit": "500"])
      }
      #expect(answer.objects("rows").compactMap { $0["id"] as? Int } == Array(wanted.prefix(500)), "\(text)")
      #expect(
        answer.object("found")["count"] as? Int == wanted.count && answer[number: "count"] == wanted.count)
    }
  }
}
