import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTerminal
import CustomersTestSupport
import Testing

/// Keys in the list and in the form.
@Suite(.onThreads) struct KeyTests {
  @Test func `a number is a row to go to, or a repeat count`() throws {
    var face = try TestFace("Ann, Bob, Cid, Dora, Eve, Fay")
    face.press("4 Enter")
    #expect(face.state.current?.name == "Dora")
    face.press("2 k")
    #expect(face.state.current?.name == "Bob")
    face.press("3 J")
    #expect(try face.list == "Customers: Ann, Cid, Dora, Eve, Bob, Fay")
    face.press("u")
    #expect(try face.list == "Customers: Ann, Bob, Cid, Dora, Eve, Fay")
    face.press("6 G 9 9 Enter")
    #expect(face.state.current?.name == "Fay" && face.lines[22].contains("Row 99 is out of range"))
    face.press("5 Esc k")
    #expect(face.state.current?.name == "Eve")
  }

  @Test func `rows picked up are shown at their new place, and dropped there`() throws {
    var face = try TestFace("Ann, Bob | Leads: Cid, Dora")
    face.press("m ↓ ↓ ↓")
    #expect(face.lines[22] == " Moving \"Ann\"  1 → 3")
    #expect(try face.list == "Customers: Ann, Bob | Leads: Cid, Dora")
    face.press("Esc")
    #expect(face.lines[3] == "   1  Ann")
    face.press("m 4 Enter Enter")
    #expect(try face.list == "Customers: Bob | Leads: Cid, Dora, Ann")
  }

  @Test func `deleting takes two keys, and any other second key keeps the row`() throws {
    var face = try TestFace("Ann, Bob, Cid")
    for key in ["d", "q", "j", "Esc", "Space", "Ctrl-C", "n"] { face.press("d \(key)") }
    #expect(try face.list == "Customers: Ann, Bob, Cid" && face.requests.isEmpty)
    #expect(face.state.current?.name == "Ann")
    face.press("d Enter d y")
    #expect(try face.list == "Customers: Cid")
  }

  @Test func `the form opens, takes text, and saves it`() throws {
    var face = try TestFace("Ann")
    face.press("a")
    face.type("Zoë")
    face.press("Tab")
    face.type("Müller")
    face.send(.paste("\nx"))
    face.press("Backspace Backspace Ctrl-S")
    #expect(try face.list == "Customers: Ann, Zoë Müller")
    face.press("Enter")
    #expect(face.lines[0].contains("Zoë Müller"))
    face.press("Shift-Tab Shift-Tab Shift-Tab Enter")
    #expect(face.lines[22].contains("Delete this customer?"))
    face.press("n")
    #expect(face.state.form != nil)
    face.press("Enter Enter")
    #expect(try face.list == "Customers: Ann" && face.state.form == nil)
  }

  @Test func `letters typed into a string do not act on the list`() throws {
    var face = try TestFace("Ann, Bob")
    face.press("Enter d d q u J Esc y")
    face.press("/ d q J Esc : d q J Esc ? / d q J Esc")
    #expect(try face.list == "Customers: Ann, Bob" && face.requests.isEmpty && face.state.form == nil)
  }

  @Test func `Ctrl-C cancels one thing, and quits if there is nothing to cancel`() throws {
    var face = try TestFace("Ann, Bob")
    face.press("Space E m Ctrl-C Ctrl-C Ctrl-C ? Ctrl-C / Ctrl-C : Ctrl-C Enter Ctrl-C")
    #expect(face.requests.isEmpty && face.state.marked.isEmpty && !face.state.isEditing)
    face.press("Ctrl-C")
    #expect(face.requests == [.quit(130)])
  }

  @Test func `the face sends requests to the program`() throws {
    var face = try TestFace("Ann Lee, Bob")
    face.press("Space * y M M Ctrl-L Ctrl-Z : ")
    face.type("move --to 1")
    face.press("Enter q")
    #expect(
      face.requests == [
        .copy("Bob"), .setMouse(false), .setMouse(true), .redraw, .suspend,
        .command("move --to 1", on: [2], agreed: []),
        .quit(0),
      ])
  }

  @Test func `Esc asks before it discards what was typed in the form`() throws {
    var face = try TestFace("Ann, Bob")
    face.press("Enter d Esc")
    #expect(face.lines[22] == " Discard what you typed?")
    #expect(face.lines[23] == " Enter discard  any other key goes on")
    face.press("Esc")
    #expect(face.state.form?.fields[0].text?.text == "Annd" && face.lines[22] == "")
    face.press("Esc Enter a Esc")
    #expect(face.state.form == nil)
  }

  @Test func `the commands of vi do what they do there`() throws {
    var face = try TestFace("Ann, Bob, Cid")
    func run(_ line: String) -> [TableFace.Request] {
      var face = face
      face.press(":")
      face.type(line)
      face.press("Enter")
      return face.requests
    }
    for line in ["q", "quit", "q!", "wq", "x", " x "] { #expect(run(line) == [.quit(0)], "\(line)") }
    #expect(run("q 1") == [.command("q 1", on: [1], agreed: [])])
    #expect(run("") == [])
    for line in ["w", "w!"] {
      face.press(":")
      face.type(line)
      face.press("Enter")
      #expect(face.lines[22] == " Everything is saved already.")
    }
    for (line, name) in [("3", "Cid"), ("1", "Ann"), ("$", "Cid")] {
      face.press(":")
      face.type(line)
      face.press("Enter")
      #expect(face.state.current?.name == name)
    }
    face.press(": 7 Enter")
    #expect(face.lines[22] == " Row 7 is out of range (1–3)." && face.requests.isEmpty)
  }

  @Test func `lines of commands are recalled, and a word is completed`() throws {
    var face = try TestFace("Ann, Bob")
    for line in ["sort --by name", "delete 2", "sort --by name"] {
      face.press(":")
      face.type(line)
      face.press("Enter")
    }
    face.press(": ↑")
    #expect(face.lines[22] == ":sort --by name")
    face.press("↑")
    #expect(face.lines[22] == ":delete 2")
    face.press("↑ ↑")
    #expect(face.lines[22] == ":delete 2")
    face.press("↓ ↓ ↓")
    #expect(face.lines[22] == ":")
    face.press("Esc :")
    face.type("mo")
    face.press("Tab")
    #expect(face.requests.last == .complete("mo"))
    face.face.completed("mo", ["move", "more"])
    #expect(face.lines[22] == ":mo" && face.lines[23] == " move  more")
    face.press("v")
    #expect(face.lines[22] == ":mov" && face.lines[23].contains("complete"))
    face.press("← Tab")
    #expect(face.requests.last == .complete("mo"))
  }

  @Test func `:delete shows the same button as d`() throws {
    var face = try TestFace("Ann, Bob")
    face.press("j :")
    face.type("delete")
    face.press("Enter")
    #expect(face.state.confirmation?.customers.keys.map(\.rawValue) == [2] && face.requests.isEmpty)
    face.press("Enter")
    #expect(try face.list == "Customers: Ann")
  }

  @Test func `a command asks its question on the screen, and only the key for yes runs it`() throws {
    var face = try TestFace("Ann, Bob")
    let request = TableFace.Request.command("delete 1", on: [1], agreed: [])
    for key in ["n", "Esc", "Ctrl-C", "q"] {
      face.face.ask("Delete \"Ann\" (row 1)?", "one\ntwo", before: request)
      #expect(face.lines[22] == " Delete \"Ann\" (row 1)?" && face.lines[23].hasPrefix(" Enter yes"))
      #expect(face.lines.contains { $0.contains("two") })
      face.press(key)
      #expect(face.requests.isEmpty && face.lines[22] == "" && face.lines[3] == "   1  Ann")
    }
    face.face.ask("Delete \"Ann\" (row 1)?", "", before: request)
    try face.click("yes")
    #expect(face.requests.isEmpty && face.lines[22] == "")
    face.face.ask("Delete \"Ann\" (row 1)?", "", before: request)
    face.press("y")
    #expect(face.requests == [.command("delete 1", on: [1], agreed: ["Delete \"Ann\" (row 1)?"])])
  }

  @Test func `f makes the rows favorites, and again no longer`() throws {
    var face = try TestFace("Ann, Bob, Cid")
    face.press("f")
    #expect(face.lines[3].hasSuffix("★") && face.lines[22] == " Edited \"Ann\", row 1: favorite.")
    face.press("Space Space f")
    #expect(face.lines[3].hasSuffix("★") && face.lines[4].hasSuffix("★") && !face.lines[5].hasSuffix("★"))
    face.press("f")
    #expect(!face.lines[3].hasSuffix("★") && !face.lines[4].hasSuffix("★"))
  }

  @Test func `the result of a command is shown until a key is pressed`() throws {
    var face = try TestFace("Ann")
    face.face.finished("Moved \"Ann\".\n", isError: false)
    #expect(face.lines[22] == " Moved \"Ann\".")
    face.press("j")
    #expect(face.lines[22] == "")
    face.face.finished((1...40).map { "line \($0)" }.joined(separator: "\n"), isError: true)
    #expect(face.lines[2].contains("Error") && face.lines[2].contains("1/3"))
    face.press("PgDn Space")
    #expect(face.lines.contains { $0.contains("line 40") })
    face.press("x")
    #expect(face.lines[3] == "   1  Ann")
  }

  @Test func `the help can be searched`() throws {
    var face = try TestFace("Ann")
    face.press("? /")
    face.type("undo")
    #expect(face.lines[3].contains("u Ctrl-R") && face.lines[3].contains("undo, redo"))
    face.press("Enter x")
    #expect(face.lines[3] == "   1  Ann")
  }

  @Test func `the search line shows the number of the match and the number of matches`() throws {
    var face = try TestFace("Ann, Bob, Anna, Cid, Hanna")
    face.press("/")
    face.type("ann")
    #expect(face.lines[22].hasSuffix("match 1 of 3"))
    face.press("↓ Enter")
    #expect(face.lines[22] == " /ann  match 2 of 3")
    face.press("n n n")
    #expect(face.lines[22] == " /ann  match 2 of 3")
    face.press("k")
    #expect(face.lines[22] == " /ann  3 matches")
  }

  @Test func `the Delete button is shown at any width`() throws {
    var policy = TableFace.policy()
    policy.deleteTitle = { "Trash (\($0.name))" }
    for columns in [20, 30, 59, 60, 80] {
      var face = try TestFace("Elizabeth Bennet", columns: columns, policy: policy)
      face.press("E d")
      let line = face.lines.first { $0.contains("⊘") }
      #expect(line?.hasSuffix(" ]") == true && line?.contains("[ Tr") == true, "\(line ?? "")")
      #expect(line?.contains(" Eliz") == (columns > 50))
    }
  }

  @Test func `a screen that is too small says so, and recovers when enlarged`() throws {
    var face = try TestFace("Ann, Bob")
    for (columns, rows) in [(19, 24), (80, 4), (1, 1), (0, 0)] {
      face.face.resize(columns: columns, rows: rows)
      #expect(columns < 18 || face.lines.first == "Terminal too small")
      face.press("j k")
    }
    face.face.resize(columns: 80, rows: 24)
    #expect(face.lines[3] == "   1  Ann")
  }

  @Test func `a key that is refused because an edit waits says so, and no line is opened for the log`() throws
  {
    let file = try TemporaryStore("Ann, Bob, Cid")
    var face = TestFace(file.store)
    let other = try CustomerStore(path: file.path)
    try other.write { _ in
      face.press("J")
      face.tick()
      #expect(face.lines[22] == " Move waits for another program: 0 s.")
      for key in ["f", "J", "d", "l"] {
        face.press("j")
        #expect(face.lines[22] == " Move waits for another program: 0 s.")
        face.press(key)
        #expect(
          face.lines[22] == " An edit (move) is still waiting for another program; press Esc to cancel it.")
      }
    }
    face.tick()
    face.press("l")
    #expect(face.lines[22] == "log:")
  }
}
