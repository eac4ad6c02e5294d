public import CustomerStore

/// Some rows around those on the screen, and all sections, as they were after one edit.
public struct TablePage: Sendable {
  /// The request that it answers.
  public let request: TableRequest
  /// The number of the last edit before the page was read.
  public let edit: Int64
  /// The sections in order.
  public let sections: [CustomerSection]
  /// The number of the first of `rows` among those that are shown, from 0.
  public let first: Int
  /// Consecutive rows.
  public let rows: [Customer]
  /// The customers of `request.held` that are in the list.
  public let held: [CustomerID: Customer]
  /// The requested row; nil in an empty list.
  public let wanted: Customer?
  /// The number of the row at the top, from 0.
  public let top: Int

  /// An empty page, before anything was read.
  public init() {
    (request, edit, sections, first, rows, held, wanted, top) = (TableRequest(), -1, [], 0, [], [:], nil, 0)
  }

  /// Reads a page.
  ///
  /// - Throws: `StoreError`, `ListError.damaged`.
  /// - Complexity: O(screen + sections + held), wherever in the list it is.
  public init(_ list: borrowing CustomerList, _ request: TableRequest) throws {
    self.edit = try list.lastEdit()
    self.sections = try list.sections()
    self.held = try list.customers(request.held)
    var request = request
    while true {
      let rows = TableRows(sections, only: request.only)
      let top = try rows.number(of: request.top, in: list) ?? 0
      let wanted = try rows.number(of: request.wanted, in: list)
      let height = min(max(0, request.height), TableRequest.mostLines)
      let first = max(0, top - height - Self.margin)
      let range = first..<max(first, min(rows.count, top + 2 * height + Self.margin))
      let read = try rows.read(range, in: list)
      let found = try wanted.flatMap { try rows.read($0..<$0 + 1, in: list).first }
      if read.count == range.count, found != nil || wanted == nil {
        (self.request, self.first, self.rows, self.wanted, self.top) = (request, first, read, found, top)
        return
      }
      // Hits that were deleted since the search found them.
      let hits = [range, (wanted ?? 0)..<(wanted ?? 0) + 1].flatMap { request.only?.ids($0) ?? [] }
      let known = try list.customers(hits)
      let gone = Set(hits.filter { known[$0] == nil })
      guard !gone.isEmpty else { throw ListError.damaged }
      request.only?.remove(gone)
    }
  }

  /// The number of rows read beyond the screen, so that most keys read nothing.
  private static let margin = 50

  /// The number of customers in all sections, whether a search shows them or not. O(sections)
  public var customerCount: Int { sections.customerCount }

  /// The row with a number from 0; nil if it was not read.
  public subscript(row: Int) -> Customer? {
    row >= first && row - first < rows.count ? rows[row - first] : nil
  }

  /// A customer, if it was read.
  public subscript(id: CustomerID) -> Customer? {
    held[id] ?? rows.first { $0.id == id } ?? (wanted?.id == id ? wanted : nil)
  }

  /// The number of a customer's row among those that are shown, from 0; nil if it was not read or is not
  /// shown.
  public func row(of id: CustomerID) -> Int? {
    self[id].flatMap { TableRows(sections, only: request.only).number(of: $0) }
  }
}

extension [CustomerSection] {
  fileprivate var customerCount: Int { reduce(0) { $0 + $1.count } }
}

/// The rows of a table by number from 0: those of all sections one after another, or some of them.
struct TableRows {
  let sections: [CustomerSection]
  let only: SearchHits?

  init(_ sections: [CustomerSection], only: SearchHits?) { (self.sections, self.only) = (sections, only) }

  var count: Int { only?.count ?? sections.customerCount }

  /// The number of the row at a place of the whole list.
  func number(of place: CustomerPlace) -> Int? {
    var start = 0
    for section in sections {
      if section.id == place.section { return start + place.order - 1 }
      start += section.count
    }
    return nil
  }

  /// The number of a customer's row among those that are shown.
  func number(of customer: Customer) -> Int? {
    guard let row = number(of: customer.place), let only else { return number(of: customer.place) }
    // The list may have changed since the search read it.
    return only.index(of: customer.id, row: row) ?? only.index(of: customer.id)
  }

  func number(of anchor: TableRequest.Anchor, in list: borrowing CustomerList) throws -> Int? {
    for id in anchor.ids {
      if let customer = try list.customers([id])[id], let number = number(of: customer) { return number }
    }
    let count = count
    return count == 0 ? nil : min(max(anchor.row, 0), count - 1)
  }

  func read(_ range: Range<Int>, in list: borrowing CustomerList) throws -> [Customer] {
    if let only {
      let ids = only.ids(range)
      let found = try list.customers(ids)
      return ids.compactMap { found[$0] }
    }
    var rows: [Customer] = []
    var start = 0
    for section in sections {
      let part = range.clamped(to: start..<start + section.count)
      if !part.isEmpty {
        rows += try list.page(from: part.lowerBound - start + 1, limit: part.count, in: section.id)
      }
      start += section.count
    }
    return rows
  }
}
