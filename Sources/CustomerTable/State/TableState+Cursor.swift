internal import CustomerStore

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
      let section = min(
        max(0, (section(ofLine: line, layout) ?? 0).saturatingAdding(distance)), layout.sectionCount - 1)
      let start =
        layout.line(of: .header(section)) ?? layout.line(of: .row(layout.firstRow(ofSection: section)))
      return go(to: start.flatMap { selectable(from: $0, distance < 0 ? -1 : 1, layout) }, in: layout)
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
      } else if rangeStart != nil {
        say(.refusal, "Too many rows to mark at once.")
      } else {
        return [load(row: row)]
      }
    default: break
    }
    return []
  }
}
