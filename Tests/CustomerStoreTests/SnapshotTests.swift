@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The picture of a list, and the changes that lead from one to the next.
@Suite(.onThreads) struct SnapshotTests {
  private static let section = SectionID(rawValue: 1)

  @Test(arguments: sampled(0..<36, oneIn: 9))
  func `applying the changes to a copy of the list, one after another, gives the list`(seed: Int) throws {
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
          snapshot.apply(step)
        case .reload(let new): snapshot = new
        case .waiting: Issue.record("waiting")
        }
      }
      #expect(try walk.store.read { try $0.snapshot() } == snapshot, "seed \(seed)")
    }
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
  /// Applies the changes of a step that are not in it yet.
  mutating func apply(_ step: ListStep) {
    for (edit, change) in zip(step.edits, step.changes) where edit > version.edit {
      if !perform(change, step.sections) { Issue.record("\(change) does not fit") }
    }
    if step.version.edit > version.edit { version = step.version }
  }

  /// Applies one change.
  ///
  /// - Returns: whether it fits; if not, part of it may have been applied.
  private mutating func perform(_ change: ListChange, _ titles: [SectionID: CustomerSection]) -> Bool {
    switch change {
    case .insert(let id, let place): return insert([id], at: place)
    case .delete(let id, let place): return delete([id], from: place)
    case .move(let id, let from, let to): return delete([id], from: from) && insert([id], at: to)
    case .update, .column, .line, .entry: return true
    case .insertMany(let first, let count, let place):
      return count >= 0 && insert(first.following(count), at: place)
    case .deleteMany(let first, let count, let place):
      // A longer one does not fit and is not made.
      return (0...self.count).contains(count) && delete(first.following(count), from: place)
    case .rows(let changes):
      return changes.leaving.allSatisfy { delete($0.first.following($0.count), from: $0.place) }
        && changes.arriving.allSatisfy { insert($0.first.following($0.count), at: $0.place) }
    case .arrange(let section, let moves): return arrange(section, moves)
    case .insertSection(let id, let order):
      guard (1...sections.count + 1).contains(order), index(of: id) == nil else { return false }
      sections.insert(Section(CustomerSection(id: id, title: ""), rows: []), at: order - 1)
      return setTitle(of: id, titles)
    case .deleteSection(let id, let order):
      guard order >= 1, order <= sections.count, sections[order - 1].id == id,
        sections[order - 1].rows.isEmpty
      else { return false }
      sections.remove(at: order - 1)
      return true
    case .moveSection(let id, let from, let to):
      guard let index = index(of: id), index == from &- 1, sections.indices.contains(to &- 1) else {
        return false
      }
      sections.insert(sections.remove(at: index), at: to - 1)
      return true
    case .updateSection(let id): return setTitle(of: id, titles)
    }
  }

  private func index(of id: SectionID) -> Int? { sections.firstIndex { $0.id == id } }

  private mutating func insert(_ ids: [CustomerID], at place: CustomerPlace) -> Bool {
    guard let index = index(of: place.section), (1...sections[index].count + 1).contains(place.order)
    else { return false }
    sections[index].rows.insert(contentsOf: ids, at: place.order - 1)
    return true
  }

  private mutating func delete(_ ids: [CustomerID], from place: CustomerPlace) -> Bool {
    guard let index = index(of: place.section), place.order >= 1, ids.count <= sections[index].count,
      place.order - 1 <= sections[index].count - ids.count
    else { return false }
    let range = place.order - 1..<place.order - 1 + ids.count
    guard sections[index].rows[range].elementsEqual(ids) else { return false }
    sections[index].rows.removeSubrange(range)
    return true
  }

  private mutating func arrange(_ section: SectionID, _ moves: [CustomerMove]) -> Bool {
    guard let index = index(of: section) else { return false }
    let old = sections[index].rows
    for move in moves {
      guard old.indices.contains(move.from.order &- 1), old[move.from.order - 1] == move.id,
        old.indices.contains(move.to.order &- 1)
      else { return false }
      sections[index].rows[move.to.order - 1] = move.id
    }
    return true
  }

  /// A section that was deleted since no longer has a title.
  private mutating func setTitle(of id: SectionID, _ titles: [SectionID: CustomerSection]) -> Bool {
    guard let index = index(of: id) else { return false }
    if let section = titles[id] {
      (sections[index].title, sections[index].footer) = (section.title, section.footer)
    }
    return true
  }
}
