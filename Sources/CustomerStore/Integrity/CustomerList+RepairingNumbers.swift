internal import CustomersSQLite

/// The numbers other than the order: ids, protection, the history, and its counts.
extension CustomerList {
  /// Replaces numbers that can't be right, so that the order can be repaired on top of them.
  ///
  /// A customer keeps its id if it is valid; a deleted customer without a deletion in the history is
  /// restored. A history with damaged numbers is restarted.
  ///
  /// - Returns: whether the history was restarted.
  func repairNumbers() throws -> Bool {
    let isBroken = try !connection.fetchAll(Self.brokenHistory) { _ in true }.isEmpty
    if isBroken { try connection.executeScript(Self.emptyHistory) }
    try connection.executeScript(
      """
      UPDATE customer_record SET deleted_by = NULL WHERE deleted_by IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM history_edit WHERE history_edit.id = deleted_by);
      UPDATE section_record SET deleted_by = NULL WHERE deleted_by IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM history_edit WHERE history_edit.id = deleted_by);
      UPDATE section_record SET "order" = NULL WHERE deleted_by IS NOT NULL AND "order" IS NOT NULL;
      UPDATE customer_record SET is_favorite = 0 WHERE is_favorite IS NOT 0 AND is_favorite IS NOT 1;
      UPDATE customer_record SET can_edit = 1 WHERE can_edit IS NOT 0 AND can_edit IS NOT 1;
      UPDATE customer_record SET can_move = 1 WHERE can_move IS NOT 0 AND can_move IS NOT 1;
      UPDATE section_record SET title_key = lower(trim(title)) WHERE title_key IS NULL;
      DELETE FROM identity WHERE rowid > (SELECT min(rowid) FROM identity);
      \(Self.newIdentity);
      DELETE FROM receipt WHERE id NOT BETWEEN 1 AND \(Self.greatestID);
      """)
    for table in ["customer_record", "section_record"] {
      let lost = try connection.fetchAll(
        "SELECT id FROM \(table) WHERE id NOT BETWEEN 1 AND \(Self.greatestID) ORDER BY id"
      ) { $0.integer(0) }
      for id in lost { try renumber(id, in: table) }
      try repairNextID(in: table)
    }
    return isBroken
  }

  /// Makes ids continue from the greatest one in the file, including those of deleted customers.
  private func repairNextID(in table: String) throws {
    let known = try connection.fetchOne(
      """
      SELECT max(
        (SELECT id FROM (\(Self.knownIDs)) WHERE "table" = ?1),
        ifnull((SELECT max(seq) FROM sqlite_sequence
          WHERE name = ?1 AND typeof(seq) = 'integer' AND seq BETWEEN 0 AND \(Self.greatestID)), 0))
      """, [.text(table)]
    ) { $0.integer(0) }
    try connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table)])
    try connection.execute(
      "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), .integer(known ?? 0)])
  }

  /// The greatest id of each kind in the tables or the history; 0 if there is none.
  static let knownIDs = """
    SELECT 'customer_record' AS "table", max(
      ifnull((SELECT max(id) FROM customer_record WHERE id <= \(greatestID)), 0),
      ifnull((SELECT max(row + count - 1) FROM history_edit
        WHERE kind IN ('insert', 'delete', 'move', 'update', 'insert rows', 'delete rows')
          AND typeof(row) = 'integer' AND typeof(count) = 'integer'
          AND row BETWEEN 1 AND \(greatestID) AND count BETWEEN 1 AND 1e12
          AND row + count - 1 <= \(greatestID)), 0)) AS id
    UNION ALL SELECT 'section_record', max(
      ifnull((SELECT max(id) FROM section_record WHERE id <= \(greatestID)), 0),
      ifnull((SELECT max(row) FROM history_edit
        WHERE kind LIKE 'section %' AND typeof(row) = 'integer' AND row BETWEEN 1 AND \(greatestID)), 0))
    """

  /// Gives a record a valid id.
  private func renumber(_ id: Int64, in table: String) throws {
    let next = "(SELECT ifnull(max(id), 0) + 1 FROM \(table) WHERE id BETWEEN 1 AND \(Self.greatestID))"
    if table == "customer_record" {
      try connection.execute("UPDATE place SET customer = \(next) WHERE customer = ?", [.integer(id)])
    } else {
      // -id overflows for the least id.
      try connection.execute("UPDATE node SET parent = -\(next) WHERE parent = -1 * ?", [.integer(id)])
    }
    try connection.execute("UPDATE \(table) SET id = \(next) WHERE id = ?", [.integer(id)])
  }

  /// Gives the list an identity if it has none.
  static let newIdentity = """
    INSERT INTO identity SELECT lower(hex(randomblob(16))), lower(hex(randomblob(16)))
    WHERE NOT EXISTS (SELECT 1 FROM identity)
    """

  /// The triggers accept no greater id from a client; see `check_new_id`.
  static let greatestID: Int64 = 4_503_599_627_370_496

  /// The rows of the history with impossible numbers.
  static let brokenHistory = """
    SELECT NULL, NULL, NULL FROM history_step
    WHERE id NOT BETWEEN 1 AND \(greatestID) OR first_edit NOT BETWEEN 1 AND \(greatestID)
      OR typeof(first_edit) <> 'integer' OR typeof(last) <> 'integer' OR last NOT BETWEEN 1 AND \(greatestID)
      OR typeof(bytes) NOT IN ('integer', 'real') OR typeof(bytes_before) NOT IN ('integer', 'real')
      OR bytes NOT BETWEEN 0 AND 1e15 OR bytes_before NOT BETWEEN 0 AND 1e15
      OR (is_open IS NOT 0 AND id < (SELECT max(id) FROM history_step))
      OR first_edit < (SELECT first_edit FROM history_step AS earlier WHERE earlier.id = history_step.id - 1)
      OR id > 1 + (SELECT min(id) FROM history_step) + (SELECT count(*) FROM history_step)
    UNION ALL SELECT NULL, NULL, NULL FROM history_edit
    WHERE id NOT BETWEEN 1 AND \(greatestID) OR typeof(row) <> 'integer' OR typeof(count) <> 'integer'
      OR row > \(greatestID) OR count > \(greatestID)
      OR (kind IN ('insert rows', 'delete rows') AND count > (
        SELECT count(*) FROM customer_record WHERE id BETWEEN row AND row + count - 1))
      OR row < 0 OR count < 0 OR section < 0 OR to_section < 0 OR "order" < 0 OR to_order < 0
      OR typeof(section) NOT IN ('null', 'integer') OR typeof(to_section) NOT IN ('null', 'integer')
      OR typeof("order") NOT IN ('null', 'integer') OR typeof(to_order) NOT IN ('null', 'integer')
    UNION ALL SELECT NULL, NULL, NULL FROM history_limit
    WHERE typeof(steps) <> 'integer' OR typeof(bytes) <> 'integer' OR steps < 1 OR bytes < 0
    UNION ALL SELECT NULL, NULL, NULL WHERE (SELECT count(*) FROM history_limit) <> 1
    """

  private static let emptyHistory = """
    DELETE FROM history_edit; DELETE FROM history_row; DELETE FROM history_step;
    DELETE FROM history_limit; INSERT INTO history_limit VALUES (10000, 64000000);
    """
}
