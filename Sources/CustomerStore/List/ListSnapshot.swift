/// The order of the whole list after one edit: sections and the ids of their rows.
///
/// It is a value: it does not change with the list until changes are applied to it. Read the rows themselves
/// when they are needed, with `CustomerList.customers`. Needs 8 bytes of memory per row.
public struct ListSnapshot: Hashable, Sendable {
  /// A section and its rows.
  public struct Section: Hashable, Identifiable, Sendable {
    /// The permanent id.
    public let id: SectionID
    /// The line above the rows.
    public internal(set) var title: String
    /// The line below the rows.
    public internal(set) var footer: String
    /// The rows in order.
    public internal(set) var rows: [CustomerID]

    /// The number of its rows.
    public var count: Int { rows.count }
  }

  /// The version of the list that the snapshot shows.
  public internal(set) var version: ListVersion
  /// The sections in order.
  public internal(set) var sections: [Section]

  /// No list: nothing that happens to a list can be applied to it but a `reload`.
  public init() { (version, sections) = (.none, []) }

  init(version: ListVersion, sections: [Section]) { (self.version, self.sections) = (version, sections) }

  /// The number of rows in all sections. O(sections)
  public var count: Int { sections.reduce(0) { $0 + $1.count } }

  /// The row at a path or nil.
  public subscript(path: RowPath) -> CustomerID? {
    guard sections.indices.contains(path.section) else { return nil }
    let rows = sections[path.section].rows
    return rows.indices.contains(path.row) ? rows[path.row] : nil
  }

  /// The path of a row; nil if the snapshot has no such row.
  ///
  /// - Complexity: O(rows).
  public func path(of id: CustomerID) -> RowPath? {
    for (section, found) in sections.enumerated() {
      if let row = found.rows.firstIndex(of: id) { return RowPath(section: section, row: row) }
    }
    return nil
  }

  /// The paths of rows; rows that are not in the snapshot are omitted. O(rows)
  public func paths(of ids: Set<CustomerID>) -> [CustomerID: RowPath] {
    if ids.count == 1, let id = ids.first { return path(of: id).map { [id: $0] } ?? [:] }
    var paths: [CustomerID: RowPath] = [:]
    for (section, found) in sections.enumerated() {
      for (row, id) in found.rows.enumerated() where ids.contains(id) {
        paths[id] = RowPath(section: section, row: row)
        if paths.count == ids.count { return paths }
      }
    }
    return paths
  }

  /// The place of the row at a path; nil if there is no such row.
  public func place(at path: RowPath) -> CustomerPlace? {
    self[path] == nil ? nil : CustomerPlace(section: sections[path.section].id, order: path.row + 1)
  }
}

extension CustomerList {
  /// The order of the whole list now.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if the numbers in the file are damaged.
  /// - Complexity: O(rows): about 10 ms for 100,000.
  public func snapshot() throws -> ListSnapshot {
    let sections = try wholeSections().map { section in
      ListSnapshot.Section(
        id: section.id, title: section.title, footer: section.footer,
        rows: try ids(in: section.id, count: section.count))
    }
    return ListSnapshot(version: try version(), sections: sections)
  }
}

/// Where a table displays a row: section and row, both counted from 0, as in table views.
public struct RowPath: Hashable, Comparable, Sendable {
  /// The section, from 0.
  public var section: Int
  /// The row in the section, from 0.
  public var row: Int

  /// Creates a path; there need not be such a row.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Whether one row is displayed above the other.
  public static func < (left: RowPath, right: RowPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

/// One of the updates that together take a table from one snapshot to the next.
///
/// As in a batch update of UIKit, deleted, reloaded, and moved items use paths before the batch; inserted
/// items and the destinations of moves use paths after it.
public enum TableUpdate: Hashable, Sendable {
  /// Everything may have changed.
  case reloadData
  /// A section was deleted, with its rows.
  case deleteSection(Int)
  /// A section was inserted, with its rows.
  case insertSection(Int)
  /// The title or footer of a section changed; the index is the one after the updates.
  case reloadTitle(Int)
  /// A row was deleted.
  case delete(RowPath)
  /// A row was inserted.
  case insert(RowPath)
  /// A row was moved and looks the same.
  case move(RowPath, to: RowPath)
  /// A row looks different.
  case reload(RowPath)
}

/// Why changes can't be applied to a snapshot, which is left unchanged.
public enum SnapshotError: Error, Hashable, Sendable {
  /// Edits in between are missing: the snapshot is at edit `at`, the step starts with edit `next`.
  case gap(at: Int64, next: Int64)
  /// The step is of another history: read the list again.
  case otherHistory
  /// The change belongs to another list, or the snapshot was not read from this one.
  case doesNotFit(ListChange)
}

extension SnapshotError: CustomStringConvertible {
  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .gap(let at, let next): "the snapshot is at edit \(at), and edit \(next) is not the next one"
    case .otherHistory: "the step is of another history than the snapshot"
    case .doesNotFit: "the change does not fit the snapshot"
    }
  }
}

extension ListSnapshot {
  /// Applies the changes of a step to the snapshot.
  ///
  /// - Returns: the updates that take a table from the old snapshot to the new one; none for a step that the
  ///   snapshot already contains.
  /// - Throws: `SnapshotError`.
  /// - Complexity: O(rows + changes).
  @discardableResult
  public mutating func apply(_ step: ListStep) throws -> [TableUpdate] {
    let before = self
    var touched = TouchedRows()
    try apply(step, &touched)
    return touched.updates(from: before, to: self)
  }

  /// Applies the changes of a step and adds what they affect in a table.
  mutating func apply(_ step: ListStep, _ touched: inout TouchedRows) throws {
    guard try step.isNews(after: version) else { return }
    var after = self
    for change in try step.changes(after: version.edit) {
      guard after.perform(change, step.sections) else { throw SnapshotError.doesNotFit(change) }
      touched.add(change)
    }
    after.version = step.version
    self = after
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
      sections.insert(Section(id: id, title: "", footer: "", rows: []), at: order - 1)
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

extension ListStep {
  /// Whether it has edits after a version.
  ///
  /// - Throws: `SnapshotError.otherHistory`.
  func isNews(after version: ListVersion) throws -> Bool {
    guard edits.upperBound > version.edit else { return false }
    guard
      version.edit == 0 || edits.lowerBound > version.edit + 1 || [before.mark, mark].contains(version.mark)
    else { throw SnapshotError.otherHistory }
    return true
  }

  /// The changes after an edit.
  ///
  /// Two quick statements of another client are one step, whose first part may be known already.
  ///
  /// - Throws: `SnapshotError.gap` if edits in between are missing.
  func changes(after edit: Int64) throws -> ArraySlice<ListChange> {
    let next = edit.saturatingAdding(1)
    guard edits.lowerBound <= next else { throw SnapshotError.gap(at: edit, next: edits.lowerBound) }
    return changes.dropFirst((edits.lowerBound..<next).saturatingCount)
  }
}

extension CustomerID {
  /// A number of consecutive ids, starting with this one; none for a negative number.
  func following(_ count: Int) -> [CustomerID] {
    (0..<Int64(max(0, count))).map { CustomerID(rawValue: rawValue &+ $0) }
  }
}

/// The rows and sections that changes affect in a table.
struct TouchedRows {
  /// Rows that were inserted, deleted, or moved.
  private var placed: Set<CustomerID> = []
  /// Rows whose fields changed.
  private var updated: Set<CustomerID> = []
  private var movedSections: Set<SectionID> = []
  private var retitled: Set<SectionID> = []
  /// Whether a column of all rows changed.
  private var isEverythingUpdated = false

  /// With more rows than this, reloading a table is faster.
  private static let most = 1_000

  mutating func add(_ change: ListChange) {
    switch change {
    case .insert(let id, _), .delete(let id, _), .move(let id, _, _): placed.insert(id)
    case .update(let id, _), .line(_, let id, _): updated.insert(id)
    case .insertMany(let first, let count, _), .deleteMany(let first, let count, _):
      // One more than the limit is as good as all of them.
      placed.formUnion(first.following(min(count, Self.most + 1)))
    case .rows(let changes): placed.formUnion(changes.lazy.map(\.id))
    case .arrange(_, let moves): placed.formUnion(moves.lazy.map(\.id))
    case .moveSection(let id, _, _): movedSections.insert(id)
    case .updateSection(let id): retitled.insert(id)
    case .column: isEverythingUpdated = true
    case .entry, .insertSection, .deleteSection: break
    }
  }

  /// Adds rows that are at another place in one of the snapshots.
  mutating func add(placed ids: [CustomerID]) { placed.formUnion(ids) }

  /// The updates that take a table from one snapshot to another that differs only in these rows.
  ///
  /// A section that moved is deleted and inserted, and so is a row that moved and changed: tables allow only
  /// one update per row.
  func updates(from before: ListSnapshot, to after: ListSnapshot) -> [TableUpdate] {
    guard !isEverythingUpdated, placed.count + updated.count <= Self.most else { return [.reloadData] }
    let staying = Set(before.sections.map(\.id)).intersection(after.sections.map(\.id))
      .subtracting(movedSections)
    var updates: [TableUpdate] = []
    for (index, section) in before.sections.enumerated() where !staying.contains(section.id) {
      updates.append(.deleteSection(index))
    }
    for (index, section) in after.sections.enumerated() {
      if !staying.contains(section.id) {
        updates.append(.insertSection(index))
      } else if retitled.contains(section.id) {
        updates.append(.reloadTitle(index))
      }
    }
    let ids = placed.union(updated)
    let old = before.paths(of: ids).filter { staying.contains(before.sections[$0.value.section].id) }
    let new = after.paths(of: ids).filter { staying.contains(after.sections[$0.value.section].id) }
    // One that is where it was may still have been passed by others, but not if all are.
    let hasMoves = placed.contains { old[$0] != new[$0] }
    for id in ids.sorted() {
      switch (old[id], new[id]) {
      case (let from?, let to?) where !hasMoves && from == to && !updated.contains(id): break
      case (let path?, nil): updates.append(.delete(path))
      case (nil, let path?): updates.append(.insert(path))
      case (let from?, let to?) where placed.contains(id):
        updates += updated.contains(id) ? [.delete(from), .insert(to)] : [.move(from, to: to)]
      case (let path?, _?): updates.append(.reload(path))
      case (nil, nil): break
      }
    }
    return updates
  }
}

/// Why a table would not display the snapshot after its updates.
///
/// UIKit crashes in this case.
public enum TableMismatch: Error, Hashable, Sendable {
  /// The numbers of sections before and after do not match the insertions and deletions.
  case sections(before: Int, after: Int, inserted: Int, deleted: Int)
  /// The numbers of rows of a section (by its index after the updates) before and after do not match the
  /// insertions and deletions.
  case rows(inSection: Int, before: Int, after: Int, inserted: Int, deleted: Int)
  /// There is no row at this path: before the updates for a deleted row, after them for an inserted one. There
  /// are as many sections then.
  case noSuchRow(RowPath, sections: Int)
}

extension TableMismatch: CustomStringConvertible {
  /// What is wrong, in one line; sections and rows are counted from 0, as in the updates.
  public var description: String {
    switch self {
    case .sections(let before, let after, let inserted, let deleted):
      "\(before) sections, \(inserted) inserted and \(deleted) deleted make \(before + inserted - deleted), not \(after)"
    case .rows(let section, let before, let after, let inserted, let deleted):
      "in section \(section), \(before) rows, \(inserted) inserted and \(deleted) deleted make \(before + inserted - deleted), not \(after)"
    case .noSuchRow(let path, let sections):
      "there is no section \(path.section), row \(path.row) (from 0): there are \(sections) sections"
    }
  }
}

extension ListSnapshot {
  /// Verifies that a table which displays another snapshot, and makes these updates, displays this one: the
  /// counts, as UIKit checks them, and that each path exists.
  ///
  /// - Throws: `TableMismatch`.
  /// - Complexity: O(sections + updates).
  public func check(displaying before: ListSnapshot, _ updates: [TableUpdate]) throws {
    if updates.contains(.reloadData) { return }
    var (deleted, inserted): (Set<Int>, Set<Int>) = ([], [])
    var (gone, come): ([Int: Int], [Int: Int]) = ([:], [:])
    for update in updates {
      switch update {
      case .deleteSection(let index): deleted.insert(index)
      case .insertSection(let index): inserted.insert(index)
      case .delete(let path): try before.require(path); gone[path.section, default: 0] += 1
      case .insert(let path): try require(path); come[path.section, default: 0] += 1
      case .reload(let path): try before.require(path)
      case .move(let from, let to):
        try before.require(from)
        try require(to)
        gone[from.section, default: 0] += 1
        come[to.section, default: 0] += 1
      case .reloadTitle, .reloadData: break
      }
    }
    let old = before.sections.indices.filter { !deleted.contains($0) }
    let new = sections.indices.filter { !inserted.contains($0) }
    guard old.count == new.count else {
      throw TableMismatch.sections(
        before: before.sections.count, after: sections.count, inserted: inserted.count, deleted: deleted.count
      )
    }
    for (old, new) in zip(old, new) {
      let (count, gone, come) = (before.sections[old].count, gone[old, default: 0], come[new, default: 0])
      guard count - gone + come == sections[new].count else {
        throw TableMismatch.rows(
          inSection: new, before: count, after: sections[new].count, inserted: come, deleted: gone)
      }
    }
  }

  private func require(_ path: RowPath) throws {
    guard self[path] != nil else { throw TableMismatch.noSuchRow(path, sections: sections.count) }
  }
}
