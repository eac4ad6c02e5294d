internal import CustomersSQLite

/// What can be read of a damaged list.
package struct ReadableRows: Sendable {
  /// The sections that can be read, in order.
  package private(set) var sections: [CustomerSection] = []
  /// The customers: those with a place in the order of the list, then the others by id, as if they were at the end.
  package private(set) var rows: [Customer] = []
  /// The customers that have a place and whose record can't be read, in the order of the list.
  package private(set) var missing: [CustomerID] = []
  /// Whether the list is damaged, even if all rows can be read: then their order may be lost, or their logs.
  package var isDamaged = false

  /// The same ids, ascending, as in `@3` or `@5–@9`.
  package var missingNames: [String] { IDRanges(missing).ranges.map(\.asIDs) }

  /// The number of rows that can't be read, as far as the sections that can be read count them.
  package var missingCount: Int {
    let count = sections.reduce(0) { $0.saturatingAdding($1.count) }
    return max(missing.count, count - rows.count)
  }

  /// The number of rows that there should be.
  package var count: Int { rows.count.saturatingAdding(missingCount) }

  /// Names the customers that a damaged list has, and these rows, which were built from it, have not.
  package mutating func note(stillMissing ids: [CustomerID]) {
    let known = Set(rows.map(\.id))
    missing = ids.filter { !known.contains($0) }
  }
}

extension CustomerList {
  /// Reads whatever can be read, even where the file is damaged; in a list without damage, all rows.
  ///
  /// - Throws: `StoreError` if the disk fails, `CancellationError`.
  /// - Complexity: O(size of the file); O(rows) in memory.
  package func readableRows() throws -> ReadableRows {
    do {
      var rows = try ReadableRows(self)
      do {
        try requireRows()
        try requireLines()
      } catch let error as ListError where ErrorKind(of: error) == .damaged {
        rows.isDamaged = true
      } catch let error as SQLiteError where error.code.primary == .corrupt {
        rows.isDamaged = true
      }
      // What belongs to the rows may be missing.
      rows.isDamaged = try rows.isDamaged || !checkStructure().isEmpty
      return rows
    } catch let error as SQLiteError {
      throw error.ofStore
    }
  }
}

extension ReadableRows {
  fileprivate init(_ list: borrowing CustomerList) throws {
    sections = try Self.sections(list)
    var records = try Records(list)
    var seen: Set<CustomerID> = []
    var ends: [SectionID: Int] = [:]
    for (id, place) in try places(list) where seen.insert(id).inserted {
      guard var customer = try records.customer(id, list) else {
        // A number that was never an id is of another page.
        if records.known.contains(id) { missing.append(id) }
        continue
      }
      customer.place = place
      ends[place.section] = max(ends[place.section, default: 0], place.order)
      rows.append(customer)
    }
    isDamaged = records.hasMisfits
    let last = sections.last?.id ?? SectionID(rawValue: 0)
    var end = ends[last, default: 0]
    for var customer in records.all where !seen.contains(customer.id) {
      end = end.saturatingAdding(1)
      customer.place = CustomerPlace(section: last, order: end)
      rows.append(customer)
    }
    // Rows outside of the last section may have been added after it.
    let ranks = Dictionary(sections.enumerated().map { ($1.id, $0) }) { first, _ in first }
    rows = rows.enumerated().sorted {
      (ranks[$0.element.place.section] ?? 0, $0.offset) < (ranks[$1.element.place.section] ?? 0, $1.offset)
    }.map(\.element)
  }

  /// The sections, without their index.
  private static func sections(_ list: borrowing CustomerList) throws -> [CustomerSection] {
    var sections: [CustomerSection] = []
    try list.readingOn(
      """
      SELECT id, title, footer, "order", count FROM section_record NOT INDEXED
      WHERE typeof("order") = 'integer' AND typeof(title) = 'text' ORDER BY "order"
      """
    ) { sections.append(CustomerSection($0)) }
    return sections
  }

  /// The customers of all places: along the tree, then those of blocks that are nowhere.
  private func places(_ list: borrowing CustomerList) throws -> [(id: CustomerID, place: CustomerPlace)] {
    var found: [(id: CustomerID, place: CustomerPlace)] = []
    for section in sections {
      for part in try Node.children(of: 0 &- section.id.rawValue, before: 0, list) {
        for chapter in try Node.children(of: part.id, before: part.start, list) {
          for block in try Node.children(of: chapter.id, before: chapter.start, list) {
            try list.readingOn(
              "SELECT customer, slot % 64 FROM place WHERE slot BETWEEN 64 * ?1 + 1 AND 64 * ?1 + 63 ORDER BY slot",
              [.integer(block.id)]
            ) { row in
              let place = CustomerPlace(section: section.id, order: block.start &+ row.int(1))
              found.append((CustomerID(rawValue: row.integer(0)), place))
            }
          }
        }
      }
    }
    guard let last = sections.last?.id else { return found }
    let known = Set(found.map(\.id))
    var end = found.last(where: { $0.place.section == last })?.place.order ?? 0
    try list.readingOn("SELECT customer FROM place ORDER BY slot") { row in
      let id = CustomerID(rawValue: row.integer(0))
      guard !known.contains(id) else { return }
      end = end.saturatingAdding(1)
      found.append((id, CustomerPlace(section: last, order: end)))
    }
    return found
  }
}

/// A part, chapter, or block, and the number of rows of the section before it.
private struct Node {
  let id: Int64
  let start: Int

  static func children(of parent: Int64, before: Int, _ list: borrowing CustomerList) throws -> [Node] {
    var nodes: [Node] = []
    try list.readingOn(
      "SELECT id, start FROM node WHERE parent = ? ORDER BY start, id", [.integer(parent)]
    ) { nodes.append(Node(id: $0.integer(0), start: before &+ $0.int(1))) }
    return nodes
  }
}

/// The records of customers, as they are read from both ends of their table.
private struct Records {
  private var found: [CustomerID: Customer] = [:]
  /// Whether SQLite noticed that a page is damaged.
  private var isBroken = false
  /// Whether some have values that no customer has.
  private(set) var hasMisfits = false
  /// All ids so far; any, if that is not known.
  private(set) var known = CustomerID(rawValue: 1)...CustomerID(rawValue: .max)

  /// By id.
  var all: [Customer] { found.values.sorted { $0.id < $1.id } }

  /// What another page would not have: the record of a customer that is not deleted, with at most three values that no
  /// customer has, and how many these are.
  private static let query = """
    SELECT \(Customer.columns), \(misfits) FROM customer_record NOT INDEXED WHERE deleted_by IS NULL AND \(misfits) <= 3
    """

  private static let misfits: String = {
    let flags = ["is_favorite", "can_edit", "can_move"].map { "ifnull(\($0) NOT IN (0, 1), 1)" }
    // Of a column that is NOT NULL, SQLite takes IS NULL for false without a look.
    let columns = CustomerFields.columnNames.filter { $0 != CustomerField.isFavorite.column }
    let texts = columns.map { "(typeof(\($0)) <> 'text')" }
    return (["(typeof(ifnull(block, 0)) <> 'integer')"] + flags + texts).joined(separator: " + ")
  }()

  init(_ list: borrowing CustomerList) throws {
    for direction in ["", " DESC"] where direction.isEmpty || isBroken {
      let isWhole = try list.readingOn("\(Self.query) ORDER BY id\(direction)") { row in
        take(row)
      }
      if !isWhole { isBroken = true }
    }
    // Between the broken pages, one by one; ids that only a damaged number names are not worth the time.
    guard let last = try? list.largestID(), last > 0 else { return }
    known = CustomerID(rawValue: 1)...CustomerID(rawValue: max(last, all.last?.id.rawValue ?? last))
    guard isBroken else { return }
    for id in 1...min(last, 10_000_000) { _ = try customer(CustomerID(rawValue: id), list) }
  }

  mutating func customer(_ id: CustomerID, _ list: borrowing CustomerList) throws -> Customer? {
    if let known = found[id] { return known }
    try list.readingOn("\(Self.query) AND id = ?", [.id(id)]) { row in take(row) }
    return found[id]
  }

  private mutating func take(_ row: borrowing Statement) {
    let customer = Customer(row, place: CustomerPlace(section: SectionID(rawValue: 0), order: 0))
    found[customer.id] = customer
    if row.int(Customer.columnCount) > 0 { hasMisfits = true }
  }
}

extension CustomerList {
  /// Passes the rows of a statement to `body` until SQLite finds damage.
  ///
  /// - Returns: whether it reached the end.
  @discardableResult
  fileprivate func readingOn(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing Statement) throws -> Void
  ) throws -> Bool {
    do {
      try connection.query(sql, values) { row in while try row.step() { try body(row) } }
      return true
    } catch let error as SQLiteError where error.code.primary == .corrupt {
      return false
    }
  }
}
