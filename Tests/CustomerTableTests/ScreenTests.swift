import CustomerFixtures
import CustomerStore
import CustomerTable
import SQLite
import Testing

/// The example screen, while a person and other programs edit the list.
@MainActor @Suite struct ScreenTests {
  @Test(arguments: 0..<100)
  func `a table shows the list whoever edits it, and never counts wrong`(seed: Int) async throws {
    var random = SplitMix64(seed: 4_000 + seed)
    let file = try TemporaryStore("Ann, Bob, Cid, Dora, Eve | Leads: Fay, Gus | Old:")
    let other = Foreigner(file.path)
    let list = try await CustomerListModel(file.store)
    let screen = CustomersScreen(list)
    let following = Task { try await list.follow(every: .milliseconds(1)) }
    for _ in 0..<12 {
      if random.oneIn(2) {
        try await other.edit(random.next())
      } else {
        screen.act(&random)
        if random.oneIn(2) { await screen.work?.value }
      }
      if random.oneIn(3) { await Task.yield() }
    }
    await screen.work?.value
    let last = try await file.store.read { list in try list.lastEdit() }
    while list.snapshot.edit < last { try await Task.sleep(for: .milliseconds(1)) }
    following.cancel()
    try await following.value

    #expect(screen.table.mistakes == [], "seed \(seed)")
    screen.setEditing(false)
    let (titles, cells) = try await file.store.read { list in
      let sections = try list.sections()
      return (
        sections.map(\.title),
        try sections.map { section in
          try list.page(from: 1, limit: .max, in: section.id).map { customer in
            Cell(text: customer.name, detail: customer.fields.note, isFavorite: customer.fields.isFavorite)
          }
        }
      )
    }
    #expect(screen.table.titles == titles, "seed \(seed)")
    #expect(screen.table.cells == cells, "seed \(seed), \(screen.message ?? "")")
    #expect(try await file.store.read { try $0.snapshot() } == list.snapshot)
  }

  @Test func `a drop that is refused goes back`() async throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid")
    try await store.write { list in try list.protect(CustomerID(rawValue: 1), canMove: false) }
    let screen = CustomersScreen(try await CustomerListModel(store))
    screen.table.drag(RowPath(section: 0, row: 0), to: RowPath(section: 0, row: 2))
    screen.moveRow(at: RowPath(section: 0, row: 0), to: RowPath(section: 0, row: 2))
    await screen.work?.value
    #expect(screen.table.cells == [["Ann", "Bob", "Cid"].map { Cell(text: $0) }])
    #expect(screen.message == "customer @1 is protected against moving")
  }

  @Test func `while the file is locked rows that are shown stay, and others come later`() async throws {
    let file = try TemporaryStore(SampleList((1...300).map { "Row\($0)" }.joined(separator: ", ")))
    let list = try await CustomerListModel(file.store)
    #expect(list[RowPath(section: 0, row: 0)]?.name == "Row1")
    let (updates, hasUpdated) = AsyncStream<[TableUpdate]>.makeStream()
    list.onUpdate = { hasUpdated.yield($0) }
    let connection = try Connection(path: file.path)
    try connection.execute("BEGIN EXCLUSIVE")
    #expect(list[RowPath(section: 0, row: 0)]?.name == "Row1")
    #expect(list[RowPath(section: 0, row: 250)] == nil)
    try connection.execute("COMMIT")
    for await update in updates {
      #expect(update.contains(.reload(RowPath(section: 0, row: 250))))
      break
    }
    #expect(list[RowPath(section: 0, row: 250)]?.name == "Row251")
  }
}

extension CustomersScreen {
  /// Does what a person could do.
  fileprivate func act(_ random: inout SplitMix64) {
    guard let section = list.sections.indices.randomElement(using: &random) else { return }
    let path = RowPath(section: section, row: random.below(list.count(section) + 1))
    switch random.below(10) {
    case 0: setEditing(!isEditing)
    case 1..<3: commit(editingStyleForRow(at: path), forRowAt: path)
    case 3: commit(.insert, forRowAt: path)
    case 4: undo()
    case 5..<7: toggleFavorite(at: path)
    default:
      guard canMoveRow(at: path) else { return }
      let goal = random.below(list.sections.count)
      let target = RowPath(section: goal, row: random.below(list.count(goal) + (goal == section ? 0 : 1)))
      table.drag(path, to: target)
      moveRow(at: path, to: target)
    }
  }
}

/// Another program with its own connection.
private actor Foreigner {
  private let path: String
  private var connection: Connection?

  init(_ path: String) { self.path = path }

  func edit(_ number: UInt64) throws {
    let connection = try self.connection ?? Connection(path: path)
    self.connection = connection
    let n = Int64(number % 1_000)
    switch number % 11 {
    case 0, 1: try connection.execute("INSERT INTO customers (first_name, \"order\") VALUES ('F\(n)', 1)")
    case 2:
      try connection.execute(
        "DELETE FROM customers WHERE id = (SELECT id FROM customers LIMIT 1 OFFSET \(n % 5))")
    case 3, 4:
      try connection.execute(
        "UPDATE customers SET \"order\" = 1 WHERE id = (SELECT id FROM customers LIMIT 1 OFFSET \(n % 5))")
    case 5, 6: try connection.execute("UPDATE customers SET note = '\(n)' WHERE id % 2 = \(n % 2)")
    case 7: try connection.execute("INSERT INTO sections (title, \"order\") VALUES ('S\(n)', 1)")
    case 8: try connection.execute("UPDATE sections SET title = 'T\(n)', \"order\" = 1 WHERE \"order\" = 2")
    case 9:
      try connection.execute(
        "UPDATE customers SET section = (SELECT id FROM sections ORDER BY \"order\" DESC LIMIT 1) WHERE id = (SELECT min(id) FROM customers)"
      )
    default: try connection.execute("DELETE FROM sections WHERE count = 0")
    }
  }
}
