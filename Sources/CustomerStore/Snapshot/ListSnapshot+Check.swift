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
