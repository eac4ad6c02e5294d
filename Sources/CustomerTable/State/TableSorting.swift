public import CustomerStore

/// The order in which a table shows the rows instead of the list's: of the view only, nothing is moved.
public struct TableSorting: Sendable {
  /// The order.
  public let order: SortOrder
  /// The rows in this order, as they were when all were read last; nil until then.
  public internal(set) var rows: SortedRows?
  /// Those of them that match the search.
  var matches: SortedRows?
  /// Where the cursor goes once the rows are sorted: a row that was added, or the one that it was on before.
  var goal: TableGoal?
  /// What was read of the list since its last change.
  private var read: [SortOrder.Row] = []
  private var next = 0
  private var end = 0
  private var version: ListVersion?

  init(_ order: SortOrder, showing rows: SortedRows?, goal: TableGoal) {
    (self.order, self.rows, self.goal) = (order, rows, goal)
  }

  /// Whether all rows were read since the last change.
  public var isComplete: Bool { next >= end }

  /// How many rows were read since the last change.
  public var readCount: Int { next }

  /// The next rows to read; nil if there are no more.
  var scan: TableSort? { isComplete ? nil : TableSort(order: order, first: next, end: end) }

  /// Begins at the first of some rows.
  mutating func start(rows count: Int) { (read, next, end, version) = ([], 0, count, nil) }

  /// Takes rows that were read.
  ///
  /// - Returns: false if the list was changed since the others were read.
  mutating func take(_ result: TableSort.Result) -> Bool {
    guard version == nil || version == result.version else { return false }
    version = result.version
    read += result.rows
    next = max(next, result.next)
    guard isComplete else { return true }
    rows = SortedRows(order.sorted(read).map(\.id))
    read = []
    return true
  }
}

/// The next rows to read in order to sort them.
public struct TableSort: Hashable, Sendable {
  /// The order.
  public var order: SortOrder
  /// The number of the first row, from 0.
  public var first: Int
  /// The number of the row to stop before.
  public var end: Int

  /// Rows that were read.
  public struct Result: Sendable {
    /// What there is to sort.
    var rows: [SortOrder.Row]
    /// The number of the first row that was not read.
    public var next: Int
    /// The version of the list in which the rows were read.
    public var version: ListVersion
  }

  /// Reads at most 5,000 rows.
  public func run(_ list: borrowing CustomerList) throws -> Result {
    let first = max(0, first)
    let next = min(end, first.saturatingAdding(5_000))
    let positions = first.saturatingAdding(1)..<max(first, next).saturatingAdding(1)
    let rows = try list.customers(at: positions, of: list.outline()).map(order.row)
    return Result(rows: rows, next: next, version: try list.version())
  }
}
