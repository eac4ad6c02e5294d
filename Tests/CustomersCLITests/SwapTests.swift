import Testing

/// `customers swap` and `customers protect`, whole outputs.
@Suite struct SwapTests {
  @Test func `two rows change places, also across sections`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("swap", "1", "d") == .done("Moved \"D\" 4 → 1.\nMoved \"A\" 1 → 4."))
    #expect(try sandbox.run("swap", "more/2", "@2") == .done("Moved \"Y\" 6 → 2.\nMoved \"B\" 2 → 6."))
    #expect(try sandbox.order == "D Y C A | X B")
    #expect(try sandbox.run("undo").output.hasPrefix("Undid swap: "))
    #expect(try sandbox.order == "D B C A | X Y")
    try sandbox.expectSound()
  }

  @Test func `a program is told, a dry run does nothing`() throws {
    let sandbox = try CLISandbox.withLetters()
    let moved = """
      {"op":"swap","moved":[{"id":2,"name":"B","from":2,"to":1,"section":1},\
      {"id":1,"name":"A","from":1,"to":2,"section":1}]}
      """
    let tried = try sandbox.expectUntouched { try sandbox.run("swap", "1", "2", "-n") }
    #expect(tried == .done("Not done: Moved \"B\" 2 → 1.\nNot done: Moved \"A\" 1 → 2."))
    #expect(try sandbox.run("swap", "1", "2", "--json").withoutStep == .done(moved))
    #expect(try sandbox.run("swap", "1", "2", "-q") == .done())
  }

  @Test func `a protected row stays, and is free again when that is said`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(
      try sandbox.run("protect", "1,3", "--no-move", "--no-edit")
        == .done(
          """
          "A", row 1: not to be edited or deleted, not to be moved.
          "C", row 3: not to be edited or deleted, not to be moved.
          """))
    try sandbox.expectUntouched { () throws in
      let move = """
        customers: customer @1 is protected against moving
        hint: customers protect @1 --allow-move allows it
        """
      let edit = """
        customers: customer @1 is protected against edit and delete
        hint: customers protect @1 --allow-edit allows it
        """
      #expect(try sandbox.run("swap", "1", "2") == .failed(4, move))
      #expect(try sandbox.run("swap", "2", "1") == .failed(4, move))
      #expect(try sandbox.run("move", "1", "2") == .failed(4, move))
      #expect(try sandbox.run("edit", "1", "--note", "x") == .failed(4, edit))
      #expect(try sandbox.run("edit", "1", "--editor") == .failed(4, edit))
      #expect(try sandbox.run("delete", "1", "-y") == .failed(4, edit))
    }
    #expect(try sandbox.run("protect", "1", "--allow-edit") == .done("\"A\", row 1: not to be moved."))
    #expect(try sandbox.run("edit", "1", "--note", "x").code == 0)
    #expect(
      try sandbox.run("protect", "1", "--allow-move") == .done("\"A\", row 1: may be edited and moved."))
    #expect(try sandbox.run("swap", "1", "2").code == 0)
  }

  @Test func `to protect is one step, and none if it is so already`() throws {
    let sandbox = try CLISandbox.withLetters()
    let json = try sandbox.run("protect", "a", "b", "--no-edit", "--json")
    let rows = try #require(try jsonObject(json.output)["protected"] as? [[String: Any]])
    #expect(rows.map { $0["can_edit"] as? Bool } == [false, false])
    #expect(try jsonObject(json.output)["undo"] != nil)
    #expect(try jsonObject(sandbox.run("protect", "1-2", "--no-edit", "--json").output)["undo"] == nil)
    #expect(try sandbox.run("undo").code == 0)
    #expect(
      try sandbox.run("show", "1").output == "Row:         1, Customers 1\nId:          @1\nFirst name:  A\n")
    let tried = try sandbox.expectUntouched { try sandbox.run("protect", "1", "--no-move", "-n") }
    #expect(tried == .done("Not done: \"A\", row 1: not to be moved."))
  }
}
