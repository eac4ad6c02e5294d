import CustomerStore

/// What a table asks for.
@MainActor protocol TableSource: AnyObject {
  func sectionCount() -> Int
  func rowCount(inSection section: Int) -> Int
  func cell(at path: RowPath) -> String
}

/// A table view without a screen, which counts as `UITableView` does: after a batch of updates, the number of rows
/// in each section must be the number before, plus those inserted, minus those deleted.
///
/// It keeps the cells that it shows, so that one that should have been reloaded is seen.
@MainActor final class CountingTable {
  weak var source: (any TableSource)?
  private(set) var cells: [[String]] = []
  private(set) var problems: [String] = []

  func reloadData() {
    guard let source else { return }
    cells = (0..<source.sectionCount()).map { section in
      (0..<source.rowCount(inSection: section)).map { source.cell(at: RowPath(section: section, row: $0)) }
    }
  }

  /// What the finger has done: the row is where it was dropped.
  func drag(_ path: RowPath, to destination: RowPath) {
    cells[destination.section].insert(cells[path.section].remove(at: path.row), at: destination.row)
  }

  /// Makes the updates of a batch: deletions and reloads by old paths, insertions by new ones.
  func perform(_ updates: [TableUpdate]) {
    guard let source else { return }
    if updates.contains(.reloadData) { return reloadData() }
    var taken: [RowPath: String] = [:]
    var (gone, reloaded): (Set<RowPath>, Set<RowPath>) = ([], [])
    var come: [RowPath: String?] = [:]
    func take(_ path: RowPath) {
      if !exists(path) { return problems.append("no row \(path)") }
      if !gone.insert(path).inserted { problems.append("\(path) is deleted twice") }
      taken[path] = cells[path.section][path.row]
    }
    func put(_ path: RowPath, _ cell: String?) {
      if come.updateValue(cell, forKey: path) != nil { problems.append("\(path) is inserted twice") }
    }
    var (goneSections, comeSections): (Set<Int>, Set<Int>) = ([], [])
    for update in updates {
      switch update {
      case .delete(let path): take(path)
      case .insert(let path): put(path, nil)
      case .move(let from, let to): take(from); put(to, taken[from])
      case .reload(let path): reloaded.insert(path)
      case .deleteSection(let section): goneSections.insert(section)
      case .insertSection(let section): comeSections.insert(section)
      case .reloadTitle, .reloadData: break
      }
    }
    let kept = cells.indices.filter { !goneSections.contains($0) }
    let sections = (0..<source.sectionCount()).filter { !comeSections.contains($0) }
    guard kept.count == sections.count else {
      return problems.append("\(kept.count) sections, \(sections.count)")
    }
    var after = (0..<source.sectionCount()).map { section in
      (0..<source.rowCount(inSection: section)).map { source.cell(at: RowPath(section: section, row: $0)) }
    }
    for (old, new) in zip(kept, sections) {
      var stay = cells[old].indices.map { RowPath(section: old, row: $0) }.filter { !gone.contains($0) }[...]
      let count = stay.count + come.keys.count { $0.section == new }
      guard count == after[new].count else {
        problems.append("section \(new): \(count) rows, but the source has \(after[new].count)")
        continue
      }
      for row in after[new].indices {
        if let cell = come[RowPath(section: new, row: row)] {
          after[new][row] = cell ?? after[new][row]
        } else if let path = stay.popFirst(), !reloaded.contains(path) {
          after[new][row] = cells[old][path.row]
        }
      }
    }
    cells = after
  }

  private func exists(_ path: RowPath) -> Bool {
    cells.indices.contains(path.section) && cells[path.section].indices.contains(path.row)
  }
}
