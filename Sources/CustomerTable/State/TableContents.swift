package import CustomerStore

/// What a table has read: a window of the list around the screen, and customers there and elsewhere, as they
/// were after one edit.
package struct TableContents: Sendable {
  /// The sections and the rows around the screen; no rows while only matches are shown.
  package let window: ListWindow
  /// The customers that were read.
  package let customers: [CustomerID: Customer]
  /// The rows that are shown: matches of a search or in another order; nil for all rows in the list's order.
  package let only: ShownRows?
  /// The log of the customer whose form is open, the latest line first.
  package let log: [LogLine]
  /// The customer whose log it is.
  let logged: CustomerID?
  /// The extra columns that are declared.
  let columns: [DeclaredColumn]
  /// The rows around the screen: those of the window or matches.
  package let ids: [CustomerID]
  /// What was read for.
  let goal: TableGoal
  /// The rows to mark; nil if there are none, or too many.
  let marks: TableMarks?
  /// The row at `goal`; nil in an empty list.
  let wanted: CustomerID?
  /// The number of the row at the top, from 0.
  let top: Int
  /// Customers that were needed and are no longer in the list.
  let gone: Set<CustomerID>
  /// Rows to show that turned out to be deleted.
  let deleted: Set<CustomerID>
  /// Whether there may be more rows for the screen, but too many were deleted to find them in one transaction.
  let isCut: Bool
  /// What was shown before, if the list never was so: it was restored, for example.
  let other: ListVersion?
  private let outline: ListOutline

  /// No contents, before anything was read.
  init() {
    window = ListWindow(
      version: .none, sections: [], first: 1, rows: [])
    (customers, only, ids, goal, wanted, top, gone) = ([:], nil, [], .keep, nil, 0, [])
    (other, outline, columns, log, logged, deleted, isCut) = (nil, ListOutline([]), [], [], nil, [], false)
    marks = nil
  }

  /// The version of the list; `none` before anything was read.
  package var version: ListVersion { window.version }

  /// Whether anything was read.
  package var isRead: Bool { version != .none }

  /// The sections in order.
  package var sections: [CustomerSection] { window.sections }

  /// The number of customers in all sections, whether a search shows them or not.
  package var customerCount: Int { outline.count }

  /// The row with a number from 0; nil if it was not read.
  package subscript(row: Int) -> Customer? {
    (only == nil ? window[row.saturatingAdding(1)] : only?[row]).flatMap { customers[$0] }
  }

  /// A customer, if it was read.
  package subscript(id: CustomerID) -> Customer? { customers[id] }

  /// The number of a customer's row among those that are shown, from 0; nil if it was not read or is not
  /// shown.
  package func row(of id: CustomerID) -> Int? { self[id].flatMap { outline.row(of: $0, among: only) } }

  /// What a column shows of a customer.
  package func cell(_ column: ListColumn, of customer: Customer) -> (text: String, isNumber: Bool) {
    column.cell(customer, outline)
  }

  /// The number of a row in the whole list, from 0, whether a search shows it or not.
  func listRow(of customer: Customer) -> Int { outline.position(of: customer.place) - 1 }
}

/// What a table reads for.
package enum TableGoal: Hashable, Sendable {
  /// The screen as it is; the cursor stays on its row or goes to a neighbor if that is gone.
  case keep
  /// The cursor goes to the first of these customers that is in the list, otherwise to a row, by its number
  /// from 0.
  case cursor([CustomerID], row: Int)
  /// The cursor goes to the row with a position in the whole list, from 1, if that row is shown.
  case position(Int)
  /// The rows in hand are shown above a row, by its number from 0.
  case gap(row: Int)
  /// Rows are marked, wherever they are.
  case mark(TableMarking)
}

/// Rows to mark among those that are shown.
package enum TableMarking: Hashable, Sendable {
  /// All that are not marked; the others no longer.
  case others
  /// Those from one row to another, instead of those to a third one.
  case range(from: CustomerID, to: CustomerID, insteadOf: CustomerID)

  /// Finds the rows. O(rows shown)
  func marks(_ only: ShownRows?, in list: borrowing CustomerList) throws -> TableMarks {
    var ids: [CustomerID] = []
    if let only {
      ids = only.ids(0..<only.count)
    } else {
      for section in try list.outline().sections { ids += try list.ids(in: section.id) }
    }
    switch self {
    case .others: return TableMarks(ids: ids, replaced: [])
    case .range(let start, let end, let other):
      let rows = Dictionary(zip(ids, 0...)) { first, _ in first }
      func range(_ end: CustomerID) -> ArraySlice<CustomerID> {
        guard let start = rows[start], let end = rows[end] else { return [] }
        return ids[min(start, end)...max(start, end)]
      }
      return TableMarks(ids: Array(range(end)), replaced: Array(range(other)))
    }
  }
}

/// Rows to mark, and those that were marked instead of them before.
struct TableMarks: Sendable {
  let ids: [CustomerID]
  let replaced: [CustomerID]

  /// As many rows can be marked: they are all read again after each change of the list.
  static let most = 100_000
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
    holding needed: Set<CustomerID>, log logged: CustomerID?, only: ShownRows?, after known: TableContents
  ) throws {
    let outline = try list.outline()
    (self.logged, log) = (logged, try logged.map { try list.log(of: $0, limit: 100) } ?? [])
    columns = try list.declaredExtraColumns()
    other = try !known.isRead || list.has(known.version) ? nil : known.version
    var (held, marks) = (needed, TableMarks?.none)
    if case .mark(let marking) = goal {
      let found = try marking.marks(only, in: list)
      let all = needed.union(found.ids)
      if all.count <= TableMarks.most { (held, marks) = (all, found) }
    }
    self.marks = marks
    // There may be many marked rows, and most reads are of another part of the same list.
    var customers =
      try known.version == list.version() ? known.customers.filter { held.contains($0.key) } : [:]
    customers.merge(try list.customers(held.filter { customers[$0] == nil })) { $1 }
    gone = held.filter { customers[$0] == nil }
    var (topRow, only) = (try outline.row(of: top, among: only, in: list, &customers) ?? 0, only)
    let size = 3 * height + 2 * Self.margin
    let window = try list.window(
      around: topRow + 1 + height / 2, of: outline, size: only == nil ? size : 0)
    var (found, ids) = (window.customers, window.window.rows)
    var part = Part()
    if let rows = only {
      part = try Part(of: rows, from: max(0, topRow - height - Self.margin), count: size, in: list)
      (found, ids) = (part.customers, part.customers.map(\.id))
      if !part.deleted.isEmpty {
        only?.remove(part.deleted)
        topRow = try outline.row(of: top, among: only, in: list, &customers) ?? 0
      }
    }
    for customer in found { customers[customer.id] = customer }
    let wantedRow = try outline.row(of: wanted, among: only, in: list, &customers)
    var wantedID = wantedRow.flatMap { only == nil ? window.window[$0 + 1] : only?[$0] }
    if let id = wantedID, customers[id] == nil {
      customers[id] = try list.customers([id])[id]
      // A match that was deleted, and so were those around it.
      if customers[id] == nil { wantedID = ids.first }
    } else if let wantedRow, only == nil, wantedID == nil {
      for customer in try list.customers(at: wantedRow + 1..<wantedRow + 2, of: outline) {
        (customers[customer.id], wantedID) = (customer, customer.id)
      }
    }
    (self.window, self.customers, self.only, self.ids) = (window.window, customers, only, ids)
    (self.goal, self.wanted, self.top, self.outline) = (goal, wantedID, topRow, outline)
    (deleted, isCut) = (part.deleted, part.isCut)
  }

  /// Some of the rows that are shown, of which some may have been deleted since they were found.
  private struct Part {
    var customers: [Customer] = []
    var deleted: Set<CustomerID> = []
    var isCut = false

    init() {}

    /// Reads the first customers from a row on that are still there.
    init(of rows: ShownRows, from first: Int, count: Int, in list: borrowing CustomerList) throws {
      let end = min(rows.count, first + max(count, TableContents.mostLookedUp))
      var next = first
      while customers.count < count, next < end {
        let ids = rows.ids(next..<min(end, next + count))
        let found = try list.customers(ids)
        customers += ids.compactMap { found[$0] }
        deleted.formUnion(ids.lazy.filter { found[$0] == nil })
        next += ids.count
      }
      isCut = customers.count < count && next < rows.count
    }
  }

  /// How many rows are looked up in one transaction, during which no other program can write: as a search does.
  private static let mostLookedUp = 5_000

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

/// The rows that a table shows instead of the whole list in its order.
package enum ShownRows: Hashable, Sendable {
  /// The matches of a search, in list order.
  case matches(SearchHits)
  /// All rows, or the matches of a search, in another order.
  case sorted(SortedRows)

  /// The number of rows.
  package var count: Int {
    switch self {
    case .matches(let hits): hits.count
    case .sorted(let rows): rows.ids.count
    }
  }

  /// The row with a number from 0; nil for any number outside the rows.
  package subscript(index: Int) -> CustomerID? {
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
    case .sorted(let rows): self = .sorted(rows.without(gone))
    }
  }
}

/// Rows in an order that is not the list's.
package struct SortedRows: Hashable, Sendable {
  /// The rows.
  package let ids: [CustomerID]
  /// The numbers of the rows in the order of their ids, a third of the memory of a dictionary.
  private let byID: [UInt32]

  package init(_ ids: [CustomerID]) {
    self.ids = ids
    byID = ids.indices.map { UInt32($0) }.sorted { ids[Int($0)].rawValue < ids[Int($1)].rawValue }
  }

  /// The number of a row, from 0; nil if it is not one of them. O(log rows)
  func index(of id: CustomerID) -> Int? {
    let place = byID.partitionIndex { ids[Int($0)] >= id }
    guard place < byID.count, case let index = Int(byID[place]), ids[index] == id else { return nil }
    return index
  }

  /// Those that are still there.
  func without(_ gone: Set<CustomerID>) -> SortedRows { SortedRows(ids.filter { !gone.contains($0) }) }

  /// Those that a search has found. O(rows)
  package func matching(_ hits: SearchHits) -> SortedRows {
    let found = Set((0..<hits.count).compactMap { hits[$0] })
    return SortedRows(ids.filter(found.contains))
  }
}

/// The order of the rows while some of them are being moved ("in hand"), as it is displayed.
///
/// A row has three numbers, all from 0: in the list, among the rows that stay, and as shown.
struct Arrangement {
  /// The number of rows of each section, as shown.
  private(set) var counts: [Int]
  /// The numbers of the rows in hand, in the list, ascending.
  let taken: [Int]
  /// The number of the first row in hand, as shown.
  private(set) var gap: Int
  /// The section where the rows in hand are shown and how many rows of it are above them.
  private(set) var target: (section: Int, order: Int)

  /// Creates the arrangement with the rows in hand at a place, which is clamped to the list.
  ///
  /// `counts` are the numbers of rows in the list, of at least one section.
  init(_ counts: [Int], taking taken: [Int], to target: (section: Int, order: Int)) {
    self.taken = taken
    self.counts = counts
    let layout = TableLayout(counts.map { .init(rows: $0) })
    for row in taken { if let path = layout.path(ofRow: row) { self.counts[path.section] -= 1 } }
    let section = min(max(target.section, 0), counts.count - 1)
    self.target = (section, min(max(target.order, 0), self.counts[section]))
    gap = self.counts[..<section].reduce(0, +) + self.target.order
    self.counts[section] += taken.count
  }

  /// Where a shown row comes from.
  enum Source: Equatable {
    /// One of those in hand, by its index.
    case hand(Int)
    /// A row of the list.
    case row(Int)
  }

  /// Where the row that is shown with a number comes from.
  func source(of shown: Int) -> Source {
    if shown >= gap, shown < gap + taken.count { return .hand(shown - gap) }
    return .row(listRow(ofStayer: shown < gap ? shown : shown - taken.count))
  }

  /// The number with which a row of the list that is not in hand is shown.
  func shown(_ row: Int) -> Int {
    let stayer = row - taken.count { $0 < row }
    return stayer < gap ? stayer : stayer + taken.count
  }

  /// The number in the list of a row that stays.
  func listRow(ofStayer stayer: Int) -> Int {
    var row = stayer
    for hand in taken where hand <= row { row += 1 }
    return row
  }

  /// How many rows of a section stay.
  func unmovedRows(inSection index: Int) -> Int {
    counts[index] - (index == target.section ? taken.count : 0)
  }

  /// The place a number of steps from this one; from the end of a section the next step is the start of the
  /// next one.
  func target(by distance: Int) -> (section: Int, order: Int) {
    var (section, order) = (target.section, target.order &+ distance)
    while order < 0, section > 0 {
      section -= 1
      order += unmovedRows(inSection: section) + 1
    }
    while section < counts.count - 1, order > unmovedRows(inSection: section) {
      order -= unmovedRows(inSection: section) + 1
      section += 1
    }
    return (section, min(max(order, 0), unmovedRows(inSection: section)))
  }

  /// The place at which the first row in hand is shown with a number, in its current section if that has one.
  func target(ofShown number: Int) -> (section: Int, order: Int) {
    func start(_ section: Int) -> Int { (0..<section).reduce(0) { $0 + unmovedRows(inSection: $1) } }
    let first = start(target.section)
    if number >= first, number <= first + unmovedRows(inSection: target.section) {
      return (target.section, number - first)
    }
    var above = 0
    for section in counts.indices {
      if number <= above + unmovedRows(inSection: section) { return (section, max(0, number - above)) }
      above += unmovedRows(inSection: section)
    }
    return (counts.count - 1, unmovedRows(inSection: counts.count - 1))
  }
}
