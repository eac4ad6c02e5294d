public import CustomerStore

/// A search: its text, and the matches found so far.
public struct TableSearch: Sendable {
  /// The line in which the text is typed.
  public internal(set) var field = TextField()
  /// Whether keys go to the search line.
  public internal(set) var isTyping = true
  /// Whether to show only matches.
  public internal(set) var isFiltering = false
  /// The matches, first from the row where the search started, then those above it.
  public internal(set) var hits: [CustomerID] = []
  /// How many of the matches are below that row.
  var hitsBelow = 0
  /// The rows that were not searched yet, in this order.
  var rest: [Range<Int>] = []
  /// How many rows were searched.
  public internal(set) var readCount = 0
  /// The edit after which the first of them were read.
  var edit: Int64?
  /// Whether the cursor goes to the first match as soon as it is found.
  var isSeeking = false
  /// Where the cursor was; Esc goes back there.
  let origin: TableTarget?
  let originRow: Int

  /// Whether all rows were searched.
  public var isComplete: Bool { rest.isEmpty }

  /// The matches in list order.
  public var hitsInOrder: [CustomerID] { Array(hits[hitsBelow...] + hits[..<hitsBelow]) }

  /// The rows to show; nil for all.
  var only: [CustomerID]? { isFiltering ? hitsInOrder : nil }

  init(origin: TableTarget?, row: Int) { (self.origin, originRow) = (origin, row) }

  /// The next scan.
  var scan: TableScan? {
    rest.first.map { TableScan(text: field.text, first: $0.lowerBound, end: $0.upperBound) }
  }

  mutating func start(rows: Int) {
    (hits, hitsBelow, readCount, edit) = ([], 0, 0, nil)
    let row = min(originRow, rows)
    rest = TextSearch(field.text).isEmpty ? [] : [row..<rows, 0..<row].filter { !$0.isEmpty }
  }

  mutating func take(_ result: TableScan.Result) {
    guard let range = rest.first else { return }
    let next = min(max(range.lowerBound, result.next), range.upperBound)
    readCount += next - range.lowerBound
    hits += result.hits
    if range.lowerBound >= originRow { hitsBelow = hits.count }
    rest[0] = next..<range.upperBound
    if rest[0].isEmpty { rest.removeFirst() }
  }
}
