import Foundation
import Testing

/// What is longer than the screen goes to a pager; on a real terminal of eight rows.
@Suite struct PagerTests {
  /// A pager that keeps what it gets, and shows that it ran.
  private static let keeping = "cat > seen; echo PAGED"

  private func list(
    _ desk: Desk, _ words: String..., pager: [String: String] = ["PAGER": PagerTests.keeping]
  ) throws -> (screen: String, code: Int32) {
    let words = ["list", "--color", "never"] + words
    return try desk.onTerminal(words: words, rows: 8, environment: pager)
  }

  private func seen(_ desk: Desk) throws -> String {
    defer { try? FileManager.default.removeItem(atPath: desk.folder + "/seen") }
    return try String(contentsOfFile: desk.folder + "/seen", encoding: .utf8)
  }

  @Test(arguments: [
    ["list"], ["list", "--json"], ["find", "e"], ["history", "--limit", "50"], ["help"], ["help", "move"],
    ["edit", "--help"], ["--help"], ["show", "1"],
  ])
  func `the pager gets what a pipe would get`(words: [String]) throws {
    let desk = try Desk.withDemo()
    for row in 1...8 { #expect(try desk.run("move", "\(row)", "1", "-q") == .done()) }
    let note = String(repeating: "long note ", count: 100)
    #expect(try desk.run("edit", "1", "--note", note, "-q") == .done())
    let (screen, code) = try desk.onTerminal(
      words: words + ["--color", "never"], columns: 200, rows: 8, environment: ["PAGER": PagerTests.keeping])
    #expect(screen == "PAGED\r\n" && code == 0)
    let piped = try desk.run(words: words).output
    if words == ["list"] || words == ["find", "e"] {
      // Cut to the width, and otherwise the same.
      #expect(try seen(desk).split(separator: "\n").count == piped.split(separator: "\n").count)
    } else {
      #expect(try seen(desk) == piped)
    }
  }

  @Test func `what fits the screen is shown at once`() throws {
    let desk = try Desk.withDemo()
    let (screen, code) = try list(desk, "--section", "customers")
    #expect(screen.hasPrefix("Customers\r\n") && !screen.contains("PAGED") && code == 0)
    let long = try list(desk, "--limit", "7")
    #expect(long.screen == "PAGED\r\n" && long.code == 0)
    // One line that is wrapped to many.
    #expect(try desk.run("edit", "1", "--note", String(repeating: "x", count: 999), "-q") == .done())
    let wrapped = try desk.onTerminal(
      words: ["show", "1"], columns: 40, rows: 12, environment: ["PAGER": PagerTests.keeping])
    #expect(wrapped.screen == "PAGED\r\n")
  }

  @Test func `no pager where none is wanted`() throws {
    let desk = try Desk.withDemo()
    let plain = try list(desk, "--no-pager")
    #expect(plain.code == 0 && plain.screen.split(separator: "\r\n").count == 13)
    for pager in [["PAGER": ""], ["PAGER": "cat"], ["CUSTOMERS_PAGER": "", "PAGER": PagerTests.keeping]] {
      #expect(try list(desk, pager: pager) == plain)
    }
    #expect(try list(desk, pager: ["PAGER": PagerTests.keeping, "TERM": "dumb"]) == plain)
    // Commands that edit, and what goes to a pipe.
    let edited = try desk.onTerminal("swap", "1", "2", rows: 2, environment: ["PAGER": PagerTests.keeping])
    #expect(edited.screen.hasPrefix("Moved "))
    let piped = try desk.run("list", environment: ["PAGER": PagerTests.keeping])
    #expect(piped.output.split(separator: "\n").count == 13)
    #expect(try !desk.names.contains("seen"))
  }

  @Test func `a pager that is not there is no pager`() throws {
    let desk = try Desk.withDemo()
    let plain = try list(desk, "--no-pager").screen
    let missing = try list(desk, pager: ["PAGER": "/nowhere/less -x"])
    #expect(missing.screen.hasSuffix(plain) && missing.code == 0)
    // Where `less` would be looked for there is nothing but what the shell needs.
    let script = "mkdir bin && ln -s $(command -v cat) $(command -v setsid) bin/"
    #expect(try desk.shell(script) == .done())
    let bare = try list(desk, pager: ["PATH": desk.folder + "/bin"])
    #expect(bare.screen == plain && bare.code == 0)
  }

  @Test func `the choice of the person, and what less is told`() throws {
    let desk = try Desk.withDemo()
    let chosen = ["CUSTOMERS_PAGER": "echo $LESS; cat > seen", "PAGER": "false"]
    #expect(try list(desk, pager: chosen).screen == "FRX\r\n")
    #expect(try list(desk, pager: chosen.merging(["LESS": "S"]) { $1 }).screen == "S\r\n")
  }

  @Test(arguments: ["true", "head -1 > /dev/null", "exec false"])
  func `to leave the pager early is no error`(pager: String) throws {
    let desk = try Desk()
    let rows = "name,note\n" + String(repeating: "Ann,\(String(repeating: "x", count: 100))\n", count: 3000)
    #expect(try desk.run("import", "-", "-q", stdin: rows) == .done())
    let (screen, code) = try list(desk, pager: ["PAGER": pager])
    #expect(screen.isEmpty && code == 0)
  }

  @Test func `the interrupt key is for the pager, and ends both if the pager ends`() throws {
    let desk = try Desk.withDemo()
    let going = try desk.onTerminal(
      words: ["list"], typing: "\u{3}", rows: 8,
      environment: ["PAGER": "trap 'echo still here; exit 0' INT; printf '[y/n] '; sleep 20 & wait"])
    #expect(going.screen.hasSuffix("still here\r\n") && going.code == 0)
    let ending = try desk.onTerminal(
      words: ["list"], typing: "\u{3}", rows: 8,
      environment: [
        "PAGER": "python3 -c 'import time; print(\"[y/n] \", end=\"\", flush=True); time.sleep(20)'"
      ])
    #expect(ending.code == 130)
  }

  @Test func `COLUMNS says how wide the terminal is`() throws {
    let desk = try Desk.withDemo()
    let wide = try desk.onTerminal("list", "--section", "leads", "--color", "never", columns: 36)
    let told = try desk.onTerminal(
      "list", "--section", "leads", "--color", "never", environment: ["COLUMNS": "36"])
    #expect(told == wide && told.screen.contains("Middlema…"))
    for odd in ["0", "-5", "x", ""] {
      let screen = try desk.onTerminal("list", "--section", "leads", environment: ["COLUMNS": odd]).screen
      #expect(screen.contains("dorothea@lowick.example"))
    }
    #expect(try desk.run("list", environment: ["COLUMNS": "20"]) == .done(ListTests.table))
  }
}
