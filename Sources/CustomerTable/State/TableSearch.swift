public import CustomerStore

/// A search: its text, and the matches found so far.
public struct TableSearch: Sendable {
  /// The line in which the text is typed.
  public package(set) var field = FormText()
  /// Whether keys go to the search line.
  public internal(set) var isTyping = true
  /// Whether to show only matches.
  public internal(set) var isFiltering = false
  /// The matches so far.
  package private(set) var typed: TypedSearch
  /// The matches that are shown while only matches are: after a change of the list, the old ones until as
  /// many are found again.
  package private(set) var known = SearchHits()
  /// Whether the cursor goes to the first match as soon as it is found.
  var isSeeking = false
  /// Where the cursor was; Esc goes back there.
  let origin: TableTarget?

  /// The matches so far, in list order.
  public var hits: SearchHits { typed.hits }
  /// The meaning of the text, once it was looked for.
  package var filter: RowFilter? { typed.filter }
  /// How many rows were searched.
  public var readCount: Int { typed.readCount }
  /// Whether all rows were searched.
  public var isComplete: Bool { typed.isComplete }

  /// The rows to show; nil for all.
  var only: SearchHits? { isFiltering ? known : nil }

  package init(origin: TableTarget? = nil, row: Int = 0) {
    (self.origin, typed) = (origin, TypedSearch(from: row))
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
  package mutating func restart(rows: Int) { typed.restart(rows: rows) }

  package mutating func take(_ result: SearchScan.Result) {
    typed.take(result)
    if isComplete || hits.count >= known.count { known = hits }
  }
}
