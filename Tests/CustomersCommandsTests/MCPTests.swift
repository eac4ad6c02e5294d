import CustomersTestSupport
import Foundation
import Testing

/// `customers mcp`, through the built program and a pipe.
@Suite(.onThreads) struct MCPTests {
  private static func line(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"# + "\n"
  }

  static let hello =
    line(
      1, "initialize",
      #"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"Guild\u001b[31m","version":"1"}}"#
    )
    + #"{"jsonrpc":"2.0","method":"notifications/initialized"}"# + "\n"

  static func call(_ id: Int, _ tool: String, _ arguments: String) -> String {
    line(id, "tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#)
  }

  /// The answers in lines, by their ids.
  private func answers(_ result: ProcessResult) throws -> [Int: [String: Any]] {
    let lines = try result.output.split(separator: "\n").map { try jsonObject(String($0)) }
    return Dictionary(lines.map { ($0["id"] as? Int ?? 0, $0) }) { first, _ in first }
  }

  @Test(arguments: [true, false]) func `an assistant edits by its name, and the end of the input ends it`(
    _ isSpawned: Bool
  ) throws {
    let sandbox = try CLISandbox.withDemo()
    let input =
      Self.hello + "\n" + Self.call(2, "move", #"{"ids":[3],"to":"first"}"#) + "{\n" + Self.line(3, "ping")
    let words = ["mcp", "--edit"]
    let result =
      try isSpawned ? sandbox.spawn(words: words, stdin: input) : sandbox.run(words: words, stdin: input)
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
    let answers = try answers(result)
    #expect(result.output.split(separator: "\n").count == 4)
    #expect((answers[2]?["result"] as? [String: Any])?["isError"] as? Bool == false, "\(result)")
    #expect((answers[0]?["error"] as? [String: Any])?["code"] as? Int == -32700)
    #expect(answers[3]?["result"] != nil)
    let steps = try sandbox.run("history", "--limit", "1").output
    #expect(steps.contains("move") && steps.contains("Guild") && !steps.contains("\u{1b}"), "\(steps)")
    #expect(try sandbox.sqlite("SELECT id FROM customers LIMIT 1") == "3\n")
    try sandbox.expectSound()
  }

  @Test func `without --edit nothing is changed`() throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.expectUntouched {
      try sandbox.spawn(
        "mcp", stdin: Self.hello + Self.call(2, "undo", "{}") + Self.call(3, "list", #"{"limit":1}"#))
    }
    let answers = try answers(result)
    #expect(result.code == 0 && (answers[2]?["error"] as? [String: Any])?["code"] as? Int == -32602)
    #expect((answers[3]?["result"] as? [String: Any])?["isError"] as? Bool == false)
  }

  @Test func `an endless line and bytes that are no text are refused`() throws {
    let sandbox = try CLISandbox.withDemo()
    let endless = try sandbox.shell(
      #"{ printf '\377\n'; printf '\0\n'; tr '\0' '[' < /dev/zero; } | customers mcp"#)
    #expect(endless.code == 0, "\(endless)")
    let codes = try endless.output.split(separator: "\n").map {
      (try jsonObject(String($0))["error"] as? [String: Any])?["code"] as? Int
    }
    #expect(codes == [-32700, -32700, -32700])
  }

  @Test func `a missing list is an error before anything is said`() throws {
    let sandbox = try CLISandbox()
    let result = try sandbox.run("mcp", "--db", sandbox.folder + "/none.sqlite", stdin: Self.hello)
    #expect(result.code == 3 && result.output.isEmpty)
  }

  @Test func `a list on another machine needs it there`() throws {
    let result = try CLISandbox().run("mcp", "--db", "ssh://elsewhere/list.sqlite", stdin: Self.hello)
    #expect(
      result
        == .failed(
          2,
          """
          customers: mcp needs a list on this machine
          hint: to start it on the other one: ssh HOST customers mcp
          """))
  }

  @Test func `it ends when it is asked to`() throws {
    let sandbox = try CLISandbox.withDemo()
    let ended = try sandbox.shell(
      """
      mkfifo pipe out
      "$CUSTOMERS" mcp < pipe > out & id=$!
      exec 3> pipe 4< out
      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"ping"}' >&3
      read answer <&4
      kill -TERM $id
      wait $id
      echo "$? $answer"
      """)
    #expect(ended.output == #"0 {"jsonrpc":"2.0","id":1,"result":{}}"# + "\n", "\(ended)")
  }
}
