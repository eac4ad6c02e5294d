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
      let index = rows.index(from: row)
      return index < rows.count && rows[index] == row && ids[index] == id ? index : nil
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

  /// The row of the next match below a row, or of the last one above it, from 0; nil if there is none. O(log matches)
  package func row(_ direction: Direction, of row: Int) -> Int? {
    switch direction {
    case .below: [above, below].lazy.compactMap { $0.rows.first(from: row.saturatingAdding(1)) }.first
    case .above: [below, above].lazy.compactMap { $0.rows.last(before: row) }.first
    }
  }

  /// Where to look for a match.
  package enum Direction: Sendable { case below, above }

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

extension [Int] {
  /// The index of the first number that is not less than another, in ascending order. O(log count)
  fileprivate func index(from number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  fileprivate func first(from number: Int) -> Int? {
    let index = index(from: number)
    return index < count ? self[index] : nil
  }

  fileprivate func last(before number: Int) -> Int? {
    let index = index(from: number)
    return index > 0 ? self[index - 1] : nil
  }
}
