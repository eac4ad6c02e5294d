internal import CustomerStore

/// Incremental search: the list stays complete, and the cursor goes to the next match.
extension TableState {
  mutating func beginSearch() -> [TableEffect] {
    let wasFiltering = search?.isFiltering == true
    search = TableSearch(origin: cursor, row: cursorRow)
    matchSortedRows()
    return wasFiltering ? [.load(.keep)] : []
  }

  /// The meaning of a key while the search line is open; nil for keys that keep their meaning.
  mutating func respondInSearch(_ event: TableEvent) -> [TableEffect]? {
    switch event {
    case .searchText(let edit):
      let before = search?.field.text
      search?.field.perform(edit)
      guard search?.field.text != before else { return [] }
      return typeSearch()
    case .acceptSearch:
      search?.isTyping = false
      if search?.field.text.isEmpty == true { return leaveSearch() }
      return []
    case .escape:
      let origin = search?.origin
      let effects = leaveSearch()
      guard let origin, origin != cursor else { return effects }
      if case .row(let id) = origin,
        contents[id] == nil || contents.row(of: id).map({ contents[$0] == nil }) != false
      {
        return [load(row: cursorRow, ids: [id])]
      }
      setCursor(origin)
      return effects
    case .nextHit, .previousHit, .filter, .go: return nil
    case .point:
      search?.isTyping = false
      return nil
    default: return []
    }
  }

  mutating func leaveSearch() -> [TableEffect] {
    let wasFiltering = search?.isFiltering == true
    search = nil
    matchSortedRows()
    return wasFiltering ? [.load(.keep)] : []
  }

  mutating func toggleFilter() -> [TableEffect] {
    guard search != nil else {
      say(.hint, "Search for something first.")
      return []
    }
    search?.isFiltering.toggle()
    search?.isTyping = false
    return [.load(.keep)]
  }

  mutating func hit(by distance: Int) -> [TableEffect] {
    guard let search, let matches, matches.count > 0 else {
      let text =
        search == nil
        ? "Search for something first." : "Nothing found\(search?.isComplete == true ? "." : " yet.")"
      say(.hint, text)
      return []
    }
    guard let current = hitNumber.map({ $0 - 1 }) else { return go(toHit: search.hits.first) }
    let index = current + distance
    guard search.isComplete || (0..<matches.count).contains(index) else {
      say(.hint, "Still searching.")
      return []
    }
    return go(toHit: matches[(index + matches.count) % matches.count])
  }

  /// The matches in the order of the rows that are shown.
  private var matches: ShownRows? {
    search.map { search in sorting?.matches.map(ShownRows.sorted) ?? .matches(search.hits) }
  }

  /// The number of the match at the cursor among all matches, from 1; nil if the cursor is on none.
  public var hitNumber: Int? {
    guard let matches, case .row(let id)? = cursor, let customer = contents[id] else { return nil }
    return matches.index(of: id, row: contents.listRow(of: customer)).map { $0 + 1 }
  }

  mutating func scanned(_ scan: SearchScan, _ result: SearchScan.Result) -> [TableEffect] {
    // A result for an earlier text is useless.
    guard search?.typed.next == scan else { return [] }
    if let version = search?.typed.version, version != result.version { return restartSearch() }
    search?.take(result)
    matchSortedRows()
    return showHits(isNew: !result.hits.isEmpty) + nextScan()
  }

  /// The list was changed, so matches may have changed, too.
  mutating func restartSearch() -> [TableEffect] {
    search?.restart(rows: contents.customerCount)
    matchSortedRows()
    return nextScan()
  }

  /// The text was changed.
  private mutating func typeSearch() -> [TableEffect] {
    search?.isSeeking = true
    let isNarrower = search?.type(rows: contents.customerCount) == true
    matchSortedRows()
    return (isNarrower ? showHits(isNew: true) : []) + nextScan()
  }

  /// Goes to the first match and shows the matches if only they are shown.
  private mutating func showHits(isNew: Bool) -> [TableEffect] {
    var effects: [TableEffect] = []
    if search?.isSeeking == true, let first = search?.hits.first {
      search?.isSeeking = false
      effects = go(toHit: first)
    }
    if search?.isFiltering == true, isNew || search?.isComplete == true { effects.append(.load(.keep)) }
    return effects
  }

  private func nextScan() -> [TableEffect] { search?.typed.next.map { [.scan($0)] } ?? [] }

  private mutating func go(toHit id: CustomerID?) -> [TableEffect] {
    guard let id else { return [] }
    if let row = contents.row(of: id), contents[row] != nil {
      setCursor(.row(id))
      return []
    }
    return [load(row: cursorRow, ids: [id])]
  }
}
