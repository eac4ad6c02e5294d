import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import CustomersText
import Foundation
import Testing

@testable import CustomersWeb

/// The requests of the API as tools of an assistant, in the Model Context Protocol.
@Suite(.onThreads) struct AssistantTests {
  private static func assistant(_ api: TestAPI, mayEdit: Bool = true) -> Assistant {
    Assistant(mayEdit: mayEdit, program: "0.2.0") { [api = api.api] _ in api }
  }

  private func jsonObject(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  /// Sends a line; nil if there is no answer.
  private func send(_ line: String, to assistant: Assistant) async throws -> [String: Any]? {
    guard let answer = await assistant.answer(Array(line.utf8)) else { return nil }
    return try jsonObject(answer.text)
  }

  private func request(
    _ method: String, _ parameters: String = "{}", of assistant: Assistant
  ) async throws -> [String: Any] {
    let line = #"{"jsonrpc":"2.0","id":"a","method":"\#(method)","params":\#(parameters)}"#
    let answer = try #require(try await send(line, to: assistant))
    #expect(answer["jsonrpc"] as? String == "2.0" && answer["id"] as? String == "a")
    return answer
  }

  private func begin(_ assistant: Assistant, revision: String = "2025-06-18") async throws -> [String: Any] {
    let parameters = """
      {"protocolVersion":"\(revision)","capabilities":{},"clientInfo":{"name":"Club","version":"1"}}
      """
    return try #require(
      try await request("initialize", parameters, of: assistant)["result"] as? [String: Any])
  }

  /// Calls a tool; its answer, and whether that is an error.
  private func call(
    _ tool: String, _ arguments: String = "{}", of assistant: Assistant
  ) async throws -> (text: String, isError: Bool) {
    let answer = try await request(
      "tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#, of: assistant)
    let result = try #require(answer["result"] as? [String: Any], "\(answer)")
    let content = try #require(result["content"] as? [[String: Any]])
    #expect(content.count == 1 && content[0]["type"] as? String == "text")
    return (try #require(content[0]["text"] as? String), result["isError"] as? Bool ?? true)
  }

  private func code(_ answer: [String: Any]?) -> Int? {
    (answer?["error"] as? [String: Any])?["code"] as? Int
  }

  @Test func `each tool takes what its route takes, and describes it by itself`() async throws {
    let assistant = Self.assistant(try TestAPI("Ann"))
    _ = try await begin(assistant)
    let result = try await request("tools/list", of: assistant)["result"] as? [String: Any]
    let tools = try #require(result?["tools"] as? [[String: Any]])
    #expect(
      tools.count == Assistant.Tool.all.count && Set(tools.map { $0["name"] as? String }).count == tools.count
    )
    for (tool, declared) in zip(tools, Assistant.Tool.all) {
      let schema = try #require(tool["inputSchema"] as? [String: Any])
      let properties = try #require(schema["properties"] as? [String: [String: Any]])
      #expect(Set(properties.keys) == Set(declared.names))
      // Nothing is named that the route does not have.
      #expect(declared.arguments.allSatisfy(declared.names.contains), "\(declared.name)")
      #expect(properties.values.allSatisfy { $0["description"] is String })
      let definitions = schema["$defs"] as? [String: Any] ?? [:]
      let text = String(
        decoding: try JSONSerialization.data(withJSONObject: tool, options: .withoutEscapingSlashes),
        as: UTF8.self)
      for reference in text.matches(of: /"\$ref":"([^"]*)"/) {
        let name = reference.1
        #expect(name.hasPrefix("#/$defs/") && definitions[String(name.dropFirst(8))] != nil, "\(name)")
      }
    }
  }

  @Test func `without the right to edit, there are only tools that read`() async throws {
    let api = try TestAPI("Ann")
    let assistant = Self.assistant(api, mayEdit: false)
    _ = try await begin(assistant)
    let result = try await request("tools/list", of: assistant)["result"] as? [String: Any]
    let tools = try #require(result?["tools"] as? [[String: Any]])
    #expect(tools.allSatisfy { ($0["annotations"] as? [String: Bool])?["readOnlyHint"] == true })
    #expect(
      tools.compactMap { $0["name"] as? String } == [
        "find", "list", "show", "sections", "columns", "history",
      ])
    let refused = try await request(
      "tools/call", #"{"name":"undo","arguments":{}}"#, of: assistant)
    #expect(code(refused) == -32602)
    #expect(try await api.store.read { try $0.count() } == 1)
  }

  @Test func `tools find, show, and edit as the API does`() async throws {
    let api = try TestAPI("Ann, Bob | Leads: Cid")
    let assistant = Self.assistant(api)
    _ = try await begin(assistant)
    let found = try jsonObject(
      try await call("find", #"{"search":"bo","fields":"name","due":null}"#, of: assistant).text)
    #expect((found["rows"] as? [[String: Any]])?.first?["id"] as? Int == 2)
    let second = try jsonObject(try await call("list", #"{"from":2,"limit":1}"#, of: assistant).text)
    #expect((second["rows"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Bob"])
    #expect(
      try await call("show", #"{"id":3}"#, of: assistant).text
        == String(
          decoding: await api.api.answer(APIRequest(method: "GET", path: "/v1/rows/3")).body, as: UTF8.self))
    #expect(try await call("sections", of: assistant).text.contains("Leads"))
    #expect(try await call("columns", of: assistant).text.contains("first_name"))

    // An edit of any kind has to be tried first, and the same one.
    let edits = #""edits":[{"update":{"ids":[1],"set":{"phone":"1"}}}]"#
    let other = #""edits":[{"delete":{"ids":[1]}}]"#
    #expect(try await call("edit", "{\(edits)}", of: assistant).isError)
    let dry = try await call("edit", #"{\#(edits),"dry_run":true}"#, of: assistant)
    #expect(!dry.isError, "\(dry.text)")
    #expect(try await call("edit", "{\(other)}", of: assistant).isError)
    #expect(try await call("edit", "{\(edits)}", of: assistant).isError)
    _ = try await call("edit", #"{\#(edits),"dry_run":true}"#, of: assistant)
    #expect(try await api.store.read { try $0.customer(1).fields.phone } == "")
    let made = try await call("edit", "{\(edits)}", of: assistant)
    #expect(!made.isError, "\(made.text)")
    #expect(try await api.store.read { try $0.customer(1).fields.phone } == "1")

    let moved = try await call("move", #"{"ids":[3],"to":{"position":1}}"#, of: assistant)
    #expect(!moved.isError && moved.text.contains("Cid"), "\(moved.text)")
    let logged = try await call("log", #"{"ids":[2],"text":"called"}"#, of: assistant)
    #expect(!logged.isError, "\(logged.text)")
    #expect(try await call("history", #"{"limit":2}"#, of: assistant).text.contains("called"))
    for _ in 0..<3 {
      #expect(try await call("undo", of: assistant).isError)
      #expect(try await !call("undo", #"{"dry_run":true}"#, of: assistant).isError)
      #expect(try await !call("undo", of: assistant).isError)
    }
    #expect(try await api.store.read { try $0.ids(in: 1) } == [1, 2])
    #expect(try await api.store.read { try $0.customer(1).fields.phone } == "")
  }

  @Test func `what was tried is done as it was shown, or refused, whatever others do in between`()
    async throws
  {
    let api = try TestAPI("Ann, Bob, Cid")
    let assistant = Self.assistant(api)
    _ = try await begin(assistant)
    for edit in [
      #"{"delete":{"range":{"from":1,"to":1}}}"#, #"{"delete":{"view":{"where":"name~b"}}}"#,
      #"{"delete":{"view":{"where":"name~c"}}}"#,
    ] {
      let shown = try await call("edit", #"{"edits":[\#(edit)],"dry_run":true}"#, of: assistant)
      #expect(!shown.isError, "\(shown.text)")
      try api.change { _ = try $0.insert(CustomerFields(name: "Abc"), at: .first) }
      let made = try await call("edit", #"{"edits":[\#(edit)]}"#, of: assistant)
      #expect(!made.isError, "\(made.text)")
    }
    // The last one was added after each that was shown.
    #expect(try api.look { try SampleList($0) }.sections[0].customers.map(\.name) == ["Abc"])
    #expect(try await !call("undo", #"{"dry_run":true}"#, of: assistant).isError)
    try api.change { _ = try $0.insert(CustomerFields(name: "Eve")) }
    let undo = try await call("undo", of: assistant)
    #expect(undo.isError && undo.text.contains("another step is the next to undo"), "\(undo.text)")
    #expect(try api.look { try $0.count() } == 2)
  }

  @Test func `the revision is that of the assistant if it is known`() async throws {
    for revision in Assistant.revisions + ["2023-01-01", ""] {
      let result = try await begin(Self.assistant(try TestAPI("Ann")), revision: revision)
      let expected = Assistant.revisions.contains(revision) ? revision : "2025-06-18"
      #expect(result["protocolVersion"] as? String == expected)
      #expect((result["serverInfo"] as? [String: Any])?["version"] as? String == "0.2.0")
      #expect((result["capabilities"] as? [String: Any])?["tools"] != nil)
    }
  }

  @Test(arguments: [
    ("", -32700), ("{", -32700), ("{}{}", -32700), (#"{"a":1,"a":2}"#, -32700),
    (String(repeating: "[", count: 10_000), -32700), ("\u{0}", -32700), ("nul", -32700),
    ("null", -32600), ("7", -32600), ("[]", -32600), ("{}", -32600), (#"{"id":1,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
    (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":7}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, -32602),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"x"}}}"#,
      -32602
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list"}}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"drop"}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["list"]}}"#, -32602),
  ])
  func `what is no request is refused, and the next one is answered`(_ line: String, _ expected: Int)
    async throws
  {
    let assistant = Self.assistant(try TestAPI("Ann"))
    let answer = try await send(line, to: assistant)
    #expect(code(answer) == expected, "\(line.prefix(60)): \(answer ?? [:])")
    #expect(try await request("ping", of: assistant)["result"] is [String: Any])
  }

  @Test func `wrong arguments are for the assistant to mend`() async throws {
    let api = try TestAPI("Ann, Bob")
    let assistant = Self.assistant(api)
    _ = try await begin(assistant)
    for (tool, arguments) in [
      ("show", "{}"), ("show", #"{"id":"1/history"}"#), ("show", #"{"id":[1]}"#), ("show", #"{"id":99}"#),
      ("show", "7"), ("list", #"{"limit":"many"}"#), ("list", #"{"limit":1.5}"#), ("list", #"{"limit":-1}"#),
      ("list", #"{"session":"x"}"#), ("list", #"{"section":true}"#), ("find", #"{"search":7}"#),
      ("find", #"{"where":"City<"}"#), ("history", #"{"limit":1e99}"#), ("undo", #"{"step":"last"}"#),
      ("move", "{}"), ("move", #"{"ids":7}"#), ("move", #"{"ids":[9],"to":"first"}"#),
      ("log", #"{"ids":[1],"text":7}"#),
      ("move", #"{"ids":[1],"to":"first","token":"x"}"#), ("edit", #"{"dry_run":true}"#),
      ("edit", #"{"edits":{},"dry_run":true}"#), ("edit", #"{"edits":[{"erase":{}}],"dry_run":true}"#),
    ] {
      let answer = try await call(tool, arguments, of: assistant)
      #expect(answer.isError && !answer.text.isEmpty, "\(tool) \(arguments): \(answer.text)")
    }
    #expect(try await api.store.read { try $0.ids(in: 1) } == [1, 2])
  }

  @Test func `what wants no answer gets none, and changes nothing`() async throws {
    let api = try TestAPI("Ann")
    let assistant = Self.assistant(api)
    _ = try await begin(assistant)
    for line in [
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","method":"nothing"}"#,
      #"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"undo","arguments":{}}}"#,
      #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#,
    ] { #expect(try await send(line, to: assistant) == nil, "\(line)") }
    #expect(try await api.store.read { try $0.count() } == 1)
    let both = await assistant.answer(
      Array(#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"no"}]"#.utf8))
    #expect(
      both?.text
        == #"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"There is no method \"no\"."}}]"#
    )
  }
}
