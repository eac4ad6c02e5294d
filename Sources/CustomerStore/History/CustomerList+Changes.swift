internal import CustomersSQLite

extension CustomerList {
  /// The number of the last edit that was made, by any program; 0 in a new list.
  package func lastEdit() throws -> Int64 {
    return try connection.fetchOne("SELECT id FROM last_edit") { Int64($0.int(0)) } ?? 0
  }

  /// Returns the changes since a version, in order, at most `limit` edits.
  ///
  /// - Parameters:
  ///   - version: the last known version: `version` when the list was read.
  ///   - limit: the maximum number of edits.
  /// - Returns: the changes and the version after the last one; nil if the history has forgotten some, or is
  ///   another one, so that the list must be read again.
  /// - Throws: `StoreError`.
  public func changes(
    after version: ListVersion, limit: Int = 1000
  ) throws -> (changes: [ListChange], version: ListVersion)? {
    try numberedChanges(after: version, limit: limit).map { ($0.changes.map(\.change), $0.version) }
  }

  /// The same with the number of each edit.
  func numberedChanges(
    after version: ListVersion, limit: Int = 1000
  ) throws -> (changes: [(edit: Int64, change: ListChange)], version: ListVersion)? {
    let (edit, now) = (version.edit, try self.version())
    guard edit < .max, version.isOf(now.history) else { return nil }
    let found = try changes(from: edit + 1, to: .max, limit: limit)
    guard let first = found.first, let last = found.last else {
      return now.edit == edit ? ([], now) : nil
    }
    return first.edit == edit + 1 ? (found, now.at(last.edit)) : nil
  }

  /// The customers whose extra columns were changed by an edit of a column.
  func customers(ofEdit edit: Int64) throws -> [CustomerID] {
    try connection.fetchAll("SELECT customer FROM history_row WHERE edit = ?", [.integer(edit)]) {
      CustomerID(rawValue: $0.integer(0))
    }
  }

  func changes(from first: Int64, to next: Int64, limit: Int) throws -> [(edit: Int64, change: ListChange)] {
    return try connection.fetchAll(
      """
      SELECT id, kind, row, count, section, "order", to_section, to_order, name, to_name FROM history_edit
      WHERE id >= ? AND id < ? ORDER BY id LIMIT ?
      """, [.integer(first), .integer(next), .integer(max(0, limit))]
    ) { row in (row.integer(0), try change(row)) }
  }

  /// Decodes a row of the log.
  func change(_ row: borrowing Statement) throws -> ListChange {
    try refuseWrongRange(first: row.integer(2), count: row.int(3))
    let customer = CustomerID(rawValue: row.integer(2))
    let section = SectionID(rawValue: row.integer(2))
    let from = CustomerPlace(section: SectionID(rawValue: row.integer(4)), order: row.int(5))
    let to = CustomerPlace(section: SectionID(rawValue: row.integer(6)), order: row.int(7))
    return switch row.text(1) {
    case "insert": .insert(customer, at: to)
    case "delete": .delete(customer, from: from)
    case "move": .move(customer, from: from, to: to)
    case "insert rows": .insertMany(first: customer, count: row.int(3), at: to)
    case "delete rows": .deleteMany(first: customer, count: row.int(3), from: from)
    case "arrange": .arrange(section, try moves(ofEdit: row.integer(0), in: section))
    case "section insert": .insertSection(section, at: to.order)
    case "section delete": .deleteSection(section, from: from.order)
    case "section move": .moveSection(section, from: from.order, to: to.order)
    case "section update": .updateSection(section)
    case "column": .column(from: row.isNull(8) ? nil : row.text(8), to: row.isNull(9) ? nil : row.text(9))
    default: .update(customer, at: nil)
    }
  }

  /// Refuses ranges of ids that can't be valid; the history keeps every record that it names.
  ///
  /// - Throws: `ListError.damaged`.
  private func refuseWrongRange(first: Int64, count: Int) throws {
    guard (0...Self.greatestID).contains(first), (0...Int(Self.greatestID)).contains(count) else {
      throw ListError.damaged
    }
    guard count > 1_000_000 else { return }
    let found = try connection.fetchOne(
      "SELECT count(*) FROM customer_record WHERE id BETWEEN ?1 AND ?1 + ?2 - 1",
      [.integer(first), .integer(count)]
    ) { $0.int(0) }
    guard found == count else { throw ListError.damaged }
  }

  private func moves(ofEdit edit: Int64, in section: SectionID) throws -> [CustomerMove] {
    try connection.fetchAll(
      #"SELECT customer, "order", to_order FROM history_row WHERE edit = ? ORDER BY to_order"#,
      [.integer(edit)]
    ) { row in
      CustomerMove(
        id: CustomerID(rawValue: row.integer(0)), from: CustomerPlace(section: section, order: row.int(1)),
        to: CustomerPlace(section: section, order: row.int(2)))
    }
  }
}
