import CustomersTestSupport
import Foundation
import Testing

/// `customers web people`: keys of their own for those who use the page.
@Suite(.onThreads) struct PeopleTests {
  /// Gives a person a key.
  private func key(_ sandbox: CLISandbox, _ words: String...) throws -> String {
    let result = try sandbox.run(words: ["web", "people", "add"] + words)
    let url = result.output.prefix { $0 != "\n" }
    #expect(result.code == 0 && url.contains("/#"), "\(result)")
    return String(url.suffix(32))
  }

  private func bearer(_ key: String) -> String {
    "Authorization: Bearer \(key)\r\nContent-Type: application/json\r\n"
  }

  /// Moves the third row to the start.
  private let move =
    #"{"edits":[{"move":{"ids":[3],"to":{"before":1}}}],"token":"0123456789abcdef0123456789abcdef"}"#

  private func edit(_ name: String) -> String {
    #"{"edits":[{"insert":{"customers":[{"first_name":"\#(name)"}]}}],"token":"\#(UUID().uuidString.replacing("-", with: ""))"}"#
  }

  @Test func `the history names who did what, and each key does what it may`() throws {
    let sandbox = try CLISandbox.withLetters()
    let early = try sandbox.run("web", "people", "add", "Ann")
    #expect(early.code == 4 && early.errors.contains("no page yet"), "\(early)")
    let web = try RunningWeb(sandbox, "--log", "log", "-q")
    let (ann, rita) = (try key(sandbox, "Ann Lee"), try key(sandbox, "Rita", "--read-only"))
    let made = try #require(try web.ask("POST", "/v1/edits", edit("By Ann"), headers: bearer(ann)))
    #expect(made.status == 200, "\(made)")
    let refused = try #require(try web.ask("POST", "/v1/edits", edit("By Rita"), headers: bearer(rita)))
    #expect(refused.status == 403 && refused.body.contains("read-only"), "\(refused)")
    let own = try #require(try web.ask("POST", "/v1/edits", edit("By me")))
    #expect(own.status == 200)
    for (key, isReadOnly) in [(ann, false), (rita, true), (web.token, false)] {
      let rows = try #require(try web.ask("GET", "/v1/rows?limit=1", headers: bearer(key)))
      #expect(rows.status == 200 && rows.body.contains(#""read_only":\#(isReadOnly)"#))
    }
    let history = try sandbox.run("history", "--limit", "2", "--json").output
    let steps = try #require(JSONSerialization.jsonObject(with: Data(history.utf8)) as? [[String: Any]])
    #expect(steps.map { $0["person"] as? String } == [nil, "Ann Lee"])
    #expect(try sandbox.run("history", "--limit", "2").output.contains("customers web add (Ann Lee)"))
    // Undo says whose step it is.
    #expect(try sandbox.run("undo", "-q").code == 0)
    let undone = try sandbox.run("undo", "-y")
    #expect(undone.output.contains("by Ann Lee"), "\(undone)")
    _ = try web.end(SIGTERM)
    let log = String(decoding: try bytes(of: sandbox.folder + "/log"), as: UTF8.self)
    #expect(
      log.contains(" Ann_Lee POST /v1/edits 200 ") && log.contains(" Rita POST /v1/edits 403 "), "\(log)")
    #expect(![ann, rita, web.token].contains(where: log.contains))
    try sandbox.expectSound()
  }

  @Test func `who is removed is out at once, also of an open stream`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let rita = try key(sandbox, "Rita", "--read-only")
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events", headers: bearer(rita)))
    let hello = stream.receive(through: "event: hello\n") + stream.event()
    #expect(hello.contains(#""read_only":true"#), "\(hello)")
    #expect(try sandbox.run("add", "Before", "-q") == .done())
    #expect(stream.event().contains("Before"))
    let removed = try sandbox.run("web", "people", "remove", "rita")
    #expect(removed == .done("Removed \"Rita\" from the page."))
    #expect(try sandbox.run("add", "After", "-q") == .done())
    let rest = stream.rest()
    #expect(!rest.contains("After"), "\(rest)")
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(rita))?.status == 401)
    // Whoever gets the name later is someone else.
    let next = try key(sandbox, "Rita")
    #expect(next != rita)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(rita))?.status == 401)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(next))?.status == 200)
    let ids = try sandbox.sqlite("SELECT count(DISTINCT uid) FROM persons WHERE name = 'Rita'")
    #expect(ids == "1\n")
    #expect(try sandbox.run("web", "people", "remove", "Nobody").code == 3)
    _ = try web.end(SIGTERM)
  }

  @Test func `streams say who is editing a row, by the name of the key`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let (ann, rita) = (try key(sandbox, "Ann Lee"), try key(sandbox, "Rita", "--read-only"))
    let before = try sandbox.run("history", "--json")
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events", headers: bearer(rita)))
    _ = stream.receive(through: "event: hello\n") + stream.event()
    func tell(_ key: String, _ ids: String) throws -> Int? {
      try web.ask("POST", "/v1/presence", #"{"page":"ab","ids":[\#(ids)]}"#, headers: bearer(key))?.status
    }
    #expect(try tell(rita, "1") == 403)
    for (key, ids, told) in [
      (ann, "3", #"[{"name":"Ann Lee","page":"ab","ids":[3]}]"#),
      (
        web.token, "1,9999",
        #"[{"name":"Ann Lee","page":"ab","ids":[3]},{"name":null,"page":"ab","ids":[1]}]"#
      ),
      (ann, "", #"[{"name":null,"page":"ab","ids":[1]}]"#),
    ] {
      #expect(try tell(key, ids) == 200)
      #expect(stream.event() == "event: presence\ndata: {\"people\":\(told)}\n\n")
    }
    #expect(try web.ask("GET", "/v1/events", headers: bearer(String(ann.dropLast())))?.status == 401)
    let late = try web.wire()
    late.send(web.request("GET", "/v1/events"))
    #expect(late.receive(through: "event: presence\n").contains("event: hello\n"))
    #expect(late.event().contains(#""ids":[1]"#))
    #expect(try sandbox.run("history", "--json") == before)
    _ = try web.end(SIGTERM)
  }

  @Test func `who is removed edits nothing anymore, as all streams say at once`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let ann = try key(sandbox, "Ann")
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events"))
    _ = stream.receive(through: "event: hello\n") + stream.event()
    let body = #"{"page":"ab","ids":[3]}"#
    #expect(try web.ask("POST", "/v1/presence", body, headers: bearer(ann))?.status == 200)
    #expect(stream.event().contains(#"{"people":[{"name":"Ann""#))
    let start = ContinuousClock.now
    #expect(try sandbox.run("web", "people", "remove", "Ann", "-q").code == 0)
    var event = ""
    while !event.hasPrefix("event: presence"), start.duration(to: .now) < .seconds(25) {
      event = stream.event()
    }
    #expect(event.hasSuffix("{\"people\":[]}\n\n"), "\(event)")
    _ = try web.end(SIGTERM)
  }

  @Test func `undoing that someone was added ends the key, and redoing it brings it back`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let uma = try key(sandbox, "Uma")
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events", headers: bearer(uma)))
    _ = stream.receive(through: "event: hello\n") + stream.event()
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(!stream.rest().contains("Uma"))
    #expect(try web.ask("POST", "/v1/edits", edit("After"), headers: bearer(uma))?.status == 401)
    #expect(try sandbox.run("web", "people", "--json") == .done("[]"))
    #expect(try sandbox.run("redo", "-q").code == 0)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(uma))?.status == 200)
    let unknown = try sandbox.run("web", "people", "bogus", "Uma")
    #expect(
      unknown.code == 2 && unknown.errors.contains("unknown word \"bogus\" of web people"), "\(unknown)")
    for name in [
      "a\nb", "a\u{1b}b", String(repeating: "a", count: 101), "", " ", "\u{A0}", "\u{200B}", "\u{202E}",
      "\u{3164}",
      " \u{200D}", "Ann\u{202E}", "An\u{200B}n",
    ] {
      let refused = try sandbox.run("web", "people", "add", name)
      #expect(refused.code == 2 && refused.errors.contains("characters that can be seen"), "\(refused)")
    }
    for name in ["-", "-x", "--read-only", "Kim · x", "· Kim", "·"] {
      let refused = try sandbox.run(words: ["web", "people", "add", "--", name])
      #expect(refused.code == 2 && refused.errors.contains("is no name"), "\(refused)")
    }
    for name in ["Marcel·lí", "Ann-Lee", "Zoë", "José María", "李雷", "राम", "👩‍👧"] { _ = try key(sandbox, name) }
    _ = try web.end(SIGTERM)
  }

  @Test func `whoever is back without a key gets one`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let old = try key(sandbox, "Rita")
    let again = try sandbox.run("web", "people", "add", "rita")
    #expect(again.code == 4 && again.errors.contains("customers web people remove Rita"), "\(again)")
    #expect(try sandbox.run("web", "people", "remove", "Rita", "-q").code == 0)
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("web", "people", "--json") == .done("[]"))
    let new = try key(sandbox, "rita")
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(old))?.status == 401)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(new))?.status == 200)
    #expect(try sandbox.run("web", "people", "--json").output.contains(#""name":"Rita""#))
    // That is a step: no other one is undone in its place, and a redo of what was before ends no key.
    _ = try sandbox.run("redo", "-q")
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(new))?.status == 200)
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(new))?.status == 401)
    _ = try web.end(SIGTERM)
  }

  @Test func `who has a key gives none, and ends none`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let (ann, rita) = (try key(sandbox, "Ann"), try key(sandbox, "Rita"))
    let ask = { (path: String, key: String) in
      let token = UUID().uuidString.replacing("-", with: "")
      return try #require(
        try web.ask("POST", path, #"{"token":"\#(token)"}"#, headers: self.bearer(key)))
    }
    let refused = try ask("/v1/undo", ann)
    #expect(refused.status == 403 && refused.body.contains("gives people keys"), "\(refused)")
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(rita))?.status == 200)
    #expect(try ask("/v1/undo", web.token).status == 200)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(rita))?.status == 401)
    #expect(try ask("/v1/redo", ann).status == 403)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(rita))?.status == 401)
    _ = try web.end(SIGTERM)
  }

  @Test func `a page that can only read takes the same keys, and changes nothing`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "--read-only", "-q")
    let (ann, form) = (try key(sandbox, "Ann"), try key(sandbox, "Form", "--add-only"))
    let rows = try #require(try web.ask("GET", "/v1/rows", headers: bearer(ann)))
    #expect(rows.status == 200 && rows.body.contains(#""read_only":true"#))
    for key in [ann, form] {
      #expect(try web.ask("POST", "/v1/edits", edit("New"), headers: bearer(key))?.status == 403)
    }
    _ = try web.end(SIGTERM)
  }

  @Test func `a stream ends none of another key`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let (rita, bob) = (try key(sandbox, "Rita", "--read-only"), try key(sandbox, "Bob", "--fields", "name"))
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events?page=ab"))
    _ = stream.receive(through: "event: hello\n") + stream.event()
    for key in [rita, bob, bob] {
      let other = try web.wire()
      other.send(web.request("GET", "/v1/events?page=ab", headers: bearer(key)))
      #expect(other.receive(through: "event: hello\n").hasPrefix("HTTP/1.1 200"))
    }
    let made = try #require(try web.ask("POST", "/v1/edits", edit("By Bob"), headers: bearer(bob)))
    #expect(made.status == 200)
    #expect(stream.event().contains("By Bob"))
    #expect(try sandbox.run("history", "--limit", "1").output.contains("customers web"))
    _ = try web.end(SIGTERM)
  }

  @Test func `a key ends after its last day`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let today = Date.now.formatted(.iso8601.year().month().day())
    let key = try key(sandbox, "Ann", "--until", today)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(key))?.status == 200)
    // The day after.
    let folder = "\(sandbox.folder)/.local/state/customers/web"
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix("-people") })
    let kept = String(decoding: try bytes(of: "\(folder)/\(name)"), as: UTF8.self)
    try CustomersTestSupport.write(
      Array(kept.replacing(today, with: "2020-01-01").utf8), to: "\(folder)/\(name)")
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(key))?.status == 401)
    #expect(try sandbox.run("web", "people").output.contains("2020-01-01 (ended)"))
    // A limit of a later version, or a word that no one knows, opens nothing.
    for line in [
      kept.replacing(#""rights":"edit""#, with: #""rights":"edit","room":"1""#),
      kept.replacing(#""edit""#, with: #""all""#), kept.replacing(today, with: "someday"),
    ] {
      try CustomersTestSupport.write(Array(line.utf8), to: "\(folder)/\(name)")
      #expect(try web.ask("GET", "/v1/rows", headers: bearer(key))?.status == 401, "\(line)")
    }
    // Of a file that is not whole, no one knows who is missing.
    let ends = kept.indices.filter { kept[$0] == "\n" }
    for text in ["", "[]", kept + kept.prefix(9)] + ends.map({ String(kept[..<$0].dropLast()) })
      + ends.dropLast().map({ String(kept[...$0]) })
    {
      try CustomersTestSupport.write(Array(text.utf8), to: "\(folder)/\(name)")
      #expect(try web.ask("GET", "/v1/rows", headers: bearer(key))?.status == 503, "\(text)")
      #expect(try web.ask("GET", "/v1/rows")?.status == 200)
    }
    for words in [[], ["add", "Bob"], ["remove", "Ann"]] {
      let refused = try sandbox.run(words: ["web", "people"] + words)
      #expect(refused.code == 8 && refused.errors.contains("are damaged"), "\(refused)")
    }
    let status = try sandbox.run("status")
    #expect(status.code == 10 && status.output.contains("customers web people"), "\(status)")
    // Others could have read it.
    try CustomersTestSupport.write(Array(kept.utf8), to: "\(folder)/\(name)")
    #expect(unsafe chmod("\(folder)/\(name)", 0o644) == 0)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(key))?.status == 503)
    #expect(try web.ask("GET", "/v1/rows")?.status == 200)
    for words in [[], ["add", "Bob"], ["remove", "Ann"]] {
      let refused = try sandbox.run(words: ["web", "people"] + words)
      #expect(refused.code == 4 && refused.errors.contains("chmod 600 "), "\(refused)")
    }
    #expect(String(decoding: try bytes(of: "\(folder)/\(name)"), as: UTF8.self) == kept)
    #expect(unsafe chmod("\(folder)/\(name)", 0o600) == 0)
    #expect(try web.ask("GET", "/v1/rows", headers: bearer(key))?.status == 200)
    // What only a later version understands stays.
    let own = String(kept[...ends[0]])
    let later = own.replacing("Ann", with: "Zoe").replacing(#"{"#, with: #"{"room":"1","#)
    try CustomersTestSupport.write(Array((later + kept).utf8), to: "\(folder)/\(name)")
    for day in ["today", "friday"] { _ = try self.key(sandbox, day, "--until", day) }
    #expect(try sandbox.run("web", "people", "remove", "friday").code == 0)
    let now = String(decoding: try bytes(of: "\(folder)/\(name)"), as: UTF8.self)
    #expect(now.hasPrefix(later + own) && now.contains(#""until":"\#(today)""#) && !now.contains("friday"))
    for words in [["--until", "2020-01-01"], ["--until", "soon"]] {
      #expect(try sandbox.run(words: ["web", "people", "add", "Bob"] + words).code == 2)
    }
    _ = try web.end(SIGTERM)
  }

  @Test func `keys are kept as digests, and not in the list or a copy of it`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let key = try key(sandbox, "Ann", "--allow-host", "list.example")
    #expect(try sandbox.run("backup", "copy.sqlite", "-q") == .done())
    let digest = try sandbox.shell("printf %s '\(key)' | sha256sum | cut -c1-64").output.dropLast()
    let found = try sandbox.shell(
      "grep -rl '\(key)' . ; grep -rl '\(digest)' . ; find . -name '*-people' -exec stat -c %a {} +; true")
    let lines = found.output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasSuffix("-people") && lines[1] == "600", "\(found)")
    // Refused for what is no name, and for one that is taken; then there is no key either.
    for name in ["", "ann"] {
      let refused = try sandbox.run("web", "people", "add", name)
      #expect([2, 3, 4].contains(refused.code), "\(refused)")
    }
    let people = try sandbox.run("web", "people", "--json").output
    #expect(people == #"[{"name":"Ann","rights":"edit","limited":false,"ended":false}]"# + "\n")
    #expect(
      try sandbox.run("web", "people", "add", "Bob", "-n") == .done("Would add \"Bob\" to the page."))
    #expect(
      try sandbox.run("web", "people", "add", "Bob", "-n", "--json")
        == .done(#"{"op":"web people add","name":"Bob","dry_run":true}"#))
    #expect(try sandbox.run("web", "people", "--json").output == people)
    _ = try web.end(SIGTERM)
  }

  @Test func `a key is for one list, and another page's key is none`() throws {
    let (first, second) = (try CLISandbox.withLetters(), try CLISandbox.withLetters())
    let (one, other) = (try RunningWeb(first, "-q"), try RunningWeb(second, "-q"))
    let ann = try key(first, "Ann")
    #expect(try one.ask("GET", "/v1/rows", headers: bearer(ann))?.status == 200)
    #expect(try other.ask("GET", "/v1/rows", headers: bearer(ann))?.status == 401)
    for wrong in [
      String(ann.dropLast()), ann + "0", ann.uppercased() + " ", "", String(repeating: "0", count: 32),
    ] {
      #expect(try one.ask("GET", "/v1/rows", headers: bearer(wrong))?.status == 401, "\(wrong)")
    }
    _ = try one.end(SIGTERM)
    _ = try other.end(SIGTERM)
  }

  @Test func `many people are added and removed at once, and none is lost`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let result = try sandbox.shell(
      """
      for n in 1 2 3 4 5 6 7 8; do customers web people add "Person $n" -q > key$n & done; wait
      for n in 1 2 3 4; do customers web people remove "Person $n" -q & done; wait
      customers web people --json
      """)
    let people = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(
      Set(people.compactMap { $0["name"] as? String }) == ["Person 5", "Person 6", "Person 7", "Person 8"])
    for number in 1...8 {
      let text = String(decoding: try bytes(of: "\(sandbox.folder)/key\(number)"), as: UTF8.self)
      let key = String(text.split(separator: "\n")[0].suffix(32))
      #expect(try web.ask("GET", "/v1/rows", headers: bearer(key))?.status == (number > 4 ? 200 : 401))
    }
    _ = try web.end(SIGTERM)
  }

  @Test func `only the account of the list has its keys, and its page's address`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    #expect(try sandbox.run("web", "address") == .done(web.url))
    if geteuid() == 0 {
      #expect(unsafe chown(sandbox.file, 65_534, 65_534) == 0)
      let refused = try sandbox.run("web", "people", "add", "Ann")
      #expect(refused.code == 4 && refused.errors.contains("sudo -u"), "\(refused)")
      #expect(unsafe chown(sandbox.file, 0, 0) == 0)
    }
    let far = try sandbox.otherMachine()
    let elsewhere = try sandbox.run(words: ["web", "people"], environment: far)
    #expect(elsewhere.code == 4 && elsewhere.errors.contains("where the list is"), "\(elsewhere)")
    _ = try web.end(SIGTERM)
  }
}
