public import CustomerStore

/// The customers that a search has found, in list order.
///
/// They are found from one row on to the end of the list, and then above it; so there are two parts.
public struct SearchHits: Hashable, Sendable {
  /// Hits, and the numbers of their rows, ascending.
  struct Part: Hashable, Sendable {
    var ids: [CustomerID] = []
    var rows: [Int] = []

    /// The index of the hit in a row. O(log hits)
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

  /// The number of hits.
  public var count: Int { above.ids.count + below.ids.count }

  /// The hit with a number from 0.
  public subscript(index: Int) -> CustomerID {
    index < above.ids.count ? above.ids[index] : below.ids[index - above.ids.count]
  }

  /// The hits of some numbers.
  func ids(_ range: Range<Int>) -> [CustomerID] { range.clamped(to: 0..<count).map { self[$0] } }

  mutating func remove(_ gone: Set<CustomerID>) {
    for part in [\SearchHits.above, \SearchHits.below] {
      let kept = self[keyPath: part].ids.indices.filter { !gone.contains(self[keyPath: part].ids[$0]) }
      self[keyPath: part] = Part(
        ids: kept.map { self[keyPath: part].ids[$0] }, rows: kept.map { self[keyPath: part].rows[$0] })
    }
  }

  /// The hit that was found first: the next one below the row where the search began.
  var first: CustomerID? { below.ids.first ?? above.ids.first }

  /// The number of a hit, from 0, by its row in the list; nil if it is none. O(log hits)
  public func index(of id: CustomerID, row: Int) -> Int? {
    above.index(of: id, row: row) ?? below.index(of: id, row: row).map { above.ids.count + $0 }
  }

  /// The number of a hit, from 0; nil if it is none. O(hits)
  func index(of id: CustomerID) -> Int? {
    above.ids.firstIndex(of: id) ?? below.ids.firstIndex(of: id).map { above.ids.count + $0 }
  }
}
