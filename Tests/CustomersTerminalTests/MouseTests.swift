import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTerminal
import CustomersTestSupport
import Testing

/// The mouse on the list and in the form.
@Suite(.onThreads) struct MouseTests {
  @Test func `a click selects a row, and a second one opens it`() throws {
    var face = try TestFace("Ann, Bob, Cid")
    try face.click("Bob")
    #expect(face.state.current?.name == "Bob" && face.state.form == nil)
    face.tick(.seconds(1))
    try face.click("Bob")
    #expect(face.state.form == nil)
    try face.click("Bob")
    #expect(face.lines[0].contains("Bob") && face.state.form != nil)
  }

  @Test func `the control shows the Delete button; a click elsewhere keeps the row`() throws {
    var face = try TestFace("Ann, Bob, Cid")
    try face.click("[Edit]")
    face.click(1, 4)
    #expect(face.lines[4].hasSuffix("[ Delete ]"))
    face.click(10, 5)
    #expect(face.state.confirmation == nil && face.state.current?.name == "Ann")
    face.click(1, 4)
    face.click(1, 4)
    #expect(face.state.confirmation == nil)
    face.click(1, 4)
    try face.click("Delete")
    #expect(try face.list == "Customers: Ann, Cid")
    try face.click("[Done]")
    #expect(!face.state.isEditing)
  }

  @Test func `a handle drags a row, even to another section`() throws {
    var face = try TestFace("Ann, Bob | Leads: Cid, Dora")
    face.press("E")
    face.mouse(.press, 78, 3)
    face.mouse(.drag, 40, 4)
    #expect(face.lines[3].contains("Bob") && face.lines[4].contains("2  Ann"))
    face.mouse(.drag, 40, 8)
    #expect(face.lines[22].contains("→ 2") && face.lines.contains { $0.contains("Leads") })
    face.mouse(.drag, 40, 8)
    face.mouse(.release, 40, 8)
    #expect(try face.list == "Customers: Bob | Leads: Cid, Ann, Dora")
  }

  @Test func `a row itself can be dragged only in edit mode`() throws {
    var face = try TestFace("Ann, Bob, Cid")
    face.mouse(.press, 10, 3)
    face.mouse(.drag, 10, 5)
    face.mouse(.release, 10, 5)
    #expect(try face.list == "Customers: Ann, Bob, Cid")
    face.press("E")
    face.mouse(.press, 10, 3)
    face.mouse(.drag, 10, 5)
    face.mouse(.release, 10, 5)
    #expect(try face.list == "Customers: Bob, Cid, Ann")
  }

  @Test func `a drop on the row for a new customer goes to the end of the section`() throws {
    var face = try TestFace("Ann, Bob | Leads: Cid")
    face.press("E")
    face.mouse(.press, 78, 8)
    face.mouse(.drag, 10, 5)
    face.mouse(.release, 10, 5)
    #expect(try face.list == "Customers: Ann, Bob, Cid | Leads: ")
  }

  @Test func `dragging at the edge scrolls the list`() throws {
    let names = (1...40).map { "C\($0)" }.joined(separator: ", ")
    var face = try TestFace(SampleList(names), rows: 12)
    face.press("E")
    face.mouse(.press, 78, 3)
    face.mouse(.drag, 78, 11)
    for _ in 0..<20 { face.tick(.milliseconds(70)) }
    face.mouse(.release, 78, 11)
    let list = try face.list
    #expect(!list.hasPrefix("Customers: C1,") && list.contains("C1, "))
    let row = try face.store.read { list in try list.customer(1).place.order }
    #expect((18...30).contains(row))
  }

  @Test func `the wheel scrolls without moving the cursor`() throws {
    var face = try TestFace(SampleList((1...60).map { "C\($0)" }.joined(separator: ", ")))
    face.send(.mouse(MouseEvent(.wheelDown, button: 0, column: 5, row: 5)))
    #expect(face.state.current?.name == "C1" && face.lines[1].contains("C3"))
    face.press("j")
    #expect(face.state.current?.name == "C2" && face.lines.contains { $0.contains("C2") })
  }

  @Test func `a click in the form moves the cursor there`() throws {
    var face = try TestFace("Sherlock Holmes")
    face.press("Enter")
    face.click(22, 4)
    face.type("!")
    #expect(face.lines[4].contains("Hol!mes"))
    try face.click("[ ]")
    #expect(face.lines.contains { $0.contains("Favorite        [x]") })
    try face.click("[Cancel]")
    #expect(face.lines[22] == " Discard what you typed?")
    try face.click("[Cancel]")
    #expect(try face.list == "Customers: Sherlock Holmes" && face.state.form == nil)
  }

  @Test func `a click closes the help`() throws {
    var face = try TestFace("Ann")
    face.press("?")
    face.click(10, 10)
    #expect(face.lines[3] == "   1  Ann")
  }
}
