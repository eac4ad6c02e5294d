/// A search that follows a string while it is typed.
///
/// It reads the list piece by piece. A string that extends the one before only narrows the matches found so far, in
/// memory; the rows that were not read yet are read for the new text. Any other text, and a change of the list,
/// begins again.
///
///     var search = TypedSearch()
///     // For each key:
///     let first = try store.read { list in
///       try search.find("mil", limit: 50, in: list)
///     }
///     // Until the next key:
///     while !search.isComplete {
///       try store.read { list in try search.readOn(in: list) }
///     }
///
/// The text is words, each of which must occur in some field, or a question such as `City=Berlin`. A string without
/// words finds no one. A program that never waits for the file runs ``next`` itself.
///
/// It keeps the values of up to 100,000 matches, about 200 bytes each; more are read again.
package struct TypedSearch: Sendable {
  /// The text.
  package private(set) var text = ""
  /// The matches so far, in list order.
  package private(set) var hits = SearchHits()
  /// The number of rows that were searched.
  package private(set) var readCount = 0
  /// The values that a question could not compare, because they are not of the kind of their column.
  package private(set) var skipped: [SkippedValues.Count] = []
  /// What is wrong with the text, if it is a question with a value that can't be compared.
  package private(set) var problem: String?
  /// The version of the list in which they were read; nil if none were.
  package private(set) var version: ListVersion?
  /// The day on which the customers are due that it looks for, instead of a text; nil for a text.
  package private(set) var due: CalendarDay?
  /// The rows that were not searched yet, in this order.
  private var rest: [Range<Int>] = []
  /// The row from which it reads to the end, before the rows above it.
  private let start: Int
  /// The meaning of the text, once it was looked for.
  package private(set) var filter: RowFilter?
  /// The values of the matches; nil if they are too many, or the text is a question.
  private var texts: Texts? = Texts()

  private struct Texts {
    var above: [SearchedText] = []
    var below: [SearchedText] = []
  }

  private static let most = 100_000

  /// Creates a search without a string, which will read from a row (from 0) to the end, then the rows above it.
  package init(from row: Int = 0) { start = max(0, row) }

  /// Creates a search for those who are due on a day, in a list with a number of rows.
  package init(due: CalendarDay, rows: Int) {
    self.init()
    restart(rows: rows, due: due)
  }

  /// Whether all rows were searched.
  package var isComplete: Bool { rest.isEmpty }

  /// The next rows to search; nil if it is complete.
  package var next: SearchScan? {
    rest.first.map { range in
      var scan = SearchScan(text: text, first: range.lowerBound, end: range.upperBound)
      (scan.filter, scan.due) = (filter, due)
      return scan
    }
  }

  /// Takes another string for a list with a number of rows.
  ///
  /// - Returns: whether the text before was narrowed; otherwise it begins again.
  /// - Complexity: O(matches).
  @discardableResult
  package mutating func type(_ text: String, rows: Int) -> Bool {
    let search = TextSearch(text)
    let isNarrower = filter?.onlySearch.map(search.narrows) ?? false
    self.text = text
    // A question is no longer text, however it begins.
    guard isNarrower, let texts, (try? FilterExpression(text)) == nil else {
      restart(rows: rows)
      return false
    }
    filter = RowFilter(search: search)
    self.texts = Texts(
      above: hits.above.narrow(texts.above, to: search), below: hits.below.narrow(texts.below, to: search))
    return true
  }

  /// Begins again, with the same text, in a list with a number of rows.
  package mutating func restart(rows: Int) { restart(rows: rows, due: due) }

  /// The same for those who are due on a day.
  package mutating func restart(rows: Int, due: CalendarDay?) {
    self.due = due
    (hits, texts, readCount, version, filter) = (SearchHits(), Texts(), 0, nil, nil)
    (skipped, problem) = ([], nil)
    let row = min(start, rows)
    rest = due == nil && TextSearch(text).isEmpty ? [] : [row..<rows, 0..<row].filter { !$0.isEmpty }
  }

  /// Takes the result of ``next``, of the list of ``version``.
  package mutating func take(_ result: SearchScan.Result) {
    guard let range = rest.first else { return }
    (filter, problem, version) = (result.filter, result.problem, result.version)
    if problem != nil { return rest = [] }
    let next = min(max(range.lowerBound, result.next), range.upperBound)
    readCount += next - range.lowerBound
    skipped.add(result.skipped)
    let isBelow = range.lowerBound >= start
    let part = isBelow ? \SearchHits.below : \SearchHits.above
    hits[keyPath: part].ids += result.hits.map(\.id)
    hits[keyPath: part].rows += result.hits.map(\.row)
    if hits.count > Self.most || result.texts.count != result.hits.count { texts = nil }
    texts?[keyPath: isBelow ? \Texts.below : \Texts.above] += result.texts
    rest[0] = next..<range.upperBound
    if rest[0].isEmpty { rest.removeFirst() }
  }
}

extension SearchHits.Part {
  /// Keeps the matches whose values match.
  ///
  /// - Returns: their values.
  fileprivate mutating func narrow(_ texts: [SearchedText], to search: TextSearch) -> [SearchedText] {
    let kept = texts.indices.filter { search.matches(texts[$0]) }
    self = SearchHits.Part(ids: kept.map { ids[$0] }, rows: kept.map { rows[$0] })
    return kept.map { texts[$0] }
  }
}

/// The known word nearest to a mistyped one, if it is near enough.
///
/// For the program's own words, the only one with this beginning is near, and so is one with a single wrong
/// letter, however short. For people's names, fewer than a third of the letters may be wrong.
package func nearest(to word: String, among known: [String], areNames: Bool = false) -> String? {
  if !areNames, !word.isEmpty {
    let longer = known.filter { $0.hasPrefix(word) }
    if longer.count == 1 { return longer[0] }
  }
  let ranked = known.map { (distance: editDistance(word, $0), word: $0) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  let limit = areNames ? (word.count - 1) / 3 : max(1, word.count / 3)
  return best.distance <= limit ? best.word : nil
}

/// The number of letters that must be inserted, deleted, replaced, or swapped with their neighbor (optimal
/// string alignment).
package func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left)
  let right = Array(right)
  var twoBack: [Int] = []
  var previous = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      var best = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        best = min(best, twoBack[j - 1] + 1)
      }
      row.append(best)
    }
    twoBack = previous
    previous = row
  }
  return previous[right.count]
}
