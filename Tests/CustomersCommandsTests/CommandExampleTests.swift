@testable import CustomersCommands
import CustomersTestSupport
import Testing

/// The examples in help and the manual produce the results that they promise.
@Suite(.onThreads) struct CommandExampleTests {
  @Test(arguments: sampled(Command.shown.map(\.name), oneIn: 12))
  func `every example of a command works`(name: String) throws {
    let command = try Command.named(name, among: Command.shown)
    let examples = command.examples()
    #expect((1...3).contains(examples.count))
    for example in examples + command.topics().flatMap(\.examples) {
      let serves = name == "web" && !example.line.contains("calendar") && !example.line.contains("people")
      try expectWorks(example, beside: name == "watch" ? "add New -q" : nil, code: serves ? 130 : 0)
    }
  }

  @Test func `every example of the manual works`() throws {
    for example in Manual.examples { try expectWorks(example) }
  }

  @Test(arguments: Command.shown.map(\.name))
  func `every topic that help refers to has a page`(name: String) throws {
    let command = try Command.named(name, among: Command.shown)
    let related = command.seeAlso()
    #expect(!related.isEmpty && !related.contains(name))
    for page in related { #expect(try !Help.page([page]).text().isEmpty) }
  }

  /// Types an example at a terminal, beside the files that examples name; a person says yes to everything.
  private func expectWorks(_ example: CommandExample, beside other: String? = nil, code expected: Int32 = 0)
    throws
  {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.write("name,e-mail,Club\nNew One,new@one.example,Bonn\n", to: "contacts.csv")
    try sandbox.write("move \"Anna Karenina\" --first\ndelete 2\n", to: "spring-clean")
    let writing = other.map { "(while sleep 0.1; do customers \($0); done) & trap \"kill $!\" EXIT" } ?? ""
    let script = """
      set -e
      customers() { "$CUSTOMERS" "$@"; }
      \(writing)
      \(example.line)
      """
    let (screen, code) = try sandbox.terminal(
      ["/bin/sh", "-c", script], environment: ["EDITOR": "true", "PAGER": "cat", "BROWSER": "true"]
    ) { screen in
      // The key that leaves the table, when a frame is complete.
      if screen.suffix(8).elementsEqual("\u{1B}[?2026l".utf8) { return "q" }
      // The key that ends a server, when it has said so.
      if String(decoding: screen, as: UTF8.self).hasSuffix("Press Ctrl-C to stop.\r\n") { return "\u{03}" }
      return String(decoding: screen.suffix(6), as: UTF8.self).lowercased() == "[y/n] " ? "y\n" : nil
    }
    #expect(code == expected, "\(example.line)\n\(screen)")
    try sandbox.expectSound()
  }
}

extension Page {
  /// The examples on the page.
  fileprivate var examples: [CommandExample] {
    blocks().flatMap { block in
      if case .examples(let examples) = block { examples } else { [CommandExample]() }
    }
  }
}
