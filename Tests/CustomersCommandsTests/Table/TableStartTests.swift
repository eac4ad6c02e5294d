import CustomersTestSupport
import Foundation
import Testing

/// The terminals that can show a table, and the errors of the others.
@Suite(.onThreads) struct TableStartTests {
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
    let refused = "customers: the table needs a terminal\nhint: to print the list: customers list"
    #expect(try sandbox.run("table") == .failed(4, refused))
    #expect(try sandbox.run("table", "--json").code == 2)
    #expect(try sandbox.run("table", "--dry-run").code == 2)
    #expect(try sandbox.onTerminal("table", "--no-input").code == 2)
  }

  @Test(arguments: [[], ["--db", "customers.sqlite"], ["--db=new.sqlite"]])
  func `on a terminal, customers without a command shows the table`(words: [String]) throws {
    let sandbox = try CLISandbox()
    let isNew = words.first?.contains("new") == true
    if !isNew { #expect(try sandbox.run("demo", "-q") == .done()) }
    let screen = try TerminalScreen(
      Spawn(
        words: [CLISandbox.program] + words, environment: sandbox.environment, folder: sandbox.folder),
      columns: 80, rows: 24)
    #expect(
      screen.wait { screen.text.contains(isNew ? "0 customers" : "Elizabeth Bennet") }, "\(screen.text)")
    screen.type("q")
    #expect(screen.end() == 0)
    #expect(try sandbox.names == (isNew ? [] : ["customers.sqlite"]))
  }

  @Test func `the columns that c lists and completes are there the next time`() throws {
    let sandbox = try CLISandbox.withDemo()
    var screen = try sandbox.screen("table")
    #expect(screen.wait { screen.text.contains("Elizabeth Bennet") }, "\(screen.text)")
    screen.type("c")
    #expect(screen.wait { screen.text.contains("other_contacts") && screen.text.contains("columns: ") })
    screen.type("\u{15}name,comp\t")
    #expect(screen.wait { screen.text.contains("columns: name,company") }, "\(screen.text)")
    screen.type(",tags\r")
    #expect(screen.wait { screen.text.contains("setting \"columns\"") }, "\(screen.text)")
    screen.type("q")
    #expect(screen.end() == 0)
    screen = try sandbox.screen("table")
    #expect(screen.wait { screen.text.contains("Company") && screen.text.contains("Tags") }, "\(screen.text)")
    screen.type("q")
    #expect(screen.end() == 0)
  }

  @Test func `without a list, customers shows an empty table and creates nothing`() throws {
    let sandbox = try CLISandbox()
    for place in [[:], CLISandbox.usualPlace] {
      let screen = try sandbox.screen(environment: place)
      #expect(screen.wait { screen.text.contains("0 customers") }, "\(screen.text)")
      screen.type("q")
      #expect(screen.end() == 0)
    }
    #expect(try sandbox.names.isEmpty)
  }

  @Test func `customers without a command opens the list of any address`() throws {
    let sandbox = try CLISandbox()
    let cluster = ["CUSTOMERS_DB": "dqlite://nowhere"]
    for (words, environment) in [([], cluster), (["--db", "dqlite://nowhere"], [:])] {
      let (screen, code) = try sandbox.onTerminal(words: words, environment: environment)
      #expect(code == 2 && screen.contains("the address of the cluster is incomplete"), "\(words): \(screen)")
    }
    let letters = try CLISandbox.withLetters()
    var far = try letters.otherMachine()
    far["CUSTOMERS_DB"] = "nowhere"
    try letters.expectTable("--db", "ssh://elsewhere\(letters.file)", in: far)
  }

  @Test func `where no table can be shown, customers without arguments shows the overview`() throws {
    let sandbox = try CLISandbox.withDemo()
    let overview = "customers COMMAND [options]"
    #expect(
      try sandbox.onTerminal(words: [], rows: 200, environment: ["TERM": "dumb"]).screen.contains(overview))
    #expect(try sandbox.run().output.contains(overview))
    let refused = "customers: no command given\nhint: to list the commands: customers help"
    #expect(try sandbox.run("--db", sandbox.file) == .failed(2, refused))
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

  @Test func `the columns can be chosen, and a wrong name is an error before the table appears`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("edit", "2", "--set", "Club=London", "-q").code == 0)
    let screen = try sandbox.screen("table", "--fields", "club,phone", columns: 120, rows: 30)
    #expect(screen.wait { screen.line(of: "Sherlock Holmes").contains("London") }, "\(screen.text)")
    #expect(screen.line(1).contains("Name") && screen.line(1).contains("Club"))
    // Another program's edit appears in its column, and so do all columns in another size.
    #expect(try sandbox.run("edit", "3", "--set", "Club=Leeds", "-q").code == 0)
    #expect(screen.wait { screen.line(of: "Jane Eyre").contains("Leeds") }, "\(screen.text)")
    screen.type("s\u{15}club\r")
    #expect(screen.wait { screen.line(0).contains("by Club ↑") && screen.line(2).contains("Leeds") })
    screen.resize(columns: 50, rows: 24)
    #expect(
      screen.wait { screen.line(2).contains("Leeds") && !screen.text.contains("Row  Name") }, "\(screen.text)"
    )
    screen.type("q")
    #expect(screen.end() == 0)
    let wrong = try sandbox.screen("table", "--fields", "clubb")
    #expect(wrong.end() == 2 && wrong.text.contains("did you mean \"Club\"?"), "\(wrong.text)")
  }

  @Test func `the mouse and colors can be switched off`() throws {
    let sandbox = try CLISandbox.withDemo()
    let screen = try sandbox.screen("table", "--no-mouse")
    #expect(screen.wait { screen.text.contains("Elizabeth") })
    #expect(!screen.terminal.modes.contains(1002))
  }
}
