@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Reverting random steps: of the last one, as undo does; of an earlier one, as if it had not been made.
@Suite(.onThreads) struct RandomRevertTests {
  private static let seeds = sampled(1...(isLong ? 400 : 12), oneIn: 4)

  private func contents(_ store: CustomerStore) throws -> String {
    try store.read { list in try list.connection.contents() }
  }

  @Test(arguments: seeds)
  func `the last step is reverted as undo does it`(seed: Int) throws {
    let store = try CustomerStore.inMemory()
    var editor = RandomEditor(seed: seed)
    try store.write { list in try list.connection.setCapacity(editor.capacity) }
    for round in 0..<20 {
      let before = try contents(store)
      try store.write { list in try editor.step(&list) }
      let step = try store.read { list in try list.history(limit: 1).first }
      let after = try contents(store)
      guard let step, step.kind == .edit, before != after else { continue }
      try store.write { list in try list.revert(step.id) }
      try #require(try contents(store) == before, "round \(round)")
      try store.write { list in try list.undo() }
      try #require(try contents(store) == after, "round \(round)")
    }
  }

  /// Steps about declared columns are undone alone, in any order: each of them if its column is as it left it, and no other.
  @Test(arguments: sampled(1...(isLong ? 4_000 : 40), oneIn: 4))
  func `a declaration is reverted if it is as the step left it`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory()
    func declared() throws -> [Int64: ListEntry] {
      try store.read { list in
        let entries = try list.presentEntries().filter { $0.id < 0 }
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
      }
    }
    var states: [HistoryStep.ID: (before: [Int64: ListEntry], after: [Int64: ListEntry])] = [:]
    var (undone, refused) = (0, 0)
    for round in 0..<60 {
      let before = try declared()
      if random.oneIn(2), let step = states.keys.sorted().randomElement(using: &random),
        let made = states[step]
      {
        let changed = Set(made.before.keys).union(made.after.keys).filter {
          made.before[$0] != made.after[$0]
        }
        let isAsLeft = changed.allSatisfy { before[$0] == made.after[$0] }
        var expected = before
        for id in changed { expected[id] = made.before[id] }
        let names = expected.values.map(\.name)
        do {
          try store.write { list in _ = try list.revert(step) }
          #expect(try isAsLeft && declared() == expected, "round \(round)")
          undone += 1
        } catch RevertError.entryChangedSince {
          // One that was deleted and put back may be refused.
          let wasGone = changed.contains { id in
            states.contains { $0.key > step && ($0.value.before[id] == nil || $0.value.after[id] == nil) }
          }
          #expect(!isAsLeft || wasGone || Set(names).count < names.count, "round \(round)")
          #expect(try declared() == before, "round \(round)")
          refused += 1
          continue
        }
      } else {
        let (name, column) = ("c\(random.below(4))", before.values.sorted { $0.id < $1.id }.first)
        do {
          try store.write { list in
            switch (random.below(4), column) {
            case (0, let column?): try list.undeclareColumn(DeclaredColumnID(rawValue: column.id))
            case (1...2, _?):
              guard var column = try list.declaredExtraColumns().randomElement(using: &random) else { return }
              column.kind = random.oneIn(2) ? .date : .text
              if random.oneIn(2) { column.name = name } else { column.place = 20 + random.below(2) }
              try list.changeColumn(column)
            default: _ = try list.declareColumn(name, kind: random.oneIn(2) ? .date : .number)
            }
          }
        } catch ListError.nameInUse {}
      }
      let after = try declared()
      let last = try store.read { list in try list.history(limit: 1).first }
      if before != after, let last { states[last.id] = (before, after) }
    }
    #expect(undone > 0 && refused > 0)
  }

  /// Rows that were moved as a block go back among those that are left, whichever of these has gone since.
  @Test(arguments: sampled(1..<31, oneIn: 5))
  func `moved rows are back between their neighbors`(mask: Int) throws {
    let names = ["A", "B", "C", "D", "E"]
    let moved = (0..<5).filter { mask >> $0 & 1 == 1 }
    for destination in [Destination.first, .last] {
      for gone in 0..<5 where !moved.contains(gone) {
        let store = try CustomerStore.inMemory("A, B, C, D, E")
        let ids = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.id) }
        let known = try store.read { try $0.history(limit: 9).count }
        try store.write { list in _ = try list.move(moved.map { ids[$0] }, to: destination, in: 1) }
        let steps = try store.read { try $0.history(limit: 9) }
        // They may be there already.
        guard let step = steps.first, steps.count > known else { continue }
        try store.write { list in _ = try list.delete(ids[gone]) }
        try store.write { list in try list.revert(step.id) }
        let found = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.name) }
        #expect(found == names.enumerated().filter { $0.offset != gone }.map(\.element), "\(moved) \(gone)")
      }
    }
  }

  /// Three rows leave in one step each, and each step is undone alone, in any order.
  @Test(arguments: sampled(0..<60, oneIn: 6))
  func `rows that left one after another come back in their order`(number: Int) throws {
    let names = ["A", "B", "C", "D", "E"]
    let first = number / 12
    let second = (0..<5).filter { $0 != first }[number / 3 % 4]
    let third = (0..<5).filter { $0 != first && $0 != second }[number % 3]
    for moves in 0..<8 {
      for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let store = try CustomerStore.inMemory("A, B, C, D, E | Away: X, Y")
        let ids = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.id) }
        let steps = try [first, second, third].enumerated().map { index, row in
          try store.write { list in
            if moves >> index & 1 == 1 {
              try list.move([ids[row]], to: .first, in: 2)
            } else {
              try list.delete(ids[row])
            }
          }
          return try #require(try store.read { try $0.history(limit: 1).first }).id
        }
        for index in order { try store.write { list in try list.revert(steps[index]) } }
        let found = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.name) }
        #expect(found == names, "\([first, second, third]) \(order) \(moves)")
      }
    }
  }

  /// Rows are deleted, moved, and added; each step of a row that was there before is undone alone, in any order.
  @Test(arguments: sampled(1...(isLong ? 4_000 : 400), oneIn: 8))
  func `rows come back in their order, whichever of their steps is undone first`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory("A, B, C, D, E, F, G, H | Away: X, Y")
    let rows = try store.read { list in try list.page(from: 1, limit: 9, in: 1) }
    var steps: [HistoryStep.ID] = []
    for row in rows.shuffled(using: &random).prefix(2 + random.below(5)) {
      if random.below(4) == 0 {
        try store.write { list in
          _ = try list.insert(
            CustomerFields(firstName: "N"), at: .place(1 + random.below(list.sections()[0].count + 1)), in: 1)
        }
      }
      try store.write { list in
        switch random.below(4) {
        case 0: try list.move([row.id], to: .place(1 + random.below(3)), in: 2)
        default: try list.delete(row.id)
        }
      }
      steps.append(try #require(try store.read { try $0.history(limit: 1).first }).id)
    }
    for step in steps.shuffled(using: &random) { try store.write { list in try list.revert(step) } }
    let found = try store.read { list in try list.page(from: 1, limit: 20, in: 1).map(\.name) }
    #expect(found.filter { $0 != "N" } == rows.map(\.name), "\(steps)")
  }

  /// Undone by their numbers, the last one first, steps leave what they found, as with undo.
  @Test(arguments: sampled(1...(isLong ? 4_000 : 400), oneIn: 8))
  func `steps that are undone alone, the last one first, leave no trace`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory("A, B, C, D, E, F | Away: X, Y")
    func order() throws -> [[CustomerID]] {
      try store.read { list in try list.sectionsWithRows().map { $0.rows.map(\.id) } }
    }
    var made: [(step: HistoryStep.ID, before: [[CustomerID]])] = []
    for _ in 0..<6 {
      let before = try order()
      let rows = before.flatMap(\.self).shuffled(using: &random)
      guard rows.count > 3 else { break }
      let some = Array(rows.prefix(1 + random.below(3)))
      let section = SectionID(rawValue: Int64(1 + random.below(2)))
      let edit: ListEdit =
        switch random.below(6) {
        case 0: .delete(some)
        case 1: .moveBy(some, random.below(2) == 0 ? 1 : -1)
        case 2: .swap(rows[0], rows[1])
        case 3: .insert([NewCustomer(CustomerFields(firstName: "N"))], at: .first, in: section)
        case 4: .move(some, to: random.below(2) == 0 ? .first : .last, in: section)
        default: .move([rows[0]], to: .before(rows[1]))
        }
      try? store.write { list in _ = try list.apply(edit) }
      guard try order() != before else { continue }
      made.append((try #require(try store.read { try $0.history(limit: 1).first }).id, before))
    }
    for (step, before) in made.reversed() {
      try store.write { list in _ = try list.revert(step) }
      try #require(try order() == before, "step \(step) of \(made)")
    }
  }

  /// The same with values of customers and titles of sections, each changed several times.
  @Test(arguments: seeds)
  func `values that are undone alone, the last one first, leave no trace`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory("A, B | Away: X")
    let fields = [.phone, .tags, .isFavorite] + ["a", "é"].map(CustomerField.extra)
    func values() throws -> [String] {
      try store.read { list in
        try list.sections().map { $0.title + $0.footer }
          + ([1, 2, 3] as [CustomerID]).flatMap { id in
            let fields = try list.customer(id).fields
            return ["\(fields.phone) \(fields.tags) \(fields.isFavorite)"]
              + fields.extraColumns.columns.map { "\($0.name)=\($0.value)" }.sorted()
          }
      }
    }
    var made: [(step: HistoryStep.ID, before: [String])] = []
    for _ in 0..<8 {
      let before = try values()
      try store.write { list in
        if random.below(4) == 0 {
          try list.renameSection(2, title: "Away" + ["", "s", "t"][random.below(3)])
        }
        for id in [1, 2, 3] as [CustomerID] where random.below(2) == 0 {
          let field = fields[random.below(fields.count)]
          let text = field == .isFavorite ? ["yes", "no"][random.below(2)] : ["", "1", "2"][random.below(3)]
          try list.update(id) { $0[field] = .text(text) }
        }
      }
      guard try values() != before else { continue }
      made.append((try #require(try store.read { try $0.history(limit: 1).first }).id, before))
    }
    for (step, before) in made.reversed() {
      try store.write { list in _ = try list.revert(step) }
      try #require(try values() == before, "step \(step) of \(made.map(\.step))")
    }
  }

  /// What is refused, and what becomes of the list otherwise, is the same after steps were undone and redone.
  @Test(arguments: seeds) func `a step that was redone is undone alone as before`(seed: Int) throws {
    let store = try CustomerStore.inMemory()
    var editor = RandomEditor(seed: seed)
    for _ in 0..<15 { try store.write { list in try editor.step(&list) } }
    let steps = try store.read { list in try list.history().map(\.id) }
    func outcomes() throws -> [String] {
      try steps.map { step in
        try store.dryRun { list in
          do { try list.revert(step) } catch { return "\(error)" }
          return try list.connection.contents()
        }
      }
    }
    let before = try outcomes()
    for most in [2, 5, Int.max] {
      var undone = 0
      while undone < most, try store.write({ list in try list.undo() }) != nil { undone += 1 }
      for _ in 0..<undone { try store.write { list in _ = try list.redo() } }
      let after = try outcomes()
      for (step, (one, other)) in zip(steps, zip(before, after)) {
        #expect(one == other, "step \(step) of \(steps), \(undone) undone")
      }
    }
  }

  @Test func `a sort is reverted beside rows that came and went since`() throws {
    let store = try CustomerStore.inMemory("A, B, C, D, E")
    try store.write { list in
      let order = try list.sortOrder(by: "name", isDescending: true)
      _ = try list.apply(.sort(order, in: nil))
    }
    let sort = try #require(try store.read { try $0.history(limit: 1).first })
    try store.write { list in
      _ = try list.insert(CustomerFields(firstName: "N"))
      _ = try list.delete(3)
    }
    try store.write { list in try list.revert(sort.id) }
    let found = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.name) }
    #expect(found == ["A", "B", "D", "E", "N"])
  }

  /// One is added, moved, or deleted, then another one; the first is as before among those that the second left alone.
  @Test(arguments: sampled(0..<25, oneIn: 5))
  func `an edit of one section is reverted beside any edit of another`(index: Int) throws {
    let titles = ["A", "B", "C", "D"]
    typealias Edit = (title: String, run: (inout CustomerList, SectionID?) throws -> Void)
    func edits(ofNew new: String) -> [Edit] {
      (1...5).map { place in (new, { list, _ in _ = try list.addSection(title: new, at: place) }) }
        + titles.flatMap { title -> [Edit] in
          [(title, { list, id in try list.deleteSection(#require(id)) })]
            + (1...4).map { place in (title, { list, id in try list.moveSection(#require(id), to: place) }) }
        }
    }
    let first = edits(ofNew: "N")[index]
    for (other, second) in edits(ofNew: "O").enumerated() where first.title != second.title {
      let store = try CustomerStore.inMemory()
      try store.write { list in
        for title in titles { _ = try list.addSection(title: title) }
        try list.deleteSection(list.sections()[0].id)
      }
      let (known, ids) = try store.read { list in
        (try list.lastEdit(), try list.sections().reduce(into: [:]) { $0[$1.title] = $1.id })
      }
      try store.write { list in try first.run(&list, ids[first.title]) }
      // It may be there already.
      guard try store.read({ try $0.lastEdit() }) != known else { continue }
      let step = try #require(try store.read { try $0.history(limit: 1).first })
      // Its place may be gone.
      do { try store.write { list in try second.run(&list, ids[second.title]) } } catch ListError
        .placeOutOfRange
      { continue }
      try store.write { list in try list.revert(step.id) }
      let found = try store.read { list in try list.sections().map(\.title) }
      #expect(found.filter { $0 != second.title } == titles.filter { $0 != second.title }, "\(other)")
      #expect(try store.read { try $0.check() }.isEmpty)
    }
  }

  @Test func `no section comes back with the title that another one has got since`() throws {
    let store = try CustomerStore.inMemory("Ärger: Ann | B:")
    let id = try store.read { try $0.sections()[0].id }
    for isRename in [true, false] {
      try store.write { list in
        if isRename {
          try list.renameSection(id, title: "C")
        } else {
          try list.deleteSection(id, withCustomers: true)
        }
      }
      let step = try #require(try store.read { try $0.history(limit: 1).first })
      let other = try store.write { list in try list.addSection(title: "ärger") }
      #expect(throws: ListError.titleInUse("ärger")) { try store.write { list in try list.revert(step.id) } }
      try store.write { list in try list.deleteSection(other.id) }
      try store.write { list in try list.revert(step.id) }
      #expect(try store.read { try $0.sections().map(\.title) } == ["Ärger", "B"])
    }
  }

  @Test func `what was added to the end since stays after the rows that come back`() throws {
    for edit in [ListEdit.move([4], to: .first), .delete([4]), .delete([3, 4])] {
      let store = try CustomerStore.inMemory("A, B, C, D")
      try store.write { list in _ = try list.apply(edit) }
      let step = try #require(try store.read { try $0.history(limit: 1).first })
      try store.write { list in _ = try list.insert(CustomerFields(firstName: "N")) }
      try store.write { list in try list.revert(step.id) }
      let found = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.name) }
      #expect(found == ["A", "B", "C", "D", "N"], "\(edit)")
    }
  }

  /// The fields of one customer, as a string each.
  private typealias Model = [CustomerField: String]

  @Test(arguments: seeds)
  func `an earlier step is reverted field by field, unless later ones left another value`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let fields = [.note, .otherContacts, .tags] + ["a", "b", "é", "c d"].map(CustomerField.extra)
    let store = try CustomerStore.inMemory("Ann, Bob")
    var model: [CustomerID: Model] = [1: [:], 2: [:]]
    // What each step replaced.
    var steps: [(id: Int64, old: [CustomerID: Model])] = []
    for _ in 0..<10 {
      var old: [CustomerID: Model] = [:]
      try store.write { list in
        for id in [1, 2] as [CustomerID] where random.below(3) > 0 {
          for field in fields where random.below(3) == 0 {
            let (before, text) = (model[id]?[field] ?? "", ["", "x", "y"][random.below(3)])
            try list.update(id) { $0[field] = .text(text) }
            model[id]?[field] = text
            if before != text { old[id, default: [:]][field] = before }
          }
        }
      }
      guard !old.isEmpty, let last = try store.read({ try $0.history(limit: 1).first?.id }) else { continue }
      steps.append((last, old))
    }
    let chosen = random.below(steps.count)
    let later = steps[(chosen + 1)...]
    let conflicts = steps[chosen].old.filter { id, fields in
      // What the step left is what the next one of the field replaced.
      fields.keys.contains { field in
        later.lazy.compactMap { $0.old[id]?[field] }.first.map { $0 != model[id]?[field] } ?? false
      }
    }.keys.sorted()
    do {
      try store.write { list in try list.revert(steps[chosen].id) }
      try #require(conflicts.isEmpty, "seed \(seed)")
      for (id, fields) in steps[chosen].old { model[id]?.merge(fields) { $1 } }
    } catch RevertError.changedSince(let customers) {
      try #require(customers == conflicts, "seed \(seed)")
    }
    for (id, texts) in model {
      let found = try store.read { list in try list.customer(id).fields }
      for field in fields { try #require(found[field].text == texts[field] ?? "", "seed \(seed): \(field)") }
    }
  }
}
