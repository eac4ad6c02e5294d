import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Testing

/// The changes of history steps.
@Suite(.onThreads) struct StepOutcomeTests {
  @Test(arguments: sampled(0..<200, oneIn: 60))
  func `a command, its dry run, the history, undo, and redo have the same outcome`(seed: Int) throws {
    let store = try CustomerStore.inMemory("A, B, C, D, E | More: X, Y | Third: Z")
    var generator = SplitMix64(seed: seed)
    var told: [HistoryStep.ID: EditOutcome] = [:]
    for _ in 0..<40 {
      let edit = try store.read { list in try RandomEdit.make(in: list, &generator) }
      let dry = try? store.dryRun { list in try list.apply(edit) }
      let brief = try? store.dryRun { list in try list.applyBriefly(edit, to: FoundRows()) }
      #expect(brief?.isChanged == dry.map { !$0.isEmpty }, "\(edit)")
      if let added = brief?.added { #expect(added == dry?.rows.first?.id, "\(edit)") }
      guard let dry, !dry.isEmpty else { continue }
      let (made, step) = try store.write { list in
        let outcome = try list.apply(edit).changed
        return (outcome, try #require(try list.currentStep()?.id))
      }
      #expect(dry.changed.withoutUIDs == made.withoutUIDs, "\(edit)")
      #expect(try outcome(of: step, in: store) == made, "\(edit)")
      let undone = try #require(try store.write { list in try list.undo(expecting: nil) }).outcome
      #expect(Told(undone) == Told(made).reversed, "\(edit)")
      #expect(
        try #require(try store.write { list in try list.redo(expecting: nil) }).outcome == made, "\(edit)")
      told[step] = made
    }
    // Whatever was done since.
    #expect(told.count > 10)
    let steps = try store.read { list in try list.history().filter { $0.kind == .edit } }
    let outcomes = try store.read { list in try list.outcomes(of: steps) }
    for (step, outcome) in zip(steps, outcomes) where told[step.id] != nil {
      #expect(outcome == told[step.id], "step \(step.id)")
    }
    // Long steps are only counted, and the rows of an arrangement are not read.
    let short = try store.read { list in try list.outcomes(of: steps, limit: 4) }
    for (step, outcome) in zip(steps, short) where told[step.id] != nil {
      #expect(outcome.omitted > 4 || outcome == told[step.id], "step \(step.id)")
    }
  }

  private func outcome(of step: HistoryStep.ID, in store: CustomerStore) throws -> EditOutcome {
    try store.read { list in try list.outcome(of: #require(try list.step(step))) }
  }

  @Test func `a customer that an edit names twice is one row`() throws {
    let store = try CustomerStore.inMemory("A, B, C")
    for edit in [ListEdit.update([1, 2, 1], [.note: "x"]), .protect([2, 2], canMove: false)] {
      let made = try store.write { list in try list.apply(edit) }
      let step = try #require(try store.read { list in try list.history(limit: 1).first })
      #expect(try outcome(of: step.id, in: store) == made)
    }
  }

  @Test(arguments: [false, true])
  func `an outcome loses nothing to the limits of the history`(isForgotten: Bool) throws {
    let store = try CustomerStore.inMemory("A, B, C, D, E | More: X, Y | Third: Z")
    let limited = try CustomerStore.inMemory("A, B, C, D, E | More: X, Y | Third: Z")
    try limited.write { list in try list.limitHistory(steps: 1, bytes: 0) }
    var generator = SplitMix64(seed: 7)
    for _ in 0..<60 {
      let edit = try store.read { list in try RandomEdit.make(in: list, &generator) }
      guard let made = try? store.write({ list in try list.apply(edit) }) else { continue }
      let told = try limited.write { list in
        let told = try list.apply(edit)
        if isForgotten { try list.forgetHistory() }
        return told
      }
      #expect(told.withoutUIDs == made.withoutUIDs, "\(edit)")
    }
  }

  @Test func `a large edit is described in time that grows with it, not with its square`() throws {
    let count = isLong ? 6_000 : 2_000
    let store = try CustomerStore.inMemory(.generated(count))
    let ids = (1...Int64(count)).map { CustomerID(rawValue: $0) }
    let order = ids.filter { $0.rawValue % 2 == 0 } + ids.filter { $0.rawValue % 2 == 1 }
    let edits: [ListEdit] = [
      .arrange(order, in: 1), .update(ids, [.note: "x"]), .protect(ids, canMove: true),
      .delete(ids.filter { $0.rawValue % 3 == 0 }),
    ]
    for edit in edits {
      let made = try store.write { list in try list.apply(edit) }
      let step = try #require(try store.read { list in try list.history(limit: 1).first })
      let told = try store.read { list in try list.outcome(of: step, limit: 10_000) }
      #expect(made.changed == told || made.isEmpty, "\(edit)")
    }
  }

  @Test func `both rows of a swap are named, even if they are neighbors`() throws {
    let store = try CustomerStore.inMemory("A, B, C")
    let before = try store.read { list in try SampleList(list) }
    let made = try store.write { list in try list.apply(.swap(1, 2)) }
    let step = try #require(try store.read { list in try list.history(limit: 1).first })
    #expect(try outcome(of: step.id, in: store) == made)
    #expect(made.rows.map(\.id) == [2, 1])
    _ = try store.write { list in try list.undo() }
    #expect(try store.read { list in try SampleList(list) } == before)
  }

  @Test func `an outcome keeps the names, fields, places, and titles of that time`() throws {
    let store = try CustomerStore.inMemory("A, B, C | More: X")
    let edits: [ListEdit] = [
      .update([2], [.firstName: "Bea", .extra("City"): "Bonn"]), .protect([2], canMove: false),
      .section(.rename(2, title: "Less")), .update([2], [.firstName: "Bert", .extra("City"): "Ulm"]),
      .column(.rename("City", to: "Town")), .protect([2], canMove: true), .move([2], to: .first, in: 2),
      .update([2], [.extra("Town"): "Bern"]), .section(.move(2, to: 1)),
      .section(.delete(2, withCustomers: true)), .insert([NewCustomer(CustomerFields(name: "Z"))]),
    ]
    let made = try edits.map { edit in try store.write { list in try list.apply(edit) } }
    let told = try store.read { list in
      try list.outcomes(of: list.history(limit: edits.count).reversed())
    }
    for (edit, (told, made)) in zip(edits, zip(told, made)) { #expect(told == made, "\(edit)") }
  }

  @Test func `a row that others moved past counts as moved, even if its place is the same`() throws {
    let store = try CustomerStore.inMemory("A, B, C")
    try store.write { list in
      try list.move(2, to: .last)
      try list.move(3, to: .first)
      try list.move(2, to: .place(2))
    }
    let step = try #require(try store.read { list in try list.history(limit: 1).first })
    let outcome = try outcome(of: step.id, in: store)
    #expect(outcome.rows.map(\.id) == [3, 2] && outcome.rows.allSatisfy(\.isMoved))
  }

  @Test func `columns are named from the first to the last name`() throws {
    let store = try CustomerStore.inMemory("A, B")
    try store.write { list in
      try list.apply(.update([1], [.extra("City"): "Bonn", .extra("Fax"): "1", .extra("Age"): "5"]))
    }
    let made = try store.write { list in try list.apply(.column(.rename("City", to: "Town"))) }
    #expect(made.columns == [.init(from: "City", to: "Town")] && made.rows.isEmpty && !made.isEmpty)
    _ = try store.write { list in
      try list.apply(.column(.rename("Town", to: "Place")))
      try list.apply(.column(.rename("Place", to: "Stadt")))
      try list.apply(.column(.drop("Fax")))
      try list.apply(.column(.rename("Age", to: "Years")))
      try list.apply(.column(.rename("Years", to: "Age")))
    }
    let step = try #require(try store.read { list in try list.history(limit: 1).first })
    #expect(
      try outcome(of: step.id, in: store).columns
        == [.init(from: "Town", to: "Stadt"), .init(from: "Fax", to: nil)])
    let undone = try #require(try store.write { list in try list.undo(expecting: nil) }).outcome
    #expect(
      Set(undone.columns) == [.init(from: "Stadt", to: "Town"), .init(from: nil, to: "Fax")])
  }

  @Test func `a step of many rows is reported in blocks, without reading them`() throws {
    let store = try CustomerStore.inMemory("A, B")
    var rest = Array(repeating: CustomerFields(name: "N"), count: 5_000)[...]
    _ = try store.write { list in
      try list.insert(at: .place(2)) { rest.popFirst() }
      try list.insert(CustomerFields(name: "New"), at: .first)
    }
    let step = try #require(try store.read { list in try list.history(limit: 1).first })
    let outcome = try outcome(of: step.id, in: store)
    #expect(
      outcome.runs == [.init(first: 3, count: 5_000, from: nil, to: CustomerPlace(section: 1, order: 3))])
    #expect(outcome.rows.map(\.customer.name) == ["New"] && outcome.omitted == 0)
    #expect(outcome.before.count == 2 && outcome.after.count == 5_003)
  }
}

/// What an outcome says of rows, sections, and columns, without their order.
private struct Told: Equatable {
  struct Row: Equatable {
    var from: CustomerPlace?
    var to: CustomerPlace?
    var isMoved: Bool
    var fields: Set<CustomerField>
    var hasOtherRights: Bool
  }

  var rows: [CustomerID: Row]
  var runs: [CustomerID: EditOutcome.Run]
  var sections: [SectionID: [CustomerSection?]]
  var columns: Set<EditOutcome.Column>
  var outlines: [ListOutline]

  init(_ outcome: EditOutcome) {
    rows = Dictionary(
      uniqueKeysWithValues: outcome.rows.map { row in
        let told = Row(
          from: row.from, to: row.to, isMoved: row.isMoved, fields: Set(row.fields),
          hasOtherRights: row.hasOtherRights)
        return (row.id, told)
      })
    runs = Dictionary(uniqueKeysWithValues: outcome.runs.map { ($0.first, $0) })
    sections = Dictionary(uniqueKeysWithValues: outcome.sections.map { ($0.id, [$0.before, $0.after]) })
    columns = Set(outcome.columns)
    outlines = [outcome.before, outcome.after]
  }

  var reversed: Told {
    var told = self
    told.rows = rows.mapValues { row in
      var row = row
      (row.from, row.to) = (row.to, row.from)
      return row
    }
    told.runs = runs.mapValues { .init(first: $0.first, count: $0.count, from: $0.to, to: $0.from) }
    told.sections = sections.mapValues { $0.reversed() }
    told.columns = Set(columns.map { .init(from: $0.to, to: $0.from) })
    told.outlines = outlines.reversed()
    return told
  }
}

extension EditOutcome {
  /// The outcome without the rows that were named and are as they were.
  fileprivate var changed: EditOutcome {
    var outcome = self
    outcome.rows = rows.filter(\.isChanged)
    outcome.sections = sections.filter(\.isChanged)
    return outcome
  }
}

extension EditOutcome {
  /// The outcome without what is another one for each new line: its number and its time.
  fileprivate var withoutUIDs: EditOutcome {
    var outcome = self
    for row in rows.indices {
      for line in rows[row].lines.indices where rows[row].lines[line].before == nil {
        outcome.rows[row].lines[line].after?.id = LogLineID(rawValue: 0)
        outcome.rows[row].lines[line].after?.time = ""
      }
    }
    return outcome
  }
}
