internal import CustomerStore

/// The columns that are shown and the order of the view.
extension TableState {
  /// Looks up names that a user has typed; none mean the usual columns, or the order of the list.
  mutating func choose(_ choice: TableChoice) -> [TableEffect] {
    switch choice {
    case .columns(let names) where names.allSatisfy(\.isWhitespace): return show(nil)
    case .order(let names, _) where names.allSatisfy(\.isWhitespace): return sort(nil)
    default: return [.choose(choice)]
    }
  }

  mutating func show(_ columns: [ListColumn]?) -> [TableEffect] {
    self.columns = columns
    return []
  }

  mutating func sort(_ order: SortOrder?) -> [TableEffect] {
    guard let order else { return leaveSorting() }
    guard contents.customerCount <= policy.mostSortedRows else {
      say(.refusal, "The table sorts up to \(policy.mostSortedRows) rows; try :list --sort.")
      return []
    }
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
    let count = contents.customerCount
    return count > 0 && count <= policy.mostSortedRows ? startSort() : leaveSorting()
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

  /// The rows to show; nil for all, in the order of the list.
  var shownRows: ShownRows? {
    guard let sorting, let rows = sorting.rows else { return search?.only.map(ShownRows.matches) }
    return .sorted(search?.isFiltering == true ? sorting.matches ?? rows : rows)
  }
}

/// Names that a user has typed, to look up in the list.
public enum TableChoice: Hashable, Sendable {
  /// Columns to show: `show`.
  case columns(String)
  /// Fields to sort the view by: `sort`.
  case order(String, isDescending: Bool)

  /// Looks up the names.
  ///
  /// - Returns: the event with what they mean.
  func run(_ list: borrowing CustomerList) throws -> TableEvent {
    switch self {
    case .columns(let names): .show(try list.columns(named: names))
    case .order(let names, let isDescending):
      .sort(try list.sortOrder(by: names, isDescending: isDescending))
    }
  }
}
