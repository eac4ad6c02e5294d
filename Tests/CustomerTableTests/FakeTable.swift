import CustomerStore

/// What a table shows of a row.
struct Cell: Equatable {
  var text: String
  var detail = ""
  var isFavorite = false
}

enum EditingStyle { case none, delete, insert }

@MainActor protocol TableDataSource: AnyObject {
  func numberOfSections() -> Int
  func titleForHeader(in section: Int) -> String
  func numberOfRows(in section: Int) -> Int
  func cellForRow(at path: RowPath) -> Cell
}

/// A table without a screen: it asks for cells when UIKit's would, keeps what it displayed, and counts.
@MainActor final class FakeTable {
  weak var dataSource: (any TableDataSource)?
  private(set) var titles: [String] = []
  private(set) var cells: [[Cell]] = []
  /// Where UIKit would have ended the program.
  private(set) var mistakes: [String] = []

  func reloadData() {
    guard let dataSource else { return }
    titles = (0..<dataSource.numberOfSections()).map(dataSource.titleForHeader)
    cells = titles.indices.map { section in
      (0..<dataSource.numberOfRows(in: section)).map { cell(section, $0) }
    }
  }

  /// The person drags a row: the table shows it there before it tells anybody.
  func drag(_ path: RowPath, to target: RowPath) {
    let cell = cells[path.section].remove(at: path.row)
    cells[target.section].insert(cell, at: target.row)
  }

  func perform(_ updates: [TableUpdate]) {
    guard let dataSource else { return }
    if updates.contains(.reloadData) { return reloadData() }
    var (deleted, inserted): (Set<Int>, Set<Int>) = ([], [])
    var (gone, come, reloaded): (Set<RowPath>, Set<RowPath>, Set<RowPath>) = ([], [], [])
    var moved: [RowPath: RowPath] = [:]
    for update in updates {
      let isNew =
        switch update {
        case .deleteSection(let index): deleted.insert(index).inserted
        case .insertSection(let index): inserted.insert(index).inserted
        case .delete(let path): gone.insert(path).inserted
        case .insert(let path): come.insert(path).inserted
        case .reload(let path): reloaded.insert(path).inserted
        case .move(let from, let to): moved.updateValue(from, forKey: to) == nil && gone.insert(from).inserted
        case .reloadTitle, .reloadData: true
        }
      if !isNew { mistakes.append("\(update) twice") }
    }
    let old = cells.indices.filter { !deleted.contains($0) }
    let new = (0..<dataSource.numberOfSections()).filter { !inserted.contains($0) }
    guard old.count == new.count else { return fail("\(cells.count) sections, \(updates)") }
    var after = [[Cell]](repeating: [], count: dataSource.numberOfSections())
    for (old, new) in zip(old, new) {
      var stay = cells[old].indices.filter { !gone.contains(RowPath(section: old, row: $0)) }[...]
      let count = dataSource.numberOfRows(in: new)
      for row in 0..<count {
        let path = RowPath(section: new, row: row)
        if let from = moved[path] {
          after[new].append(cells[from.section][from.row])
        } else if come.contains(path) {
          after[new].append(cell(new, row))
        } else if let next = stay.popFirst() {
          let isReloaded = reloaded.contains(RowPath(section: old, row: next))
          after[new].append(isReloaded ? cell(new, row) : cells[old][next])
        } else {
          return fail("section \(new) has too few rows for \(count), \(updates)")
        }
      }
      if !stay.isEmpty { return fail("section \(new) has \(stay.count) rows more than \(count), \(updates)") }
    }
    for index in inserted { after[index] = (0..<dataSource.numberOfRows(in: index)).map { cell(index, $0) } }
    cells = after
    titles = cells.indices.map(dataSource.titleForHeader)
  }

  private func cell(_ section: Int, _ row: Int) -> Cell {
    dataSource?.cellForRow(at: RowPath(section: section, row: row)) ?? Cell(text: "")
  }

  private func fail(_ text: String) {
    mistakes.append(text)
    reloadData()
  }
}

extension TableUpdate {
  /// Whether a section comes or goes.
  var isOfSection: Bool {
    switch self {
    case .insertSection, .deleteSection: true
    default: false
    }
  }
}
