internal import SQLite

extension CustomerList {
  /// Gives an extra column of all customers another name.
  ///
  /// One edit in the history, however many customers have the column.
  ///
  /// - Returns: how many customers have it.
  /// - Throws: `ListError.noSuchColumn`, `columnExists`.
  /// - Complexity: O(customers).
  @discardableResult
  public mutating func renameColumn(_ name: String, to newName: String) throws -> Int {
    guard try count(ofColumn: newName) == 0 else { throw ListError.columnExists(newName) }
    return try rewriteColumn(name, to: newName)
  }

  /// Drops an extra column, with what all customers have in it.
  ///
  /// One edit in the history; undo brings the values back.
  ///
  /// - Returns: how many customers had it.
  /// - Throws: `ListError.noSuchColumn`.
  /// - Complexity: O(customers).
  @discardableResult
  public mutating func dropColumn(_ name: String) throws -> Int { try rewriteColumn(name, to: nil) }

  /// How many customers have an extra column.
  private func count(ofColumn name: String) throws -> Int {
    let sql = "SELECT count(*) FROM customer_record AS c WHERE deleted_by IS NULL AND \(Self.hasColumn)"
    return try connection.fetchOne(sql, [.text(name)]) { $0.int(0) } ?? 0
  }

  private func rewriteColumn(_ name: String, to newName: String?) throws -> Int {
    let count = try count(ofColumn: name)
    guard count > 0 else { throw ListError.noSuchColumn(name) }
    let newValue = newName.map(Value.text) ?? .null
    try atomically {
      try connection.execute(
        """
        INSERT INTO staged_extra
        SELECT id, (
          SELECT json_group_object(iif(key = ?1, ?2, key), \(Self.jsonValue))
          FROM json_each(c.extra) WHERE key <> ?1 OR ?2 IS NOT NULL)
        FROM customer_record AS c WHERE deleted_by IS NULL AND \(Self.hasColumn)
        """, [.text(name), newValue])
      try edit("INSERT INTO logged_column VALUES (?, ?)", [.text(name), newValue]) { _ in nil }
    }
    return count
  }

  /// Whether customer `c` has the extra column `?1`.
  private static let hasColumn = """
    c.extra <> '{}' AND json_valid(c.extra) AND json_type(c.extra) = 'object'
    AND EXISTS (SELECT 1 FROM json_each(c.extra) WHERE key = ?1)
    """

  /// The value of a row of `json_each`, as the JSON that it was.
  private static let jsonValue = """
    CASE WHEN type IN ('object', 'array') THEN json(value) WHEN type IN ('true', 'false') THEN json(type)
      ELSE value END
    """
}
