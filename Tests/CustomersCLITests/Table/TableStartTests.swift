import Foundation
import Testing

/// The terminals that can show a table, and the errors of the others.
@Suite struct TableStartTests {
  @Test(arguments: [
    "xterm-256color", "tmux-256color", "screen", "linux", "vt220", "xterm-ghostty", "xterm-kitty", "",
  ])
  func `the table is shown on every terminal with ANSI sequences`(kind: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.screen("table", environment: ["TERM": kind])
    #expect(screen.wait { screen.text.contains("Elizabeth Bennet") }, "\(screen.text)")
    screen.type("q")
    #expect(screen.end() == 0)
  }

  @Test(arguments: ["dumb", "vt52", "adm3a", "wyse-vp"])
  func `a terminal without ANSI sequences is refused`(kind: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let (screen, code) = try sandbox.onTerminal("table", environment: ["TERM": kind])
    #expect(screen.contains("the terminal type \"\(kind)\" can't show a table"))
    #expect(code == 4 && !screen.contains("\u{1B}[?"))
  }

  @Test func `without a terminal, the error suggests the list command`() throws {
    let sandbox = try CLISandbox.withDemo()
    let refused = "customers: the table needs a terminal\nhint: customers list prints the list"
    #expect(try sandbox.run("table") == .failed(4, refused))
    #expect(try sandbox.run("table", "--json").code == 2)
    #expect(try sandbox.run("table", "--dry-run").code == 2)
    #expect(try sandbox.onTerminal("table", "--no-input").code == 2)
  }

  @Test func `customers without arguments shows the table, or the overview if there is no list`() throws {
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

  @Test func `the table creates no file before the first edit`() throws {
    let sandbox = try CLISandbox()
    let screen = try sandbox.table()
    #expect(try sandbox.names.isEmpty)
    // Another program creates it.
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

  @Test func `the table can start at a section`() throws {
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

  @Test func `the mouse and colors can be switched off`() throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.screen("table", "--no-mouse")
    #expect(screen.wait { screen.text.contains("Elizabeth") })
    #expect(!screen.terminal.modes.contains(1002))
  }
}
