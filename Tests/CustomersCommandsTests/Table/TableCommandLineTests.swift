import CCustomersVTerm
import CustomersTestSupport
import Testing

/// Commands typed in the table.
@Suite(.onThreads) struct TableCommandLineTests {
  private let sandbox: CLISandbox

  init() throws { sandbox = try .withDemo() }

  @Test func `an edit applies to the row with the cursor, or to the marked rows`() throws {
    let screen = try sandbox.table()
    screen.type(":move --to 3\r")
    #expect(screen.wait { screen.line(of: "Elizabeth Bennet").contains(" 3  Eliz") }, "\(screen.text)")
    #expect(screen.text.contains("Moved") && screen.cursorRow == screen.row("Elizabeth Bennet"))
    screen.type("g  :edit --company Acme --note - -\r")
    #expect(screen.wait { screen.line(of: "Jane Eyre").contains("Acme") }, "\(screen.text)")
    #expect(try sandbox.run("list", "--where", "company=Acme", "--count").output == "2\n")
    // Undoing one's own step asks no question.
    screen.type("u")
    #expect(screen.wait { !screen.text.contains("Acme") }, "\(screen.text)")
  }

  @Test func `the status counts what a command did, whether its report is cut or has a heading`() throws {
    let screen = try sandbox.table(columns: 120)
    screen.type(":undo 1\r")
    #expect(screen.wait { screen.text.contains("Undid step 1 only: Deleted section") }, "\(screen.text)")
    #expect(screen.text.contains("(and 7 more)"))
    let names = (1...30).map { "\nName \($0)" }.joined()
    try sandbox.write("name" + names + "\n", to: "names.csv")
    #expect(try sandbox.run("import", "names.csv", "-q").code == 0)
    #expect(screen.wait { screen.text.contains("Name 1") })
    screen.type("*:edit --tag all\r")
    #expect(screen.wait { screen.text.contains("(and 29 more)") }, "\(screen.text)")
  }

  @Test func `an alias of the list stands for its command`() throws {
    #expect(try sandbox.run("config", "alias.acme", "edit --company Acme", "-q") == .done())
    let screen = try sandbox.table()
    screen.type(":acme\r")
    #expect(screen.wait { screen.line(of: "Elizabeth Bennet").contains("Acme") }, "\(screen.text)")
  }

  @Test func `a command that adds a customer shows the new row`() throws {
    let screen = try sandbox.table(rows: 12)
    screen.type(":customers add \"Ann Lee\" --section Archive\r")
    #expect(
      screen.wait { screen.row("Ann Lee") != nil && screen.cursorRow == screen.row("Ann Lee") },
      "\(screen.text)")
    screen.type(":section add New\r")
    #expect(screen.wait { screen.row("New") != nil })
  }

  @Test(arguments: [
    ("mvoe 3 1", "did you mean \"move\"?"), ("move 99 --to 1", "99"), ("delete 'a", "quote is not closed"),
    ("table", "you are already in the table"),
    ("backup b --every 1h", "can't be used in the table"), ("move $x 1", "$x names a row in scripts only"),
    ("edit 1 --is-favorite", "did you mean \"--favorite\"?"),
  ])
  func `a mistake is reported, and nothing is changed`(line: String, message: String) throws {
    let screen = try sandbox.table(columns: 160)
    screen.type(":\(line)\r")
    #expect(screen.wait { screen.text.contains(message) }, "\(screen.text)")
    #expect(!screen.text.contains("Diagnostic"))
    try sandbox.expectUntouched { screen.type(" ") }
    #expect(screen.row("Elizabeth Bennet") != nil)
  }

  @Test func `a question is asked in the table, and again if others have changed what it is about`() throws {
    let screen = try sandbox.table()
    let question = "Delete 2 customers: \"Sherlock Holmes\", \"Jane Eyre\"?"
    screen.type(":delete 2-3\r")
    #expect(screen.wait { screen.text.contains(question) }, "\(screen.text)")
    screen.type("n")
    #expect(screen.wait { !screen.text.contains(question) } && screen.row("Jane Eyre") != nil)
    screen.type(":delete 2-3\r")
    #expect(screen.wait { screen.text.contains(question) })
    #expect(try sandbox.run("edit", "3", "--first-name", "Janet", "-q").code == 0)
    screen.type("y")
    #expect(screen.wait { screen.text.contains("\"Janet Eyre\"?") }, "\(screen.text)")
    screen.type("y")
    #expect(screen.wait { screen.text.contains("8 customers") }, "\(screen.text)")
    #expect(screen.row("Jane Eyre") == nil && screen.terminal.modes.contains(1049))
    screen.type("u")
    #expect(screen.wait { screen.row("Janet Eyre") != nil })
  }

  @Test func `several lines are shown in the table, and lists on the terminal`() throws {
    let screen = try sandbox.table()
    screen.type(":section\r")
    #expect(screen.wait { screen.text.contains("Output") && screen.text.contains("Archive") })
    screen.type("x")
    #expect(screen.wait { !screen.text.contains("Output") })
    screen.type(":list --section leads\r")
    #expect(screen.wait { screen.text.contains("Press Enter") && screen.text.contains("Dorothea") })
    screen.type("\r")
    #expect(
      screen.wait { screen.cursorRow == screen.row("Elizabeth Bennet") && screen.row("Ishmael") != nil })
    screen.type("q")
    #expect(screen.end() == 0)
  }

  @Test func `the table follows when restore replaces the file`() throws {
    #expect(try sandbox.run("backup", "copy").code == 0)
    #expect(try sandbox.run("add", "Ann Lee", "--first", "-q") == .done())
    let screen = try sandbox.table()
    #expect(screen.row("Ann Lee") != nil)
    screen.type(":restore copy --yes\r")
    #expect(screen.wait { screen.text.contains("Restored 10 rows") }, "\(screen.text)")
    screen.type("x")
    #expect(
      screen.wait { screen.row("Ann Lee") == nil && screen.line(of: "Elizabeth").contains(" 1  Eliz") })
    screen.type("J")
    #expect(screen.wait { screen.line(of: "Elizabeth Bennet").contains(" 2  Eliz") }, "\(screen.text)")
    #expect(try sandbox.namesInOrder.first == "Sherlock Holmes")
  }
}
