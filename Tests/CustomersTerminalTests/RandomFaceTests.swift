import CustomerFixtures
import CustomerStore
import CustomerTable
@testable import CustomersTerminal
import CustomersText
import Testing
import CustomersTestSupport

/// Random keys and mouse events, with edits by another program and screen resizes.
@Suite(.onThreads) struct RandomFaceTests {
  @Test(arguments: sampled(0..<(isLong ? 250 : 3), oneIn: 3))
  func `the screen shows the list, and only the intended rows are edited`(seed: Int) throws {
    var random = SplitMix64(seed: 9_000 + seed)
    let store = try CustomerStore.inMemory("Ann, Bob 🐙, 山田, Dora, Eve, Fay | Leads: Gus, Hal | Old:")
    var face = TestFace(store, columns: 80, rows: 12)
    for step in 0..<(isLong ? 400 : 200) {
      let note = Comment("seed \(seed), step \(step)")
      if random.oneIn(8) {
        try store.write { list in try list.editAsAnother(&random) }
        if random.oneIn(2) { face.tick() }
        continue
      }
      if random.oneIn(40) { face.face.resize(columns: random.below(160), rows: random.below(30)) }
      let before = try store.read { list in try ListContents(list) }
      let event = face.event(&random)
      let meant = try face.meant(by: event)
      face.send(event)
      let after = try store.read { list in try ListContents(list) }
      let touched = try store.customersChanged(after: before.version)
      #expect(touched.subtracting(meant).isSubset(of: after.ids.subtracting(before.ids)), "\(event) \(note)")
      face.tick(.milliseconds(random.below(1500)))
      try expectShown(face, note)
    }
    #expect(try store.read { try $0.check() }.isEmpty)
  }

  /// Expects that the rows on the screen are those of the list.
  private func expectShown(_ face: TestFace, _ note: Comment) throws {
    let lines = face.lines
    guard face.state.form == nil, face.face.overlay == nil, !face.face.isTooSmall else { return }
    let contents = try face.store.read { list in try ListContents(list) }
    let columns = RowColumns(face.face)
    var row = face.face.listRows.lowerBound
    // What is said above a line that is being typed covers the last rows.
    let covered = face.face.prompt.map { face.face.lines(above: $0).count } ?? 0
    let end = min(face.face.listRows.upperBound, face.face.noticeRow - covered)
    for line in face.state.lines where row < end {
      guard case .row(let shown) = line else {
        if case .header = line { row += face.state.heights.header - 1 }
        row += 1
        continue
      }
      let text = lines[row]
      let customer = try #require(contents.customers[shown.customer.id], note)
      #expect(text.prefix(columns.numberEnd).hasSuffix("\(shown.number)"), "\(text) \(note)")
      if face.state.drag == nil { #expect(contents.rows[shown.number - 1] == customer.id, note) }
      // A mark without a letter before it has no cell; the line is without blanks at its end.
      let blanks = String(repeating: " ", count: face.face.columns)
      let name = String(customer.name.filter { displayWidth($0) > 0 }.prefix(2))
      #expect("\(text)\(blanks)".dropFirst(columns.name).hasPrefix(name), "\(text) \(note)")
      row += face.state.heights.subtitle > 0 && shown.subtitle != nil ? 2 : 1
    }
  }
}

extension TestFace {
  /// Returns a key bound in the current mode, any letter, a string, or a mouse event anywhere.
  fileprivate func event(_ random: inout SplitMix64) -> InputEvent {
    switch random.below(10) {
    case 0, 1: return .mouse(mouseEvent(&random))
    case 2:
      let scalars = Array("anzZ7äß 山\u{301}🐙".unicodeScalars)
      return .key(KeyPress(.character(scalars[random.below(scalars.count)])))
    case 3: return random.oneIn(5) ? .paste("a\nb") : .key(KeyPress(.enter))
    default:
      let keys = KeyBindings.all.filter { $0.modes.contains(face.mode) }.flatMap(\.pairs)
        .filter { if case .quit = $0.1 { false } else { true } }
      return .key(keys[random.below(keys.count)].0)
    }
  }

  private func mouseEvent(_ random: inout SplitMix64) -> MouseEvent {
    let actions: [MouseEvent.Action] = [.press, .press, .drag, .drag, .release, .wheelUp, .wheelDown, .move]
    // The controls are at the edges.
    let columns = [1, face.columns - 2, random.below(max(1, face.columns) + 2)]
    return MouseEvent(
      actions[random.below(actions.count)], button: random.oneIn(10) ? 2 : 1,
      column: max(0, columns[random.below(3)]), row: random.below(max(1, face.rows) + 2))
  }

  /// Returns the customers that an event may change.
  fileprivate func meant(by event: InputEvent) throws -> Set<CustomerID> {
    var ids = state.marked.isEmpty ? Set(state.current.map { [$0.id] } ?? []) : state.marked
    ids.formUnion(state.cut)
    if let confirmation = state.confirmation { ids = Set(confirmation.customers.keys) }
    if let drag = state.drag { ids = Set(drag.ids) }
    if case .edit(let id)? = state.form?.mode { ids = [id] }
    if case .key(let press) = event {
      switch KeyBindings.command(for: press.normalized, in: face.mode) {
      case .send(.undo): ids.formUnion(try store.customersOfNextStep(undo: true))
      case .send(.redo): ids.formUnion(try store.customersOfNextStep(undo: false))
      default: break
      }
    }
    if let question = state.question {
      ids = try store.customersOfNextStep(undo: question.reversal == .undo)
    }
    return ids
  }
}
