/// The matches of a search, in list order.
///
/// The search reads from one row to the end of the list, then the rows above; hence two parts.
public struct SearchHits: Hashable, Sendable {
  /// Matches and their row numbers, ascending.
  struct Part: Hashable, Sendable {
    var ids: [CustomerID] = []
    var rows: [Int] = []

    /// The index of the match in a row. O(log matches)
    func index(of id: CustomerID, row: Int) -> Int? {
      var (low, high) = (0, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if rows[middle] < row { low = middle + 1 } else { high = middle }
      }
      return low < rows.count && rows[low] == row && ids[low] == id ? low : nil
    }
  }

  var above = Part()
  var below = Part()

  /// No matches.
  package init() {}

  /// The number of matches.
  public var count: Int { above.ids.count + below.ids.count }

  /// The match with a number from 0; nil for any number outside the matches.
  public subscript(index: Int) -> CustomerID? {
    guard index >= 0, index < count else { return nil }
    return index < above.ids.count ? above.ids[index] : below.ids[index - above.ids.count]
  }

  /// The matches with some numbers.
  package func ids(_ range: Range<Int>) -> [CustomerID] {
    range.clamped(to: 0..<count).compactMap { self[$0] }
  }

  package mutating func remove(_ gone: Set<CustomerID>) {
    for part in [\SearchHits.above, \SearchHits.below] {
      let kept = self[keyPath: part].ids.indices.filter { !gone.contains(self[keyPath: part].ids[$0]) }
      self[keyPath: part] = Part(
        ids: kept.map { self[keyPath: part].ids[$0] }, rows: kept.map { self[keyPath: part].rows[$0] })
    }
  }

  /// The first match: the next one below the row where the search started.
  package var first: CustomerID? { below.ids.first ?? above.ids.first }

  /// The first matches in the order in which they are read.
  func inReadingOrder(limit: Int) -> [CustomerID] { Array((below.ids + above.ids).prefix(max(0, limit))) }

  /// The number of a match, from 0, by its row in the list; nil if the row is not a match. O(log matches)
  public func index(of id: CustomerID, row: Int) -> Int? {
    above.index(of: id, row: row) ?? below.index(of: id, row: row).map { above.ids.count + $0 }
  }

  /// The number of a match, from 0; nil if it is none. O(matches)
  package func index(of id: CustomerID) -> Int? {
    above.ids.firstIndex(of: id) ?? below.ids.firstIndex(of: id).map { above.ids.count + $0 }
  }
}
