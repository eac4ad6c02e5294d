internal import CustomerStore

/// A search: its text, and the matches found so far.
public struct TableSearch: Sendable {
  /// The line in which the text is typed.
  public internal(set) var field = FormText()
  /// Whether keys go to the search line.
  public internal(set) var isTyping = true
  /// Whether to show only matches.
  public internal(set) var isFiltering = false
  /// The matches so far, in list order.
  public internal(set) var hits = SearchHits()
  /// The matches that are shown while only matches are: after a change of the list, the old ones until as
  /// many are found again.
  private(set) var known = SearchHits()
  /// The rows that were not searched yet, in this order.
  var rest: [Range<Int>] = []
  /// How many rows were searched.
  public internal(set) var readCount = 0
  /// The edit after which the first of them were read.
  var edit: Int64?
  /// The meaning of the text, once it was looked for.
  private(set) var filter: RowFilter?
  /// Whether the cursor goes to the first match as soon as it is found.
  var isSeeking = false
  /// Where the cursor was; Esc goes back there.
  let origin: TableTarget?
  let originRow: Int

  /// Whether all rows were searched.
  public var isComplete: Bool { rest.isEmpty }

  /// The rows to show; nil for all.
  var only: SearchHits? { isFiltering ? known : nil }

  init(origin: TableTarget?, row: Int) { (self.origin, originRow) = (origin, row) }

  /// The next scan.
  var scan: TableScan? {
    rest.first.map {
      TableScan(text: field.text, first: $0.lowerBound, end: $0.upperBound, filter: filter)
    }
  }

  /// Begins at the first row; the text is another one, or the list has changed.
  mutating func start(rows: Int, keepingShown: Bool) {
    (hits, readCount, edit, filter) = (SearchHits(), 0, nil, nil)
    if !keepingShown { known = hits }
    let row = min(originRow, rows)
    rest = TextSearch(field.text).isEmpty ? [] : [row..<rows, 0..<row].filter { !$0.isEmpty }
  }

  mutating func take(_ result: TableScan.Result) {
    guard let range = rest.first else { return }
    filter = result.filter
    let next = min(max(range.lowerBound, result.next), range.upperBound)
    readCount += next - range.lowerBound
    let part = range.lowerBound >= originRow ? \SearchHits.below : \SearchHits.above
    hits[keyPath: part].ids += result.hits.map(\.id)
    hits[keyPath: part].rows += result.hits.map(\.row)
    rest[0] = next..<range.upperBound
    if rest[0].isEmpty { rest.removeFirst() }
    if isComplete || hits.count >= known.count { known = hits }
  }
}
