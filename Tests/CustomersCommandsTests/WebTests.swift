import CustomerFixtures
import CustomersTestSupport
import Foundation
import Testing

/// `customers web` as a person runs it.
@Suite(.onThreads) struct WebTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `it prints its address, answers, and ends with all streams at a signal`(signal: Int32) throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox)
    #expect(web.url.wholeMatch(of: /http:\/\/localhost:\d+\/#[0-9a-f]{32}/) != nil)
    let page = try web.ask("GET", "/", headers: "")
    #expect(page?.status == 200 && page?.body.hasPrefix("<!doctype html>") == true)
    let rows = try web.ask("GET", "/v1/rows?from=1&limit=2")
    #expect(rows?.status == 200 && rows?.body.contains(#""name":"A""#) == true)
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events?page=a"))
    #expect(stream.receive(through: "\r\n\r\n").contains("text/event-stream"))
    #expect(stream.event().hasPrefix("event: hello\n"))
    // What another program does arrives.
    #expect(try sandbox.run("move", "2", "1", "-q") == .done())
    #expect(stream.event().hasPrefix("event: edit\n"))
    let outcome = try web.end(signal)
    #expect(
      outcome == ProcessResult(output: "\(web.url)\nPress Ctrl-C to stop.\n", errors: "", code: 128 + signal))
    #expect(stream.rest() == "")
    #expect(try sandbox.names == [".local", "customers.sqlite"])
    try sandbox.expectSound()
  }

  @Test func `answers are compressed if the peer takes gzip, and not sent again if it has them`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("name,note\n" + (1...90).map { "N\($0),something\n" }.joined(), to: "more.csv")
    #expect(try sandbox.run("import", "more.csv", "-q").code == 0)
    let web = try RunningWeb(sandbox, "-q")
    let asked = try sandbox.shell(
      """
      python3 - <<'END'
      import gzip, urllib.error, urllib.request
      def ask(path, **headers):
          names = {name.replace("_", "-"): value for name, value in headers.items()}
          request = urllib.request.Request("http://localhost:\(web.port)" + path, headers={**names, "Authorization": "Bearer \(web.token)"})
          try:
              with urllib.request.urlopen(request) as answer: return answer.status, answer.headers, answer.read()
          except urllib.error.HTTPError as error: return error.code, error.headers, error.read()
      for path in "/", "/v1/rows?from=1&limit=90":
          _, plain, bytes = ask(path)
          _, headers, fewer = ask(path, Accept_Encoding="br;q=1, gzip;q=0.5")
          print(plain["Content-Encoding"], headers["Content-Encoding"], headers["Vary"], gzip.decompress(fewer) == bytes, len(fewer) < len(bytes) / 2)
          print(ask(path, Accept_Encoding="gzip;q=0, identity")[2] == bytes, plain["ETag"] == headers["ETag"])
          status, headers, body = ask(path, If_None_Match='"other", ' + plain["ETag"])
          print(status, body, headers["Content-Length"], headers["ETag"] == plain["ETag"])
          print(ask(path, If_None_Match='"other"')[0])
      tag = ask("/v1/rows?from=1&limit=90")[1]["ETag"]
      import subprocess
      subprocess.run(["\(CLISandbox.program)", "move", "3", "1", "-q"], check=True)
      print(ask("/v1/rows?from=1&limit=90", If_None_Match=tag)[0], ask("/health")[1]["Content-Encoding"])
      END
      """)
    let each = "None gzip Accept-Encoding True True\nTrue True\n304 b'' None True\n200\n"
    #expect(asked == .done(each + each + "200 None"))
    _ = try web.end(SIGTERM)
  }

  @Test func `each request has a line in the log, without values and keys`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("earlier\n", to: "log")
    let web = try RunningWeb(sandbox, "--log", "log", "-q")
    let (stream, key) = (try web.wire(), web.token)
    stream.send(web.request("GET", "/v1/events?page=secret"))
    #expect(stream.receive(through: "\r\n\r\n").contains(" 200 "))
    _ = try web.ask("GET", "/v1/rows?from=secret")
    _ = try web.ask("GET", "/v1/rows", headers: "Authorization: Bearer secret\r\n")
    _ = try web.ask("GET", "/\(key)")
    _ = try web.ask("PUT", "/v1/rows")
    _ = try web.ask("GET", "/health", headers: "")
    _ = try web.end(SIGTERM)
    let lines = String(decoding: try bytes(of: sandbox.folder + "/log"), as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "earlier")
    let asked = lines.dropFirst().map { $0.split(separator: " ") }
    #expect(
      asked.map { $0[1...4].joined(separator: " ") } == [
        "- GET /v1/events 200", "- GET /v1/rows 400", "- GET /v1/rows 401", "- - - 404", "- - - 405",
        "- GET /health 200",
      ])
    for words in asked {
      #expect(words[0].wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
      #expect(words.count == 6 && Int(words[5]).map { $0 >= 0 } == true)
    }
    // Nothing is added to a list.
    let refused = try sandbox.run("web", "--log", "customers.sqlite")
    #expect(refused.code == 4 && refused.errors.contains("this is the list itself"))
    try sandbox.expectSound()
  }

  @Test func `readers that leave while the list is edited stop neither the server nor its end`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let editor = try sandbox.start([
      "/bin/sh", "-c", "while \"$CUSTOMERS\" move 1 2 -q && [ ! -e done ]; do :; done",
    ]).spawn.start()
    let end = ContinuousClock.now + (isLong ? .seconds(600) : .seconds(1))
    DispatchQueue.concurrentPerform(iterations: 6) { reader in
      var random = SplitMix64(seed: reader)
      while ContinuousClock.now < end {
        guard let wire = try? web.wire() else { break }
        wire.send(web.request("GET", "/v1/events?page=\(random.below(3) == 0 ? 0 : reader)"))
        guard wire.receive(through: "\r\n\r\n").contains(" 200 ") else { break }
        usleep(UInt32(random.below(100_000)))
      }
    }
    #expect(try web.ask("GET", "/v1/rows?from=1&limit=1")?.status == 200)
    // Who stays gets the edits.
    let stays = try web.wire()
    stays.send(web.request("GET", "/v1/events"))
    _ = stays.receive(through: "event: edit\n")
    #expect(try web.end(SIGTERM) == ProcessResult(output: web.url + "\n", errors: "", code: 128 + SIGTERM))
    try sandbox.write("", to: "done")
    #expect(Spawn.wait(editor) == 0)
    try sandbox.expectSound()
  }

  @Test func `a stream after a version does not begin with what that version has`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    // So that the server follows the list, and has not always seen the last edit.
    let other = try web.wire()
    other.send(web.request("GET", "/v1/events"))
    _ = other.receive(through: "event: hello\n")
    for round in 0..<10 {
      let row = round % 2 == 0 ? "1" : "2"
      #expect(try sandbox.run("move", row, row == "1" ? "2" : "1", "-q").code == 0)
      let rows = try #require(try web.ask("GET", "/v1/rows?limit=0")?.body)
      let seen = try #require(rows.firstMatch(of: /"version":"([^"]+)"/)?.1)
      let stream = try web.wire()
      stream.send(web.request("GET", "/v1/events?after=\(seen)"))
      #expect(stream.receive(through: "\r\n\r\n").contains("text/event-stream"))
      #expect(stream.event().hasPrefix("event: hello\n"))
      #expect(try sandbox.run("move", "3", "4", "-q").code == 0)
      let event = stream.event()
      #expect(event.matches(of: /"text":"Moved/).count == 1 && event.contains("3 → 4"), "\(event)")
    }
    _ = try web.end()
  }

  @Test func `an edit of the page is in the list, and undone by the command line`() throws {
    let sandbox = try CLISandbox.withLetters()
    let before = try sandbox.run("list")
    let web = try RunningWeb(sandbox, "-q")
    let version = try #require(
      try web.ask("GET", "/v1/rows?limit=1")?.body.firstMatch(of: /"version":("[^"]*")/)
    ).1
    let token = String(UInt64(Date().timeIntervalSince1970 * 1000), radix: 16)
    let body =
      #"{"token":"\#(String(repeating: "0", count: 12 - token.count))\#(token)\#(String(repeating: "1", count: 20))","#
      + #""seen":\#(version),"edits":[{"move":{"ids":[2],"to":1}}],"page":"a"}"#
    let answer = try web.ask("POST", "/v1/edits", body)
    #expect(answer?.status == 200, "\(answer?.body ?? "")")
    #expect(try web.end().output == web.url + "\n")
    #expect(try sandbox.run("list") != before)
    #expect(try sandbox.run("history", "--limit", "1").output.contains("  customers web move  "))
    // It is the same person's, so nothing is asked.
    #expect(try sandbox.run("undo", "-q") == .done())
    #expect(try sandbox.run("list") == before)
  }

  @Test func `a stranger gets nothing, and nothing is said of it`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox)
    #expect(try web.ask("GET", "/v1/rows?from=1&limit=2", headers: "")?.status == 401)
    let wrong = "Authorization: Bearer \(String(repeating: "0", count: 32))\r\n"
    #expect(try web.ask("GET", "/v1/rows?from=1&limit=2", headers: wrong)?.status == 401)
    let known = "Authorization: Bearer \(web.token)\r\n"
    #expect(
      try web.ask("GET", "/v1/rows?from=1&limit=2", headers: known + "Origin: https://a.example\r\n")?.status
        == 403)
    let wire = try web.wire()
    wire.send("GET /v1/rows?from=1&limit=2 HTTP/1.1\r\nHost: rebound.example:\(web.port)\r\n\(known)\r\n")
    #expect(wire.answer()?.status == 421)
    #expect(try web.end().errors == "")
  }

  @Test func `port and key outlive a restart, for this list only, and only its owner can read them`() throws {
    let sandbox = try CLISandbox.withLetters()
    let first = try RunningWeb(sandbox)
    _ = try first.end()
    let second = try RunningWeb(sandbox)
    #expect(second.url == first.url)
    // While a program of the same user has the port, the page is nowhere else.
    #expect(
      try sandbox.spawn("web")
        == .failed(
          1,
          "customers: can't listen on port \(first.port): Address already in use\nhint: to use another port: customers web --port N"
        ))
    _ = try second.end()
    let third = try RunningWeb(sandbox)
    #expect(third.url == first.url)
    _ = try third.end()
    #expect(
      try sandbox.shell(
        "mv customers.sqlite other; find .local -type f -perm 600 | wc -l; find .local -type f | wc -l")
        == .done("1\n1"))
    let moved = try RunningWeb(sandbox, "--db", "other")
    #expect(moved.token != first.token)
    _ = try moved.end()
  }

  @Test(.enabled(if: geteuid() == 0, "another user needs root"))
  func `another user who has the port does not learn a key that is used later`() throws {
    let sandbox = try CLISandbox.withLetters()
    let first = try RunningWeb(sandbox)
    _ = try first.end()
    let program = """
      import os, socket, time
      os.setuid(65534)
      other = socket.create_server(("127.0.0.1", \(first.port)))
      print("ready", flush=True)
      time.sleep(1000)
      """
    let other = try sandbox.start(["python3", "-c", program])
    let process = try other.spawn.start()
    try waitUntil("the port is taken") { try other.outcome(code: 0).output.contains("ready") }
    #expect(
      try sandbox.spawn("web")
        == .failed(
          1,
          """
          customers: can't listen on port \(first.port): Address already in use
          Another user has it and may have seen the key: the page has another key from now on.
          hint: to use another port: customers web --port N
          """))
    kill(process, SIGKILL)
    _ = Spawn.wait(process)
    let second = try RunningWeb(sandbox)
    #expect(second.port == first.port && second.token != first.token)
    _ = try second.end()
  }

  @Test func `a port that is named is kept, or refused if it is in use`() throws {
    let sandbox = try CLISandbox.withLetters()
    let any = try RunningWeb(sandbox)
    let taken = try sandbox.spawn("web", "--port", "\(any.port)")
    #expect(
      taken
        == .failed(
          1,
          "customers: can't listen on port \(any.port): Address already in use\nhint: to use another port: customers web --port N"
        ))
    _ = try any.end()
    let named = try RunningWeb(sandbox, "--port", "\(any.port)")
    #expect(named.url == any.url)
    _ = try named.end()
  }

  @Test func `with --read-only nothing is changed`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.expectUntouched {
      let web = try RunningWeb(sandbox, "--read-only")
      #expect(try web.ask("GET", "/v1/rows?from=1&limit=1")?.body.contains(#""read_only":true"#) == true)
      for path in ["/v1/edits", "/v1/undo", "/v1/redo", "/v1/revert", "/v1/import", "/v1/pull"] {
        let answer = try web.ask("POST", path, "{}")
        #expect(answer?.status == 403 && answer?.body.contains("This list is read-only.") == true)
      }
      #expect(try web.end().code == 130)
    }
  }

  @Test func `whoever can only read gets a key of its own`() throws {
    let sandbox = try CLISandbox.withLetters()
    let writer = try RunningWeb(sandbox)
    let reader = try RunningWeb(sandbox, "--read-only")
    #expect(reader.token != writer.token && reader.port != writer.port)
    let key = "Authorization: Bearer \(reader.token)\r\nContent-Type: application/json\r\n"
    #expect(try writer.ask("POST", "/v1/undo", "{}", headers: key)?.status == 401)
    #expect(try reader.end().errors == "" && writer.end().errors == "")
    let (again, readOnly) = (try RunningWeb(sandbox), try RunningWeb(sandbox, "--read-only"))
    #expect(again.url == writer.url && readOnly.url == reader.url)
    _ = try (again.end(), readOnly.end())
  }

  @Test func `a Unix socket is its owner's, and goes away with the program`() throws {
    let sandbox = try CLISandbox.withLetters()
    for _ in 1...2 {
      let web = try RunningWeb(sandbox, "--socket", "web.sock", "--json")
      let json = try jsonObject(web.url)
      let url = try #require(json["url"] as? String)
      #expect(
        json["op"] as? String == "web" && json["socket"] as? String == "web.sock" && json["port"] == nil)
      #expect(try sandbox.shell("stat -c %a web.sock") == .done("600"))
      let wire = try Wire(path: sandbox.folder + "/web.sock")
      wire.send(
        "GET /v1/rows?from=1&limit=1 HTTP/1.1\r\nHost: localhost:1234\r\nAuthorization: Bearer \(url.suffix(32))\r\n\r\n"
      )
      #expect(wire.answer()?.status == 200)
      #expect(
        try sandbox.spawn("web", "--socket", "web.sock")
          == .failed(
            1,
            """
            customers: can't listen on "web.sock": Address already in use
            hint: to use another socket: customers web --port PATH
            """))
      kill(web.process, SIGKILL)
      _ = Spawn.wait(web.process)
      // A socket that a killed program has left does not keep the next one out.
      #expect(try sandbox.names.contains("web.sock"))
    }
    let last = try RunningWeb(sandbox, "--port", "./web.sock")
    let folder = try sandbox.shell("pwd -P").output.trimmingCharacters(in: .newlines)
    #expect(try last.end().errors == "note: from another machine: ssh -L 8080:\(folder)/web.sock HOST\n")
    #expect(try !sandbox.names.contains("web.sock"))
  }

  @Test func `a file that is no socket is left alone`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("precious", to: "file")
    let result = try sandbox.spawn("web", "--socket", "file")
    #expect(result.code == 1 && result.errors.contains("can't listen on \"file\": Address already in use"))
    #expect(try sandbox.shell("cat file").output == "precious")
  }

  @Test func `a name of a proxy is answered to, with its origin`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "--allow-host", "list.example", "--json")
    let json = try jsonObject(web.url)
    let (url, port) = (try #require(json["url"] as? String), try #require(json["port"] as? Int))
    #expect(url.hasPrefix("https://list.example/#"))
    for (origin, status) in [("https://list.example", 200), ("http://list.example", 403), ("null", 403)] {
      let wire = try Wire(port: UInt16(port))
      wire.send(
        "GET /v1/rows?from=1&limit=1 HTTP/1.1\r\nHost: list.example\r\nOrigin: \(origin)\r\n"
          + "Authorization: Bearer \(url.suffix(32))\r\n\r\n")
      #expect(wire.answer()?.status == status)
    }
    #expect(
      try web.end().errors
        == "note: the proxy passes requests for list.example on to http://127.0.0.1:\(port), with their Host\n"
    )
    let other = try RunningWeb(
      sandbox, "--allow-host", "a.example", "--allow-host", "b.example", "--socket", "s")
    let folder = try sandbox.shell("pwd -P").output.trimmingCharacters(in: .newlines)
    #expect(
      try other.end().errors
        == "note: the proxy passes requests for a.example and b.example on to the socket \(folder)/s, with their Host\n"
    )
  }

  @Test(arguments: [
    ([], 80, false), (["--allow-host", "list.example"], 80, true),
    (["--allow-host", "list.example"], 40, false),
  ])
  func `on a terminal, the address of a proxy is a QR code, too`(
    words: [String], columns: UInt16, hasCode: Bool
  )
    throws
  {
    let sandbox = try CLISandbox.withLetters()
    var keys = ["\u{3}"]
    let (screen, code) = try sandbox.terminal(
      [CLISandbox.program, "web"] + words, columns: columns, environment: [:]
    ) { screen in String(decoding: screen, as: UTF8.self).contains("Ctrl-C") ? keys.popLast() : nil }
    #expect(code == 130)
    let lines = screen.split(separator: "\u{1b}[30;107m").dropFirst().map { $0.prefix { $0 != "\u{1b}" } }
    #expect(lines.map(\.count) == (hasCode ? Array(repeating: 41, count: 21) : []), "\(screen)")
  }

  @Test func `--open hands the browser a file that only its owner and a snap can read, not the key`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("#!/bin/sh\nstat -c %a \"$1\"; cat \"$1\"; echo \"$1\" > ../opened\n", to: "script")
    // A program that this process has open to write, and another test's child with it, can't be run.
    #expect(try sandbox.shell("cp script browser && chmod +x browser") == .done())
    let browser = ["env", "BROWSER=\(sandbox.folder)/browser"]
    let web = try RunningWeb(sandbox, "--open", by: browser)
    let opened = sandbox.folder + "/../opened"
    try waitUntil("web opens the browser") {
      (try? String(contentsOfFile: opened, encoding: .utf8).hasSuffix("\n")) == true
    }
    let path = try String(contentsOfFile: opened, encoding: .utf8).trimmingCharacters(in: .newlines)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(#"content="0;url=\#(web.url)""#) && !path.contains(web.token))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    // A snap reads the home folder, except what is hidden in it.
    #expect(path.hasPrefix(sandbox.folder + "/customers-web-"))
    #expect(
      try web.end() == ProcessResult(output: "\(web.url)\nPress Ctrl-C to stop.\n", errors: "", code: 130))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [
    (["--port", "0"], 2, "--port must be 1–65535, or a path with a /, not \"0\""),
    (["--port", "65536"], 2, "--port must be 1–65535, or a path with a /, not \"65536\""),
    (["--port", "1", "--socket", "a"], 2, "--port and --socket"),
    (["--allow-host", "*"], 2, "--allow-host must be a name such as list.example, not \"*\""),
    (["--allow-host", "https://a.example"], 2, "--allow-host must be a name"),
    (["--allow-host", "a.example/\"><b>"], 2, "--allow-host must be a name"),
    (["--dry-run"], 2, "web and --dry-run can't be combined"),
    (["x"], 2, "too many arguments"),
    (["--db", "missing"], 3, "can't open \"missing\": no such file"),
    (["--db", "missing", "--read-only"], 3, "can't open \"missing\": no such file"),
    (["--db", "ssh://host/"], 2, "the path is missing"),
    (["--socket", String(repeating: "a", count: 200)], 1, "File name too long"),
  ])
  func `what is wrong is refused`(words: [String], code: Int32, message: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.expectUntouched { try sandbox.run(words: ["web"] + words) }
    #expect(result.code == code && result.output == "" && result.errors.contains(message), "\(result)")
  }

  @Test func `a cluster that can't be reached is an error`() throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.run(words: ["web", "--db", "dqlite://127.0.0.1:1/list"], busyTimeout: .zero)
    #expect(result.code == 1 && result.output == "" && result.errors.contains("127.0.0.1:1"), "\(result)")
  }

  @Test func `the list in the usual place is created, a named one is not`() throws {
    let sandbox = try CLISandbox()
    let web = try RunningWeb(sandbox, by: ["env", "CUSTOMERS_DB="])
    #expect(try web.ask("GET", "/v1/rows?from=1&limit=1")?.body.contains(#""count":0"#) == true)
    _ = try web.end()
    #expect(
      try sandbox.shell("find .local -name '*.sqlite'") == .done(".local/share/customers/customers.sqlite"))
  }

  @Test func `a hangup does not end it under nohup`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, by: ["nohup"])
    kill(web.process, SIGHUP)
    #expect(try web.ask("GET", "/", headers: "")?.status == 200)
    #expect(try web.end(SIGTERM).code == 128 + SIGTERM)
  }

  @Test func `it can't be run in the table`() throws {
    let sandbox = try CLISandbox.withLetters()
    let screen = try sandbox.table()
    screen.type(":web\r")
    #expect(screen.wait { screen.text.contains("web can't be run in the table") }, "\(screen.text)")
  }
}
