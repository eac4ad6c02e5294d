package import CustomersSQLite

/// The contents of a list, read through the views that every client uses.
extension Connection {
  /// Returns the sections (id, order, count, title), then the rows (section, order, id, note, protection), with
  /// titles and notes as numbers.
  package func listNumbers() throws -> [Int64] {
    var numbers: [Int64] = []
    try query(#"SELECT id, "order", count, CAST(title AS INTEGER) FROM sections ORDER BY "order""#) { row in
      while try row.step() { for column in 0..<4 as Range<Int32> { numbers.append(row.integer(column)) } }
    }
    try query(
      """
      SELECT section, "order", id, CAST(note AS INTEGER), 2 * can_edit + can_move FROM customers
      ORDER BY section, "order"
      """
    ) { row in
      while try row.step() { for column in 0..<5 as Range<Int32> { numbers.append(row.integer(column)) } }
    }
    return numbers
  }

  /// Returns the ids of a section's customers, by `"order"`.
  package func ids(in section: Int64 = 1) throws -> [Int64] {
    try fetchAll(#"SELECT id FROM customers WHERE section = ? ORDER BY "order""#, [.integer(section)]) {
      $0.integer(0)
    }
  }

  /// Returns the number of rows in a table or view.
  package func count(_ table: String) throws -> Int {
    try fetchOne("SELECT count(*) FROM \(table)") { $0.int(0) } ?? 0
  }

  /// Everything in the file: the schema and each value of each table, hidden ones included.
  package func dump() throws -> [String] {
    // One text, because tests compare many dumps, and the schema is most of each.
    let schema = try fetchAll(
      "SELECT group_concat(type || ' ' || name || coalesce(sql, ''), char(10)) FROM sqlite_schema"
    ) { $0.text(0) }
    let versions = try ["application_id", "user_version"].map { name in
      try fetchOne("PRAGMA \(name)") { "\(name) \($0.integer(0))" } ?? name
    }
    let selects = try fetchAll(
      """
      SELECT printf('SELECT %Q || %s FROM %s', t.name || ' ',
        group_concat(printf('quote("%w")', c.name), ' || char(44) || '), t.name)
      FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' GROUP BY t.name
      """
    ) { $0.text(0) }
    return try schema + versions + selects.flatMap { try fetchAll($0) { $0.text(0) } }
  }
}

extension ListModel {
  /// Reads the list from the views; keeps the values that they do not show.
  package mutating func reload(from connection: Connection) throws {
    sections = try connection.fetchAll(
      #"SELECT id, CAST(title AS INTEGER) FROM sections ORDER BY "order""#
    ) { Section(id: $0.integer(0), title: $0.integer(1)) }
    for index in sections.indices {
      sections[index].rows = try connection.fetchAll(
        """
        SELECT id, CAST(note AS INTEGER), can_edit, can_move FROM customers
        WHERE section = ? ORDER BY "order"
        """, [.integer(sections[index].id)]
      ) { row in
        var found = Row(id: row.integer(0), stamp: row.integer(1))
        found.canEdit = row.bool(2)
        found.canMove = row.bool(3)
        return found
      }
    }
  }
}

extension Statement {
  /// Returns the first `count` columns of the current row as strings.
  package borrowing func texts(_ count: Int32) -> [String] {
    var texts: [String] = []
    for column in 0..<count { texts.append(text(column)) }
    return texts
  }
}
