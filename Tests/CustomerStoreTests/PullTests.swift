import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// Copies of a list that were edited apart become one again.
@Suite(.onThreads) struct PullTests {
  /// As many as the variable says, or some of the usual ones.
  private static func seeds(_ name: String, _ usual: Int) -> [Int] {
    let count = ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    return count.map { Array(0..<$0) } ?? sampled(0..<usual, oneIn: 4)
  }

  @Test(arguments: seeds("CUSTOMERS_PULLS", 40))
  func `three copies, in every direction`(seed: Int) throws {
    var world = try PullWorld(seed: seed, copies: 3, customers: 12)
    for _ in 0..<world.random.below(4) { try world.edit(world.copies[0]) }
    world.copies = try [world.copies[0], world.copies[0].copyInMemory(), world.copies[0].copyInMemory()]
    for copy in world.copies { for _ in 0..<1 + world.random.below(8) { try world.edit(copy) } }
    let (a, b) = (world.copies[0], world.copies[1])
    let (oldA, oldB) = try (a.copyInMemory(), b.copyInMemory())
    let before = try a.read { try $0.connection.contents() }
    let there = try b.read { try $0.connection.contents() }
    let (here, other) = try (PullWorld.pull(a, b), PullWorld.pull(oldB, oldA))
    #expect(here.conflicts.count == other.conflicts.count)
    let merged = try PullWorld.state(a)
    #expect(try PullWorld.state(oldB) == merged)
    #expect(try b.read { try $0.connection.contents() } == there)
    for store in [a, oldB] { #expect(try store.read { try $0.check() } == []) }
    if here.relation != .same, here.changesNothing {
      let step = try a.read { try #require(try $0.history(limit: 1).first) }
      #expect(step.editCount == 0 && !step.isShown)
    } else if here.relation != .same {
      // One step, which one undo undoes; then a pull brings it again.
      let undone = try a.copyInMemory()
      try undone.write { _ = try $0.undo() }
      #expect(try undone.read { try $0.connection.contents() } == before)
      #expect(try undone.read { try $0.check() } == [])
      #expect(try PullWorld.pull(undone, b).relation != .same)
      #expect(try PullWorld.state(undone) == merged)
      try undone.write { _ = try $0.undo() }
      try undone.write { _ = try $0.redo() }
      #expect(try PullWorld.state(undone) == merged)
      #expect(try PullWorld.pull(undone, b).relation == .same)
    }
    #expect(try PullWorld.pull(a, b).relation == .same)
    #expect(try PullWorld.pull(a, oldB).relation == .same)
    let back = try PullWorld.pull(b, a).relation
    #expect(back != .apart)
    #expect(here.relation != .apart || back == .older)
    #expect(try PullWorld.pull(b, a).relation == .same)
    #expect(try PullWorld.state(b) == merged)
    // A third copy, more edits, around the ring.
    for copy in [a, world.copies[2]] { for _ in 0..<world.random.below(3) { try world.edit(copy) } }
    for (one, from) in [(2, 0), (1, 2), (0, 1), (2, 0), (1, 2)] {
      try PullWorld.pull(world.copies[one], world.copies[from])
      #expect(try world.copies[one].read { try $0.check() } == [])
    }
    let states = try world.copies.map(PullWorld.state)
    #expect(states[0] == states[1] && states[1] == states[2])
  }

  /// Rings of copies: edits, pulls, undone pulls, old snapshots, and erased histories, in any order.
  ///
  /// In the last three, a copy had taken in other states, and its log did not name all that differed.
  @Test(arguments: seeds("CUSTOMERS_RINGS", 30) + [3011, 4391, 7657])
  func `all copies agree in the end`(seed: Int) throws {
    var world = try PullWorld(seed: 5000 + seed, copies: 2 + seed % 3)
    var (snapshots, undoes) = ([CustomerStore](), false)
    for _ in 0..<3 + world.random.below(22) {
      let one = world.random.below(world.copies.count)
      let copy = world.copies[one]
      switch world.random.below(20) {
      case 0..<11: try world.edit(copy)
      case 11: snapshots.append(try copy.copyInMemory())
      case 12:
        if let snapshot = snapshots.randomElement(using: &world.random) { try PullWorld.pull(copy, snapshot) }
      case 13 where seed.isMultiple(of: 3):
        if try copy.read({ try $0.undoable()?.action }) == "pull" { undoes = true }
        try world.undo(copy)
      case 13 where seed.isMultiple(of: 5): try copy.write { try $0.forgetHistory() }
      default:
        let other = world.copies[world.random.below(world.copies.count)]
        if other !== copy { try PullWorld.pull(copy, other) }
      }
    }
    var rounds = 0
    func agree() throws -> Bool {
      let heads = try world.copies.map { try $0.read { try $0.knownStates().head.mark } }
      return Set(heads).count == 1
    }
    while try rounds < 9 && !agree() {
      rounds += 1
      let all = world.copies.indices
      for (one, other) in all.flatMap({ one in all.map { (one, $0) } }).shuffled(using: &world.random)
      where one != other {
        try PullWorld.pull(world.copies[one], world.copies[other])
      }
    }
    let states = try world.copies.map(PullWorld.state)
    #expect(rounds < 9, "seed \(seed)")
    #expect(states.allSatisfy { $0 == states[0] }, "seed \(seed)")
    let rows = states[0].rows.values.flatMap(\.self)
    #expect(Set(rows).count == rows.count)
    if !undoes {
      #expect(world.everyone.subtracting(world.deleted).isSubset(of: rows), "lost, seed \(seed)")
    }
    for copy in world.copies {
      #expect(try copy.read { try $0.check() } == [])
      for other in world.copies where other !== copy {
        #expect(try PullWorld.pull(copy, other).relation == .same)
      }
    }
  }

  private func pair() throws -> (CustomerStore, CustomerStore) {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      for name in ["Ann Lee", "Bob Roe", "Cy Poe", "Di Fox", "Ed Hay"] {
        try list.insert(CustomerFields(name: name))
      }
    }
    return (store, try store.copyInMemory())
  }

  /// The line goes to someone else in the step that deletes its customer.
  @Test(arguments: [false, true])
  func `one undo takes a merge of a customer with a log back`(isIntoNew: Bool) throws {
    let (here, _) = try pair()
    try here.write { try $0.addLine("called", to: 2) }
    let there = try here.copyInMemory()
    let before = try here.read { try $0.connection.contents() }
    try there.write { list in
      let into = isIntoNew ? try list.insert(CustomerFields(name: "Fay Moe")).id : 1
      _ = try list.merge([into, 2])
    }
    try PullWorld.pull(here, there)
    #expect(try PullWorld.state(here) == PullWorld.state(there))
    try here.write { _ = try $0.undo() }
    #expect(try here.read { try $0.connection.contents() } == before)
    try here.write { _ = try $0.redo() }
    #expect(try PullWorld.state(here) == PullWorld.state(there))
    #expect(try here.read { try $0.check() } == [])
  }

  /// Here, the line is gone, with its customer or alone; there, another customer has it.
  @Test(arguments: 0..<5, [false, true])
  func `one undo restores a line of someone who is not there`(way: Int, isIntoNew: Bool) throws {
    let (here, _) = try pair()
    try here.write { try $0.addLine("called", to: 2) }
    let there = try here.copyInMemory()
    if way < 2 {
      try here.write { list in _ = try list.deleteLine(list.log(of: 2)[0].id) }
    } else if way == 2 {
      try here.write { _ = try $0.undo() }
    }
    switch way {
    case 1, 3: try here.write { try $0.delete(2) }
    case 4: try here.write { try $0.delete([1, 2]) }
    default: break
    }
    let before = try here.read { try $0.connection.contents() }
    try there.write { list in
      let into = isIntoNew ? try list.insert(CustomerFields(name: "Fay Moe")).id : 3
      _ = try list.merge([into, 2])
    }
    let other = try there.copyInMemory()
    try PullWorld.pull(other, here)
    try PullWorld.pull(here, there)
    let merged = try PullWorld.state(here)
    #expect(try PullWorld.state(other) == merged)
    for _ in 0..<2 {
      try here.write { _ = try $0.undo() }
      #expect(try here.read { try $0.connection.contents() } == before)
      try here.write { _ = try $0.redo() }
      #expect(try PullWorld.state(here) == merged)
    }
    var steps = 0
    while try here.write({ try $0.undo() }) != nil {
      #expect(try here.read { try $0.check() } == [])
      steps += 1
    }
    for _ in 0..<steps { try here.write { _ = try $0.redo() } }
    #expect(try PullWorld.state(here) == merged)
    #expect(try here.read { try $0.check() } == [])
  }

  @Test func `a preview, conflicts, and who decides them`() throws {
    let (here, there) = try pair()
    try here.write { try $0.update(1) { $0.phone = "222" } }
    try here.write { try $0.move(2, to: .first) }
    try here.write { try $0.update(3) { $0.note = "kept" } }
    try there.write { try $0.update(1) { $0.phone = "333" } }
    try there.write { try $0.move(2, to: .last) }
    try there.write { try $0.delete(3) }
    try there.write { _ = try $0.insert(CustomerFields(name: "New"), at: .first) }
    let copy = CustomerStore.ListCopy(there)
    let before = try here.read { try $0.connection.contents() }
    let preview = try here.previewPull(copy)
    #expect(try here.read { try $0.connection.contents() } == before)
    #expect(preview.relation == .apart)
    #expect(preview.steps.count == 4)
    let counts: [Int] = [preview.added, preview.changed, preview.moved, preview.deleted]
    #expect(counts == [1, 1, 1, 0])
    let told = preview.conflicts.map { conflict -> String in
      "\(conflict.name) \(conflict.ours ?? "-") \(conflict.theirs ?? "-") \(conflict.winner)"
    }
    let expected = [
      "Ann Lee 222 333 theirs", "Bob Roe Customers/1 Customers/5 theirs", "Cy Poe Cy Poe - ours",
    ]
    #expect(told.sorted() == expected)
    #expect(preview.conflicts.allSatisfy { $0.customer != nil })
    // Nothing is written by one who keeps all of its own, but for what is new.
    let own = try here.copyInMemory()
    try own.pull(copy, resolving: PullResolution(side: .ours))
    #expect(try own.read { try $0.customer(1).fields.phone } == "222")
    #expect(try own.read { try $0.place(of: 2).order } < 3)
    let theirs = try here.copyInMemory()
    try theirs.pull(copy, resolving: PullResolution(side: .theirs))
    #expect(try theirs.read { try $0.customers([3]) }.isEmpty)
    let phone = try #require(preview.conflicts.first { $0.matter == .value(column: "phone") })
    let chosen = try here.copyInMemory()
    try chosen.pull(copy, resolving: PullResolution(choices: [phone.id: .ours]))
    #expect(try chosen.read { try $0.customer(1).fields.phone } == "222")
    #expect(try chosen.read { try $0.customer(3).fields.note } == "kept")
    // Two that were decided differently are two states, and come together.
    #expect(try PullWorld.pull(own, theirs).relation != .same)
    #expect(try PullWorld.pull(theirs, own).relation != .same)
    #expect(try PullWorld.state(own) == PullWorld.state(theirs))
    let summary = try here.pull(copy)
    #expect(summary == preview)
    #expect(try here.read { try $0.customer(1).fields.phone } == "333")
    #expect(try here.read { try $0.history(limit: 1).first?.action } == "take")
    #expect(try here.pull(copy) == .nothing)
  }

  @Test(arguments: [false, true], [ConflictSide?.none, .ours, .theirs])
  func `a column that one deleted and the other renamed is a conflict`(
    isDeclared: Bool, side: ConflictSide?
  ) throws {
    let (here, _) = try pair()
    try here.write { list in
      for id in [1, 2] as [CustomerID] {
        try list.update(id) { $0.extra = #"{"Mobile":"\#(id.rawValue)","Size":"L"}"# }
      }
      try list.update(3) { $0.extra = #"{"Mobile":"3"}"# }
      if isDeclared { try list.declareColumn("Mobile", kind: .text) }
    }
    let there = try here.copyInMemory()
    try here.write { list in
      _ = try list.dropColumn("Mobile")
      // A row that was deleted stays so.
      try list.delete(3)
    }
    try there.write { list in
      _ = try list.renameColumn("Mobile", to: "Cell")
      try list.update(2) { $0.note = "x" }
    }
    let (oldHere, oldThere) = try (here.copyInMemory(), there.copyInMemory())
    let summary = try PullWorld.pull(here, there, resolving: PullResolution(side: side))
    let conflict = try #require(summary.conflicts.first { $0.matter == .entryDeletion })
    #expect(conflict.winner == side ?? .theirs)
    let result = side == .ours ? "deleted" : "kept"
    #expect(conflict.line == "column Mobile was deleted here, but changed there: \(result)")
    #expect(summary.conflicts.count { $0.matter == .entryDeletion } == 1)
    let extra = try here.read { list in
      try ([1, 2, 4] as [CustomerID]).map { try list.customer($0).fields.extra }
    }
    #expect(
      extra
        == (side == .ours
          ? [#"{"Size":"L"}"#, #"{"Size":"L"}"#, "{}"]
          : [#"{"Cell":"1","Size":"L"}"#, #"{"Cell":"2","Size":"L"}"#, "{}"]))
    let names = try here.read { try $0.declaredExtraColumns().map(\.name) }
    #expect(names == (isDeclared && side != .ours ? ["Cell"] : []))
    #expect(try here.read { try $0.check() } == [])
    // The other copy gets the same, whoever takes.
    let other: ConflictSide? = side.map { $0 == .ours ? .theirs : .ours }
    let taken = try PullWorld.pull(oldThere, oldHere, resolving: PullResolution(side: other))
    #expect(taken.conflicts.contains { $0.line.hasSuffix("was deleted there, but changed here: \(result)") })
    #expect(try PullWorld.state(oldThere) == PullWorld.state(here))
    #expect(try PullWorld.pull(there, here).relation == .older)
    #expect(try PullWorld.state(there) == PullWorld.state(here))
    // One undo restores what was here.
    try here.write { _ = try $0.undo() }
    #expect(try PullWorld.state(here) == PullWorld.state(oldHere))
  }

  @Test func `a value that one cleared in a column that the other renamed stays cleared`() throws {
    let (here, _) = try pair()
    try here.write { try $0.update(1) { $0.extra = #"{"Mobile":"1"}"# } }
    let there = try here.copyInMemory()
    try here.write { try $0.update(1) { $0.extra = "{}" } }
    try there.write { _ = try $0.renameColumn("Mobile", to: "Cell") }
    #expect(try PullWorld.pull(here, there).conflicts.isEmpty)
    #expect(try here.read { try $0.customer(1).fields.extra } == "{}")
    // Deleted and brought back is not deleted, either.
    let (one, _) = try pair()
    try one.write { try $0.update(1) { $0.extra = #"{"Mobile":"1"}"# } }
    let two = try one.copyInMemory()
    try one.write { _ = try $0.dropColumn("Mobile") }
    try one.write { _ = try $0.undo() }
    try one.write { try $0.update(1) { $0.extra = "{}" } }
    try two.write { _ = try $0.renameColumn("Mobile", to: "Cell") }
    #expect(try PullWorld.pull(one, two).conflicts.isEmpty)
  }

  @Test(arguments: [ConflictSide.ours, .theirs])
  func `lines of someone who is deleted, or stays so, are not counted`(side: ConflictSide) throws {
    let (here, _) = try pair()
    for id in [1, 2] as [CustomerID] { try here.write { try $0.addLine("called", to: id) } }
    let there = try here.copyInMemory()
    try here.write { try $0.delete(1) }
    try there.write { try $0.delete(2) }
    try there.write { try $0.addLine("wrote", to: 1) }
    let summary = try PullWorld.pull(here, there, resolving: PullResolution(side: side))
    #expect(summary.added == (side == .ours ? 0 : 1) && summary.deleted == 1)
    // Whoever is back has a new line.
    #expect(summary.lines == (side == .ours ? 0 : 1))
    let step = try #require(try here.read { try $0.history(limit: 1).first })
    let outcome = try here.read { try $0.outcome(of: step) }
    #expect(outcome.rows.filter { !$0.lines.isEmpty }.isEmpty || side == .theirs)
  }

  @Test func `a take that changes nothing is no step to undo, and what was undone can be redone`() throws {
    let (here, there) = try pair()
    for store in [here, there] { try store.write { try $0.update(1) { $0.phone = "1" } } }
    try here.write { try $0.update(2) { $0.phone = "2" } }
    try here.write { _ = try $0.undo() }
    let before = try here.read { try $0.history().filter(\.isShown).map(\.id) }
    let summary = try PullWorld.pull(here, there)
    #expect(summary.relation == .apart && summary.changesNothing)
    #expect(try PullWorld.pull(here, there).relation == .same)
    #expect(try here.read { try $0.history().filter(\.isShown).map(\.id) } == before)
    #expect(try here.read { try $0.check() } == [])
    try here.write { _ = try $0.redo() }
    #expect(try here.read { try $0.customer(2).fields.phone } == "2")
    try here.write { _ = try $0.undo() }
    // What both did alike can be undone, and stays so when the other copy comes again.
    try here.write { _ = try $0.undo() }
    #expect(try here.read { try $0.customer(1).fields.phone } == "")
    #expect(try PullWorld.pull(here, there).relation == .same)
    #expect(try PullWorld.pull(there, here).relation == .older)
    #expect(try there.read { try $0.customer(1).fields.phone } == "")
  }

  @Test func `a conflict says whose log a line is in, and that a section stays for its rows`() throws {
    let (here, _) = try pair()
    try here.write { list in
      _ = try list.addSection(title: "S")
      try list.addLine("called", to: 3)
    }
    let there = try here.copyInMemory()
    try here.write { list in
      _ = try list.merge([1, 3])
      try list.deleteSection(2)
    }
    try there.write { list in
      _ = try list.merge([2, 3])
      try list.insert(CustomerFields(name: "Fay Moe"), in: 2)
    }
    let summary = try PullWorld.pull(here, there, resolving: PullResolution(side: .ours))
    let line = try #require(summary.conflicts.first { $0.matter == .line })
    #expect([line.ours, line.theirs] == ["Ann Lee", "Bob Roe"] && line.winner == .ours, "\(line)")
    let section = try #require(summary.conflicts.first { $0.matter == .sectionDeletion })
    #expect(section.winner == .theirs && section.line.hasSuffix(": kept"), "\(section.line)")
    #expect(try here.read { try $0.sections().map(\.count) } == [4, 1])
  }

  @Test func `other lists, and histories that were erased, are refused`() throws {
    let (here, there) = try pair()
    let other = try CustomerStore.inMemory()
    #expect(throws: PullError.otherList) { try here.pull(CustomerStore.ListCopy(other)) }
    for store in [here, there] {
      try store.write { try $0.update(1) { $0.phone += "1" } }
      try store.write { try $0.forgetHistory() }
    }
    try there.write { try $0.update(1) { $0.note = "there" } }
    try there.write { _ = try $0.insert(CustomerFields(name: "New")) }
    let copy = CustomerStore.ListCopy(there)
    #expect(throws: PullError.unrelated) { try here.pull(copy) }
    #expect(try here.previewPull(copy).relation == .unrelated)
    try here.pull(copy, acceptsUnrelated: true)
    #expect(try here.read { try $0.count() } == 6)
    #expect(try here.pull(copy) == .nothing)
  }

  @Test func `edits by other programs while a pull is worked out`() throws {
    let (here, there) = try pair()
    try there.write { try $0.move(5, to: .first) }
    let copy = CustomerStore.ListCopy(there)
    let plan = try #require(try here.planPull(copy, resolving: .latest))
    try here.write { try $0.move(1, to: .last) }
    #expect(throws: PullError.outdated) { try here.write { _ = try $0.pull(plan, acceptsUnrelated: false) } }
    try here.pull(copy)
    let names = try here.read { try $0.page(from: 1, limit: 9, in: 1).map(\.name) }
    #expect(names == ["Ed Hay", "Bob Roe", "Cy Poe", "Di Fox", "Ann Lee"])
  }

  @Test func `what comes back may be erased by the step of the pull`() throws {
    let (here, there) = try pair()
    let section = try here.write { list in
      try list.limitHistory(steps: 4, bytes: 64_000_000)
      try list.addLine("both", to: 3)
      return try list.insertSection(title: "Two")
    }
    try PullWorld.pull(there, here)
    try here.write { list in
      try list.delete([3, 4])
      try list.deleteSection(section)
    }
    for id in [1, 2, 5] as [CustomerID] { try here.write { try $0.move(id, to: .last) } }
    try there.write { list in
      try list.update(3) { $0.note = "there" }
      try list.addLine("there", to: 3)
      try list.insert(CustomerFields(name: "New"), in: section)
    }
    try PullWorld.pull(here, there)
    let found = try here.read { list in
      let row = try #require(
        try list.page(from: 1, limit: 9, in: 1).first(where: { $0.fields.note == "there" }))
      return (try list.count(), try list.log(of: row.id).map(\.text), try list.sections().map(\.title))
    }
    #expect(found.0 == 5 && found.1 == ["there", "both"] && found.2 == ["Customers", "Two"])
    try PullWorld.pull(there, here)
    #expect(try PullWorld.state(here) == PullWorld.state(there))
    #expect(try here.read { try $0.check() } == [])
    try here.write { _ = try $0.undo() }
    #expect(try here.read { try $0.count() } == 3)
    #expect(try here.read { try $0.check() } == [])
  }

  @Test func `later counts, whoever pulled it in between`() throws {
    // A value that came by a pull has the time at which it was written.
    let (a, b) = try pair()
    let c = try a.copyInMemory()
    try b.write { try $0.update(1) { $0.phone = "first" } }
    try c.write { try $0.update(1) { $0.phone = "second" } }
    try PullWorld.pull(a, b)
    let merged = try PullWorld.pull(a, c)
    #expect(merged.conflicts.map(\.winner) == [.theirs])
    #expect(try a.read { try $0.customer(1).fields.phone } == "second")
  }

  @Test func `versions of copies that became the same`() throws {
    // Both have one mark, and each its own numbers of edits.
    let (here, there) = try pair()
    for id in [1, 2, 3, 4] as [CustomerID] { try here.write { try $0.move(id, to: .last) } }
    try there.write { list in for id in [3, 4, 5] as [CustomerID] { try list.update(id) { $0.note = "x" } } }
    try PullWorld.pull(here, there)
    try PullWorld.pull(there, here)
    #expect(try PullWorld.state(here) == PullWorld.state(there))
    let (own, other) = try (here.read { try $0.version() }, there.read { try $0.version() })
    #expect(own.mark == other.mark)
    #expect(own.edit != other.edit)
    #expect(try here.read { try $0.has(own) && !$0.has(other) })
    #expect(try there.read { try !$0.has(own) && $0.has(other) })
  }

  @Test func `a restored backup counts more than what it replaced`() throws {
    try withTemporaryFolder { folder in
      let store = try CustomerStore(path: folder + "/list.sqlite")
      try store.write { _ = try $0.insert(CustomerFields(name: "Ann")) }
      try store.backUp(to: folder + "/backup.sqlite")
      try store.write { _ = try $0.insert(CustomerFields(name: "Mistake")) }
      try store.backUp(to: folder + "/copy.sqlite")
      let copy = try CustomerStore(path: folder + "/copy.sqlite")
      try store.restore(
        CustomerStore.checkBackup(at: folder + "/backup.sqlite", forListAt: folder + "/list.sqlite"),
        keepingListAt: nil)
      #expect(try store.read { try $0.check() } == [])
      #expect(try PullWorld.pull(store, copy).relation == .same)
      #expect(try PullWorld.pull(copy, store).relation == .older)
      #expect(try copy.read { try $0.count() } == 1)
    }
  }

  @Test func `an index of another program changes no pull`() throws {
    let store = try CustomerStore.inMemory()
    for name in ["Ann", "Bob", "Cy", "Di", "Ed", "Fay"] {
      try store.write { _ = try $0.insert(CustomerFields(name: name), at: .first) }
    }
    let copy = try store.copyInMemory()
    try copy.write { try $0.move([3], to: .first) }
    try store.write { try $0.move([5], to: .last) }
    for list in [store, copy] {
      try list.write { list in
        try list.connection.execute("CREATE INDEX by_uid ON customer_record (uid)")
        try list.connection.execute("CREATE INDEX by_customer ON place (customer)")
      }
    }
    try store.pull(CustomerStore.ListCopy(copy))
    #expect(try store.read { try $0.ids(in: 1) } == [3, 6, 4, 2, 1, 5])
    #expect(try store.read { try $0.check() } == [])
  }

  @Test func `a copy in which two customers have one uid is refused`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      for name in ["Ann", "Bob", "Cy"] { try list.insert(CustomerFields(name: name)) }
    }
    let copy = try store.copyInMemory()
    try copy.write { try $0.move([3], to: .first) }
    try copy.write { list in
      try list.connection.execute(
        "UPDATE customer_record SET uid = (SELECT uid FROM customer_uid WHERE id = 2) WHERE id = 3")
    }
    #expect(throws: PullError.isDamaged(1)) { try store.pull(CustomerStore.ListCopy(copy)) }
    #expect(try store.read { try $0.ids(in: 1) } == [1, 2, 3])
  }

  @Test func `a text that can't be read is refused if it would be taken`() throws {
    let (here, there) = try pair()
    func spoil(_ id: Int64, in store: CustomerStore) throws {
      try store.write { list in
        try list.connection.execute(
          "UPDATE customer_record SET note = CAST(x'ff' AS TEXT) WHERE id = ?", [.integer(id)])
      }
    }
    try there.write { try $0.update(1) { $0.phone = "333" } }
    // It is the same in both.
    for store in [here, there] { try spoil(2, in: store) }
    #expect(try here.pull(CustomerStore.ListCopy(there)).changed == 1)
    try there.write { try $0.update(1) { $0.phone = "444" } }
    try spoil(1, in: there)
    #expect(throws: PullError.isDamaged(1)) { try here.pull(CustomerStore.ListCopy(there)) }
    try spoil(3, in: there)
    #expect(throws: PullError.isDamaged(2)) { try here.pull(CustomerStore.ListCopy(there)) }
    #expect(try here.read { try $0.customer(1).fields.phone } == "333")
  }

  @Test func `a file is only read, and a damaged one is refused`() throws {
    try withTemporaryFolder { folder in
      let store = try CustomerStore(path: folder + "/list.sqlite")
      try store.write { list in for index in 0..<500 { try list.insert(CustomerFields(name: "r\(index)")) } }
      try store.backUp(to: folder + "/copy.sqlite")
      let copy = try CustomerStore(path: folder + "/copy.sqlite")
      try copy.write { try $0.move(9, to: .first) }
      let bytes = try bytes(of: folder + "/copy.sqlite")
      let read = try CustomerStore.checkedCopy(at: folder + "/copy.sqlite")
      #expect(try store.pull(read).moved == 1)
      #expect(try CustomersTestSupport.bytes(of: folder + "/copy.sqlite") == bytes)
      // Half of a file, as a service that synchronizes folders leaves it: at each page.
      let before = try store.read { try $0.connection.contents() }
      for length in stride(from: 4096, to: bytes.count, by: isLong ? 4096 : 4096 * 17) {
        try write(Array(bytes[..<length]), to: folder + "/torn.sqlite")
        do {
          let torn = try CustomerStore.checkedCopy(at: folder + "/torn.sqlite")
          try store.pull(torn)
          Issue.record("a part of \(length) bytes was pulled")
        } catch is PullError {} catch is StoreError {}
        #expect(try store.read { try $0.connection.contents() } == before)
      }
      #expect(throws: StoreError.missing) { try CustomerStore.checkedCopy(at: folder + "/none.sqlite") }
    }
  }
}
