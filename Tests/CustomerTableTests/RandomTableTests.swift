import CustomerFixtures
import CustomerStore
import CustomerTable
import Testing
import CustomersTestSupport

/// Random events of a person, together with another program's edits.
@Suite(.onThreads) struct RandomTableTests {
  @Test(arguments: sampled(0..<(isLong ? 250 : 3), oneIn: 3))
  func `the screen shows the list, and nothing is edited that was not meant`(seed: Int) throws {
    var random = SplitMix64(seed: 7_000 + seed)
    let store = try CustomerStore.inMemory("Ann, Bob, Cid, Dora, Eve, Fay | Leads: Gus, Hal | Old:")
    var table = TestTable(store, height: 4 + random.below(12))
    for step in 0..<400 {
      let note = Comment("seed \(seed), step \(step)")
      if random.oneIn(5) {
        try store.write { list in try list.editAsAnother(&random) }
        if random.oneIn(2) { table.session.poll() }
        continue
      }
      let before = try store.read { list in try ListContents(list) }
      let event = table.event(&random)
      let meant = table.meant(by: event)
      table.session.send(event)
      if random.oneIn(3), table.session.hasWork { table.session.work() }
      let after = try store.read { list in try ListContents(list) }
      let touched = try store.customersChanged(after: before.version)
      #expect(touched.subtracting(meant).isSubset(of: after.ids.subtracting(before.ids)), "\(event) \(note)")
      table.session.poll()
      try expectShown(table, note)
    }
    #expect(try store.read { try $0.check() }.isEmpty)
  }

  /// Expects that the rows on the screen are those of the list.
  private func expectShown(_ table: TestTable, _ note: Comment) throws {
    let state = table.state
    let contents = try table.store.read { list in try ListContents(list) }
    #expect(state.contents.version == contents.version, note)
    #expect(state.lines.count == max(0, min(state.height, state.layout.count - state.top)), note)
    #expect(state.top == 0 || state.top + state.height <= state.layout.count, note)
    for line in state.lines { #expect(line != .loading, note) }
    for row in table.rows { #expect(contents.customers[row.customer.id] == row.customer, note) }
    if state.drag == nil {
      for row in table.rows { #expect(contents.rows[row.number - 1] == row.customer.id, note) }
    } else {
      let numbers = table.rows.map(\.number)
      #expect(numbers == Array((numbers.first ?? 1)..<(numbers.first ?? 1) + numbers.count), note)
    }
    #expect(table.rows.count { $0.deleteTitle != nil } <= 1, note)
    switch state.cursor {
    case .row(let id): #expect(contents.customers[id] != nil, note)
    case .end: #expect(state.isEditing, note)
    case nil: #expect(!state.showsWholeList || contents.rows.isEmpty, note)
    }
    #expect(state.marked.isSubset(of: contents.ids) && state.cut.isSubset(of: contents.ids), note)
  }
}

extension TestTable {
  /// The rows that a person means by an event.
  fileprivate func meant(by event: TableEvent) -> Set<CustomerID> {
    switch event {
    case .confirm:
      if let step = state.question?.step.id { return undone(step) }
      return Set(state.confirmation?.customers.keys.map { $0 } ?? [])
    case .undo: return (try? store.customersOfNextStep(undo: true)) ?? []
    case .redo: return (try? store.customersOfNextStep(undo: false)) ?? []
    case .drop: return Set(state.drag?.ids ?? [])
    case .put: return state.cut
    case .shift, .move, .toggleFavorite:
      return state.marked.isEmpty ? Set(state.current.map { [$0.id] } ?? []) : state.marked
    case .form:
      if case .edit(let id)? = form?.mode { return [id] }
      return []
    default: return []
    }
  }

  private func undone(_ step: Int64) -> Set<CustomerID> {
    (try? store.read { list in try list.changes(of: step).customers }) ?? []
  }

  /// A present or deleted customer.
  private func anyone(_ random: inout SplitMix64) -> CustomerID {
    rows.randomElement(using: &random)?.customer.id ?? CustomerID(rawValue: Int64(random.below(20)))
  }

  fileprivate func event(_ random: inout SplitMix64) -> TableEvent {
    if form != nil, !random.oneIn(20) { return .form(formEvent(&random)) }
    if state.drag != nil, random.oneIn(2) {
      switch random.below(4) {
      case 0: return .drop
      case 1: return .drag(over: .end(of: SectionID(rawValue: Int64(random.below(4)))))
      default: return .drag(over: .row(anyone(&random)))
      }
    }
    if state.confirmation != nil || state.question != nil, random.oneIn(2) { return .confirm }
    if state.search?.isTyping == true, random.oneIn(2) {
      return random.oneIn(3)
        ? .acceptSearch : .searchText([.insert("a"), .insert("n"), .deleteBackward][random.below(3)])
    }
    let number = random.oneIn(20) ? [Int.min, .max][random.below(2)] : random.below(9) - 4
    let motions: [TableMotion] = [
      .by(number), .pages(number), .halfPages(number), .first, .last, .number(number), .sections(number),
    ]
    let events: [TableEvent] = [
      .go(motions[random.below(motions.count)]), .go(.by(random.oneIn(2) ? 1 : -1)),
      .click(.row(anyone(&random))),
      .click(.end(of: SectionID(rawValue: Int64(random.below(4))))), .open,
      .add([.above, .below, .last][random.below(3)]), .setEditing(random.oneIn(2)), .askToDelete(nil),
      .askToDelete(anyone(&random)), .confirm, .dismiss, .escape, .shift(number), .move(to: number),
      .pickUp(nil),
      .pickUp(anyone(&random)), .drop, .cut, .put(above: random.oneIn(2)), .mark, .markRange, .invertMarks,
      .search,
      .nextHit, .previousHit, .filter, .toggleFavorite, .sort(order(&random)), .sort(nil),
      .choose(.order(["name", "-note,Name", "nothing", ""][random.below(4)])),
      .choose(.columns(["note,row", "name", "x,y"][random.below(3)])), .undo, .redo,
      .resize(random.below(15)), .scroll(number), .fade,
    ]
    return events[random.below(events.count)]
  }

  private func order(_ random: inout SplitMix64) -> SortOrder {
    SortOrder(by: random.oneIn(2) ? [.name] : [.field(.note), .name], isDescending: random.oneIn(2))
  }

  private func formEvent(_ random: inout SplitMix64) -> FormEvent {
    let focus: [FormState.Focus] = [.field(random.below(10)), .save, .cancel, .delete]
    let events: [FormEvent] = [
      .text(.insert("x")), .text(.deleteWord), .text(.replace("2")), .toggle, .enter, .next, .previous, .down,
      .up,
      .focus(focus[random.below(4)]), .save, .save, .cancel, .delete, .confirm, .decline, .takeTheirs,
    ]
    return events[random.below(events.count)]
  }
}
