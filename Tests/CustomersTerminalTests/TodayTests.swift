import CustomerFixtures
@testable import CustomerStore
import CustomerTable
import CustomersTestSupport
@testable import CustomersTerminal
import Foundation
import Testing

/// Today: only those who are due, and the log.
@Suite(.onThreads) struct TodayTests {
  private func date(_ days: Int) -> String {
    CalendarDay(number: CalendarDay.today.number + days)?.description ?? ""
  }

  /// Ann is overdue, Cid is due today, Dora later, and Bob and Gus have neither a date nor a log.
  private func face(_ columns: Int = 80) throws -> TestFace {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid, Dora, Eve | Leads: Fay, Gus")
    try store.write { list in
      try list.update(1) { $0.next = date(-3) }
      try list.update(3) { $0.next = date(0) }
      try list.update(4) { $0.next = date(1) }
      for id: CustomerID in [5, 6] { try list.addLine("called", to: id) }
    }
    return TestFace(store, columns: columns)
  }

  private func log(_ id: CustomerID, _ store: CustomerStore) throws -> [String] {
    try store.read { list in try list.log(of: id).map(\.text) }
  }

  private func next(_ id: CustomerID, _ store: CustomerStore) throws -> String {
    try store.read { list in try list.customer(id).fields.next }
  }

  private func names(_ face: TestFace) -> [String] {
    face.state.lines.compactMap { line -> String? in
      guard case .row(let row) = line else { return nil }
      return row.title
    }
  }

  @Test func `T shows those who are due in the order of the list, and all rows again`() throws {
    var face = try face()
    face.press("j j j T")
    #expect(names(face) == ["Ann", "Bob", "Cid", "Gus"])
    #expect(face.state.current?.name == "Ann")
    #expect(face.lines[0].contains("Today: 4 due"))
    #expect(face.lines[1].contains("!") && face.lines[1].contains(date(-3)))
    #expect(!face.lines[2].contains("!") && !face.lines[3].contains("!") && face.lines[3].contains(date(0)))
    face.press("j T")
    #expect(names(face).count == 7 && face.state.current?.name == "Bob")
    #expect(face.lines[0].contains("Customers") && !face.lines.joined().contains("!"))
    face.press("T Esc")
    #expect(names(face).count == 7)
  }

  @Test func `with chosen columns, Today has no other one`() throws {
    var face = try face(120)
    face.press("c")
    face.type(",next")
    face.press("Enter T")
    #expect(face.lines[1].contains("Next") && !face.lines[1].contains("Found"))
  }

  @Test func `l logs a line, sets the next date, and goes to the next one`() throws {
    var face = try face()
    face.press("T l")
    face.type("left a message")
    face.press("Enter")
    face.type("+1w")
    face.press("Enter")
    #expect(names(face) == ["Bob", "Cid", "Gus"] && face.state.current?.name == "Bob")
    #expect(face.lines[0].contains("Today: 3 due"))
    #expect(try next(1, face.store) == date(7))
    #expect(try log(1, face.store) == ["left a message"])
    // Who is called is above the line, with the last lines of the log.
    try face.other { list in
      try list.update(2) { ($0.phone, $0.next) = ("555-0100", date(0)) }
      for text in ["1", "2", "3", "4"] { try list.addLine(text, to: 2) }
    }
    face.press("l")
    #expect(
      face.lines[18].hasPrefix(" Bob · 555-0100") && face.lines[19].hasSuffix(": 4")
        && face.lines[21].hasSuffix(": 2"))
    face.press("Esc")
    // A row that stays due is left, too.
    face.press("j l")
    face.type("x")
    face.press("Enter Enter")
    #expect(names(face) == ["Bob", "Cid", "Gus"] && face.state.current?.name == "Gus")
    face.press("l")
    face.type("y")
    face.press("Enter")
    face.type("none")
    face.press("Enter")
    #expect(names(face) == ["Bob", "Cid"] && face.state.current?.name == "Bob")
    face.press("u")
    #expect(names(face) == ["Bob", "Cid", "Gus"])
    // In the list, the cursor stays.
    face.press("T g l")
    face.type("z")
    face.press("Enter Enter")
    #expect(face.state.current?.name == "Ann")
    #expect(try log(1, face.store) == ["z", "left a message"])
  }

  @Test func `what is no date is said, and nothing is logged without a text`() throws {
    var face = try face()
    face.press("l Enter")
    #expect(face.face.prompt == nil)
    face.press("l")
    face.type("x")
    face.press("Enter")
    face.type("soon")
    face.press("Enter")
    #expect(face.lines[22].contains("\"soon\" is not a date; next date (+1d, +1w, friday, none): soon"))
    face.press("Ctrl-U")
    face.type("2026-12-24")
    face.press("Enter l Esc l")
    face.type("y")
    face.press("Esc")
    #expect(try log(1, face.store) == ["x"])
    #expect(try next(1, face.store) == "2026-12-24")
  }

  @Test func `all marked rows are logged as one step, and a protected one refuses`() throws {
    var face = try face()
    face.press("Space Space l")
    face.type("x")
    face.press("Enter Enter")
    #expect(try log(1, face.store) == ["x"])
    #expect(try log(2, face.store) == ["x"])
    #expect(face.state.marked.isEmpty)
    try face.other { try $0.protect(1, canEdit: false) }
    face.press("g l")
    #expect(face.lines[22].contains("protected") && face.face.prompt == nil)
  }

  @Test func `another program's edit changes who is shown`() throws {
    var face = try face()
    face.press("T j")
    try face.other { list in
      try list.update(4) { $0.next = date(-1) }
      try list.apply(.done([1, 3]))
    }
    #expect(names(face) == ["Bob", "Dora", "Gus"] && face.state.current?.name == "Bob")
    try face.other { list in try list.apply(.done([2, 4, 7])) }
    #expect(names(face).isEmpty && face.lines[0].contains("Today: 0 due"))
    face.press("j")
    #expect(face.lines[22].contains("No one is due."))
    face.press("l")
    #expect(face.face.prompt == nil)
  }

  @Test(arguments: ["", "T", "T j", "&"])
  func `a line is about the row for which it was opened, wherever another program moves the cursor`(
    _ keys: String
  ) throws {
    for edit in [
      ListEdit.done([2]), .log([2], "theirs", next: date(2)), .update([2], [.next: .text(date(9))]),
    ] {
      var face = try face()
      face.press(keys == "&" ? "/" : keys.isEmpty ? "j" : keys)
      if keys == "&" {
        face.type("next<=today or next=")
        face.press("Enter & g j")
      }
      if keys == "T" { face.press("j") }
      #expect(face.state.current?.name == "Bob", "\(keys)")
      face.press("l")
      face.type("mine")
      try face.other { _ = try $0.apply(edit) }
      #expect(face.lines.contains { $0.hasPrefix(" Bob") })
      face.press("Enter")
      try face.other { try $0.update(2) { $0.next = date(20) } }
      face.type("+1d")
      face.press("Enter")
      #expect(try log(2, face.store).first == "mine" && next(2, face.store) == date(1))
      #expect(try log(3, face.store).isEmpty && next(3, face.store) == date(0))
      if keys.hasPrefix("T") { #expect(face.state.current?.name == "Cid") }
    }
  }

  @Test(arguments: [false, true])
  func `a line about a deleted row is refused by its name, and its text stays`(_ isLater: Bool) throws {
    var face = try face()
    face.press("T j l")
    face.type("mine")
    if isLater { face.press("Enter") }
    try face.other { try $0.delete(2) }
    #expect(face.lines.contains { $0.hasPrefix(" Bob · no longer in the list") })
    face.press("Enter")
    #expect(face.lines[22] == "\"Bob\" is no longer in the list; log: mine")
    // Once another program has brought it back, it is logged.
    try face.other { _ = try $0.undo() }
    face.press("Enter Enter")
    #expect(try log(2, face.store) == ["mine"] && log(3, face.store).isEmpty)
    // Deleted just before Enter.
    face.press("T g j l")
    face.type("again")
    face.press("Enter")
    try face.store.write { try $0.delete(2) }
    face.press("Enter")
    #expect(face.lines[22] == "\"Bob\" is no longer in the list; log: again")
    #expect(try log(3, face.store).isEmpty)
  }

  @Test func `after a restore, neither a line nor a command is about the row that has the same number`()
    throws
  {
    let file = try TemporaryStore("A, B, C")
    let copy = file.path + "-copy"
    try file.store.backUp(to: copy)
    for keys in ["l", ":"] {
      try file.store.write { list in _ = try list.insert(CustomerFields(name: "D")) }
      var face = TestFace(try CustomerStore(path: file.path))
      face.press("j \(keys)")
      face.type("done")
      let name = face.state.current?.name ?? ""
      try file.store.restore(CustomerStore.checkBackup(at: copy, forListAt: file.path), keepingListAt: nil)
      try file.store.write { list in try list.move(3, to: .first) }
      face.tick()
      face.press("Enter")
      #expect(face.lines[22].contains("\"\(name)\" is no longer in the list") && face.requests.isEmpty)
    }
  }

  @Test func `a command that was typed before a restore is about no row`() throws {
    let file = try TemporaryStore("A, B")
    let copy = file.path + "-copy"
    try file.store.backUp(to: copy)
    try file.store.write { list in _ = try list.insert(CustomerFields(name: "D")) }
    var face = TestFace(try CustomerStore(path: file.path))
    face.press(":")
    face.type("delete --yes")
    try file.store.restore(CustomerStore.checkBackup(at: copy, forListAt: file.path), keepingListAt: nil)
    face.press("Enter")
    // The owner looks at the list before it runs it.
    let request = try #require(face.requests.last)
    var isRefused = face.face.refuses(request)
    #expect(!isRefused)
    try file.store.write { list in try list.move(2, to: .first) }
    face.tick()
    isRefused = face.face.refuses(request)
    #expect(isRefused && face.lines[22].contains("this is another list now"))
  }

  @Test func `a command is about the row at which its line was opened`() throws {
    var face = try face()
    face.press("T j :")
    face.type("log x")
    try face.other { _ = try $0.apply(.done([2])) }
    #expect(face.state.current?.name == "Cid" && face.lines[21].hasPrefix(" Bob"))
    face.press("Enter")
    #expect(face.requests == [.command("log x", on: [2], agreed: [])])
    #expect(face.state.held == nil)
    face.press(":")
    face.type("delete")
    try face.other { try $0.delete(3) }
    face.press("Enter")
    #expect(face.state.confirmation == nil && face.lines[22].contains("\"Cid\" is no longer in the list."))
    face.press("g :")
    face.type("log y")
    try face.other { try $0.delete(1) }
    face.press("Enter")
    #expect(face.requests.last == .command("log y", on: [1], agreed: []))
    face.face.finished("there is no customer @1", isError: true)
    #expect(face.lines[22].contains("\"Ann\" is no longer in the list: there is no customer @1"))
    face.press(": ↑")
    #expect(face.lines[22] == ":log y")
  }

  @Test func `the form shows the next date and the log, the latest line first`() throws {
    var face = try face()
    try face.other { list in
      try list.addLine("first\nline", to: 1)
      try list.addLine("second", to: 1)
    }
    face.press("g Enter")
    let text = face.lines.joined(separator: "\n")
    #expect(try #require(text.firstMatch(of: /Next date +(\S+)/)).1 == date(-3))
    let (second, first) = (text.range(of: ": second"), text.range(of: #": first\nline"#))
    #expect(try #require(second).lowerBound < #require(first).lowerBound)
    try face.other { try $0.addLine("third", to: 1) }
    #expect(face.lines.joined().contains(": third"))
  }

  @Test func `those who are due come in the order of the list, and a sort is back afterward`() throws {
    var face = TestFace(try CustomerStore.inMemory("Club: Cid, Ann, Bob"))
    face.press("s")
    face.type("name")
    face.press("Enter")
    let sorted = face.lines
    #expect(face.state.sorting != nil)
    face.press("T")
    #expect(face.state.sorting == nil && face.state.current?.fields.firstName == "Cid")
    face.press("T")
    #expect(face.state.sorting != nil && face.lines.dropFirst() == sorted.dropFirst())
  }

  @Test
  func
    `twenty calls of a list of 200, each logged and rescheduled, take three keys each beside what is typed`()
    throws
  {
    let store = try CustomerStore.inMemory(.generated(200))
    try store.write { list in
      for id in 1...200 where id % 3 == 0 {
        try list.update(CustomerID(rawValue: Int64(id))) { $0.next = date(-1) }
      }
    }
    var face = TestFace(store)
    face.press("T")
    let due = try store.read { list in
      var filter = RowFilter()
      filter.due = .today
      return try list.customers(matching: filter).map(\.id)
    }
    #expect(due.count == 200)
    for call in 0..<20 {
      #expect(face.state.current?.id == due[call])
      face.press("l")
      face.type("call \(call)")
      face.press("Enter")
      face.type("+1w")
      face.press("Enter")
    }
    #expect(face.lines[0].contains("Today: 180 due"))
    for (call, id) in due.prefix(20).enumerated() {
      #expect(try log(id, store) == ["call \(call)"])
      #expect(try next(id, store) == date(7))
    }
  }
}
