public import CustomerStore

/// The rows that a table shows instead of the whole list in its order.
public enum ShownRows: Hashable, Sendable {
  /// The matches of a search, in list order.
  case matches(SearchHits)
  /// All rows, or the matches of a search, in another order.
  case sorted(SortedRows)

  /// The number of rows.
  public var count: Int {
    switch self {
    case .matches(let hits): hits.count
    case .sorted(let rows): rows.ids.count
    }
  }

  /// The row with a number from 0; nil for any number outside the rows.
  public subscript(index: Int) -> CustomerID? {
    switch self {
    case .matches(let hits): hits[index]
    case .sorted(let rows): rows.ids.indices.contains(index) ? rows.ids[index] : nil
    }
  }

  /// The rows with some numbers.
  package func ids(_ range: Range<Int>) -> [CustomerID] {
    range.clamped(to: 0..<count).compactMap { self[$0] }
  }

  /// The number of a customer's row, from 0, given its row in the list; nil if it is not shown.
  package func index(of id: CustomerID, row: Int) -> Int? {
    switch self {
    // The list may have changed since the search read it.
    case .matches(let hits): hits.index(of: id, row: row) ?? hits.index(of: id)
    case .sorted(let rows): rows.index(of: id)
    }
  }

  package mutating func remove(_ gone: Set<CustomerID>) {
    switch self {
    case .matches(var hits):
      hits.remove(gone)
      self = .matches(hits)
    case .sorted(let rows): self = .sorted(SortedRows(rows.ids.filter { !gone.contains($0) }))
    }
  }
}

/// Rows in an order that is not the list's.
public struct SortedRows: Hashable, Sendable {
  /// The rows.
  public let ids: [CustomerID]
  private let indices: [CustomerID: Int]

  package init(_ ids: [CustomerID]) {
    self.ids = ids
    indices = Dictionary(zip(ids, 0...)) { first, _ in first }
  }

  /// The number of a row, from 0; nil if it is not one of them.
  func index(of id: CustomerID) -> Int? { indices[id] }

  /// Those that a search has found. O(rows)
  package func matching(_ hits: SearchHits) -> SortedRows {
    let found = Set((0..<hits.count).compactMap { hits[$0] })
    return SortedRows(ids.filter(found.contains))
  }
}
