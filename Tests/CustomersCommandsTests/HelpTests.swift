@testable import CustomersCommands
import CustomersTerminal
import CustomersTestSupport
import Foundation
import Testing

/// `customers help`, `--help`, and `--version`, whole outputs.
@Suite(.onThreads) struct HelpTests {
  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func `every way to request the overview shows the same text`(words: [String]) throws {
    let overview = try CLISandbox().run(words: words)
    #expect(overview.code == 0 && overview.errors.isEmpty)
    try expectSample(overview.output, "help/overview.txt")
  }

  @Test(arguments: try HelpTests.pinned() + ["serve"])
  func `every way to request help shows the same text`(command: String) throws {
    let sandbox = try CLISandbox()
    let text = try sandbox.run("help", command)
    #expect(text.code == 0 && text.errors.isEmpty)
    try expectSample(text.output, "help/\(command).txt")
    #expect(try sandbox.run(command, "--help") == text)
    #expect(try sandbox.run("-h", command, "1", "2", "3") == text)
    #expect(try sandbox.names.isEmpty)
  }

  @Test func `every command of the overview has its help recorded`() throws {
    let groups = try #require(HelpTests.text("overview").split(separator: "Options of every command").first)
    let named = groups.split(separator: "\n").filter { $0.hasPrefix("  ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    // What only scripts have is not in the overview.
    #expect((named + ["expect"]).sorted() == (try HelpTests.pinned()))
  }

  @Test(arguments: Command.documented.map(\.name))
  func `help names the common options that make a difference`(name: String) throws {
    let common = Set(try Command.named(name, among: Command.documented).common.map(\.name))
    let examples = Example.all.filter { $0.command == name }
    #expect(common.contains("--json") == examples.contains { $0.hasJSON || $0.kind == .serves })
    #expect(common.contains("--db") == examples.contains { $0.kind != .prints && $0.kind != .describes })
    // No example of these has what makes edits.
    if !["check", "columns", "web"].contains(name) {
      #expect(common.contains("--dry-run") == examples.contains { $0.kind == .edits })
    }
    let page = try CLISandbox().run("help", name).output
    #expect(page.replacing("\n", with: " ").contains("Common options: ") == !common.isEmpty)
  }

  @Test func `help is short`() throws {
    let sandbox = try CLISandbox()
    let topics = Manual.topics.map(\.name).filter { !["guide", "api"].contains($0) }
    var (lines, options) = (0, Set<String>())
    for words in [["help"]] + (Command.shown.map(\.name) + topics).map({ ["help", $0] }) {
      let text = try sandbox.run(words: words).output
      lines += text.count { $0 == "\n" }
      // That page is about options that no one has to know.
      guard words.last != "versions" else { continue }
      options.formUnion(text.matches(of: /(?:^|[^\w\-])(--[a-z][a-z\-]*)/).map { String($0.1) })
    }
    let own = options.subtracting(GlobalOptions.all.map(\.name))
    #expect(Command.shown.count <= 30)
    #expect(own.count <= 65 && own.contains("--where"), "\(own.sorted())")
    #expect((600...950).contains(lines), "\(lines)")
  }

  @Test func `help names documents that there are`() throws {
    let pages = Command.shown.map(\.page) + Manual.topics
    let names = pages.flatMap { page in
      page.text().matches(of: /Documentation\/[a-z\-]+\.md/).map { String($0.0) }
    }
    #expect(names.count > 5)
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    for name in names { #expect(FileManager.default.fileExists(atPath: root.appending(path: name).path)) }
  }

  @Test func `a page of help has parts`() throws {
    let sandbox = try CLISandbox()
    let page = try sandbox.run("help", "import").output
    #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 53)
    for part in ["columns", "encodings", "update"] {
      #expect(page.contains("  customers help import \(part) "))
      let text = try sandbox.run("help", "import", part)
      #expect(text.code == 0)
      for line in text.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
    #expect(try sandbox.run("help", "import", "encodings").output.contains("windows-1252"))
    #expect(
      try sandbox.run("help", "move", "up")
        == .failed(2, "customers: unknown part \"up\" of move\nhint: to see the page: customers help move"))
  }

  @Test func `the keys of the table have a page, made from them`() throws {
    let page = try CLISandbox().run("help", "keys").output
    #expect(KeyReference.topics.contains { !$0.isOfList })
    for topic in KeyReference.topics {
      #expect(page.contains("\n\(topic.title):\n") == topic.isOfList)
      guard topic.isOfList else { continue }
      for keys in topic.keys {
        #expect(page.contains("\n  \(keys.keys) ") && page.contains(keys.meaning.prefix(50)), "\(keys)")
      }
    }
  }

  @Test(arguments: try HelpTests.pinned() + ["overview"])
  func `no line of help is wider than eighty columns`(name: String) throws {
    for line in try HelpTests.text(name).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test func `an alias has the help of its command`() throws {
    let sandbox = try CLISandbox()
    for (alias, command) in [("ls", "list"), ("rm", "delete"), ("mv", "move")] {
      #expect(try sandbox.run("help", alias) == sandbox.run("help", command))
    }
  }

  @Test(arguments: [
    ("rows", "  3             Row 3 of the whole list"),
    ("scripts", "    move \"Alice Smith\" before $zoe\n"),
    ("formats", "  markdown  A table"), ("sql", "    UPDATE customers SET \"order\" = 1 WHERE id = 7;\n"),
    ("exit-codes", "  130  Interrupted"),
    ("environment", "  NO_COLOR         If not empty"),
  ])
  func `a topic has a page, and is not a command`(topic: String, text: String) throws {
    let page = try CLISandbox().run("help", topic)
    #expect(page.code == 0 && page.output.contains("\n" + text))
    for line in page.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(try CLISandbox().run("help").output.contains("\n  \(topic) "))
    #expect(try CLISandbox().run(topic).code == 2)
  }

  @Test func `the page of the guide is the document`() throws {
    let page = try CLISandbox().run("help", "guide").output
    let guide = try DocumentSamples("Documentation/guide.md")
    for line in guide.blocks.flatMap(\.lines) where !line.isEmpty {
      #expect(page.contains("\n    \(line)\n"), "\(line)")
    }
    let headings = guide.lines.filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    #expect(headings.count > 8 && headings.allSatisfy { page.contains("\n\($0):\n") })
    #expect(!page.contains("](") && !page.contains("**"))
  }

  @Test func `without arguments, the overview is shown, but not for an option or an unknown word`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run() == sandbox.run("help"))
    #expect(try sandbox.onTerminal("--no-pager").code == 2)
    #expect(try sandbox.run("-q").code == 2)
    #expect(try sandbox.run("cusotmers").code == 2)
  }

  @Test func `headings are marked on a terminal`() throws {
    let sandbox = try CLISandbox()
    let plain = try sandbox.run("help", "move").output
    let marked = try sandbox.run("help", "move", "--color", "always").output
    #expect(marked.hasPrefix("\u{1b}[1mUsage:\u{1b}[0m customers move"))
    #expect(marked.contains("\n\u{1b}[1mOptions:\u{1b}[0m\n"))
    #expect(withoutStyles(marked) == plain)
  }

  @Test(arguments: ["--version", "-V"])
  func `both options print the version`(option: String) throws {
    #expect(try CLISandbox().run(option) == .done("customers 0.3.0"))
    #expect(try CLISandbox().run("list", option) == .done("customers 0.3.0"))
  }

  @Test func `help for an unknown word names a similar command, or the list of commands`() throws {
    let hint = "customers: unknown command \"mvoe\"\nhint: did you mean \"move\"?"
    #expect(try CLISandbox().run("help", "mvoe") == .failed(2, hint))
    let list = "customers: unknown command \"xyzzy\"\nhint: to list the commands: customers help"
    #expect(try CLISandbox().run("help", "xyzzy") == .failed(2, list))
    #expect(try CLISandbox().run("help", "__complete").code == 2)
  }

  /// The commands for people, whose help is in a file.
  static func pinned() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: samples + "/help")
      .map { $0.replacing(".txt", with: "") }.filter { !["overview", "serve"].contains($0) }.sorted()
  }

  /// The expected help pages; a change of help must be recorded in its file, too.
  private static func text(_ name: String) throws -> String {
    let text = try String(contentsOfFile: "\(samples)/help/\(name).txt", encoding: .utf8)
    return String(text.dropLast())
  }
}
