import CustomersTestSupport
import Testing

/// `customers swap` and `customers protect`, whole outputs.
@Suite(.onThreads) struct SwapTests {
  @Test func `two rows are swapped, even across sections`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("swap", "1", "d") == .done("Moved \"D\" 4 → 1.\nMoved \"A\" 1 → 4."))
    #expect(
      try sandbox.run("swap", "more/2", "@2")
        == .done("Moved \"Y\" More/2 → Customers/2.\nMoved \"B\" Customers/2 → More/2."))
    #expect(try sandbox.order == "D Y C A | X B")
    #expect(try sandbox.run("undo").output.hasPrefix("Undid swap: "))
    #expect(try sandbox.order == "D B C A | X Y")
    try sandbox.expectSound()
  }

  @Test func `a program gets the result, a dry run does nothing`() throws {
    let sandbox = try CLISandbox.withLetters()
    let moved = """
      {"op":"swap","changes":[{"op":"move","id":2,"name":"B","from":{"section":1,"order":2,"position":2},\
      "to":{"section":1,"order":1,"position":1}},\
      {"op":"move","id":1,"name":"A","from":{"section":1,"order":1,"position":1},\
      "to":{"section":1,"order":2,"position":2}}]}
      """
    let tried = try sandbox.expectUntouched { try sandbox.run("swap", "1", "2", "-n") }
    #expect(tried == .done("Would move \"B\" 2 → 1.\nWould move \"A\" 1 → 2."))
    #expect(try sandbox.run("swap", "1", "2", "--json").withoutStep == .done(moved))
    #expect(try sandbox.run("swap", "1", "2", "-q") == .done())
  }

  @Test func `a protected row stays, until the protection is removed`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(
      try sandbox.run("protect", "1,3", "--no-move", "--no-edit")
        == .done(
          """
          Protected "A", row 1, against editing, deleting, and moving.
          Protected "C", row 3, against editing, deleting, and moving.
          """))
    try sandbox.expectUntouched { () throws in
      let move = """
        customers: "A" (row 1) is protected against moving
        hint: to allow moving: customers protect 1 --allow-move
        """
      let edit = """
        customers: "A" (row 1) is protected against editing and deleting
        hint: to allow editing: customers protect 1 --allow-edit
        """
      #expect(try sandbox.run("swap", "1", "2") == .failed(4, move))
      #expect(try sandbox.run("swap", "2", "1") == .failed(4, move))
      let byID = try sandbox.run("swap", "2", "@1").errors
      #expect(byID.hasPrefix("customers: \"A\" (@1) is protected against moving\n"), "\(byID)")
      #expect(byID.hasSuffix("customers protect @1 --allow-move\n"), "\(byID)")
      #expect(try sandbox.run("move", "1", "2") == .failed(4, move))
      #expect(try sandbox.run("edit", "1", "--note", "x") == .failed(4, edit))
      #expect(try sandbox.run("edit", "1", "--editor") == .failed(4, edit))
      #expect(try sandbox.run("delete", "1", "-y") == .failed(4, edit))
    }
    #expect(
      try sandbox.run("protect", "1", "--allow-edit") == .done("Protected \"A\", row 1, against moving."))
    #expect(try sandbox.run("edit", "1", "--note", "x").code == 0)
    #expect(
      try sandbox.run("protect", "1", "--allow-move") == .done("Unprotected \"A\", row 1."))
    #expect(try sandbox.run("swap", "1", "2").code == 0)
  }

  @Test func `protecting is one step, or no step if nothing changes`() throws {
    let sandbox = try CLISandbox.withLetters()
    let json = try sandbox.run("protect", "a", "b", "--no-edit", "--json")
    let rows = try #require(try jsonObject(json.output)["changes"] as? [[String: Any]])
    #expect(rows.map { ($0["customer"] as? [String: Any])?["can_edit"] as? Bool } == [false, false])
    #expect(try jsonObject(json.output)["undo"] != nil)
    #expect(try jsonObject(sandbox.run("protect", "1-2", "--no-edit", "--json").output)["undo"] == nil)
    #expect(try sandbox.run("undo").code == 0)
    #expect(
      try sandbox.run("show", "1").output == "Row:         1, Customers 1\nId:          @1\nFirst name:  A\n")
    let tried = try sandbox.expectUntouched { try sandbox.run("protect", "1", "--no-move", "-n") }
    #expect(tried == .done("Would protect \"A\", row 1, against moving."))
  }
}
