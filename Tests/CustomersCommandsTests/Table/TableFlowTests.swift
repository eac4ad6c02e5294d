import CCustomersVTerm
import CustomersTestSupport
import Foundation
import Testing

/// Everyday use of the table, on a terminal.
@Suite(.onThreads) struct TableFlowTests {
  private let sandbox: CLISandbox

  init() throws { sandbox = try .withDemo() }

  @Test func `the table shows the list, and keys move the cursor`() throws {
    let screen = try sandbox.table()
    #expect(screen.line(0).contains("customers.sqlite") && screen.line(0).contains("10 customers"))
    #expect(screen.row("Elizabeth Bennet").map(screen.line)?.hasPrefix("   1  Elizabeth Bennet") == true)
    #expect(screen.cursorRow == screen.row("Elizabeth Bennet"))
    screen.press(VTERM_KEY_DOWN)
    screen.type("jj")
    #expect(screen.wait { screen.cursorRow == screen.row("Ishmael") }, "\(screen.text)")
    screen.type("G")
    #expect(screen.wait { screen.cursorRow == screen.row("Miss Havisham") })
    screen.type("7\r")
    #expect(screen.wait { screen.cursorRow == screen.row("Dorothea Brooke") })
    screen.type("[")
    #expect(screen.wait { screen.cursorRow == screen.row("Elizabeth Bennet") })
  }

  @Test func `the order that s chose is that of the next table, too, and Esc shows the list's own`() throws {
    let screen = try sandbox.table()
    screen.type("s-name\r")
    #expect(screen.wait { screen.line(0).contains("by Name ↓") && screen.text.contains("setting \"sort\"") })
    screen.type("q")
    #expect(screen.end() == 0)
    let next = try sandbox.table()
    #expect(
      next.wait {
        next.line(0).contains("by Name ↓") && next.row("Zoë Müller") ?? 9 < next.row("Jane Eyre") ?? 0
      })
    next.press(VTERM_KEY_ESCAPE)
    #expect(next.wait { next.row("Elizabeth Bennet").map(next.line)?.hasPrefix("   1  ") == true })
  }

  @Test func `edit mode shows controls, and Esc ends it`() throws {
    let screen = try sandbox.table()
    screen.type("E")
    #expect(screen.wait { screen.text.contains("(add new)") && screen.text.contains("[Done]") })
    let row = try #require(screen.row("Jane Eyre"))
    #expect(screen.line(row).hasPrefix(" ⊖   3  Jane Eyre") && screen.line(row).hasSuffix("≡"))
    screen.press(VTERM_KEY_ESCAPE)
    #expect(screen.wait { !screen.text.contains("(add new)") && screen.text.contains("[Edit]") })
  }

  @Test func `deleting a row takes two steps, and u restores it`() throws {
    let screen = try sandbox.table()
    screen.type("jd")
    #expect(screen.wait { screen.text.contains("Delete \"Sherlock Holmes\"?") })
    let row = try #require(screen.row("Sherlock Holmes"))
    #expect(screen.line(row).hasSuffix("[ Delete ]"))
    #expect((0..<24).count { screen.line($0).contains("[ Delete ]") } == 1)
    screen.type("d")
    #expect(screen.wait { !screen.text.contains("Delete \"Sherlock") })
    #expect(try sandbox.namesInOrder.count == 10)
    screen.type("d\r")
    #expect(screen.wait { screen.text.contains("Deleted \"Sherlock Holmes\", row 2.") }, "\(screen.text)")
    #expect(screen.line(of: "Jane Eyre").contains(" 2  Jane"))
    #expect(try sandbox.namesInOrder.count == 9)
    screen.type("u")
    #expect(screen.wait { screen.line(of: "Jane Eyre").contains(" 3  Jane") })
    #expect(try sandbox.namesInOrder[1] == "Sherlock Holmes")
  }

  @Test func `keys move the current row, marked rows, and rows picked up`() throws {
    let screen = try sandbox.table()
    screen.type("J")
    #expect(screen.wait { screen.line(of: "Elizabeth Bennet").contains(" 2  Eliz") })
    #expect(try sandbox.namesInOrder.prefix(2) == ["Sherlock Holmes", "Elizabeth Bennet"])
    screen.press(VTERM_KEY_DOWN, VTERM_MOD_ALT)
    #expect(screen.wait { screen.line(of: "Elizabeth Bennet").contains(" 3  Eliz") })
    // Rows 1 and 2, to the end of the section.
    screen.type("g  9J")
    #expect(screen.wait { screen.line(of: "Jane Eyre").contains(" 6  Jane") }, "\(screen.text)")
    #expect(
      try sandbox.namesInOrder.prefix(6) == [
        "Elizabeth Bennet", "Ishmael", "Zoë Müller", "Anna Karenina", "Sherlock Holmes", "Jane Eyre",
      ])
    screen.press(VTERM_KEY_ESCAPE)
    // A key right after Escape would count as Alt with that key.
    #expect(screen.wait { !screen.terminal.lines.contains { $0.hasPrefix("+") } })
    screen.type("gmG")
    #expect(screen.wait { screen.text.contains("Moving \"Elizabeth Bennet\"") })
    screen.type("\r")
    // The row is shown there before it is, and the notice after it.
    #expect(screen.wait { screen.text.contains("Moved \"Elizabeth Bennet\"") }, "\(screen.text)")
    #expect(screen.line(of: "Elizabeth Bennet").contains("10  Eliz"))
    // One step moves it to another section.
    #expect(try sandbox.namesInOrder.last == "Elizabeth Bennet")
    screen.type("u")
    #expect(screen.wait { screen.line(of: "Elizabeth Bennet").contains(" 1  Eliz") })
  }

  @Test func `on a terminal, a handle drags a row, even to another section`() throws {
    let screen = try sandbox.table()
    screen.type("E")
    #expect(screen.wait { screen.text.contains("[Done]") })
    let (from, to) = (try #require(screen.row("Sherlock Holmes")), try #require(screen.row("Edmond Dantès")))
    screen.mouse(row: from, column: 78, isDown: true)
    screen.mouse(row: to, column: 78)
    #expect(screen.wait { screen.text.contains("Moving \"Sherlock Holmes\"") }, "\(screen.text)")
    let row = try #require(screen.row("Sherlock Holmes"))
    #expect(screen.cell(row, 8).isBold && screen.cell(row, 8).isUnderlined)
    #expect(try sandbox.namesInOrder[1] == "Sherlock Holmes")
    screen.mouse(row: to, column: 78, isDown: false)
    #expect(screen.wait { !screen.text.contains("Moving") })
    #expect(try sandbox.namesInOrder[1] == "Jane Eyre")
    #expect(try sandbox.sections["Sherlock Holmes"] == "Leads")
  }

  @Test func `the form adds and edits customers`() throws {
    let screen = try sandbox.table()
    screen.type("a")
    #expect(screen.wait { screen.text.contains("New customer") })
    screen.type("Ann\rLee\r")
    screen.send(screen.terminal.pasting("Books\nand more"))
    screen.press("s", VTERM_MOD_CTRL)
    #expect(screen.wait { screen.text.contains("7  Ann Lee") }, "\(screen.text)")
    #expect(try sandbox.run("show", "7").output.contains("Company:     Books and more"))
    #expect(screen.cursorRow == screen.row("Ann Lee"))
    screen.type("\r")
    #expect(screen.wait { screen.text.contains("First name      Ann") })
    screen.press(VTERM_KEY_BACKSPACE)
    screen.type("y")
    screen.press("s", VTERM_MOD_CTRL)
    #expect(screen.wait { screen.text.contains("7  Any Lee") }, "\(screen.text)")
    screen.type("\r")
    #expect(screen.wait { screen.text.contains("First name      Any") })
    screen.press(VTERM_KEY_ESCAPE)
    #expect(screen.wait { screen.text.contains("7  Any Lee") })
  }

  @Test func `the search moves the cursor while the text is typed`() throws {
    let screen = try sandbox.table()
    screen.type("/dantes")
    #expect(screen.wait { screen.cursorRow == screen.row("Edmond Dantès") }, "\(screen.text)")
    #expect(screen.text.contains("match 1 of 1"))
    screen.press(VTERM_KEY_ESCAPE)
    #expect(screen.wait { screen.cursorRow == screen.row("Elizabeth Bennet") })
  }

  @Test func `a change by another program appears and is highlighted briefly`() throws {
    // Without colors, a sign marks the row.
    let screen = try sandbox.table(environment: ["NO_COLOR": "1"])
    screen.type("j")
    #expect(screen.wait { screen.cursorRow == screen.row("Sherlock Holmes") })
    #expect(try sandbox.run("edit", "3", "--company", "Elsewhere", "-q") == .done())
    #expect(screen.wait { screen.line(of: "Jane Eyre").hasPrefix("*") && screen.text.contains("Elsewhere") })
    #expect(try sandbox.run("add", "Ann Lee", "--first", "-q") == .done())
    #expect(screen.wait { screen.row("Ann Lee") != nil && screen.cursorRow == screen.row("Sherlock Holmes") })
    #expect(screen.wait { !screen.text.contains("*") })
  }

  @Test func `while another program locks the file, an edit waits and the rows stay`() throws {
    let screen = try sandbox.table()
    let holder = try sandbox.screen(program: ["sqlite3", "customers.sqlite"])
    holder.type("BEGIN IMMEDIATE; SELECT 'hel' || 'd';\r")
    #expect(holder.wait { holder.text.contains("held") })
    screen.type("J")
    #expect(screen.wait { screen.text.contains("waits for sqlite3 (process ") }, "\(screen.text)")
    #expect(screen.wait { screen.text.contains("): 1 s.") }, "\(screen.text)")
    screen.type("j")
    #expect(screen.wait { screen.cursorRow == screen.row("Sherlock Holmes") })
    #expect(try sandbox.namesInOrder.first == "Elizabeth Bennet")
    holder.type("COMMIT;\r")
    #expect(screen.wait { screen.line(of: "Elizabeth Bennet").contains(" 2  Eliz") })
    #expect(try sandbox.namesInOrder.first == "Sherlock Holmes")
  }

  @Test func `while another program locks the file, a typed command waits, whatever key is pressed`() throws {
    let screen = try sandbox.table()
    let holder = try sandbox.screen(program: ["sqlite3", "customers.sqlite"])
    func lock() {
      holder.type("BEGIN IMMEDIATE; SELECT 'hel' || 'd';\r")
      #expect(holder.wait { holder.text.contains("held") }, "\(holder.text)")
    }
    lock()
    screen.type(":add 'Brand New'\r")
    #expect(screen.wait { screen.text.contains(":add waits for sqlite3 (process ") }, "\(screen.text)")
    screen.type("jq\rd")
    #expect(
      screen.wait { screen.text.contains(":add is still waiting for another program") }, "\(screen.text)")
    holder.type("COMMIT;\r.shell clear\r")
    #expect(screen.wait { screen.text.contains("Added \"Brand New\" as row") }, "\(screen.text)")
    #expect(!screen.text.contains("more)"))
    #expect(try sandbox.namesInOrder.contains("Brand New"))
    // Esc gives it up, and nothing else is done.
    #expect(holder.wait { !holder.text.contains("held") }, "\(holder.text)")
    lock()
    screen.type(":add Never\r")
    #expect(screen.wait { screen.text.contains(":add waits for sqlite3") }, "\(screen.text)")
    screen.type("\u{1B}")
    #expect(screen.wait { screen.text.contains("Nothing was changed.") }, "\(screen.text)")
    // After an edit that waits, it comes second.
    screen.type("gg")
    #expect(screen.wait { screen.cursorRow == screen.row("Elizabeth Bennet") }, "\(screen.text)")
    screen.type("J:edit --note second\r")
    #expect(screen.wait { screen.text.contains(":edit waits for sqlite3") }, "\(screen.text)")
    holder.type("COMMIT;\r")
    #expect(
      screen.wait { screen.text.contains("Edited \"Elizabeth Bennet\", row 2: note.") }, "\(screen.text)")
    #expect(!(try sandbox.namesInOrder.contains("Never")))
  }

  @Test func `a resized window is drawn again`() throws {
    let screen = try sandbox.table()
    screen.resize(columns: 40, rows: 12)
    #expect(screen.wait { screen.line(11).hasPrefix(" Enter open") && !screen.line(0).contains("sqlite") })
    #expect(screen.text.contains("Longbourn Books"))
    screen.resize(columns: 120, rows: 30)
    #expect(screen.wait { screen.line(29).contains("q quit") && screen.line(0).contains("customers.sqlite") })
    screen.resize(columns: 10, rows: 3)
    #expect(screen.wait { screen.text.contains("Terminal") })
    screen.resize(columns: 80, rows: 24)
    #expect(screen.wait { screen.row("Miss Havisham") != nil })
  }

  @Test func `wide characters keep the columns aligned at any width`() throws {
    for name in [
      "山田 太郎商店の人", "é̂ê Ann", "한국어 이름", "ﾊﾝｶｸ", "مرحبا بالعالم", "Ann 🐙 Lee",
      String(repeating: "長", count: 60),
    ] {
      #expect(try sandbox.run("add", name, "--first", "-q") == .done())
    }
    let screen = try sandbox.table(columns: 60)
    screen.type("E")
    #expect(screen.wait { screen.text.contains("[Done]") })
    for columns in [60, 47, 81] {
      screen.resize(columns: columns, rows: 24)
      #expect(screen.wait { screen.cell(0, columns - 2).text == "]" })
      let handles = (3..<9).map { row in (0..<columns).filter { screen.cell(row, $0).text == "≡" } }
      #expect(handles.allSatisfy { $0 == [columns - 2] || $0.isEmpty }, "\(screen.text)")
      #expect(handles.contains([columns - 2]))
    }
  }

  @Test func `y copies rows to the clipboard of the terminal, and M toggles the mouse`() throws {
    let screen = try sandbox.table()
    screen.type("jy")
    #expect(screen.wait { screen.text.contains("Copied \"Sherlock Holmes\".") })
    let sent = String(decoding: screen.terminal.received, as: UTF8.self)
    let copied = try #require(sent.firstMatch(of: /\u{1B}\]52;c;([A-Za-z0-9+\/=]*)\u{7}/))
    let text = String(decoding: try #require(Data(base64Encoded: String(copied.1))), as: UTF8.self)
    #expect(text.contains("Sherlock Holmes") && text.contains("sherlock@bakerstreet.example"))
    screen.type("M")
    #expect(screen.wait { !screen.terminal.modes.contains(1002) && screen.text.contains("mouse is off") })
    screen.type("M")
    #expect(screen.wait { screen.terminal.modes.isSuperset(of: [1002, 1006]) })
  }

  @Test func `damage is reported, and r repairs it after a backup`() throws {
    _ = try sandbox.sqlite(
      """
      PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
      UPDATE place SET slot = slot + 7 WHERE customer = 2;
      """)
    let screen = try sandbox.table()
    screen.type("J")
    #expect(screen.wait { screen.text.contains("r repair") }, "\(screen.text)")
    screen.type("r")
    #expect(screen.wait { screen.text.contains("OK: 10 rows") }, "\(screen.text)")
    screen.type("x")
    #expect(screen.wait { screen.text.contains("Elizabeth Bennet") && screen.text.contains("q quit") })
    #expect(try sandbox.run("check").code == 0)
    #expect(try sandbox.names.contains { $0.contains("before-repair") })
  }
}
