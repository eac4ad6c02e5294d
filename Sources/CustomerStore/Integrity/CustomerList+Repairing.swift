internal import CustomersSQLite

/// The effect of `repair` on one customer.
public struct ListRepair: Hashable, Sendable {
  /// The customer.
  public var customer: CustomerID
  /// The place that could still be read from the file; nil if there was none.
  public var from: CustomerPlace?
  /// The place now.
  public var to: CustomerPlace
}

extension CustomerList {
  /// Renumbers everything in the order that can still be recognized: by the old numbers and, where two are
  /// equal, by id.
  ///
  /// No customer is lost; those without a place go to the end of the first section, which is created if there
  /// is none.
  ///
  /// A repair can't be undone; a program that follows the changes gets a reload.
  ///
  /// - Returns: the customers whose place changed.
  /// - Complexity: O(rows), all in this transaction.
  public mutating func repair() throws -> [ListRepair] {
    try atomically {
      let hasNewHistory = try repairNumbers()
      try renumberSections()
      let home = try connection.fetchOne(#"SELECT id FROM section_record WHERE "order" = 1"#) {
        $0.integer(0)
      }
      let rows = try recognizableRows(home: SectionID(rawValue: home ?? 1))
      try connection.executeScript(
        """
        DELETE FROM place; DELETE FROM node; DELETE FROM staged; DELETE FROM staged_extra;
        UPDATE section_record SET count = 0; UPDATE customer_record SET block = NULL;
        """)
      let repairs = try rows.flatMap { section, rows in
        try stage(rows.map(\.id))
        try connection.execute("INSERT INTO put_rows VALUES (?, 1)", [.id(section)])
        return rows.enumerated().compactMap { index, row in
          let place = CustomerPlace(section: section, order: index + 1)
          return row.place == place ? nil : ListRepair(customer: row.id, from: row.place, to: place)
        }
      }
      if !repairs.isEmpty || hasNewHistory {
        _ = try recorder.open(connection)
        try connection.execute("INSERT INTO break_history VALUES (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))")
      }
      return repairs
    }
  }

  /// A customer and the place that is still in the tables, if any.
  private struct KnownRow {
    var id: CustomerID
    var place: CustomerPlace?
  }

  /// All customers, each once, by section in the recognizable order.
  private func recognizableRows(home: SectionID) throws -> [(SectionID, [KnownRow])] {
    let rows = try connection.fetchAll(
      """
      SELECT c.id, section_record.id, part.start + chapter.start + block.start + place."order"
      FROM customer_record AS c
      LEFT JOIN place ON place.customer = c.id
      LEFT JOIN node AS block ON block.id = place.block
      LEFT JOIN node AS chapter ON chapter.id = block.parent
      LEFT JOIN node AS part ON part.id = chapter.parent
      LEFT JOIN section_record ON section_record.id = -part.parent AND section_record."order" IS NOT NULL
      WHERE c.deleted_by IS NULL
      ORDER BY section_record."order" IS NULL, section_record."order", part.start, chapter.start, block.start,
        place."order", c.id
      """
    ) { row in
      KnownRow(
        id: CustomerID(rawValue: row.integer(0)),
        place: row.isNull(1)
          ? nil : CustomerPlace(section: SectionID(rawValue: row.integer(1)), order: row.int(2)))
    }
    var seen: Set<CustomerID> = []
    var sections: [SectionID: [KnownRow]] = [:]
    for row in rows where seen.insert(row.id).inserted {
      sections[row.place?.section ?? home, default: []].append(row)
    }
    return sections.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
  }

  private func renumberSections() throws {
    try connection.executeScript(
      """
      INSERT INTO section_record (title, title_key, footer, "order")
      SELECT 'Customers', 'customers', '', 1 WHERE NOT EXISTS (SELECT 1 FROM sections);
      """)
    let ids = try connection.fetchAll(
      #"SELECT id FROM section_record WHERE deleted_by IS NULL ORDER BY "order", id"#
    ) { $0.integer(0) }
    // First moves them to a range that no section is in, so that no number is used twice.
    let free = try freeRange(ofLength: Int64(ids.count))
    for first in [free, 1] {
      for (index, id) in ids.enumerated() {
        try connection.execute(
          #"UPDATE section_record SET "order" = ? WHERE id = ?"#,
          [.integer(first + Int64(index)), .integer(id)])
      }
    }
  }

  /// The first number of a range below zero that holds no section's number.
  private func freeRange(ofLength length: Int64) throws -> Int64 {
    var first = -length
    while try connection.fetchOne(
      #"SELECT 1 FROM section_record WHERE "order" BETWEEN ? AND ?"#,
      [.integer(first), .integer(first + length - 1)], { _ in true }) == true
    {
      first -= length
    }
    return first
  }
}
