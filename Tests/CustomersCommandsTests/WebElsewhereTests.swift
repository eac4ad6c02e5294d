@testable import CustomersCommands
import CustomersSystem
import CustomerStore
import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// `customers web` with a list on another machine: HTTP ends here, requests travel over the connection of `serve`.
@Suite(.onThreads) struct WebElsewhereTests {
  private func start(
    _ sandbox: CLISandbox, _ environment: [String: String], _ words: [String] = []
  ) throws -> RunningWeb {
    try RunningWeb(sandbox, words: words, by: ["env"] + environment.map { "\($0.key)=\($0.value)" })
  }

  private func move(_ web: RunningWeb, token: Character = "1") throws -> Wire.Answer? {
    let rows = try web.ask("GET", "/v1/rows?limit=1")
    let version = try #require(rows?.body.firstMatch(of: /"version":("[^"]*")/)).1
    let time = String(UInt64(Date().timeIntervalSince1970 * 1000), radix: 16)
    let name = String(repeating: "0", count: 12 - time.count) + time + String(repeating: token, count: 20)
    return try web.ask(
      "POST", "/v1/edits",
      #"{"token":"\#(name)","seen":\#(version),"edits":[{"move":{"ids":[2],"to":1}}],"page":"a"}"#)
  }

  @Test func `rows, edits, files and news travel over the connection`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try start(sandbox, try sandbox.otherMachine())
    let rows = try web.ask("GET", "/v1/rows?from=1&limit=2")
    #expect(rows?.status == 200 && rows?.body.contains(#""name":"A""#) == true, "\(String(describing: rows))")
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events?page=a"))
    #expect(stream.receive(through: "\r\n\r\n").contains("text/event-stream"))
    #expect(stream.event().hasPrefix("event: hello\n"))
    #expect(try move(web)?.status == 200)
    #expect(stream.event().hasPrefix("event: edit\n"))
    #expect(try sandbox.order.hasPrefix("B A"))
    #expect(try sandbox.run("move", "3", "1", "-q") == .done())
    #expect(stream.event().hasPrefix("event: edit\n"))
    #expect(try web.ask("GET", "/v1/rows?from=x")?.status == 400)
    #expect(try web.ask("GET", "/v1/history")?.body.contains("customers web move") == true)
    let file = String(repeating: "a", count: 32)
    let headers =
      "Authorization: Bearer \(web.token)\r\nContent-Type: application/octet-stream\r\n"
    let sent = try web.ask("POST", "/v1/files?file=\(file)&at=0", "name\nZoe\n", headers: headers)
    #expect(sent?.body == #"{"size":9}"#)
    #expect(try web.end().code == 130)
    #expect(stream.rest() == "")
    try sandbox.expectSound()
  }

  @Test func `twelve browsers share one session of ssh, whose server allows ten`() throws {
    let sandbox = try CLISandbox.withLetters()
    let key = #"restrict,command="customers serve --list \#(sandbox.file)" "#
    let server = try SSHServer(for: sandbox, isShared: true, keyOptions: key)
    let web = try start(sandbox, server.environment)
    let streams = try (1...12).map { number in
      let stream = try web.wire()
      stream.send(web.request("GET", "/v1/events?page=\(String(number, radix: 16))"))
      return stream
    }
    for stream in streams {
      _ = stream.receive(through: "\r\n\r\n")
      #expect(stream.event().hasPrefix("event: hello\n"))
    }
    let others = try (1...12).map { _ in
      let wire = try web.wire()
      wire.send(web.request("GET", "/v1/rows?from=1&limit=2"))
      return wire
    }
    for wire in others { #expect(wire.receive(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200")) }
    #expect(try move(web)?.status == 200)
    for stream in streams { #expect(stream.event().hasPrefix("event: edit\n")) }
    _ = try web.end()
    try sandbox.expectSound()
  }

  @Test func `what is offered for reading only is read only`() throws {
    let sandbox = try CLISandbox.withLetters()
    let serving = "run customers serve --list '\(sandbox.file)' --read-only"
    let web = try start(sandbox, try sandbox.otherMachine(serving: serving))
    #expect(try web.ask("GET", "/v1/rows?from=1&limit=1")?.body.contains(#""read_only":true"#) == true)
    #expect(try move(web)?.status == 403)
    _ = try web.end()
  }

  @Test func `a list that is not offered or not there is refused with the reason`() throws {
    let sandbox = try CLISandbox.withLetters()
    let offer = "run customers serve --list /elsewhere"
    let result = try sandbox.run(words: ["web"], environment: try sandbox.otherMachine(serving: offer))
    #expect(result.code == 4 && result.errors.contains("is not offered"), "\(result)")
    let missing = try sandbox.run(words: ["web"], environment: try sandbox.otherMachine("/missing"))
    #expect(missing.code == 3 && missing.errors.contains("no such file"), "\(missing)")
    let local = try sandbox.run("__page")
    #expect(local.code == 4, "\(local)")
  }

  @Test func `a lost connection is said, and made again`() throws {
    let sandbox = try CLISandbox.withLetters()
    let serving =
      "echo $$ > \"$FAR/process\"; exec env -i FAR=\"$FAR\" HOME=\"$FAR\" PATH=\"$FAR:$PATH\" LD_LIBRARY_PATH=\"${LD_LIBRARY_PATH-}\" sh -c \"$word\""
    let web = try start(sandbox, try sandbox.otherMachine(serving: serving))
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events?page=a"))
    _ = stream.receive(through: "\r\n\r\n")
    #expect(stream.event().hasPrefix("event: hello\n"))
    let process = sandbox.folder + "/../far/process"
    let number = try String(contentsOfFile: process, encoding: .utf8).trimmingCharacters(
      in: .whitespacesAndNewlines)
    kill(try #require(pid_t(number)), SIGKILL)
    #expect(stream.event().contains("The connection to \\\"elsewhere\\\" was lost"))
    #expect(stream.event().hasPrefix("event: hello\n"))
    while try web.ask("GET", "/v1/rows?from=1&limit=1")?.status == 503 {}
    #expect(try move(web)?.status == 200)
    _ = try web.end()
    try sandbox.expectSound()
  }

  /// A machine of the list that answers requests of pages as `program` says.
  private func liar(_ sandbox: CLISandbox, _ program: String) throws -> [String: String] {
    try sandbox.lyingMachine(
      """
      def next_number():
          content = hear()[1]
          return content[4:4 + struct.unpack('>I', content[:4])[0]]
      say(PAGE)
      \(program)
      """)
  }

  @Test(arguments: [
    "say(PAGE, number, b'200', b'text/html', b'<script>')",
    "say(PAGE, number, b'99', b'application/json', b'{}')",
    "say(PAGE, number, b'200', b'application/json\\r\\nSet-Cookie: a=b', b'{}')",
    "say(PAGE, number)", "say(PAGE)", "say(PAGE, content=b'\\xff' * 9)", "say(REQUEST)", "say(OPEN)",
    "say(MAY_WRITE, b'', b'')",
    "sys.stdout.buffer.write(b'\\xff' * 70000)",
    "sys.exit()",
  ])
  func `a machine that lies gets nothing, and its answer is not passed on`(lie: String) throws {
    let sandbox = try CLISandbox()
    let program = "while True:\n    number = next_number()\n    \(lie)\n    sys.stdout.flush()"
    let web = try start(sandbox, try liar(sandbox, program))
    let answer = try web.ask("GET", "/v1/rows?from=1&limit=1")
    #expect(
      answer?.status == 503 && answer?.body.contains("was lost") == true, "\(String(describing: answer))")
    #expect(answer?.headers["set-cookie"] == nil)
    #expect(try web.end().code == 130)
    #expect(try sandbox.names.filter { $0 != ".local" }.isEmpty)
  }

  @Test func `a connection on which nothing comes is made again`() async throws {
    let sandbox = try CLISandbox()
    let program = """
      if not os.path.exists('\(sandbox.folder)/hung'):
          open('\(sandbox.folder)/hung', 'w').close()
          time.sleep(100_000)
      while True:
          say(PAGE, next_number(), b'200', b'application/json', b'{"b":2}')
      """
    let environment = try sandbox.environment.merging(liar(sandbox, program)) { $1 }
    let context = Context(
      environment: environment, input: StandardInput(.standardInput),
      output: CustomersCommands.Stream(TextSink()),
      errors: CustomersCommands.Stream(TextSink()))
    let session = Session(in: context)
    guard case .ssh(let machine) = try session.list.address else { throw StoreError.missing }
    // Long enough for the second connection, whose answer comes at once, on a busy machine.
    let list = try ListElsewhere(session, on: machine, longestWait: .seconds(1))
    let request = APIRequest(method: "GET", path: "/v1/form")
    #expect(await list.answer(request).status == 503)
    var answer = await list.answer(request)
    while answer.status == 503 {
      try await Task.sleep(for: .milliseconds(10))
      answer = await list.answer(request)
    }
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"b":2}"#)
    #expect(ListElsewhere.longestWait == .seconds(60))
  }

  @Test func `answers that no request waits for, and events of no stream, are dropped`() throws {
    let sandbox = try CLISandbox()
    let program = """
      while True:
          number = next_number()
          say(PAGE, b'7777', b'200', b'application/json', b'{"a":1}')
          say(PAGE, b'9999', b'200', b'text/event-stream', b'edit\\n{}')
          say(PAGE, number, b'200', b'application/json', b'{"b":2}')
          say(PAGE, number, b'200', b'application/json', b'{"c":3}')
      """
    let web = try start(sandbox, try liar(sandbox, program))
    // More than may wait at a time.
    for _ in 1...250 { #expect(try web.ask("GET", "/v1/form")?.body == #"{"b":2}"#) }
    _ = try web.end()
  }
}
