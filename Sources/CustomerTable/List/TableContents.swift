public import CustomerStore

/// What a table has read: a window of the list around the screen, and customers there and elsewhere, as they
/// were after one edit.
public struct TableContents: Sendable {
  /// The sections and the rows around the screen; no rows while only matches are shown.
  public let window: ListWindow
  /// The customers that were read.
  public let customers: [CustomerID: Customer]
  /// The rows that are shown: matches of a search or in another order; nil for all rows in the list's order.
  public let only: ShownRows?
  /// The rows around the screen: those of the window or matches.
  public let ids: [CustomerID]
  /// What was read for.
  let goal: TableGoal
  /// The row at `goal`; nil in an empty list.
  let wanted: CustomerID?
  /// The number of the row at the top, from 0.
  let top: Int
  /// Customers that were needed and are no longer in the list.
  let gone: Set<CustomerID>
  private let outline: ListOutline

  /// No contents, before anything was read.
  init() {
    window = ListWindow(
      version: .none, sections: [], first: 1, rows: [], size: 0)
    (customers, only, ids, goal, wanted, top, gone) = ([:], nil, [], .keep, nil, 0, [])
    outline = ListOutline([])
  }

  /// The version of the list; `none` before anything was read.
  public var version: ListVersion { window.version }

  /// Whether anything was read.
  public var isRead: Bool { version != .none }

  /// The sections in order.
  public var sections: [CustomerSection] { window.sections }

  /// The number of customers in all sections, whether a search shows them or not.
  public var customerCount: Int { outline.count }

  /// The row with a number from 0; nil if it was not read.
  public subscript(row: Int) -> Customer? {
    (only == nil ? window[row.saturatingAdding(1)] : only?[row]).flatMap { customers[$0] }
  }

  /// A customer, if it was read.
  public subscript(id: CustomerID) -> Customer? { customers[id] }

  /// The number of a customer's row among those that are shown, from 0; nil if it was not read or is not
  /// shown.
  public func row(of id: CustomerID) -> Int? { self[id].flatMap { outline.row(of: $0, among: only) } }

  /// What a column shows of a customer.
  package func cell(_ column: ListColumn, of customer: Customer) -> (text: String, isNumber: Bool) {
    column.cell(customer, outline)
  }

  /// The number of a row in the whole list, from 0, whether a search shows it or not.
  func listRow(of customer: Customer) -> Int { outline.position(of: customer.place) - 1 }
}

/// What a table reads for.
public enum TableGoal: Hashable, Sendable {
  /// The screen as it is; the cursor stays on its row or goes to a neighbor if that is gone.
  case keep
  /// The cursor goes to the first of these customers that is in the list, otherwise to a row, by its number
  /// from 0.
  case cursor([CustomerID], row: Int)
  /// The cursor goes to the row with a position in the whole list, from 1, if that row is shown.
  case position(Int)
  /// The rows in hand are shown above a row, by its number from 0.
  case gap(row: Int)
}

/// A row, by what is known about it.
struct TableAnchor {
  /// The first of these that is in the list.
  var ids: [CustomerID] = []
  /// Otherwise the row with this number, from 0, or the last one.
  var row = 0
}

extension TableContents {
  /// Reads what a table shows or will show.
  ///
  /// - Throws: `StoreError`, `ListError.damaged`.
  /// - Complexity: O(screen + sections + held), wherever in the list it is.
  init(
    _ list: borrowing CustomerList, top: TableAnchor, wanted: TableAnchor, for goal: TableGoal, height: Int,
    holding held: Set<CustomerID>, only: ShownRows?
  ) throws {
    let outline = try list.outline()
    var customers = try list.customers(held)
    let gone = held.filter { customers[$0] == nil }
    var only = only
    while true {
      let rows = only?.count ?? outline.count
      let topRow = try outline.row(of: top, among: only, in: list, &customers) ?? 0
      let wantedRow = try outline.row(of: wanted, among: only, in: list, &customers)
      let size = 3 * height + 2 * Self.margin
      let window = try list.window(
        around: topRow + 1 + height / 2, of: outline, size: only == nil ? size : 0)
      var ids = window.window.rows
      var found = window.customers
      var wantedID = wantedRow.flatMap { window.window[$0 + 1] }
      if let matches = only {
        let first = max(0, topRow - height - Self.margin)
        ids = matches.ids(first..<max(first, min(rows, first + size)))
        wantedID = wantedRow.flatMap { matches[$0] }
        let needed = ids + (wantedID.map { [$0] } ?? [])
        found = try Array(list.customers(needed).values)
        let known = Set(found.map(\.id))
        // Matches that were deleted since the search found them.
        let deleted = Set(needed).subtracting(known)
        if !deleted.isEmpty {
          only?.remove(deleted)
          continue
        }
      } else if let wantedRow, wantedID == nil {
        found += try list.customers(at: wantedRow + 1..<wantedRow + 2, of: outline)
        wantedID = found.last?.id
      }
      for customer in found { customers[customer.id] = customer }
      (self.window, self.customers, self.only, self.ids) = (window.window, customers, only, ids)
      (self.goal, self.wanted, self.top, self.gone, self.outline) = (goal, wantedID, topRow, gone, outline)
      return
    }
  }

  /// The number of rows read beyond the screen, so that most keys read nothing.
  private static let margin = 50
}

extension ListOutline {
  /// The number of a customer's row among those that are shown, from 0.
  fileprivate func row(of customer: Customer, among only: ShownRows?) -> Int? {
    let row = position(of: customer.place) - 1
    return only == nil ? row : only?.index(of: customer.id, row: row)
  }

  /// The number of the row that an anchor means, from 0; nil if there are no rows.
  fileprivate func row(
    of anchor: TableAnchor, among only: ShownRows?, in list: borrowing CustomerList,
    _ known: inout [CustomerID: Customer]
  ) throws -> Int? {
    for id in anchor.ids {
      if known[id] == nil { known[id] = try list.customers([id])[id] }
      if let row = known[id].flatMap({ row(of: $0, among: only) }) { return row }
    }
    let count = only?.count ?? count
    return count == 0 ? nil : min(max(anchor.row, 0), count - 1)
  }
}
