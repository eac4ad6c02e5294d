/// A part of a list that is too long for a snapshot: the sections with their counts, and the ids of the rows
/// around a place.
///
/// It follows the changes, so that it always shows which row has which place. Insertions push rows out at its
/// end, deletions make it shorter; then read a new one.
public struct ListWindow: Hashable, Sendable {
  /// The number of the last edit that the window contains.
  public private(set) var edit: Int64
  /// All sections in order, with the number of their rows.
  public private(set) var sections: [CustomerSection]
  /// The section that the rows are of.
  public let section: SectionID
  /// The place of the first of the rows, from 1.
  public private(set) var first: Int
  /// The rows from there on.
  public private(set) var rows: [CustomerID]
  private let size: Int

  init(
    edit: Int64, sections: [CustomerSection], section: SectionID, first: Int, rows: [CustomerID], size: Int
  ) {
    (self.edit, self.sections, self.section) = (edit, sections, section)
    (self.first, self.rows, self.size) = (first, rows, size)
  }

  /// The row at place `order` (from 1) of the section; nil outside the window.
  public subscript(order: Int) -> CustomerID? {
    order >= first && rows.indices.contains(order &- first) ? rows[order - first] : nil
  }

  /// Applies the changes of a step to the window; a step that it already contains has no effect.
  ///
  /// - Throws: `SnapshotError.gap` if steps are missing, `SnapshotError.doesNotFit` if the step is seen to be
  ///   of another list; the window is then unchanged.
  /// - Complexity: O(changes × rows of the window).
  public mutating func apply(_ step: ListStep) throws {
    guard step.edits.upperBound > edit else { return }
    var after = self
    for change in try step.changes(after: edit) {
      guard after.perform(change, step) else { throw SnapshotError.doesNotFit(change) }
    }
    for index in after.sections.indices { after.sections[index].order = index + 1 }
    after.edit = step.edits.upperBound
    self = after
  }

  /// Applies one change.
  ///
  /// - Returns: whether it fits, as far as the window shows.
  private mutating func perform(_ change: ListChange, _ step: ListStep) -> Bool {
    switch change {
    case .insert(let id, let place): return insert(id, 1, at: place)
    case .delete(let id, let place): return delete(id, 1, from: place)
    case .move(let id, let from, let to): return delete(id, 1, from: from) && insert(id, 1, at: to)
    case .insertMany(let first, let count, let place): return insert(first, count, at: place)
    case .deleteMany(let first, let count, let place): return delete(first, count, from: place)
    case .arrange(let arranged, let moves): return arranged != section || arrange(moves)
    case .insertSection(let id, let order):
      guard (1...sections.count + 1).contains(order), index(of: id) == nil else { return false }
      let new = step.sections[id]
      sections.insert(
        CustomerSection(id: id, title: new?.title ?? "", footer: new?.footer ?? "", order: order, count: 0),
        at: order - 1)
    case .deleteSection(let id, let order):
      guard let index = index(of: id), index == order &- 1 else { return false }
      sections.remove(at: index)
    case .moveSection(let id, let from, let to):
      guard let index = index(of: id), index == from &- 1, sections.indices.contains(to &- 1) else {
        return false
      }
      sections.insert(sections.remove(at: index), at: to - 1)
    case .updateSection(let id):
      guard let index = index(of: id) else { return false }
      guard let new = step.sections[id] else { return true }
      (sections[index].title, sections[index].footer) = (new.title, new.footer)
    case .update, .column: break
    }
    return true
  }

  private func index(of id: SectionID) -> Int? { sections.firstIndex { $0.id == id } }

  private mutating func insert(_ id: CustomerID, _ number: Int, at place: CustomerPlace) -> Bool {
    guard let section = index(of: place.section), number >= 0, place.order >= 1,
      place.order - 1 <= sections[section].count
    else { return false }
    sections[section].count = sections[section].count.saturatingAdding(number)
    guard place.section == self.section else { return true }
    let index = place.order - first
    if index <= 0, !rows.isEmpty {
      first = first.saturatingAdding(number)
    } else if (0...rows.count).contains(index) {
      rows.insert(contentsOf: id.following(min(number, size)), at: index)
      rows.removeSubrange(min(size, rows.count)...)
    }
    return true
  }

  private mutating func delete(_ id: CustomerID, _ number: Int, from place: CustomerPlace) -> Bool {
    guard let section = index(of: place.section), place.order >= 1,
      (0...max(0, sections[section].count)).contains(number),
      place.order - 1 <= sections[section].count - number
    else { return false }
    sections[section].count -= number
    guard place.section == self.section else { return true }
    let (start, end) = (place.order - first, place.order - first + number)
    let range = min(max(start, 0), rows.count)..<min(max(end, 0), rows.count)
    guard range.allSatisfy({ rows[$0].rawValue == id.rawValue &+ Int64($0 - start) }) else { return false }
    rows.removeSubrange(range)
    if start < 0 { first -= min(end, 0) - start }
    return true
  }

  private mutating func arrange(_ moves: [CustomerMove]) -> Bool {
    let old = self
    for move in moves {
      guard old[move.from.order] == nil || old[move.from.order] == move.id else { return false }
      if old[move.to.order] != nil { rows[move.to.order - first] = move.id }
    }
    return true
  }
}

extension CustomerList {
  /// The sections, and the ids of some rows of one around place `order` (from 1).
  ///
  /// A place outside of the section means the nearest one in it.
  ///
  /// - Throws: `ListError.noSuchSection`.
  /// - Complexity: O(size + sections), wherever the place is.
  public func window(around order: Int, in section: SectionID, size: Int = 400) throws -> ListWindow {
    let count = try self.section(section).count
    let size = max(0, size)
    let first = max(1, min(max(order, 1), count) - size / 2)
    let rows = try page(from: first, limit: size, in: section).map(\.id)
    return ListWindow(
      edit: try lastEdit(), sections: try sections(), section: section, first: first, rows: rows, size: size)
  }
}
