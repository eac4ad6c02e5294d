package import CustomerStore

/// Incremental search: the list stays complete, and the cursor goes to the next match.
extension TableState {
  mutating func beginSearch() -> [TableEffect] {
    let wasFiltering = search?.isFiltering == true
    search = TableSearch(origin: cursor, row: cursorRow)
    matchSortedRows()
    return wasFiltering ? [.load(.keep)] : []
  }

  /// Shows only those who are due today, from the first one on and in the order of the list, or all rows again.
  mutating func toggleDue() -> [TableEffect] {
    if search?.due != nil { return leaveSearch() }
    let wasFiltering = search?.isFiltering == true
    search = TableSearch(due: .today, rows: contents.customerCount, leaving: sorting?.order)
    sorting = nil
    matchSortedRows()
    guard search?.isComplete == false else { return [.load(.keep)] }
    return (wasFiltering ? [.load(.keep)] : []) + nextScan()
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
    let order = sorting == nil ? search?.orderBefore : nil
    search = nil
    matchSortedRows()
    return (wasFiltering ? [.load(.keep)] : []) + (order.map { sort($0) } ?? [])
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
  package var hitNumber: Int? {
    guard let matches, case .row(let id)? = cursor, let customer = contents[id] else { return nil }
    return matches.index(of: id, row: contents.listRow(of: customer)).map { $0 + 1 }
  }

  mutating func scanned(_ scan: SearchScan, _ result: SearchScan.Result) -> [TableEffect] {
    // A result for an earlier text is useless.
    guard search?.typed.next == scan else { return [] }
    if let version = search?.typed.version, version != result.version { return restartSearch() }
    let isNew = search?.take(result) == true
    if isNew { matchSortedRows() }
    return showHits(isNew: isNew) + nextScan()
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
    if search?.isFiltering == true, isNew { effects.append(.load(.keep)) }
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

/// A search: its text, and the matches found so far.
package struct TableSearch: Sendable {
  /// The line in which the text is typed.
  package var field = FormText()
  /// Whether keys go to the search line.
  package internal(set) var isTyping = true
  /// Whether to show only matches.
  package internal(set) var isFiltering = false
  /// The matches so far.
  package private(set) var typed: TypedSearch
  /// The matches that are shown while only matches are: after a change of the list, the old ones until as
  /// many are found again.
  package private(set) var known = SearchHits()
  /// Whether the cursor goes to the first match as soon as it is found.
  var isSeeking = false
  /// Where the cursor was; Esc goes back there.
  let origin: TableTarget?
  /// The order of the rows before those who are due were shown, in the order of the list.
  private(set) var orderBefore: SortOrder?

  /// The matches so far, in list order.
  package var hits: SearchHits { typed.hits }
  /// The meaning of the text, once it was looked for.
  package var filter: RowFilter? { typed.filter }
  /// How many rows were searched.
  package var readCount: Int { typed.readCount }
  /// Whether all rows were searched.
  package var isComplete: Bool { typed.isComplete }

  /// The day on which the customers are due that are shown; nil for a search.
  package var due: CalendarDay? { typed.due }

  /// The rows to show; nil for all.
  var only: SearchHits? { isFiltering ? known : nil }

  package init(origin: TableTarget? = nil, row: Int = 0) {
    (self.origin, typed) = (origin, TypedSearch(from: row))
  }

  /// Those who are due on a day, of a list with a number of rows.
  init(due: CalendarDay, rows: Int, leaving order: SortOrder?) {
    (origin, typed, orderBefore) = (nil, TypedSearch(due: due, rows: rows), order)
    (isTyping, isFiltering, isSeeking) = (false, true, true)
  }

  /// Searches for the text that was typed.
  ///
  /// - Returns: whether the matches so far were narrowed; otherwise it begins at the first row.
  @discardableResult
  package mutating func type(rows: Int) -> Bool {
    defer { known = hits }
    return typed.type(field.text, rows: rows)
  }

  /// Begins again, because the list has changed.
  package mutating func restart(rows: Int) {
    // It may be another day by now.
    typed.restart(rows: rows, due: due.map { _ in .today })
  }

  /// Takes matches that were found.
  ///
  /// - Returns: whether other rows are shown while only matches are.
  @discardableResult
  package mutating func take(_ result: SearchScan.Result) -> Bool {
    typed.take(result)
    guard isComplete || hits.count >= known.count else { return false }
    known = hits
    return isComplete || !result.hits.isEmpty
  }

  /// Forgets matches that were deleted.
  mutating func forget(_ deleted: Set<CustomerID>) { known.remove(deleted) }
}

/// The order in which a table shows the rows instead of the list's: of the view only, nothing is moved.
package struct TableSorting: Sendable {
  /// The order.
  package let order: SortOrder
  /// The rows in this order, as they were when all were read last; nil until then.
  package internal(set) var rows: SortedRows?
  /// Those of them that match the search.
  var matches: SortedRows?
  /// Where the cursor goes once the rows are sorted: a row that was added, or the one that it was on before.
  var goal: TableGoal?
  /// What was read of the list since its last change.
  private var values: SortedValues
  private var next = 0
  private var end = 0
  private var version: ListVersion?

  init(_ order: SortOrder, showing rows: SortedRows?, goal: TableGoal) {
    (self.order, self.rows, self.goal) = (order, rows, goal)
    values = SortedValues(order)
  }

  /// Whether all rows were read since the last change.
  package var isComplete: Bool { next >= end }

  /// How many rows were read since the last change.
  package var readCount: Int { next }

  /// Forgets rows that were deleted.
  mutating func forget(_ deleted: Set<CustomerID>) {
    rows = rows?.without(deleted)
    matches = matches?.without(deleted)
  }

  /// The next rows to read; nil if there are no more.
  var scan: TableSort? { isComplete ? nil : TableSort(order: order, first: next, end: end) }

  /// Begins at the first of some rows.
  mutating func start(rows count: Int) {
    values = SortedValues(order)
    (next, end, version) = (0, count, nil)
  }

  /// Takes rows that were read.
  ///
  /// - Returns: false if the list was changed since the others were read.
  mutating func take(_ result: TableSort.Result) -> Bool {
    guard version == nil || version == result.version else { return false }
    version = result.version
    for row in result.rows { values.append(row) }
    next = max(next, result.next)
    guard isComplete else { return true }
    rows = SortedRows(values.sorted())
    values = SortedValues(order)
    return true
  }
}

/// The next rows to read in order to sort them.
package struct TableSort: Hashable, Sendable {
  /// The order.
  package var order: SortOrder
  /// The number of the first row, from 0.
  package var first: Int
  /// The number of the row to stop before.
  package var end: Int

  /// Rows that were read.
  package struct Result: Sendable {
    /// What there is to sort.
    var rows: [SortOrder.Row]
    /// The number of the first row that was not read.
    package var next: Int
    /// The version of the list in which the rows were read.
    package var version: ListVersion
  }

  /// Reads at most 5,000 rows.
  package func run(_ list: borrowing CustomerList) throws -> Result {
    let first = max(0, first)
    let next = min(end, first.saturatingAdding(5_000))
    let positions = first.saturatingAdding(1)..<max(first, next).saturatingAdding(1)
    let rows = try list.rows(at: positions, of: list.outline(), by: order)
    return Result(rows: rows, next: next, version: try list.version())
  }
}
