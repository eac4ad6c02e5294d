import CustomersTestSupport
import Foundation
import Testing

/// Output longer than the screen goes to a pager, on a real terminal of eight rows.
@Suite(.onThreads) struct PagerTests {
  /// A pager that keeps its input, and shows that it ran.
  private static let keeping = "cat > seen; echo PAGED"

  private func list(
    _ sandbox: CLISandbox, _ words: String..., pager: [String: String] = ["PAGER": PagerTests.keeping]
  ) throws -> (screen: String, code: Int32) {
    let words = ["list", "--color", "never"] + words
    return try sandbox.onTerminal(words: words, rows: 8, environment: pager)
  }

  private func seen(_ sandbox: CLISandbox) throws -> String {
    defer { try? FileManager.default.removeItem(atPath: sandbox.folder + "/seen") }
    return try String(contentsOfFile: sandbox.folder + "/seen", encoding: .utf8)
  }

  @Test(arguments: [
    ["list"], ["list", "--json"], ["find", "e"], ["history", "--limit", "50"], ["help"], ["help", "move"],
    ["edit", "--help"], ["--help"], ["show", "1"],
  ])
  func `the pager receives the same text as a pipe`(words: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    for row in 1...8 { #expect(try sandbox.run("move", "\(row)", "1", "-q") == .done()) }
    let note = String(repeating: "long note ", count: 100)
    #expect(try sandbox.run("edit", "1", "--note", note, "-q") == .done())
    let (screen, code) = try sandbox.onTerminal(
      words: words + ["--color", "never"], columns: 200, rows: 8, environment: ["PAGER": PagerTests.keeping])
    #expect(screen == "PAGED\r\n" && code == 0)
    let piped = try sandbox.run(words: words).output
    if words == ["list"] || words == ["find", "e"] {
      // Cut to the width, and otherwise the same.
      #expect(try seen(sandbox).split(separator: "\n").count == piped.split(separator: "\n").count)
    } else {
      #expect(try seen(sandbox) == piped)
    }
  }

  @Test func `output that fits the screen is shown without the pager`() throws {
    let sandbox = try CLISandbox.withDemo()
    let (screen, code) = try list(sandbox, "--section", "leads")
    #expect(screen.hasPrefix("Row  Id ") && !screen.contains("PAGED") && code == 0)
    let long = try list(sandbox, "--limit", "7")
    #expect(long.screen == "PAGED\r\n" && long.code == 0)
    // One line that is wrapped to many.
    #expect(try sandbox.run("edit", "1", "--note", String(repeating: "x", count: 999), "-q") == .done())
    let wrapped = try sandbox.onTerminal(
      words: ["show", "1"], columns: 40, rows: 12, environment: ["PAGER": PagerTests.keeping])
    #expect(wrapped.screen == "PAGED\r\n")
  }

  @Test func `the pager can be switched off`() throws {
    let sandbox = try CLISandbox.withDemo()
    let plain = try list(sandbox, "--no-pager")
    #expect(plain.code == 0 && plain.screen.split(separator: "\r\n").count == 14)
    for pager in [["PAGER": ""], ["PAGER": "cat"], ["CUSTOMERS_PAGER": "", "PAGER": PagerTests.keeping]] {
      #expect(try list(sandbox, pager: pager) == plain)
    }
    #expect(try list(sandbox, pager: ["PAGER": PagerTests.keeping, "TERM": "dumb"]) == plain)
    // Commands that edit, and what goes to a pipe.
    let edited = try sandbox.onTerminal("swap", "1", "2", rows: 2, environment: ["PAGER": PagerTests.keeping])
    #expect(edited.screen.hasPrefix("Moved "))
    let piped = try sandbox.run("list", environment: ["PAGER": PagerTests.keeping])
    #expect(piped.output.split(separator: "\n").count == 14)
    #expect(try !sandbox.names.contains("seen"))
  }

  @Test func `a missing pager is ignored`() throws {
    let sandbox = try CLISandbox.withDemo()
    let plain = try list(sandbox, "--no-pager").screen
    let missing = try list(sandbox, pager: ["PAGER": "/nowhere/less -x"])
    #expect(missing.screen.hasSuffix(plain) && missing.code == 0)
    // `$PATH` contains only what the shell needs, without `less`.
    let script = "mkdir bin && ln -s $(command -v cat) $(command -v setsid) bin/"
    #expect(try sandbox.shell(script) == .done())
    let bare = try list(sandbox, pager: ["PATH": sandbox.folder + "/bin"])
    #expect(bare.screen == plain && bare.code == 0)
  }

  @Test func `the choice of the user, and the options of less`() throws {
    let sandbox = try CLISandbox.withDemo()
    let chosen = ["CUSTOMERS_PAGER": "echo $LESS; cat > seen", "PAGER": "false"]
    #expect(try list(sandbox, pager: chosen).screen == "FRX\r\n")
    #expect(try list(sandbox, pager: chosen.merging(["LESS": "S"]) { $1 }).screen == "S\r\n")
  }

  @Test(arguments: ["true", "head -1 > /dev/null", "exec false"])
  func `leaving the pager early is not an error`(pager: String) throws {
    let sandbox = try CLISandbox()
    let rows = "name,note\n" + String(repeating: "Ann,\(String(repeating: "x", count: 100))\n", count: 3000)
    #expect(try sandbox.run("import", "-", "-q", stdin: rows) == .done())
    let (screen, code) = try list(sandbox, pager: ["PAGER": pager])
    #expect(screen.isEmpty && code == 0)
  }

  @Test func `the interrupt key is for the pager, and ends both if the pager ends`() throws {
    let sandbox = try CLISandbox.withDemo()
    let going = try sandbox.onTerminal(
      words: ["list"], typing: "\u{3}", rows: 8,
      environment: ["PAGER": "trap 'echo still here; exit 0' INT; printf '[y/n] '; sleep 20 & wait"])
    #expect(going.screen.hasSuffix("still here\r\n") && going.code == 0)
    let ending = try sandbox.onTerminal(
      words: ["list"], typing: "\u{3}", rows: 8,
      environment: [
        "PAGER": "python3 -c 'import time; print(\"[y/n] \", end=\"\", flush=True); time.sleep(20)'"
      ])
    #expect(ending.code == 130)
  }

  @Test func `COLUMNS sets the width of the terminal`() throws {
    let sandbox = try CLISandbox.withDemo()
    let wide = try sandbox.onTerminal("list", "--section", "leads", "--color", "never", columns: 36)
    let told = try sandbox.onTerminal(
      "list", "--section", "leads", "--color", "never", environment: ["COLUMNS": "36"])
    #expect(told == wide && told.screen.contains("Middlema…"))
    for odd in ["0", "-5", "x", ""] {
      let screen = try sandbox.onTerminal("list", "--section", "leads", environment: ["COLUMNS": odd]).screen
      #expect(screen.contains("dorothea@lowick"))
    }
    #expect(try sandbox.run("list", environment: ["COLUMNS": "20"]) == .done(ListTests.table))
  }
}
