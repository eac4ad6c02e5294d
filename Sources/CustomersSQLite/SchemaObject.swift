/// A table, index, view, or trigger, as in `sqlite_schema`.
public struct SchemaObject: Hashable, Sendable {
  /// `table`, `index`, `view`, or `trigger`.
  public var type: String
  public var name: String
  /// The table or view that it belongs to; for a table or view, its own name.
  public var table: String
  /// The statement that created it.
  public var sql: String

  /// What no other object of a schema has: its type, its name, and its table, whose case SQLite ignores.
  public var key: String { "\(type) \(name) \(table)".lowercased() }
}

extension Connection {
  /// All objects of the schema, in the order of their creation, except those that SQLite creates itself.
  public func schema() throws -> [SchemaObject] {
    try fetchAll(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
      """
    ) { SchemaObject(type: $0.text(0), name: $0.text(1), table: $0.text(2), sql: $0.text(3)) }
  }
}

extension String {
  /// The text as an SQL identifier.
  public var asSQLName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
