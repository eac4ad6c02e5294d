internal import SQLite

extension CustomerList {
  /// Gives the customers of a section to `body`, in order from place `order` (from 1) on, until it
  /// returns false.
  ///
  /// Reads block by block: the first row comes as soon wherever it is; memory for one row.
  public func forEach(
    from order: Int = 1, in section: SectionID, _ body: (Customer) throws -> Bool
  ) throws {
    let order = max(order, 1)
    if isPlanning { return try forEachPlanned(from: order, in: section, body) }
    try forEachBlock(from: order, in: section) { block in
      try forEachRow(of: block, from: order, in: section, nil, body)
    }
  }

  /// Gives the customers of all sections to `body`, in order, until it returns false.
  public func forEach(_ body: (Customer) throws -> Bool) throws {
    var goesOn = true
    for section in try sections() where goesOn {
      try forEach(in: section.id) { customer in
        goesOn = try body(customer)
        return goesOn
      }
    }
  }

  /// The ids of a section's customers in order.
  ///
  /// - Throws: `ListError.damaged` if they are not numbered 1…n.
  func ids(in section: SectionID) throws -> [CustomerID] {
    var ids: [CustomerID] = []
    try forEachBlock(from: 1, in: section) { block in
      try connection.query(
        #"SELECT customer, "order" FROM place WHERE block = ? ORDER BY "order""#, [.integer(block.id)]
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

  /// A block, and how many rows of its section stand before it.
  struct Block {
    var id: Int64
    var rowsBefore: Int
  }

  /// Gives the blocks of a section from the one that has place `order` on, until `body` returns false.
  ///
  /// A broken file may have any numbers, so sums wrap around instead of trapping.
  func forEachBlock(
    from order: Int, in section: SectionID, _ body: (Block) throws -> Bool
  ) throws {
    try connection.query(
      Self.blocksFrom("chapter", in: "section"), [.id(section), .integer(order)]
    ) { chapter in
      while try chapter.step() {
        let before = chapter.int(1)
        let goesOn = try connection.query(
          Self.blocksFrom("block", in: "chapter"), [.integer(chapter.integer(0)), .integer(order &- before)]
        ) { block in
          while try block.step() {
            let block = Block(id: block.integer(0), rowsBefore: before &+ block.int(1))
            guard try body(block) else { return false }
          }
          return true
        }
        guard goesOn else { return }
      }
    }
  }

  /// The query for the chapters of a section, or the blocks of a chapter, from the one with a place on.
  private static func blocksFrom(_ table: String, in whole: String) -> String {
    """
    SELECT id, start FROM \(table)
    WHERE \(whole) = ?1
      AND start >= ifnull((SELECT max(start) FROM \(table) WHERE \(whole) = ?1 AND start < ?2), start)
    ORDER BY start, id
    """
  }

  /// Gives the rows of a block from place `order` of the section on, those that pass a filter, to `body`,
  /// until it returns false.
  ///
  /// - Returns: whether it went on to the end.
  func forEachRow(
    of block: Block, from order: Int, in section: SectionID, _ filter: RowFilter?,
    _ body: (Customer) throws -> Bool
  ) throws -> Bool {
    try connection.query(
      """
      SELECT \(Customer.columns), place."order" FROM place JOIN customer_record ON id = customer
      WHERE place.block = ? AND place."order" >= ? AND \(filter?.sql ?? "1") ORDER BY place."order"
      """, [.integer(block.id), .integer(order &- block.rowsBefore)] + (filter?.values ?? [])
    ) { row in
      while try row.step() {
        let place = Place(section: section, order: block.rowsBefore &+ row.int(12))
        guard try body(Customer(row, place: place)) else { return false }
      }
      return true
    }
  }
}
