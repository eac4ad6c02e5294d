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
    guard order >= first, order - first < rows.count else { return nil }
    return rows[order - first]
  }

  /// Applies the changes of a step to the window; a step that it already contains has no effect.
  ///
  /// - Throws: `SnapshotError.gap` if steps are missing.
  /// - Complexity: O(changes × rows of the window).
  public mutating func apply(_ step: ListStep) throws {
    guard step.edits.upperBound > edit else { return }
    guard step.edits.lowerBound <= edit + 1 else {
      throw SnapshotError.gap(at: edit, next: step.edits.lowerBound)
    }
    for change in step.changes.dropFirst(Int(edit + 1 - step.edits.lowerBound)) { perform(change, step) }
    for index in sections.indices { sections[index].order = index + 1 }
    edit = step.edits.upperBound
  }

  private mutating func perform(_ change: ListChange, _ step: ListStep) {
    switch change {
    case .insert(let id, let place): insert([id], at: place)
    case .delete(_, let place): delete(1, from: place)
    case .move(let id, let from, let to):
      delete(1, from: from)
      insert([id], at: to)
    case .insertMany(let id, let count, let place): insert(id.following(count), at: place)
    case .deleteMany(_, let count, let place): delete(count, from: place)
    case .arrange(let arranged, let moves) where arranged == section:
      for move in moves where self[move.to.order] != nil { rows[move.to.order - first] = move.id }
    case .insertSection(let id, let order):
      let new = step.sections[id]
      sections.insert(
        CustomerSection(id: id, title: new?.title ?? "", footer: new?.footer ?? "", order: order, count: 0),
        at: order - 1)
    case .deleteSection(_, let order): sections.remove(at: order - 1)
    case .moveSection(_, let from, let to): sections.insert(sections.remove(at: from - 1), at: to - 1)
    case .updateSection(let id):
      guard let index = sections.firstIndex(where: { $0.id == id }), let new = step.sections[id] else {
        return
      }
      (sections[index].title, sections[index].footer) = (new.title, new.footer)
    case .update, .arrange, .column: break
    }
  }

  private mutating func insert(_ ids: [CustomerID], at place: CustomerPlace) {
    count(place.section, ids.count)
    guard place.section == section else { return }
    let index = place.order - first
    if index <= 0, !rows.isEmpty {
      first += ids.count
    } else if (0...rows.count).contains(index) {
      rows.insert(contentsOf: ids.prefix(size), at: index)
      rows.removeSubrange(min(size, rows.count)...)
    }
  }

  private mutating func delete(_ number: Int, from place: CustomerPlace) {
    count(place.section, -number)
    guard place.section == section else { return }
    let (start, end) = (place.order - first, place.order - first + number)
    rows.removeSubrange(min(max(start, 0), rows.count)..<min(max(end, 0), rows.count))
    if start < 0 { first -= min(end, 0) - start }
  }

  private mutating func count(_ id: SectionID, _ number: Int) {
    if let index = sections.firstIndex(where: { $0.id == id }) { sections[index].count += number }
  }
}

extension CustomerList {
  /// The sections, and the ids of some rows of one around place `order` (from 1).
  ///
  /// - Throws: `ListError.noSuchSection`.
  /// - Complexity: O(size + sections), wherever the place is.
  public func window(around order: Int, in section: SectionID, size: Int = 400) throws -> ListWindow {
    let count = try self.section(section).count
    let first = max(1, min(order, count) - size / 2)
    let rows = try page(from: first, limit: size, in: section).map(\.id)
    return ListWindow(
      edit: try lastEdit(), sections: try sections(), section: section, first: first, rows: rows, size: size)
  }
}
