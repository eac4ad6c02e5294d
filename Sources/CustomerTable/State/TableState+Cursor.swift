package import CustomerStore

/// Keys and clicks that move the cursor.
extension TableState {
  mutating func go(_ motion: TableMotion) -> [TableEffect] {
    let layout = layout
    let line = cursorLine ?? min(top, max(0, layout.count - 1))
    switch motion {
    case .by(let distance): return go(to: step(from: line, by: distance, in: layout), in: layout)
    case .pages(let pages): return go(near: line, pages, count(from: top, in: layout), layout)
    case .halfPages(let pages): return go(near: line, pages, max(1, count(from: top, in: layout) / 2), layout)
    case .first: return go(to: selectable(from: 0, 1, layout), in: layout)
    case .last: return go(to: selectable(from: layout.count - 1, -1, layout), in: layout)
    case .number(let number):
      guard layout.rowCount > 0 else { return [] }
      let count = showsWholeList ? layout.rowCount : contents.customerCount
      guard (1...count).contains(number) else {
        say(.refusal, "Row \(number) is out of range (1–\(count)).")
        return []
      }
      guard showsWholeList else { return [.load(.position(number))] }
      return go(to: layout.line(of: .row(number - 1)), in: layout)
    case .sections(let distance):
      guard showsWholeList, layout.sectionCount > 0 else { return [] }
      var section = min(
        max(0, (section(ofLine: line, layout) ?? 0).saturatingAdding(distance)), layout.sectionCount - 1)
      // What is below the header of a section without rows is in a later one.
      while distance < 0, section > 0,
        start(ofSection: section, layout).flatMap({ self.section(ofLine: $0, layout) }) != section
      {
        section -= 1
      }
      return go(to: start(ofSection: section, layout), in: layout)
    }
  }

  func mayHaveCursor(_ target: TableTarget) -> Bool {
    switch target {
    case .row(let id): contents[id] != nil
    case .end(let id): isEditing && policy.allowsAdding && contents.sections.contains { $0.id == id }
    }
  }

  mutating func setCursor(_ target: TableTarget) {
    let old = cursor
    cursor = target
    if case .row(let id) = target, let row = contents.row(of: id) { cursorRow = row }
    extendRange(from: old)
    revealCursor()
  }

  private func section(ofLine line: Int, _ layout: TableLayout) -> Int? {
    switch layout[line] {
    case .row(let row): layout.path(ofRow: row)?.section
    case .header(let section), .add(let section), .footer(let section): section
    case nil: nil
    }
  }

  /// The first line of a section that can have the cursor, or the nearest one.
  private func start(ofSection section: Int, _ layout: TableLayout) -> Int? {
    let line = layout.line(of: .header(section)) ?? layout.line(of: .row(layout.firstRow(ofSection: section)))
    return line.flatMap { selectable(from: $0, 1, layout) }
  }

  /// The line a number of rows away.
  private func step(from line: Int, by distance: Int, in layout: TableLayout) -> Int? {
    var found = selectable(from: line, distance < 0 ? -1 : 1, layout)
    var left = min(distance.magnitude, UInt(layout.count))
    // Skips titles, so that the cursor is on a row.
    if found != line, left > 0 { left -= 1 }
    while left > 0, let line = found {
      let next = line + (distance < 0 ? -1 : 1)
      guard let line = seek(from: next, distance < 0 ? -1 : 1, layout) else { break }
      found = line
      left -= 1
    }
    return found
  }

  private mutating func go(near line: Int, _ pages: Int, _ size: Int, _ layout: TableLayout) -> [TableEffect]
  {
    let (distance, isTooFar) = pages.multipliedReportingOverflow(by: size)
    let goal = isTooFar ? (pages < 0 ? 0 : layout.count - 1) : line &+ distance
    return go(
      to: selectable(from: min(max(0, goal), layout.count - 1), pages < 0 ? -1 : 1, layout), in: layout)
  }

  /// The nearest line that can have the cursor, first in one direction, then in the other.
  private func selectable(from line: Int, _ direction: Int, _ layout: TableLayout) -> Int? {
    seek(from: line, direction, layout) ?? seek(from: line, -direction, layout)
  }

  private func seek(from line: Int, _ direction: Int, _ layout: TableLayout) -> Int? {
    var line = line
    while let item = layout[line] {
      switch item {
      case .row, .add: return line
      case .header, .footer: line += direction
      }
    }
    return nil
  }

  private mutating func go(to line: Int?, in layout: TableLayout) -> [TableEffect] {
    switch line.flatMap({ layout[$0] }) {
    case .add(let section): setCursor(.end(of: contents.sections[section].id))
    case .row(let row):
      if let customer = contents[row] {
        setCursor(.row(customer.id))
      } else {
        return [load(row: row)]
      }
    default: break
    }
    return []
  }
}

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
    case .keep, .mark:
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
      list, top: top, wanted: wanted, for: goal, height: height, holding: needed, log: wantedLog,
      only: shownRows,
      after: contents)
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

/// The columns that are shown and the order of the view.
extension TableState {
  /// Looks up names that a user has typed; none mean the usual columns, or the order of the list.
  mutating func choose(_ choice: TableChoice) -> [TableEffect] {
    switch choice {
    case .columns(let names) where names.allSatisfy(\.isWhitespace): return show(nil)
    case .order(let names) where names.allSatisfy(\.isWhitespace): return sort(nil)
    default: return [.choose(choice)]
    }
  }

  mutating func show(_ columns: [ListColumn]?) -> [TableEffect] {
    self.columns = columns
    return []
  }

  mutating func sort(_ order: SortOrder?) -> [TableEffect] {
    guard let order else { return leaveSorting() }
    guard contents.customerCount > 0 else { return [] }
    // The cursor stays on its customer or on the first row.
    let ids = current.map { contents.row(of: $0.id) == 0 ? [] : [$0.id] } ?? []
    sorting = TableSorting(order, showing: sorting?.rows, goal: .cursor(ids, row: 0))
    return startSort()
  }

  mutating func leaveSorting() -> [TableEffect] {
    let wasShown = sorting?.rows != nil
    sorting = nil
    return wasShown ? [load(row: 0, ids: current.map { [$0.id] } ?? [])] : []
  }

  /// The list was changed, so the rows may have another order, too.
  mutating func restartSort() -> [TableEffect] {
    guard sorting != nil else { return [] }
    return contents.customerCount > 0 ? startSort() : leaveSorting()
  }

  private mutating func startSort() -> [TableEffect] {
    sorting?.start(rows: contents.customerCount)
    return sorting?.scan.map { [.sort($0)] } ?? []
  }

  mutating func sorted(_ sort: TableSort, _ result: TableSort.Result) -> [TableEffect] {
    // A result for an earlier order is useless.
    guard sorting?.scan == sort else { return [] }
    guard sorting?.take(result) == true else { return restartSort() }
    if let next = sorting?.scan { return [.sort(next)] }
    matchSortedRows()
    let goal = sorting?.goal ?? .keep
    sorting?.goal = nil
    return [.load(goal)]
  }

  /// Finds the matches of the search among the sorted rows.
  mutating func matchSortedRows() {
    let matches = search.flatMap { sorting?.rows?.matching($0.known) }
    sorting?.matches = matches
  }

  /// Forgets rows that were deleted, until the search and the sort have read the list again.
  mutating func forgetRows(_ deleted: Set<CustomerID>) {
    search?.forget(deleted)
    sorting?.forget(deleted)
  }

  /// The rows to show; nil for all, in the order of the list.
  var shownRows: ShownRows? {
    guard let sorting, let rows = sorting.rows else { return search?.only.map(ShownRows.matches) }
    return .sorted(search?.isFiltering == true ? sorting.matches ?? rows : rows)
  }
}

/// Names that a user has typed, to look up in the list.
package enum TableChoice: Hashable, Sendable {
  /// Columns to show: `show`.
  case columns(String)
  /// Fields to sort the view by: `sort`.
  case order(String)

  /// Looks up the names.
  ///
  /// - Returns: the event with what they mean.
  func run(_ list: borrowing CustomerList) throws -> TableEvent {
    switch self {
    case .columns(let names): .show(try list.columns(named: names))
    case .order(let names): .sort(try list.sortOrder(by: names))
    }
  }
}

/// Marks: several rows for one edit.
extension TableState {
  mutating func mark() -> [TableEffect] {
    guard case .row(let id)? = cursor else { return [] }
    rangeStart = nil
    if marked.remove(id) == nil { marked.insert(id) }
    return go(.by(1))
  }

  mutating func markRange() -> [TableEffect] {
    guard rangeStart == nil, case .row(let id)? = cursor else {
      rangeStart = nil
      return []
    }
    rangeStart = id
    marked.insert(id)
    return []
  }

  mutating func invertMarks() -> [TableEffect] {
    if isFiltered, search?.isComplete == false {
      say(.hint, "Still searching.")
      return []
    }
    return [.load(.mark(.others))]
  }

  /// Marks the rows between the start of the range and the cursor instead of the previous range.
  mutating func extendRange(from old: TableTarget?) {
    guard let rangeStart, let start = contents.row(of: rangeStart), case .row(let id)? = cursor,
      let row = contents.row(of: id)
    else { return }
    let (before, previous) =
      if case .row(let id)? = old, let before = contents.row(of: id) { (before, id) } else {
        (start, rangeStart)
      }
    guard (min(before, row)...max(before, row)).allSatisfy({ contents[$0] != nil }) else {
      unreadRange = .range(from: rangeStart, to: id, insteadOf: previous)
      return
    }
    // The others are in both ranges or in none.
    marked.subtract((min(start, before)...max(start, before)).compactMap { contents[$0]?.id })
    marked.formUnion((min(start, row)...max(start, row)).compactMap { contents[$0]?.id })
  }

  /// Marks the rows that were read for that.
  mutating func mark(_ marking: TableMarking, _ new: TableContents) {
    guard let marks = new.marks else {
      rangeStart = nil
      return say(.refusal, "At most \(TableMarks.most) rows can be marked; nothing was marked.")
    }
    switch marking {
    case .others:
      rangeStart = nil
      marked.formSymmetricDifference(marks.ids)
      marked.subtract(new.gone)
      say(.done, "\(counted(marked.count, "customer")) \(marked.count == 1 ? "is" : "are") marked.")
    case .range:
      marked.subtract(marks.replaced)
      marked.formUnion(marks.ids)
    }
  }
}
