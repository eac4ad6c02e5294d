internal import CustomersSQLite

extension CustomerList {
  /// Passes the customers of a section to `body`, in order from place `order` (from 1) on, until it returns
  /// false.
  ///
  /// It reads block by block: the first row is found equally fast wherever it is. Needs memory for one row.
  public func forEach(
    from order: Int = 1, in section: SectionID, _ body: (Customer) throws -> Bool
  ) throws {
    let order = max(order, 1)
    try forEachBlock(from: order, in: section) { block in
      try forEachRow(of: block, from: order, in: section, nil, body)
    }
  }

  /// Passes the customers of all sections to `body`, in order, until it returns false.
  public func forEach(_ body: (Customer) throws -> Bool) throws {
    var goesOn = true
    for section in try sections() where goesOn {
      try forEach(in: section.id) { customer in
        goesOn = try body(customer)
        return goesOn
      }
    }
  }

  /// All sections in order, each with its customers in order.
  ///
  /// - Complexity: O(rows), in memory, too.
  public func sectionsWithRows() throws -> [(section: CustomerSection, rows: [Customer])] {
    try sections().map { section in
      var rows: [Customer] = []
      try forEach(in: section.id) { row in
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
      JOIN customer_record ON id = place.customer
      """, [.id(place.section), .integer(place.order)]
    ) { Customer($0, place: place) }
  }

  /// The ids of a section's customers in order; empty if there is no such section.
  ///
  /// - Throws: `ListError.damaged` if they are not numbered 1…n.
  /// - Complexity: O(rows): about 10 ms for 100,000.
  public func ids(in section: SectionID) throws -> [CustomerID] {
    var ids: [CustomerID] = []
    try forEachBlock(from: 1, in: section) { block in
      try connection.query(
        #"SELECT customer, "order" FROM place WHERE \#(Self.isInBlock) ORDER BY slot"#, [.integer(block.id)]
      ) { row in
        while try row.step() {
          ids.append(CustomerID(rawValue: row.integer(0)))
          guard block.rowsBefore &+ row.int(1) == ids.count else { throw ListError.damaged }
        }
        return true
      }
    }
    return ids
  }

  /// A block, and the number of rows of its section before it.
  struct Block {
    var id: Int64
    var rowsBefore: Int
  }

  /// The condition that finds the places of block `?1`; see the table `place`.
  private static let isInBlock = "slot BETWEEN 64 * ?1 AND 64 * ?1 + 63"

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

  /// Passes the rows of a block that match a filter to `body`, from place `order` of the section on, until it
  /// returns false.
  ///
  /// - Returns: whether it reached the end.
  func forEachRow(
    of block: Block, from order: Int, in section: SectionID, _ filter: RowCondition?,
    _ body: (Customer) throws -> Bool
  ) throws -> Bool {
    try connection.query(
      """
      SELECT \(Customer.columns), place."order" FROM place JOIN customer_record ON id = customer
      WHERE \(Self.isInBlock) AND "order" >= ? AND \(filter?.sql ?? "1") ORDER BY slot
      """, [.integer(block.id), .integer(order &- block.rowsBefore)] + (filter?.values ?? [])
    ) { row in
      while try row.step() {
        let place = CustomerPlace(section: section, order: block.rowsBefore &+ row.int(Customer.columnCount))
        guard try body(Customer(row, place: place)) else { return false }
      }
      return true
    }
  }
}
