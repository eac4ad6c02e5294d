import Foundation
import Testing

/// Where a table can be shown, and what is said where it can't.
@Suite struct TableStartTests {
  @Test(arguments: [
    "xterm-256color", "tmux-256color", "screen", "linux", "vt220", "xterm-ghostty", "xterm-kitty", "",
  ])
  func `a table is shown on every kind of terminal that has ANSI sequences`(kind: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.screen("table", environment: ["TERM": kind])
    #expect(screen.wait { screen.text.contains("Elizabeth Bennet") }, "\(screen.text)")
    screen.type("q")
    #expect(screen.end() == 0)
  }

  @Test(arguments: ["dumb", "vt52", "adm3a", "wyse-vp"])
  func `a terminal without them is refused`(kind: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let (screen, code) = try sandbox.onTerminal("table", environment: ["TERM": kind])
    #expect(screen.contains("a terminal of the kind \"\(kind)\" can't show a table"))
    #expect(code == 4 && !screen.contains("\u{1B}[?"))
  }

  @Test func `without a terminal the table is refused, and the list is named`() throws {
    let sandbox = try CLISandbox.withDemo()
    let refused = "customers: the table needs a terminal\nhint: customers list prints the list"
    #expect(try sandbox.run("table") == .failed(4, refused))
    #expect(try sandbox.run("table", "--json").code == 2)
    #expect(try sandbox.run("table", "--dry-run").code == 2)
    #expect(try sandbox.onTerminal("table", "--no-input").code == 2)
  }

  @Test func `customers alone shows the table if there is a list, and else the overview`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.onTerminal(words: [], rows: 200).screen.contains("customers COMMAND [options]"))
    #expect(try sandbox.run("demo", "-q") == .done())
    let screen = try sandbox.screen()
    #expect(screen.wait { screen.text.contains("Elizabeth Bennet") })
    screen.type("q")
    #expect(screen.end() == 0)
    let dumb = try sandbox.onTerminal(words: [], rows: 200, environment: ["TERM": "dumb"])
    #expect(dumb.screen.contains("customers COMMAND [options]"))
    #expect(try sandbox.run().output.contains("customers COMMAND [options]"))
  }

  @Test func `a table without a file makes none before the first edit`() throws {
    let sandbox = try CLISandbox()
    let screen = try sandbox.table()
    #expect(try sandbox.names.isEmpty)
    // Another program makes it.
    #expect(try sandbox.run("add", "Ann Lee", "-q") == .done())
    #expect(screen.wait { screen.text.contains("Ann Lee") })
    screen.type("q")
    #expect(screen.end() == 0)
  }

  @Test func `a file that is not a list is left alone`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("no list", to: "customers.sqlite")
    let (screen, code) = try sandbox.onTerminal("table")
    #expect(screen.contains("not a customers file") && code == 1)
  }

  @Test func `a section to begin at`() throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.screen("table", "--section", "leads")
    #expect(screen.wait { screen.text.contains("Dorothea") })
    let row = try #require((0..<24).first { screen.line($0).contains("Dorothea") })
    #expect(screen.cell(row, 4).isReverse)
    screen.type("q")
    #expect(screen.end() == 0)
    let wrong = try sandbox.onTerminal("table", "--section", "nowhere")
    #expect(wrong.code == 3 && wrong.screen.contains("nowhere"))
  }

  @Test func `the mouse is left alone if it is not wanted, and colors too`() throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.screen("table", "--no-mouse")
    #expect(screen.wait { screen.text.contains("Elizabeth") })
    #expect(!screen.terminal.modes.contains(1002))
  }
}
