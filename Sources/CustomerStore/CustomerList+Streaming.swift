internal import SQLite

extension CustomerList {
  /// Gives the customers of a section to `body`, in order from place `order` (from 1) on, until it
  /// returns false.
  ///
  /// Reads block by block: O(1) to the first row wherever it is, and memory for one row.
  public func forEach(
    from order: Int = 1, in section: SectionID, _ body: (Customer) throws -> Bool
  ) throws {
    var next = max(order, 1)
    while let block = try block(of: next, in: section) {
      var goesOn = true
      try forEachRow(of: block, from: next, in: section) { customer in
        goesOn = try body(customer)
        return goesOn
      }
      guard goesOn else { return }
      next = block.rowsBefore &+ block.count &+ 1
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

  /// A block, how many rows of its section stand before it, and how many it has.
  private struct Block {
    var id: Int64
    var rowsBefore: Int
    var count: Int
  }

  /// The block that has place `order` of a section; nil beyond the end.
  ///
  /// A broken file may have any numbers, so sums wrap around instead of trapping.
  private func block(of order: Int, in section: SectionID) throws -> Block? {
    let chapter = try connection.first(
      "SELECT id, start FROM chapter WHERE section = ? AND start < ? ORDER BY start DESC LIMIT 1",
      [.id(section), .integer(order)]
    ) { (id: $0.integer(0), start: $0.int(1)) }
    guard let chapter else { return nil }
    let found = try connection.first(
      """
      SELECT id, start, (SELECT count(*) FROM place WHERE block = block.id) FROM block
      WHERE chapter = ? AND start < ? ORDER BY start DESC LIMIT 1
      """, [.integer(chapter.id), .integer(order &- chapter.start)]
    ) { Block(id: $0.integer(0), rowsBefore: chapter.start &+ $0.int(1), count: $0.int(2)) }
    return found.flatMap { order &- $0.rowsBefore <= $0.count ? $0 : nil }
  }

  private func forEachRow(
    of block: Block, from order: Int, in section: SectionID, _ body: (Customer) throws -> Bool
  ) throws {
    try connection.query(
      """
      SELECT \(Customer.columns), place."order" FROM place JOIN customer_record ON id = customer
      WHERE place.block = ? AND place."order" >= ? ORDER BY place."order"
      """, [.integer(block.id), .integer(order &- block.rowsBefore)]
    ) { row in
      while try row.step() {
        let place = Place(section: section, order: block.rowsBefore &+ row.int(12))
        guard try body(Customer(row, place: place)) else { return }
      }
    }
  }
}
