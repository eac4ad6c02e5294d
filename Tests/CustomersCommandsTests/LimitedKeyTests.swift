import CustomerFixtures
import CustomersTestSupport
import Foundation
import Testing

/// Keys of `customers web people` that show a section or some columns: what they hide does not exist for them.
@Suite(.onThreads) struct LimitedKeyTests {
  /// In all values that a key must not show, and only there.
  private static let secret = "Xyzzy"

  /// A list with a public and a hidden section, and hidden columns of the public rows.
  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let rows = (1...40).map { number -> String in
      let section = number.isMultiple(of: 2) ? "Guests" : "\(Self.secret) club"
      let name = number.isMultiple(of: 2) ? "Guest \(number)" : "\(Self.secret) \(number)"
      return
        "\(section),\(name),\(Self.secret) Ltd,\(Self.secret)\(number)@x.example,555-0\(number),Table \(number % 5),\(Self.secret)"
    }
    let csv = "section,name,company,email,phone,Room,Guild\n" + rows.joined(separator: "\n") + "\n"
    #expect(try sandbox.run("import", "-", "--format", "csv", "-y", "-q", stdin: csv).code == 0)
    #expect(
      try sandbox.run(
        "log", "--where", "Room~Table", "\(Self.secret) said", "--next", "2026-01-01", "-q", "-y"
      ).code == 0)
    return sandbox
  }

  private func key(_ sandbox: CLISandbox, _ words: String...) throws -> String {
    let result = try sandbox.run(words: ["web", "people", "add"] + words)
    #expect(result.code == 0, "\(result)")
    return String(result.output.prefix { $0 != "\n" }.suffix(32))
  }

  private func bearer(_ key: String) -> String {
    "Authorization: Bearer \(key)\r\nContent-Type: application/json\r\n"
  }

  @Test func `a wall shows the section and the columns, and follows the list`() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("columns", "add", "Seats", "--kind", "number", "-q").code == 0)
    let web = try RunningWeb(sandbox, "-q")
    let seats = try key(sandbox, "Seats", "--read-only", "--fields", "name,Seats")
    let columns = try #require(try web.ask("GET", "/v1/columns", headers: bearer(seats)))
    #expect(columns.body.contains(#""title":"Seats","kind":"number""#) && !columns.body.contains("Guild"))
    let wall = try key(sandbox, "Wall", "--read-only", "--section", "guests", "--fields", "name,Room")
    let rows = try #require(try web.ask("GET", "/v1/rows", headers: bearer(wall)))
    let answer = try jsonObject(rows.body)
    #expect(rows.status == 200 && answer["count"] as? Int == 20 && answer["read_only"] as? Bool == true)
    #expect(rows.body.contains("Guest 2\"") && rows.body.contains("Table 3") && !rows.body.contains("555-0"))
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events", headers: bearer(wall)))
    #expect((stream.receive(through: "event: hello\n") + stream.event()).contains(#""read_only":true"#))
    #expect(try sandbox.run("add", "New Guest", "--section", "guests", "-q") == .done())
    #expect(stream.event().hasPrefix("event: reload"))
    #expect(
      try web.ask("GET", "/v1/rows?where=name~New", headers: bearer(wall))?.body.contains("New Guest") == true
    )
    // What happens elsewhere is no event.
    #expect(try sandbox.run("edit", "1", "--note", Self.secret, "-q") == .done())
    #expect(try sandbox.run("add", "Another Guest", "--section", "guests", "-q") == .done())
    #expect(!stream.event().contains(Self.secret))
    func listed() throws -> [String: Any] {
      let json = try sandbox.run("web", "people", "--json").output
      let all = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
      return try #require(all.first { $0["name"] as? String == "Wall" })
    }
    #expect(try listed()["section"] as? String == "Guests" && listed()["ended"] as? Bool == false)
    #expect(try listed()["fields"] as? [String] == ["First name", "Last name", "Room"])
    #expect(
      try sandbox.run("web", "people").output.contains("Guests: First name, Last name, Room"))
    #expect(try sandbox.run("section", "delete", "guests", "--with-customers", "-y", "-q") == .done())
    let gone = try #require(try web.ask("GET", "/v1/rows", headers: bearer(wall)))
    #expect(
      gone.status == 403 && gone.body.contains("was deleted") && !gone.body.contains("Guest"), "\(gone)")
    #expect(!stream.rest().contains("Guest"))
    #expect(try listed()["section"] == nil && listed()["ended"] as? Bool == true)
    _ = try web.end(SIGTERM)
  }

  /// Every request of every kind, with anything in it, learns nothing of what is hidden, and changes nothing of it.
  @Test(arguments: ["--read-only", "", "--add-only"])
  func `random requests learn nothing of what is hidden`(_ rights: String) throws {
    let sandbox = try sandbox()
    let web = try RunningWeb(sandbox, "-q")
    let may = rights.isEmpty ? [] : [rights]
    func key(_ words: String...) throws -> String {
      let result = try sandbox.run(words: ["web", "people", "add"] + words + may + ["--section", "guests"])
      #expect(result.code == 0, "\(result)")
      return String(result.output.prefix { $0 != "\n" }.suffix(32))
    }
    let keys = [try key("Wall", "--fields", "name,Room"), try key("Narrow", "--fields", "phone,room")]
    let hidden = try key("Section")
    let paths = [
      "rows", "ids", "rows/1", "rows/2", "rows/21", "rows/40", "rows/2/history", "rows/2/photo", "sections",
      "columns",
      "history", "history/1", "history/2", "next", "export", "events", "openapi.json", "duplicates",
      "suggestions", "tokens",
      "imports", "files/x",
    ]
    let queries = [
      "limit=3", "from=2", "section=1", "section=2", "where=Guild%3D\(Self.secret)",
      "where=name~\(Self.secret)",
      "where=email~x", "where=company!%3D", "q=\(Self.secret)", "text=\(Self.secret)", "sort=email",
      "sort=Guild", "sort=-company",
      "fields=email,Guild,name", "fields=note", "due=today", "due=2027-01-01", "format=csv", "format=json",
      "format=xlsx",
      "format=vcard", "format=ics", "after=abc:1", "outline=true", "steps=true", "field=company",
      "count_by=Guild",
    ]
    let bodies = [
      #"{"edits":[{"delete":{"ids":[1,2]}}]}"#,
      #"{"edits":[{"update":{"ids":[1],"set":{"company":"a"}}}],"dry_run":true}"#,
      #"{"edits":[{"update":{"ids":[3],"set":{"company":"a"}}}]}"#,
      #"{"edits":[{"update":{"ids":[3],"set":{"phone":"5","extra.Room":"b"}}}]}"#,
      #"{"edits":[{"move":{"ids":[4,5],"to":{"section":1}}}]}"#,
      #"{"edits":[{"move":{"ids":[6],"by":-90}}]}"#,
      #"{"edits":[{"insert":{"customers":[{"first_name":"Zed"}],"section":1}}]}"#,
      #"{"edits":[{"sort":{"by":["company"]}}]}"#,
      #"{"edits":[{"delete":{"view":{"where":"Guild=\#(Self.secret)"}}}]}"#,
      #"{"edits":[{"add_section":{"title":"A"}}]}"#, #"{"edits":[{"drop_column":{"name":"Guild"}}]}"#,
      "{}", #"{"format":"csv","file":"a"}"#, #"{"ids":[1,2,3]}"#, #"{"step":1}"#,
      #"{"text":"\#(Self.secret)"}"#, "[]", #"{"page":"ab","ids":[1,2,3]}"#,
    ]
    /// What must stay as it is: all, or what the key does not show.
    func kept() throws -> String {
      let all = rights == "--read-only"
      return try sandbox.run(
        words: all ? ["check", "--digest"] : ["list", "--json", "--section", "\(Self.secret) club"]
      ).output
    }
    let before = try kept()
    #expect(before.utf8.count > 60)
    var random = SplitMix64(seed: 2000)
    var answered = 0
    for _ in 0..<(isLong ? 2000 : 300) {
      let key = keys.randomElement(using: &random)!
      let path = paths.randomElement(using: &random)!
      let chosen = queries.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
      let query = chosen.isEmpty ? "" : "?" + chosen.joined(separator: "&")
      let isPost = Int.random(in: 0..<4, using: &random) == 0 && path != "events"
      let posts = ["edits", "undo", "redo", "revert", "export", "import", "pull", "files", "presence", path]
      let target = "/v1/\(isPost ? posts.randomElement(using: &random)! : path)\(query)"
      if !isPost, path == "events" {
        let stream = try web.wire()
        stream.send(web.request("GET", target, headers: bearer(key)))
        let head = stream.receive(through: "\r\n\r\n")
        if head.hasPrefix("HTTP/1.1 200") { #expect(!stream.event().contains(Self.secret)) }
        continue
      }
      let answer = try #require(
        try web.ask(
          isPost ? "POST" : "GET", target, isPost ? bodies.randomElement(using: &random)! : "",
          headers: bearer(key)),
        "\(target)")
      if answer.status == 200 { answered += 1 }
      // What was sent may be in an error.
      let told = answer.body.replacing("\"\(Self.secret)\"", with: "").replacing("'\(Self.secret)'", with: "")
      #expect(
        answer.status != 500 && (answer.status != 200 || !told.contains(Self.secret)), "\(target): \(answer)")
      if rights == "--read-only" {
        #expect(isPost ? answer.status != 200 || target.contains("export") : true, "\(target): \(answer)")
      }
    }
    #expect(answered > 20)
    #expect(try kept() == before)
    #expect(try sandbox.run("check", "-q").code == 0)
    #expect(try web.ask("GET", "/metrics", headers: bearer(hidden))?.status == 403)
    // The secret is there for whoever may see it.
    let open = try #require(try web.ask("GET", "/v1/rows", headers: bearer(hidden)))
    #expect(open.body.contains("\(Self.secret) Ltd") == (rights != "--add-only"))
    #expect(!open.body.contains("\(Self.secret) club"))
    _ = try web.end(SIGTERM)
  }

  /// A key is bound to its columns, not to their names.
  @Test func `a column that is renamed stays hidden or shown`() throws {
    let sandbox = try sandbox()
    let web = try RunningWeb(sandbox, "-q")
    let wall = try key(sandbox, "Wall", "--section", "guests", "--fields", "name,Room")
    func rows() throws -> String {
      let answer = try #require(try web.ask("GET", "/v1/rows", headers: bearer(wall)))
      #expect(answer.status == 200 && !answer.body.contains(Self.secret), "\(answer)")
      return answer.body
    }
    #expect(try rows().contains(#""Room":"Table 2""#))
    #expect(try sandbox.run("columns", "rename", "Room", "Seat", "-q") == .done())
    #expect(try rows().contains(#""Seat":"Table 2""#))
    #expect(try sandbox.run("web", "people").output.contains("Guests: First name, Last name, Seat"))
    // The hidden one gets the name that the other one had.
    #expect(try sandbox.run("columns", "rename", "Guild", "Room", "-q") == .done())
    #expect(try rows().contains(#""Seat":"Table 2""#))
    let id = try #require(try jsonObject(rows())["rows"] as? [[String: Any]])[0]["id"] as? Int ?? 0
    func set(_ name: String) throws -> Int? {
      let edit = #"{"edits":[{"update":{"ids":[\#(id)],"set":{"extra":{"\#(name)":"New"}}}}]}"#
      return try web.ask("POST", "/v1/edits", edit, headers: bearer(wall))?.status
    }
    #expect(try set("Room") == 403 && set("Seat") == 200)
    #expect(try sandbox.run("undo", "-q", "-y").code == 0)
    #expect(try sandbox.run("columns", "drop", "Seat", "-y", "-q") == .done())
    #expect(try !rows().contains("Table 2"))
    #expect(try sandbox.run("web", "people").output.contains("Last name, a deleted column"))
    #expect(try sandbox.run("columns", "rename", "Room", "Seat", "-q") == .done())
    #expect(try !rows().contains("Seat"))
    _ = try web.end(SIGTERM)
  }

  @Test func `limits that make no sense are refused`() throws {
    let sandbox = try sandbox()
    let web = try RunningWeb(sandbox, "-q")
    for (words, code) in [
      (["--read-only", "--add-only"], 2), (["--section", "nobody"], 3),
      (["--read-only", "--fields", "Nothing"], 2), (["--read-only", "--fields", "City"], 2),
      (["--read-only", "--fields", ""], 2),
    ] as [([String], Int32)] {
      let result = try sandbox.run(words: ["web", "people", "add", "Wall"] + words)
      #expect(result.code == code && result.output.isEmpty, "\(words): \(result)")
      if words.contains("--add-only") { #expect(result.errors.contains("can't be combined"), "\(result)") }
    }
    #expect(try sandbox.run("web", "people", "--json") == .done("[]"))
    _ = try web.end(SIGTERM)
  }
}
