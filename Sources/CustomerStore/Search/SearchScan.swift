/// A search for a string in some rows in the list.
public struct SearchScan: Hashable, Sendable {
  /// The text to search for: words or a question such as `City=Berlin`.
  public var text: String
  /// The number of the first row, from 0.
  public var first: Int
  /// The number of the row to stop before.
  public var end: Int
  /// The meaning of the text in this list, if known.
  var filter: RowFilter?

  /// Creates a scan of rows.
  public init(text: String, first: Int, end: Int) { (self.text, self.first, self.end) = (text, first, end) }

  /// The matches of a search.
  public struct Result: Sendable {
    /// The matches and their row numbers, from 0, in list order.
    public var hits: [(id: CustomerID, row: Int)]
    /// The number of the first row that was not read.
    public var next: Int
    /// The version of the list in which the rows were read.
    public var version: ListVersion
    /// The meaning of the text.
    var filter: RowFilter?
    /// The values of the matches; none if the text is a question.
    var texts: [SearchedText] = []

    /// Creates a result, for a test.
    public init(hits: [(id: CustomerID, row: Int)], next: Int, version: ListVersion) {
      (self.hits, self.next, self.version) = (hits, next, version)
    }
  }

  /// The maximum number of rows read at once: a few hundredths of a second.
  static let slice = 5_000

  /// Searches at most 5,000 rows.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if the first of the scans finds that rows are missing, `StoreError`.
  public func run(_ list: borrowing CustomerList) throws -> Result {
    if self.filter == nil { try list.requireRows() }
    let filter = try filter ?? RowFilter(searching: text, in: list)
    let first = max(0, first)
    let next = min(end, first.saturatingAdding(Self.slice))
    let positions = first.saturatingAdding(1)..<max(first, next).saturatingAdding(1)
    var result = Result(hits: [], next: next, version: try list.version())
    result.filter = filter
    try list.forEach(matching: filter, at: positions, of: list.outline()) { customer, position in
      result.hits.append((customer.id, position - 1))
      if let search = filter.onlySearch { result.texts.append(search.searchedText(of: customer)) }
    }
    return result
  }
}
