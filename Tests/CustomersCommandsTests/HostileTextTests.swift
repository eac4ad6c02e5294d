import CustomersTestSupport
import Foundation
import Testing

/// Text from the data, the command line and file names that would steer a terminal.
@Suite(.onThreads) struct HostileTextTests {
  /// C0, delete, C1, and what reorders or breaks a line.
  static let hostile: [Unicode.Scalar] =
    (Array(0x01...0x1f) + Array(0x7f...0x9f)
    + [0x61c, 0x200e, 0x200f, 0x2028, 0x2029] + Array(0x202a...0x202e) + Array(0x2066...0x2069) + [0xfeff])
    .compactMap(Unicode.Scalar.init)

  static let sequences = [
    "\u{1b}[2J\u{1b}[H", "\u{1b}]0;title\u{7}", "\u{1b}]52;c;ZXZpbA==\u{7}", "\u{9b}31m", "\u{90}q\u{9c}",
    "\u{1b}[201~rm -rf\n", "a\rb", "a\u{8}b", "line\nline", "\u{202e}drowssap", "\u{2066}a\u{2069}", "a\tb",
  ]

  /// Expects that nothing in a string steers a terminal; the line feeds are the program's.
  private func expectHarmless(_ text: String, _ words: [String]) {
    let found = text.unicodeScalars.filter { $0 != "\n" && HostileTextTests.hostile.contains($0) }
    #expect(found.isEmpty, "\(words): \(text.debugDescription)")
  }

  @Test func `every hostile letter is shown as an escape, wherever the name is shown`() throws {
    let sandbox = try CLISandbox()
    let name = "x" + String(String.UnicodeScalarView(HostileTextTests.hostile)) + "y"
    let added = try sandbox.run("add", "--first-name", name, "--company", name, "--note", name)
    expectHarmless(added.output, ["add"])
    #expect(
      added.output.contains("\\u{1B}") && added.output.contains("\\n") && added.output.contains("\\u{202E}"))
    #expect(try sandbox.run("add", "--first-name", name + "2", "-q") == .done())
    #expect(try sandbox.run("section", "add", name, "--footer", name, "-q") == .done())
    #expect(try sandbox.run("section", "add", name + "2", "-q") == .done())
    let commands = [
      ["list"], ["list", "--color", "never"], ["show", "1"], ["move", "1", "2"], ["move", "1", "1"],
      ["section"],
      ["section", "move", "@2", "1", "-n"], ["section", "rename", "@2", name, "-n"],
      ["section", "delete", "@2", "-y", "-n"], ["delete", "1", "-n"], ["check"],
      // Errors: candidates, near misses, the typed words.
      ["show", "x"], ["show", name + "3"], ["show", name + "\u{1b}zzzz"], ["section", "delete", "x", "-y"],
      ["list", "--section", name + "zzzzzzz"], ["list", "--section", name + "3"], [name],
      ["list", "--" + name], ["list", "--format", name],
      ["list", "--color", name], ["list", "--limit", name], ["move", "1", "1", "--last"], ["help", name],
      ["section", name], ["import", name], ["import", "/dev/null", "--map", name],
      ["list", "--db", "/\(name)"],
      ["find", "x"], ["find", name + "3"], ["list", "--fields", "company,note"], ["list", "--fields", name],
      ["swap", "1", "2", "-n"], ["swap", "1", name], ["protect", "1", "--no-edit", "-n"],
      ["edit", "1", "--note", "a", "-n"], ["edit", name, "--note", "a"], ["edit", "1", "--editor"],
      ["arrange", "-y"],
      ["sort", "--by", "company", "--descending", "-n"], ["sort", "--by", name], ["backup", name, "-n"],
      ["backup", "nowhere/" + name], ["backup", "-n", "--db", name, "b"],
      ["info", "--db", name], ["add", "Ann", "--db", "/dev/null/\(name)"], ["show", name, "--json"],
    ]
    for words in commands {
      // An editor that makes a mistake of each line, and shows the text.
      let editor = try sandbox.editor("cat \"$1\"; sed -i 's/^[^#]/x&/' \"$1\"; rm editor")
      let result = try sandbox.run(words: words, environment: editor)
      #expect(result.code < 128)
      expectHarmless(result.output + result.errors, words)
    }
    let file = "\(name),b\n1\n"
    for words in [
      ["import", "-"], ["import", "-", "--map", "\(name)=\(name)"],
      ["import", "-", "--map", "x\(name)=note"],
    ] {
      expectHarmless(try sandbox.run(words: words, stdin: file).errors, words)
    }
    expectHarmless(try sandbox.run("import", "-", "-n", stdin: "\"\(name)\",b\n").output, ["import"])
  }

  @Test(arguments: sampled(sequences, oneIn: 6))
  func `no sequence reaches a terminal`(sequence: String) throws {
    let sandbox = try CLISandbox()
    let name = "A" + sequence + "Z"
    for row in [name, name + "2"] {
      #expect(try sandbox.run("add", "--first-name", row, "--note", row, "-q") == .done())
    }
    #expect(try sandbox.run("section", "add", name, "--footer", name, "-q") == .done())
    let asked = try sandbox.onTerminal("delete", "1", "--color", "never", typing: "n\n")
    let screens = [
      asked.screen, try sandbox.onTerminal("list", "--color", "never").screen,
      try sandbox.onTerminal("show", "1", "--color", "never").screen,
      try sandbox.onTerminal("show", "A", "--color", "never").screen,
      try sandbox.onTerminal("section", "--color", "never").screen,
      try sandbox.onTerminal("list", "--json", "--color", "never").screen,
    ]
    #expect(asked.code == 5)
    for screen in screens { expectHarmless(screen.replacing("\r\n", with: "\n"), [sequence]) }
  }

  @Test func `json is valid, and carries the data untouched`() throws {
    let sandbox = try CLISandbox()
    let names =
      HostileTextTests.hostile.map { "x\($0)y" } + HostileTextTests.sequences.map { "x\($0)y" } + [#"q"\/q"#]
    let csv = "zip,first\n" + names.map { "Ann,\"\($0.replacing("\"", with: "\"\""))\"\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: csv) == .done())
    let json = try sandbox.run("list", "--json").output
    #expect(try jsonArray(json).compactMap { $0["first_name"] as? String } == names)
    let lines = try sandbox.run("list", "--format", "ndjson").output.split(separator: "\n")
    #expect(try lines.map { try jsonObject(String($0))["first_name"] as? String } == names)
    let controls = json.unicodeScalars.filter {
      $0.value < 0x20 && $0 != "\n" || (0x7f..<0xa0).contains($0.value)
    }
    #expect(controls.isEmpty)
    for row in [1, names.count] {
      let moved = try sandbox.run("move", "\(row)", "\(row == 1 ? 2 : row - 1)", "--json", "-n").output
      #expect(
        (try jsonObject(moved)["changes"] as? [[String: Any]])?.first?["name"] as? String == names[row - 1])
    }
    let error = try sandbox.run("show", "\u{1b}[2J\"\\", "--json").errors
    let message = (try jsonObject(error)["error"] as? [String: Any])?["message"] as? String
    #expect(message == #"no customer matches "\u{1B}[2J"\""#)
  }

  @Test func `csv carries the data untouched, too`() throws {
    let sandbox = try CLISandbox()
    let note = "\u{1b}[2J\u{202e}=1+1\u{0}end"
    let file = #"{"name":"Ann","note":"\u001b[2J\u202e=1+1"}"#
    #expect(try sandbox.run("import", "-", "-q", "--format", "ndjson", stdin: file) == .done())
    _ = try sandbox.sqlite("UPDATE customers SET note = note || char(0) || 'end'")
    #expect(try sandbox.run("list", "--format", "csv").output.contains(",\(note),"))
    #expect(try sandbox.run("show", "1").output.contains("Note:        \\u{1B}[2J\\u{202E}=1+1\\u{0}end\n"))
  }
}
