package import CustomerStore

/// The rows on the screen and how they are read.
extension TableState {
  /// The rows on the screen and how many lines are above each of them; and the number of the first.
  struct TopAnchor {
    var ids: [CustomerID] = []
    var offsets: [Int] = []
    var row = 0
  }

  /// Returns the line that keeps its place on the screen when the list changes; never a row being moved.
  func topAnchor(without ids: Set<CustomerID> = []) -> TopAnchor {
    let layout = layout
    var anchor = TopAnchor()
    for line in top..<max(top, min(top + height, layout.count)) {
      guard case .row(let shown)? = layout[line], let id = customer(inShownRow: shown)?.id,
        !ids.contains(id), drag?.ids.contains(id) != true
      else { continue }
      if anchor.ids.isEmpty { anchor.row = contents.row(of: id) ?? shown }
      anchor.ids.append(id)
      anchor.offsets.append(line - top)
    }
    return anchor
  }

  /// Puts the rest of the anchor back on its line of the screen; if nothing is left, another row at the top.
  mutating func restoreTop(_ anchor: TopAnchor, else row: Int = 0) {
    let layout = layout
    if let index = anchor.ids.firstIndex(where: { contents.row(of: $0) != nil }),
      let line = shownRow(of: anchor.ids[index]).flatMap({ layout.line(of: .row($0)) })
    {
      top = line - anchor.offsets[index]
    } else {
      // The lines above the first row are shown with it.
      top = row == 0 ? 0 : layout.line(of: .row(row)) ?? 0
    }
    clampTop()
  }

  mutating func clampTop() {
    let layout = layout
    top = min(max(0, top), layout.count == 0 ? 0 : top(showing: layout.count - 1, in: layout))
  }

  /// Whether the cursor is on the screen, from which only the wheel takes it.
  var isCursorSeen: Bool {
    guard let line = cursorLine else { return true }
    return (top..<top + count(from: top, in: layout)).contains(line)
  }

  /// Scrolls so that the cursor, or what is in hand, is on the screen, together with a title just above.
  mutating func revealCursor() {
    guard let line = cursorLine else { return clampTop() }
    let layout = layout
    if line < top {
      top = line
      if case .header? = layout[line - 1] { top = line - 1 }
    } else {
      top = max(top, top(showing: line, in: layout))
    }
    clampTop()
  }

  /// The rows in the list that are on the screen.
  private var screenRows: ClosedRange<Int>? {
    let layout = layout
    let arrangement = arrangement
    var range: ClosedRange<Int>?
    for line in [top, top + height - 1] + Array(max(0, top)..<max(0, top, min(top + height, layout.count))) {
      guard case .row(let shown)? = layout[line] else { continue }
      var row = shown
      if let arrangement {
        guard case .row(let source) = arrangement.source(of: shown) else { continue }
        row = source
      }
      range = range.map { min($0.lowerBound, row)...max($0.upperBound, row) } ?? row...row
    }
    return range
  }

  var coversScreen: Bool {
    guard contents.isRead else { return false }
    guard let rows = screenRows else { return true }
    return contents[rows.lowerBound] != nil && contents[rows.upperBound] != nil
  }

  /// Reads the rows for a goal.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - goal: what they are read for.
  ///   - moved: rows that were moved, which the screen does not follow.
  /// - Returns: the rows.
  /// - Throws: `StoreError`, `ListError.damaged`.
  package func read(
    _ list: borrowing CustomerList, for goal: TableGoal = .keep, without moved: Set<CustomerID> = []
  ) throws -> TableContents {
    let (top, wanted): (TableAnchor, TableAnchor)
    switch goal {
    case .keep:
      let anchor = topAnchor(without: moved)
      let row = anchor.ids.isEmpty ? screenRows?.lowerBound ?? 0 : anchor.row
      (top, wanted) = (TableAnchor(ids: anchor.ids, row: row), cursorAnchor)
    case .cursor(let ids, let row):
      wanted = TableAnchor(ids: ids, row: row)
      top = wanted
    case .position(let position):
      let ids = try list.customers(at: position..<position + 1, of: list.outline()).map(\.id)
      let isShown = ids.contains { shownRows?.index(of: $0, row: position - 1) != nil }
      wanted = isShown ? TableAnchor(ids: ids) : cursorAnchor
      top = wanted
    case .gap(let row):
      wanted = TableAnchor(row: row)
      top = wanted
    }
    return try TableContents(
      list, top: top, wanted: wanted, for: goal, height: height, holding: held, only: shownRows)
  }

  /// The customer at the cursor; if it is gone, the next one, otherwise the previous one.
  private var cursorAnchor: TableAnchor {
    guard case .row(let id)? = cursor else { return TableAnchor(row: cursorRow) }
    guard let index = contents.ids.firstIndex(of: id) else { return TableAnchor(ids: [id], row: cursorRow) }
    return TableAnchor(
      ids: Array(contents.ids[index...]) + contents.ids[..<index].reversed(), row: cursorRow)
  }

  /// Reads the rows around another one and moves the cursor there.
  func load(row: Int, ids: [CustomerID] = []) -> TableEffect { .load(.cursor(ids, row: row)) }
}
