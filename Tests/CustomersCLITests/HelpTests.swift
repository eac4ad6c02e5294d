import Foundation
import Testing

/// `customers help`, `--help` and `--version`, whole outputs.
@Suite struct HelpTests {
  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func `the overview`(words: [String]) throws {
    let overview = try CLISandbox().run(words: words)
    #expect(overview.code == 0 && overview.errors.isEmpty)
    try expectSample(overview.output, "help/overview.txt")
  }

  @Test(arguments: try HelpTests.pinned())
  func `the help of every command, however it is asked for`(command: String) throws {
    let sandbox = try CLISandbox()
    let text = try sandbox.run("help", command)
    #expect(text.code == 0 && text.errors.isEmpty)
    try expectSample(text.output, "help/\(command).txt")
    #expect(try sandbox.run(command, "--help") == text)
    #expect(try sandbox.run("-h", command, "1", "2", "3") == text)
    #expect(try sandbox.names.isEmpty)
  }

  @Test func `every command of the overview has its help pinned`() throws {
    let groups = try #require(HelpTests.text("overview").split(separator: "Options of every command").first)
    let named = groups.split(separator: "\n").filter { $0.hasPrefix("  ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(named.sorted() == (try HelpTests.pinned()))
  }

  @Test(arguments: try HelpTests.pinned() + ["overview"])
  func `no line of help is wider than a hundred columns`(name: String) throws {
    for line in try HelpTests.text(name).split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
  }

  @Test func `an alias has the help of its command`() throws {
    let sandbox = try CLISandbox()
    for (alias, command) in [("ls", "list"), ("rm", "delete"), ("mv", "move")] {
      #expect(try sandbox.run("help", alias) == sandbox.run("help", command))
    }
  }

  @Test func `a topic has a page, and is no command`() throws {
    let rows = try CLISandbox().run("help", "rows")
    #expect(
      rows.code == 0 && rows.output.hasPrefix("how rows are named\n\n  3            The row shown as 3"))
    let scripts = try CLISandbox().run("help", "scripts").output
    #expect(scripts.contains("\n    move \"Alice Smith\" --before $zoe\n"))
    for line in (rows.output + scripts).split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    #expect(try CLISandbox().run("rows").code == 2)
  }

  @Test(arguments: ["--version", "-V"])
  func `the version`(option: String) throws {
    #expect(try CLISandbox().run(option) == .done("customers 0.1.0"))
    #expect(try CLISandbox().run("list", option) == .done("customers 0.1.0"))
  }

  @Test func `help of what there is not`() throws {
    let hint = "customers: unknown command 'mvoe'\nhint: did you mean 'move'?"
    #expect(try CLISandbox().run("help", "mvoe") == .failed(2, hint))
    let list = "customers: unknown command 'xyzzy'\nhint: customers help lists what there is"
    #expect(try CLISandbox().run("help", "xyzzy") == .failed(2, list))
    #expect(try CLISandbox().run("help", "__complete").code == 2)
  }

  /// The commands whose help is in a file.
  static func pinned() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: samples + "/help")
      .map { $0.replacing(".txt", with: "") }.filter { $0 != "overview" }.sorted()
  }

  /// A help text as it must be; who changes one changes its file too.
  private static func text(_ name: String) throws -> String {
    let text = try String(contentsOfFile: "\(samples)/help/\(name).txt", encoding: .utf8)
    return String(text.dropLast())
  }
}
