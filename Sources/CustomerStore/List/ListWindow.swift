/// A part of a list that is too long for a snapshot: the sections with their counts, and the ids of the rows
/// around a position in the whole list.
///
/// It follows the changes, so that it always shows which row has which position. Insertions push rows out at
/// its end, deletions make it shorter; then read a new one.
public struct ListWindow: Hashable, Sendable {
  /// The version of the list that the window shows.
  public private(set) var version: ListVersion
  /// All sections in order, with the number of their rows.
  public private(set) var sections: [CustomerSection]
  /// The position of the first of the rows in the whole list, from 1.
  public private(set) var first: Int
  /// The rows from there on, across sections.
  public private(set) var rows: [CustomerID]
  private let size: Int

  package init(version: ListVersion, sections: [CustomerSection], first: Int, rows: [CustomerID], size: Int) {
    (self.version, self.sections) = (version, sections)
    (self.first, self.rows, self.size) = (first, rows, size)
  }

  /// The row at a position (from 1) of the whole list; nil outside the window.
  public subscript(position: Int) -> CustomerID? {
    position >= first && rows.indices.contains(position &- first) ? rows[position - first] : nil
  }

  /// Applies the changes of a step to the window; a step that it already contains has no effect.
  ///
  /// - Throws: `SnapshotError.gap` if steps are missing, `otherHistory`, and `doesNotFit` if the step is seen to be
  ///   of another list; the window is then unchanged.
  /// - Complexity: O(changes × (rows of the window + sections)).
  public mutating func apply(_ step: ListStep) throws {
    guard try step.isNews(after: version) else { return }
    var after = self
    for change in try step.changes(after: version.edit) {
      guard after.perform(change, step) else { throw SnapshotError.doesNotFit(change) }
    }
    for index in after.sections.indices { after.sections[index].order = index + 1 }
    after.version = step.version
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
    case .rows(let changes):
      return changes.leaving.allSatisfy { delete($0.first, $0.count, from: $0.place) }
        && changes.arriving.allSatisfy { insert($0.first, $0.count, at: $0.place) }
    case .arrange(let section, let moves): return arrange(section, moves)
    case .insertSection(let id, let order):
      guard (1...sections.count + 1).contains(order), index(of: id) == nil else { return false }
      let new = step.sections[id]
      sections.insert(
        CustomerSection(id: id, title: new?.title ?? "", footer: new?.footer ?? "", order: order, count: 0),
        at: order - 1)
    case .deleteSection(let id, let order):
      guard let index = index(of: id), index == order &- 1, sections[index].count == 0 else { return false }
      sections.remove(at: index)
    case .moveSection(let id, let from, let to):
      guard let index = index(of: id), index == from &- 1, sections.indices.contains(to &- 1) else {
        return false
      }
      moveSection(at: index, to: to - 1)
    case .updateSection(let id):
      guard let index = index(of: id) else { return false }
      guard let new = step.sections[id] else { return true }
      (sections[index].title, sections[index].footer) = (new.title, new.footer)
    case .update, .column, .line, .entry: break
    }
    return true
  }

  private func index(of id: SectionID) -> Int? { sections.firstIndex { $0.id == id } }

  /// The position of the first row of a section.
  private func start(ofSection index: Int) -> Int {
    sections[..<index].reduce(1) { $0.saturatingAdding(max(0, $1.count)) }
  }

  private mutating func insert(_ id: CustomerID, _ number: Int, at place: CustomerPlace) -> Bool {
    guard let section = index(of: place.section), number >= 0, place.order >= 1,
      place.order - 1 <= sections[section].count
    else { return false }
    sections[section].count = sections[section].count.saturatingAdding(number)
    let position = start(ofSection: section).saturatingAdding(place.order - 1)
    insert(id.following(min(number, size)), number, at: position)
    return true
  }

  /// Makes room for rows at a position; `ids` are those that the window may show.
  private mutating func insert(_ ids: [CustomerID], _ number: Int, at position: Int) {
    let index = position - first
    if index <= 0, !rows.isEmpty {
      first = first.saturatingAdding(number)
    } else if (0...rows.count).contains(index) {
      rows.insert(contentsOf: ids, at: index)
      rows.removeSubrange(min(size, rows.count)...)
    }
  }

  private mutating func delete(_ id: CustomerID, _ number: Int, from place: CustomerPlace) -> Bool {
    guard let section = index(of: place.section), place.order >= 1,
      (0...max(0, sections[section].count)).contains(number),
      place.order - 1 <= sections[section].count - number
    else { return false }
    let start = start(ofSection: section).saturatingAdding(place.order - 1) - first
    let range = shown(start, number)
    guard range.allSatisfy({ rows[$0].rawValue == id.rawValue &+ Int64($0 - start) }) else { return false }
    sections[section].count -= number
    delete(range, from: start, number)
    return true
  }

  /// The indices of those of a number of rows that the window shows.
  private func shown(_ start: Int, _ number: Int) -> Range<Int> {
    let end = start.saturatingAdding(number)
    return min(max(start, 0), rows.count)..<min(max(end, 0), rows.count)
  }

  private mutating func delete(_ range: Range<Int>, from start: Int, _ number: Int) {
    rows.removeSubrange(range)
    if start < 0 { first -= min(start.saturatingAdding(number), 0) - start }
  }

  /// Moves a section with its rows; of one that the window shows in part, the other rows are kept.
  private mutating func moveSection(at index: Int, to target: Int) {
    let number = max(0, sections[index].count)
    let start = start(ofSection: index) - first
    let range = shown(start, number)
    let ids = Array(rows[range])
    sections.insert(sections.remove(at: index), at: target)
    let position = self.start(ofSection: target)
    if ids.count == rows.count, !ids.isEmpty {
      first = position + range.lowerBound - start
      return
    }
    delete(range, from: start, number)
    let gap = position - first
    if ids.count < number, (1..<max(1, rows.count)).contains(gap) {
      // The rows above those that the window does not know.
      rows.removeSubrange(gap...)
    } else {
      insert(ids.count == number ? ids : [], number, at: position)
    }
  }

  private mutating func arrange(_ section: SectionID, _ moves: [CustomerMove]) -> Bool {
    guard let index = index(of: section) else { return false }
    let (old, above, orders) = (self, start(ofSection: index) - 1, 1...max(1, sections[index].count))
    for move in moves {
      guard orders.contains(move.from.order), orders.contains(move.to.order) else { return false }
      let (from, to) = (above.saturatingAdding(move.from.order), above.saturatingAdding(move.to.order))
      guard old[from] == nil || old[from] == move.id else { return false }
      if old[to] != nil { rows[to - first] = move.id }
    }
    return true
  }
}

extension CustomerList {
  /// The sections and the rows around a position (from 1) in the whole list: their ids, which follow changes,
  /// and the current customers.
  ///
  /// Half of them are above the position. A position outside of the list means the nearest one in it.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if one of these rows is missing.
  /// - Complexity: O(size + sections), wherever the position is.
  public func window(
    around position: Int, size: Int = 400
  ) throws -> (window: ListWindow, customers: [Customer]) {
    try window(around: position, of: outline(), size: size)
  }

  /// The same for a list whose outline was read in this transaction.
  package func window(
    around position: Int, of outline: ListOutline, size: Int
  ) throws -> (window: ListWindow, customers: [Customer]) {
    let size = max(0, size)
    let start = min(max(position, 1), max(outline.count, 1)) - size / 2
    let first = max(1, start)
    let end = max(first, min(start.saturatingAdding(size), outline.count.saturatingAdding(1)))
    let rows = try customers(at: first..<end, of: outline)
    let window = ListWindow(
      version: try version(), sections: outline.sections, first: first, rows: rows.map(\.id), size: size)
    return (window, rows)
  }

  /// The customers at positions (from 1) in the whole list; positions outside of it are omitted.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if one of them is missing.
  /// - Complexity: O(rows + sections), wherever they are.
  package func customers(at positions: Range<Int>, of outline: ListOutline) throws -> [Customer] {
    try customers(at: positions, of: outline, reading: .all)
  }

  /// The same with some of their fields.
  func customers(
    at positions: Range<Int>, of outline: ListOutline, reading columns: CustomerColumns
  ) throws -> [Customer] {
    let positions = positions.clamped(to: 1..<outline.count.saturatingAdding(1))
    if positions.count == 1, let place = outline.place(at: positions.lowerBound) {
      guard let customer = try row(at: place) else { throw try lack() }
      return [customer]
    }
    var found: [Customer] = []
    var next = positions.lowerBound
    while next < positions.upperBound, let place = outline.place(at: next) {
      let (before, count) = (found.count, outline.section(place.section)?.count)
      try forEach(from: place.order, in: place.section, count: count, columns) { customer in
        found.append(customer)
        return found.count < positions.count
      }
      guard found.count > before else { throw try lack() }
      next += found.count - before
    }
    return found
  }
}
