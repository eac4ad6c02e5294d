@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The picture of a list, and the updates of a table that shows it.
@Suite(.onThreads) struct SnapshotTests {
  private static let section = SectionID(rawValue: 1)

  @Test(arguments: sampled(0..<36, oneIn: 9))
  func `a snapshot follows all edits, and a table that makes the updates shows it`(seed: Int) throws {
    var walk = try HistoryWalk(seed: 900 + seed)
    var snapshot = try walk.store.read { try $0.snapshot() }
    var feed = walk.store.feed(after: snapshot.version)
    for _ in 0..<60 {
      switch walk.editor.generator.below(10) {
      case 0..<2: _ = try walk.undo()
      case 2: _ = try walk.redo()
      default: try walk.edit()
      }
      guard walk.editor.generator.oneIn(3) else { continue }
      for event in try feed.poll() {
        switch event {
        case .step(let step):
          let before = snapshot
          let updates = try snapshot.apply(step)
          try snapshot.check(displaying: before, updates)
          #expect(snapshot.rows == before.rows(after: updates, in: snapshot), "seed \(seed)")
        case .reload(let new): snapshot = new
        case .waiting: Issue.record("waiting")
        }
      }
      #expect(try walk.store.read { try $0.snapshot() } == snapshot, "seed \(seed)")
    }
  }

  @Test func `every invalid path is nil`() throws {
    let snapshot = try CustomerStore.inMemory("Ann, Bob | Leads:").read { try $0.snapshot() }
    let numbers = [Int.min, -1, 0, 1, 2, Int.max]
    for section in numbers {
      for row in numbers {
        let isPath = section == 0 && (0...1).contains(row)
        let path = RowPath(section: section, row: row)
        #expect((snapshot[path] != nil) == isPath)
        #expect((snapshot.place(at: path) != nil) == isPath)
        if let id = snapshot[path] { #expect(snapshot.path(of: id) == path) }
      }
    }
    #expect(snapshot.path(of: CustomerID(rawValue: 99)) == nil)
    #expect(snapshot.sections.map(\.title) == ["Customers", "Leads"] && snapshot.count == 2)
  }

  @Test func `updates that do not add up are refused, as a table does`() throws {
    let before = try CustomerStore.inMemory("Ann, Bob").read { try $0.snapshot() }
    let after = try CustomerStore.inMemory("Ann, Bob, Cid").read { try $0.snapshot() }
    let third = RowPath(section: 0, row: 2)
    try after.check(displaying: before, [.insert(third)])
    #expect(throws: TableMismatch.rows(inSection: 0, before: 2, after: 3, inserted: 0, deleted: 0)) {
      try after.check(displaying: before, [])
    }
    #expect(throws: TableMismatch.noSuchRow(third, sections: 1)) {
      try after.check(displaying: before, [.delete(third)])
    }
    #expect(throws: TableMismatch.sections(before: 1, after: 1, inserted: 1, deleted: 0)) {
      try after.check(displaying: before, [.insertSection(0)])
    }
  }

  @Test func `a step that is not the next one is refused, and a known one does nothing`() throws {
    let store = try CustomerStore.inMemory("Ann")
    var snapshot = try store.read { try $0.snapshot() }
    var feed = store.feed(after: snapshot.version)
    for name in ["Bob", "Cid"] { try store.write { _ = try $0.insert(CustomerFields(firstName: name)) } }
    let steps = try feed.poll().compactMap { if case .step(let step) = $0 { step } else { nil } }
    let start = snapshot
    #expect(throws: SnapshotError.gap(at: start.version.edit, next: start.version.edit + 2)) {
      try snapshot.apply(steps[1])
    }
    #expect(snapshot == start)
    for step in steps { #expect(try snapshot.apply(step).count == 1) }
    for step in steps { #expect(try snapshot.apply(step) == []) }
  }

  @Test func `pages, rows, and customers agree`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob | Leads:")
    let nowhere = SectionID(rawValue: 99)
    try store.read { list in
      for order in [Int.min, -5, 0] {
        let error = ListError.placeOutOfRange(asked: order, allowed: 1..<3)
        #expect(throws: error) { try list.page(from: order, limit: 1, in: Self.section) }
        #expect(throws: error) { try list.customer(at: order, in: Self.section) }
        let row = try list.row(at: CustomerPlace(section: Self.section, order: order))
        #expect(row == nil)
      }
      for order in [1, 3, Int.max] {
        let page = try list.page(from: order, limit: 1, in: Self.section)
        let row = try list.row(at: CustomerPlace(section: Self.section, order: order))
        #expect(page.first == row && (row == nil) == (order > 2))
      }
      #expect(throws: ListError.noSuchSection(nowhere)) { try list.page(from: 1, limit: 1, in: nowhere) }
      #expect(throws: ListError.noSuchSection(nowhere)) { try list.customer(at: 1, in: nowhere) }
      let row = try list.row(at: CustomerPlace(section: nowhere, order: 1))
      #expect(row == nil)
      let ids = try list.ids(in: nowhere)
      #expect(ids == [])
      let found = try list.customers([2, 1, 2, 7].map { CustomerID(rawValue: $0) })
      #expect(found.mapValues(\.name) == [CustomerID(rawValue: 1): "Ann", CustomerID(rawValue: 2): "Bob"])
    }
  }
}

extension ListSnapshot {
  fileprivate var rows: [[CustomerID]] { sections.map(\.rows) }

  /// What a table shows that showed this snapshot, when it has made updates; only what comes is looked up.
  fileprivate func rows(after updates: [TableUpdate], in new: ListSnapshot) -> [[CustomerID]] {
    if updates.contains(.reloadData) { return new.rows }
    let old = sections.indices.filter { !updates.contains(.deleteSection($0)) }
    let kept = new.sections.indices.filter { !updates.contains(.insertSection($0)) }
    var gone: Set<RowPath> = []
    var come: [RowPath: CustomerID?] = [:]
    for update in updates {
      switch update {
      case .delete(let path): gone.insert(path)
      case .insert(let path): come[path] = new[path]
      case .move(let from, let to): gone.insert(from); come[to] = self[from]
      default: break
      }
    }
    var rows = new.rows
    for (old, index) in zip(old, kept) {
      var stay = sections[old].rows.indices.filter { !gone.contains(RowPath(section: old, row: $0)) }[...]
      rows[index] = rows[index].indices.compactMap { row in
        if let id = come[RowPath(section: index, row: row)] { return id }
        return stay.popFirst().map { sections[old].rows[$0] }
      }
      rows[index] += stay.map { sections[old].rows[$0] }
    }
    return rows
  }
}
