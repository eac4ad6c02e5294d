internal import CustomerStore

/// The rows on the screen, and the requests for them.
extension TableState {
  /// The rows on the screen, and how many lines are above each of them; and the number of the first.
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
      if anchor.ids.isEmpty { anchor.row = page.row(of: id) ?? shown }
      anchor.ids.append(id)
      anchor.offsets.append(line - top)
    }
    return anchor
  }

  /// Puts the rest of the anchor back on its line of the screen; if nothing is left, another row at the top.
  mutating func restoreTop(_ anchor: TopAnchor, else row: Int = 0) {
    let layout = layout
    if let index = anchor.ids.firstIndex(where: { page.row(of: $0) != nil }),
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

  /// The rows of the list that are on the screen.
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
    guard page.edit >= 0 else { return false }
    guard let rows = screenRows else { return true }
    return page[rows.lowerBound] != nil && page[rows.upperBound] != nil
  }

  /// The request for the current screen, which does not follow rows that are moved.
  func request(without ids: Set<CustomerID> = []) -> TableRequest {
    var request = TableRequest()
    let anchor = topAnchor(without: ids)
    request.top = .init(ids: anchor.ids, row: anchor.ids.isEmpty ? screenRows?.lowerBound ?? 0 : anchor.row)
    request.wanted = cursorAnchor
    request.height = height
    request.held = held
    request.only = search?.only
    return request
  }

  /// The customer at the cursor; if it is gone, the next one, otherwise the previous one.
  private var cursorAnchor: TableRequest.Anchor {
    guard case .row(let id)? = cursor else { return .init(row: cursorRow) }
    guard let index = page.rows.firstIndex(where: { $0.id == id }) else {
      return .init(ids: [id], row: cursorRow)
    }
    let ids = page.rows[index...].map(\.id) + page.rows[..<index].reversed().map(\.id)
    return .init(ids: ids, row: cursorRow)
  }

  /// Reads the rows around another one and moves the cursor there.
  func load(row: Int, ids: [CustomerID] = []) -> TableEffect {
    var request = request()
    request.wanted = .init(ids: ids, row: row)
    request.purpose = .cursor
    request.top = request.wanted
    return .load(request)
  }
}

extension TableRequest {
  /// The request after moving rows, so that the screen does not follow them.
  func without(_ ids: Set<CustomerID>) -> TableRequest {
    var request = self
    request.top.ids.removeAll { ids.contains($0) }
    return request
  }
}
