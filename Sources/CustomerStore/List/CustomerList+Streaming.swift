internal import CustomersSQLite

extension CustomerList {
  /// Passes the customers of a section to `body`, in order from place `order` (from 1) on, until it returns
  /// false.
  ///
  /// It reads block by block: the first row is found equally fast wherever it is. Needs memory for one row.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` as soon as a row is missing, perhaps after others were passed;
  ///   `StoreError` or what `body` throws.
  public func forEach(
    from order: Int = 1, in section: SectionID, _ body: (Customer) throws -> Bool
  ) throws {
    try forEach(from: order, in: section, count: nil, body)
  }

  /// The same for a section that counts a known number of rows; nil to look it up.
  func forEach(
    from order: Int = 1, in section: SectionID, count: Int?, _ body: (Customer) throws -> Bool
  ) throws {
    let first = max(order, 1)
    var (next, isAtEnd) = (first, true)
    try forEachGroup(from: first, in: section) { blocks in
      isAtEnd = try forEachRow(of: blocks, from: first, in: section, nil) { customer in
        guard customer.place.order == next else { throw try lack() }
        next += 1
        return try body(customer)
      }
      return isAtEnd
    }
    if isAtEnd { try requireEnd(before: next, from: first, in: section, count) }
  }

  /// Verifies that a section which was read up to a place has no more rows.
  private func requireEnd(before next: Int, from first: Int, in section: SectionID, _ known: Int?) throws {
    let sql = "SELECT count FROM sections WHERE id = ?"
    let count = try known ?? connection.fetchOne(sql, [.id(section)]) { $0.int(0) } ?? 0
    guard next == max(first, count.saturatingAdding(1)) else { throw try lack() }
  }

  /// Passes the customers of all sections to `body`, in order, until it returns false.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` as soon as a row is missing, perhaps after others were passed;
  ///   `StoreError` or what `body` throws.
  public func forEach(_ body: (Customer) throws -> Bool) throws {
    var shouldContinue = true
    for section in try wholeSections() where shouldContinue {
      try forEach(in: section.id, count: section.count) { customer in
        shouldContinue = try body(customer)
        return shouldContinue
      }
    }
  }

  /// All sections in order, each with its customers in order.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if a row is missing, `StoreError`.
  /// - Complexity: O(rows), in memory, too.
  public func sectionsWithRows() throws -> [(section: CustomerSection, rows: [Customer])] {
    try wholeSections().map { section in
      var rows: [Customer] = []
      try forEach(in: section.id, count: section.count) { row in
        rows.append(row)
        return true
      }
      return (section, rows)
    }
  }

  /// The customer at a place; nil if the list has no such place.
  ///
  /// It takes one statement, wherever the place is.
  public func row(at place: CustomerPlace) throws -> Customer? {
    guard place.order >= 1 else { return nil }
    return try connection.fetchOne(
      """
      WITH
        part AS (
          SELECT id, start FROM node WHERE parent = -?1 AND start < ?2 ORDER BY start DESC, id DESC LIMIT 1),
        chapter AS (
          SELECT node.id, part.start + node.start AS start FROM part JOIN node ON parent = part.id
          WHERE part.start + node.start < ?2 ORDER BY node.start DESC, node.id DESC LIMIT 1),
        last_block AS (
          SELECT node.id AS number, chapter.start + node.start AS rows_before FROM chapter
          JOIN node ON parent = chapter.id
          WHERE chapter.start + node.start < ?2 ORDER BY node.start DESC, node.id DESC LIMIT 1)
      SELECT \(Customer.columns) FROM last_block
      JOIN place ON slot = 64 * number + ?2 - rows_before
      JOIN customer_record ON id = place.customer AND customer_record.block = number
      """, [.id(place.section), .integer(place.order)]
    ) { Customer($0, place: place) }
  }

  /// The ids of a section's customers in order; empty if there is no such section.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if they are not numbered 1…n, where the section counts n.
  /// - Complexity: O(rows): about 10 ms for 100,000.
  public func ids(in section: SectionID) throws -> [CustomerID] { try ids(in: section, count: nil) }

  /// The same for a section that counts a known number of rows; nil to look it up.
  func ids(in section: SectionID, count: Int?) throws -> [CustomerID] {
    var ids: [CustomerID] = []
    try forEachGroup(from: 1, in: section) { blocks in
      let places = Places(of: blocks)
      try connection.query(
        """
        SELECT customer, \(places.before) + "order" FROM \(places.tables)
        WHERE \(places.condition) ORDER BY \(places.order)
        """, places.values
      ) { row in
        while try row.step() {
          ids.append(CustomerID(rawValue: row.integer(0)))
          guard row.int(1) == ids.count else { throw try lack() }
        }
      }
      return true
    }
    try requireEnd(before: ids.count + 1, from: 1, in: section, count)
    return ids
  }

  /// A block and the number of rows of its section before it.
  struct Block {
    var id: Int64
    var rowsBefore: Int
  }

  /// The parts of a statement that reads the places of some blocks in order; see the table `place`.
  private struct Places {
    var tables = "place"
    var condition = "slot BETWEEN 64 * ?1 AND 64 * ?1 + 63"
    /// Whether a record is of a customer that is there; another page could have a record with this id.
    var isRecord = "customer_record.block = ?1"
    /// The number of rows before the block.
    var before = "?2"
    var order = "slot"
    let values: [SQLiteValue]

    init(of blocks: [Block]) {
      values = blocks.flatMap { [.integer($0.id), .integer($0.rowsBefore)] }
      // One block, as in a file, needs no sorting.
      guard blocks.count > 1 else { return }
      let rows = Array(repeating: "(?, ?)", count: blocks.count).joined(separator: ", ")
      tables = """
        (SELECT 0 AS number, 0 AS before WHERE 0 UNION ALL VALUES \(rows)) AS block CROSS JOIN place
        """
      condition = "slot BETWEEN 64 * number AND 64 * number + 63"
      isRecord = "customer_record.block = number"
      (before, order) = ("before", "before, slot")
    }
  }

  /// Passes the blocks of a section to `body`, as `forEachBlock` does, in groups to be read by one statement.
  ///
  /// Over a network each statement is a round trip, so the groups grow; a file is read block by block.
  func forEachGroup(
    from order: Int, in section: SectionID, _ body: ([Block]) throws -> Bool
  ) throws {
    guard connection.isRemote else {
      return try forEachBlock(from: order, in: section) { block in try body([block]) }
    }
    var (group, size, shouldContinue) = ([Block](), 4, true)
    try forEachBlock(from: order, in: section) { block in
      group.append(block)
      guard group.count == size else { return true }
      shouldContinue = try body(group)
      (group, size) = ([], min(size * 4, 32))
      return shouldContinue
    }
    if shouldContinue, !group.isEmpty { _ = try body(group) }
  }

  /// Passes the blocks of a section to `body`, from the one with place `order` on, until it returns false.
  func forEachBlock(
    from order: Int, in section: SectionID, _ body: (Block) throws -> Bool
  ) throws {
    _ = try forEachChild(of: 0 &- section.rawValue, from: order, before: 0) { part, before in
      try forEachChild(of: part, from: order, before: before) { chapter, before in
        try forEachChild(of: chapter, from: order, before: before) { block, before in
          try body(Block(id: block, rowsBefore: before))
        }
      }
    }
  }

  /// Passes the children of a node to `body`, from the one with place `order` of the section on, with the
  /// number of rows of the section before each, until it returns false.
  ///
  /// A damaged file may have any numbers, so sums wrap around instead of trapping.
  ///
  /// - Returns: whether it reached the end.
  private func forEachChild(
    of parent: Int64, from order: Int, before: Int, _ body: (_ id: Int64, _ before: Int) throws -> Bool
  ) throws -> Bool {
    try connection.query(
      """
      SELECT id, start FROM node
      WHERE parent = ?1
        AND start >= ifnull((SELECT max(start) FROM node WHERE parent = ?1 AND start < ?2), start)
      ORDER BY start, id
      """, [.integer(parent), .integer(order &- before)]
    ) { child in
      while try child.step() {
        guard try body(child.integer(0), before &+ child.int(1)) else { return false }
      }
      return true
    }
  }

  /// Passes the rows of some blocks that match a filter to `body`, from place `order` of the section on, until it
  /// returns false.
  ///
  /// - Returns: whether it reached the end.
  func forEachRow(
    of blocks: [Block], from order: Int, in section: SectionID, _ filter: RowCondition?,
    _ body: (Customer) throws -> Bool
  ) throws -> Bool {
    let places = Places(of: blocks)
    return try connection.query(
      """
      SELECT \(Customer.columns), \(places.before) + place."order" FROM \(places.tables)
      CROSS JOIN customer_record ON id = customer AND \(places.isRecord)
      WHERE \(places.condition) AND \(places.before) + "order" >= ? AND \(filter?.sql ?? "1")
      ORDER BY \(places.order)
      """, places.values + [.integer(order)] + (filter?.values ?? [])
    ) { row in
      while try row.step() {
        let place = CustomerPlace(section: section, order: row.int(Customer.columnCount))
        guard try body(Customer(row, place: place)) else { return false }
      }
      return true
    }
  }
}
