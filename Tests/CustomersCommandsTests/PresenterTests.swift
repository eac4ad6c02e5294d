import CustomerFixtures
@_spi(Tools) import CustomerStore
@testable import CustomersCommands
import CustomersText
import CustomersTestSupport
import Testing

/// Outcomes as text and as JSON, without a command.
@Suite(.onThreads) struct PresenterTests {
  struct Case: CustomTestStringConvertible {
    let edit: ListEdit
    let done: [String]
    let planned: [String]
    let ops: [String]

    init(_ edit: ListEdit, _ done: String..., would planned: String..., ops: String...) {
      (self.edit, self.done, self.planned, self.ops) = (edit, done, planned, ops)
    }

    var testDescription: String { "\(edit)" }
  }

  private static func batch(_ build: (inout BatchUpdates) -> Void) -> ListEdit {
    var updates = BatchUpdates()
    build(&updates)
    return .batch(updates)
  }

  private static let new = NewCustomer(CustomerFields(name: "New"))

  static let cases: [Case] = [
    Case(
      .insert([new], at: .place(2)), "Added \"New\" as row 2.", would: "Would add \"New\" as row 2.",
      ops: "add"),
    Case(
      .insert([NewCustomer(CustomerFields(phone: "1"))], in: 2), "Added customer @6 as row 6.",
      would: "Would add customer @6 as row 6.", ops: "add"),
    Case(
      .update([2], [.phone: "1", .extra("Club"): "Bonn"]), "Edited \"B\", row 2: phone, Club.",
      would: "Would edit \"B\", row 2: phone, Club.", ops: "edit"),
    Case(
      .delete([3, 1]), "Deleted \"A\", row 1.", "Deleted \"C\", row 3.",
      would: "Would delete \"A\", row 1.", "Would delete \"C\", row 3.", ops: "delete", "delete"),
    Case(.move([3], to: .first), "Moved \"C\" 3 → 1.", would: "Would move \"C\" 3 → 1.", ops: "move"),
    Case(
      .move([4], to: .first, in: 1), "Moved \"X\" More/1 → Customers/1.",
      would: "Would move \"X\" More/1 → Customers/1.", ops: "move"),
    Case(.move([2], to: .place(2)), "\"B\" is already at 2.", would: "\"B\" is already at 2."),
    Case(.move([1, 2], to: .first), "2 rows are already in place.", would: "2 rows are already in place."),
    Case(
      .swap(1, 2), "Moved \"B\" 2 → 1.", "Moved \"A\" 1 → 2.", would: "Would move \"B\" 2 → 1.",
      "Would move \"A\" 1 → 2.", ops: "move", "move"),
    Case(
      .protect([1], canEdit: false), "Protected \"A\", row 1, against editing and deleting.",
      would: "Would protect \"A\", row 1, against editing and deleting.", ops: "protect"),
    Case(
      .protect([5], canMove: true), "Unprotected \"Y\", row 5.", would: "Would unprotect \"Y\", row 5.",
      ops: "protect"),
    Case(
      .protect([1], canMove: true), "\"A\", row 1, already has this setting.",
      would: "\"A\", row 1, already has this setting."),
    Case(
      .sort(SortOrder(by: [.name], isDescending: true), in: 1), "Sorted 3 rows, moving 2.",
      would: "Would sort 3 rows, moving 2.", ops: "move", "move"),
    Case(
      .section(.add(title: "Third")), "Added section \"Third\" as number 3.",
      would: "Would add section \"Third\" as number 3.", ops: "section add"),
    Case(
      .section(.rename(2, title: "Less")), "Renamed section \"More\" → \"Less\".",
      would: "Would rename section \"More\" → \"Less\".", ops: "section rename"),
    Case(
      .section(.rename(2, footer: "f")), "Changed the footer of section \"More\".",
      would: "Would change the footer of section \"More\".", ops: "section rename"),
    Case(
      .section(.rename(2, title: "Less", footer: "f")),
      "Renamed section \"More\" → \"Less\" and its footer.",
      would: "Would rename section \"More\" → \"Less\" and its footer.", ops: "section rename"),
    Case(
      .section(.move(2, to: 1)), "Moved section \"More\" 2 → 1.",
      would: "Would move section \"More\" 2 → 1.", ops: "section move"),
    Case(
      .section(.delete(1, withCustomers: true)), "Deleted section \"Customers\" with 3 rows.",
      would: "Would delete section \"Customers\" with 3 rows.", ops: "section delete", "delete", "delete",
      "delete"),
    Case(
      .column(.rename("Fax", to: "Pager")), "Renamed column \"Fax\" → \"Pager\".",
      would: "Would rename column \"Fax\" → \"Pager\".", ops: "columns rename"),
    Case(
      .column(.drop("Fax")), "Dropped column \"Fax\".", would: "Would drop column \"Fax\".",
      ops: "columns drop"),
    Case(
      batch {
        $0.delete(.customer(1))
        $0.update(.customer(4), [.note: "x"])
        $0.insert(new.fields, at: .last(in: 1))
      },
      "Deleted \"A\", row 1.", "Added \"New\" as row 3.", "Edited \"X\", row 4: note.",
      would: "Would delete \"A\", row 1.", "Would add \"New\" as row 3.", "Would edit \"X\", row 4: note.",
      ops: "delete", "add", "edit"),
    Case(
      .insert(Array(repeating: new, count: 200), at: .place(2)), "Added 200 rows as rows 2–201.",
      would: "Would add 200 rows as rows 2–201.", ops: "add"),
  ]

  private static func store() throws -> CustomerStore {
    let store = try CustomerStore.inMemory("A, B, C | More: X, Y")
    try store.write { list in
      try list.protect(5, canMove: false)
      _ = try list.update(1) { $0[.extra("Fax")] = "1" }
      try list.forgetHistory()
    }
    return store
  }

  @Test(arguments: cases)
  func `each edit has its words, done and planned, and its objects`(_ test: Case) throws {
    let store = try Self.store()
    let (outcome, report) = try store.write { list in
      let outcome = try list.apply(test.edit)
      return (outcome, try EditReport(test.edit, outcome, action: "op", in: list))
    }
    let stays = report.fixedCount > 0 ? "1 protected row stays where it is." : nil
    #expect(report.text(isDryRun: false).lines == test.done && report.text(isDryRun: false).remark == stays)
    #expect(report.text(isDryRun: true).lines == test.planned)
    #expect(outcome.changes.map(\.op) == test.ops)
    for change in outcome.changes {
      let json = JSONShapes.change.json((change, outcome))
      #expect(JSONType.object(JSONShapes.change.type).mismatch(try ParsedJSON(json.text)) == nil)
    }
    guard !outcome.isEmpty else { return }
    // The history has the same words, and undo those of the opposite.
    let step = try #require(try store.read { list in try list.history(limit: 1).first })
    let told = try store.read { list in try list.outcome(of: step) }
    #expect(TextPresenter(told).lines == TextPresenter(outcome).lines)
    let undone = try #require(try store.write { list in try list.undo(expecting: nil) })
    #expect(!TextPresenter(undone.outcome).lines.isEmpty)
    let lines = StepPresenter(step: undone.step, outcome: undone.outcome)
    #expect(lines.reverted(.undo, isDryRun: false).hasPrefix("Undid step \(step.id): "))
  }

  @Test func `nothing to do is reported on standard error`() throws {
    let store = try Self.store()
    let edits: [(ListEdit, String)] = [
      (.update([1], [.phone: ""]), "Nothing was changed."),
      (.section(.move(2, to: 2)), "Nothing was changed."),
      (.sort(SortOrder(by: [.name])), "The rows are already in this order; nothing was changed."),
    ]
    for (edit, remark) in edits {
      let report = try store.write { list in
        try EditReport(edit, list.apply(edit), action: "op", in: list).text(isDryRun: false)
      }
      #expect(report.lines.isEmpty && report.remark?.hasPrefix(remark) == true)
    }
  }

  @Test(arguments: [
    (
      ListEdit.insert([new, new], at: .place(2)), #"added 2 customers as rows 2–3: "New", "New""#,
      #"deleted 2 customers: "New", "New""#
    ),
    (.delete([1, 3]), #"deleted 2 customers: "A", "C""#, #"restored 2 customers: "A", "C""#),
    (
      .move([2, 3], to: .first, in: 2), #"moved 2 customers to More/1: "B", "C""#,
      #"moved 2 customers to Customers/2: "B", "C""#
    ),
    (
      .move([2, 3], to: .first), #"moved 2 customers to row 1: "B", "C""#,
      #"moved 2 customers to row 2: "B", "C""#
    ),
    (.swap(1, 3), #"moved 2 customers: "C", "A""#, #"moved 2 customers back: "A", "C""#),
    (
      .update([1, 2], [.phone: "1"]), #"edited phone of 2 customers: "A", "B""#,
      #"edited phone of 2 customers: "A", "B""#
    ),
    (
      .protect([1, 2], canEdit: false), #"protected 2 customers against editing and deleting: "A", "B""#,
      #"unprotected 2 customers: "A", "B""#
    ),
    (
      .log([1, 2], "Called"), #"logged "Called" for 2 customers: "A", "B""#,
      #"changed the log of 2 customers: "A", "B""#
    ),
    (
      batch {
        $0.delete(.customer(1))
        $0.delete(.customer(2))
        $0.move(.customer(3), to: .last(in: 2))
      },
      #"deleted 2 customers: "A", "B"; moved "C" Customers/3 → More/3"#,
      #"restored 2 customers as rows 1–2: "A", "B"; moved "C" More/3 → Customers/3"#
    ),
  ])
  func `on one line, the rows to which the same was done are counted together`(
    edit: ListEdit, done: String, undone: String
  ) throws {
    let store = try Self.store()
    #expect(TextPresenter(try store.write { list in try list.apply(edit) }).summary == done)
    let step = try #require(try store.write { list in try list.undo(expecting: nil) })
    #expect(TextPresenter(step.outcome, isUndo: true).summary == undone)
  }

  @Test func `a report names some changes and counts the rest`() throws {
    let store = try CustomerStore.inMemory(SampleList((1...40).map { "N\($0)" }.joined(separator: ", ")))
    let ids = (1...30).map { CustomerID(rawValue: $0) }
    let outcome = try store.write { list in try list.apply(.delete(ids)) }
    let lines = TextPresenter(outcome).report
    #expect(lines.count == 21 && lines.last == "… and 10 more changes.")
    #expect(TextPresenter(outcome).summary == #"deleted 30 customers: "N1", "N2", "N3", … 27 more"#)
  }

  @Test func `text that could control a terminal is escaped`() throws {
    let store = try CustomerStore.inMemory("A")
    let outcome = try store.write { list in
      try list.apply(.insert([NewCustomer(CustomerFields(name: "\u{1b}[2J"))]))
    }
    #expect(TextPresenter(outcome).lines == [#"Added "\u{1B}[2J" as row 2."#])
  }

  @Test func `a step too long to describe is counted`() throws {
    let store = try CustomerStore.inMemory("A, B, C")
    try store.write { list in
      for _ in 0..<5 { _ = try list.move(1, to: .last); _ = try list.move(2, to: .last) }
    }
    let step = try #require(try store.read { list in try list.history(limit: 1).first })
    let outcome = try store.read { list in try list.outcome(of: step, limit: 3) }
    #expect(TextPresenter(outcome).lines == ["Made \(step.editCount) changes."])
    #expect(
      JSONShapes.step.json((step, outcome)).text.hasSuffix(#","changes":[],"omitted":\#(step.editCount)}"#))
  }
}
