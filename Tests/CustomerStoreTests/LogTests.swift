@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The log of a customer, and its next date.
@Suite(.onThreads) struct LogTests {
  /// A list of three customers, of whom the second has two lines.
  private func list(_ body: (CustomerStore, [LogLine]) throws -> Void) throws {
    var options = CustomerStore.Options()
    options.user = "ann"
    let store = try CustomerStore.inMemory(options: options)
    try store.write { list in for name in ["A", "B", "C"] { try list.insert(CustomerFields(name: name)) } }
    let lines = try ["called", "left a message"].map { text in try store.write { try $0.addLine(text, to: 2) }
    }
    try body(store, lines)
  }

  /// What the last step did, for people.
  private func report(_ store: CustomerStore) throws -> [String] {
    try store.read { list in
      let step = try #require(try list.history(limit: 1).first)
      return StepPresenter(step: step, outcome: try list.outcome(of: step)).changes
    }
  }

  @Test func `a line has the time and the user, and the latest is first`() throws {
    try list { store, lines in
      #expect(try store.read { try $0.log(of: 2) } == lines.reversed())
      #expect(try store.read { try $0.log(of: 2, limit: 1) } == [lines[1]])
      #expect(try store.read { try $0.log(of: 1) } == [])
      #expect(lines.map(\.author) == ["ann", "ann"])
      let step = try store.read { try $0.step(2) }
      #expect(lines[0].time == step?.time)
      #expect(try report(store) == [#"Logged "left a message" for "B", row 2."#])
    }
  }

  @Test func `each line is changed, deleted, undone, and redone alone`() throws {
    try list { store, lines in
      let log = { try store.read { try $0.log(of: 2).map(\.text) } }
      try store.write { try $0.updateLine(lines[0].id, text: "wrote") }
      #expect(try report(store) == [#"Changed a line in the log of "B", row 2."#])
      try store.write { try $0.deleteLine(lines[1].id) }
      #expect(try report(store) == [#"Deleted "left a message" from the log of "B", row 2."#])
      #expect(try log() == ["wrote"])
      try store.write { _ = try $0.undo() }
      #expect(try report(store) == [#"Restored "left a message" in the log of "B", row 2."#])
      try store.write { _ = try $0.undo() }
      #expect(try store.read { try $0.log(of: 2) } == lines.reversed())
      try store.write { _ = try $0.redo() }
      #expect(try log() == ["left a message", "wrote"])
      #expect(try store.read { try $0.history(of: 2).count } == 8)
      #expect(try store.read { try $0.history(of: 1).count } == 1)
    }
  }

  @Test func `a step alone is reverted unless the line was changed since, or its customer is gone`() throws {
    try list { store, lines in
      try store.write { _ = try $0.revert(2) }
      #expect(try store.read { try $0.log(of: 2) } == [lines[1]])
      try store.write { try $0.updateLine(lines[1].id, text: "x") }
      #expect(throws: RevertError.changedSince([2])) { try store.write { _ = try $0.revert(3) } }
      #expect(throws: RevertError.changedSince([2])) { try store.write { _ = try $0.revert(1) } }
      try store.write { try $0.delete([2]) }
      #expect(throws: RevertError.changedSince([2])) { try store.write { _ = try $0.revert(5) } }
    }
  }

  @Test func `a line of a deleted customer comes back with it`() throws {
    try list { store, lines in
      try store.write { try $0.delete([2]) }
      #expect(try store.read { try $0.log(of: 2) } == [])
      #expect(throws: ListError.noSuchLine) {
        try store.write { try $0.deleteLine(lines[0].id) }
      }
      #expect(throws: ListError.noSuchCustomer(2)) { try store.write { try $0.addLine("x", to: 2) } }
      try store.write { _ = try $0.undo() }
      #expect(try store.read { try $0.log(of: 2) } == lines.reversed())
    }
  }

  @Test func `a protected customer keeps its log`() throws {
    try list { store, lines in
      try store.write { try $0.protect(2, canEdit: false) }
      #expect(throws: ListError.editForbidden(2)) { try store.write { try $0.addLine("x", to: 2) } }
      #expect(throws: ListError.editForbidden(2)) {
        try store.write { try $0.updateLine(lines[0].id, text: "x") }
      }
      #expect(throws: ListError.editForbidden(2)) { try store.write { try $0.deleteLine(lines[0].id) } }
    }
  }

  @Test func `merged customers have one log and the first next date`() throws {
    try list { store, lines in
      try store.write { list in
        try list.update(2) { $0.next = "2026-12-24" }
        try list.update(3) { $0.next = "2026-12-31" }
      }
      try store.write { _ = try $0.merge([1, 2, 3]) }
      let merged = try store.read { (try $0.log(of: 1), try $0.customer(1).fields) }
      #expect(merged.0.map(\.id) == lines.reversed().map(\.id))
      #expect(merged.1.next == "2026-12-24")
      #expect(merged.1[.extra("next 2")] == .text("2026-12-31"))
      try store.write { _ = try $0.undo() }
      #expect(try store.read { try $0.log(of: 2) } == lines.reversed())
    }
  }

  @Test func `a row with a log or another next date is no exact duplicate`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in for _ in 1...4 { try list.insert(CustomerFields(name: "A")) } }
    try store.write { list in
      try list.addLine("x", to: 2)
      try list.update(3) { $0.next = "2026-12-24" }
    }
    #expect(try store.read { try $0.exactDuplicates() } == [4])
  }

  @Test func `the next date is a field that no list of fields has`() throws {
    try list { store, _ in
      try store.write { _ = try $0.update(1) { $0.next = "2026-12-24" } }
      #expect(try store.read { try $0.customer(1).fields.next } == "2026-12-24")
      #expect(try report(store) == [#"Edited "A", row 1: next date 2026-12-24."#])
      try store.write { _ = try $0.undo() }
      #expect(try store.read { try $0.customer(1).fields.next } == "")
      #expect(!CustomerField.standard.contains(.next) && !CustomerField.texts.contains(.next))
      // An extra column of the name is another field.
      #expect(CustomerField(named: "next") == nil)
      try store.write { _ = try $0.update(1) { $0[.extra("next")] = .text("1") } }
      #expect(try store.read { try $0.field(named: "Next") } == .extra("next"))
    }
  }

  @Test func `a follower learns of lines`() throws {
    try list { store, lines in
      let version = try store.read { try $0.version() }
      try store.write { list in
        try list.addLine("x", to: 1)
        try list.deleteLine(lines[0].id)
      }
      let changes = try #require(try store.read { try $0.changes(after: version) }).changes
      let added = try store.read { try $0.log(of: 1)[0].id }
      #expect(changes == [.line(added, of: 1, .insert), .line(lines[0].id, of: 2, .delete)])
      #expect(throws: ListError.contentChanged(1)) {
        try store.write { try $0.refuseChangedContent(of: [1], since: version) }
      }
    }
  }

  @Test func `lines of another copy are taken once`() throws {
    try list { store, lines in
      try store.write { try $0.deleteLine(lines[0].id) }
      let new = LogLine(
        id: .init(rawValue: -7), customer: 9, time: "2026-01-02T03:04:05.000Z", author: "bob", text: "n")
      for _ in 1...2 { try store.write { try $0.addLines(lines + [new], to: 2) } }
      #expect(try store.read { try $0.log(of: 2).map(\.id) } == [lines[1].id, new.id])
    }
  }

  @Test func `a line that got another customer says whose it was`() throws {
    try list { store, lines in
      func details() throws -> [String] {
        try store.read { list in
          let step = try #require(try list.history(limit: 1).first)
          return TextPresenter(try list.outcome(of: step)).detailedLines
        }
      }
      func move(_ line: LogLine, to customer: CustomerID, _ text: String) throws {
        try store.write { list in
          try list.edit(
            "UPDATE log_lines SET customer = ?, text = ? WHERE uid = ?",
            [.id(customer), .text(text), .integer(line.id.rawValue)]
          ) { _ in nil }
        }
      }
      try move(lines[0], to: 3, "called")
      #expect(
        try details() == [
          #"Moved "called" to the log of "C", row 3."#, #"  log of @2 → "C": "called""#,
        ])
      try move(lines[0], to: 1, "wrote")
      #expect(try details()[1] == #"  log of @3 → "A": "called" → "wrote""#)
      try store.write { _ = try $0.merge([3, 2]) }
      let merged = try details()
      #expect(merged.contains(#"  log of "B" → "C": "left a message""#), "\(merged)")
    }
  }

  @Test func `check finds lines without a customer, and repair names them`() throws {
    try list { store, lines in
      try store.write { list in
        try list.connection.executeScript(
          """
          UPDATE line_record SET customer = 77 WHERE uid = \(lines[0].id.rawValue);
          UPDATE line_record SET deleted_by = 1 WHERE uid = \(lines[1].id.rawValue);
          """)
      }
      let found = try store.read { try $0.check() }
      #expect(
        found.map(\.message) == [
          "the line of the log is of a customer that does not exist",
          "the line of the log is deleted, but has no deletion in the history",
        ])
      let image = try store.read { try $0.connection.localFile.image() }
      let rebuilding = try Rebuilding.list(of: DamagedDatabase(image: image), by: StepAuthor())
      #expect(rebuilding.report.losses == ["1 line of the log"])
      let left = try rebuilding.target.fetchAll("SELECT text FROM log_lines") { $0.text(0) }
      #expect(left == ["left a message"])
    }
  }

  @Test(arguments: ["deleted_by = 1", "customer = 0"], [0, 1])
  func `who reads all logs gets every line, or an error`(damage: String, line: Int) throws {
    try list { store, lines in
      try store.write { try $0.deleteLine(lines[1 - line].id) }
      #expect(try store.read { try $0.customersWithLog() } == [2])
      try store.write { list in
        try list.connection.executeScript(
          "UPDATE line_record SET \(damage) WHERE uid = \(lines[line].id.rawValue)")
      }
      #expect(throws: ListError.damaged) { try store.read { try $0.customersWithLog() } }
      #expect(throws: ListError.damaged) { try store.read { try $0.usesLog() } }
      #expect(try store.read { try $0.readableRows().isDamaged })
    }
  }

  @Test func `who reads a log gets every line, or an error`() throws {
    try list { store, lines in
      try store.write { try $0.deleteLine(lines[0].id) }
      #expect(try store.read { try $0.log(of: 2) } == [lines[1]])
      try store.write { list in
        try list.connection.executeScript(
          "UPDATE line_record SET deleted_by = 1 WHERE uid = \(lines[1].id.rawValue)")
      }
      for limit in [1, .max] {
        #expect(throws: ListError.damaged) { try store.read { try $0.log(of: 2, limit: limit) } }
      }
      #expect(try store.read { try $0.log(of: 1) } == [])
    }
  }
}
