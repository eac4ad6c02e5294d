/// A table, an index, a view or a trigger, as `sqlite_schema` has it.
public struct SchemaObject: Hashable, Sendable {
  /// `table`, `index`, `view` or `trigger`.
  public var type: String
  public var name: String
  /// The table or view that it belongs to; of a table or view its own name.
  public var table: String
  /// The statement that created it.
  public var sql: String
}

extension Connection {
  /// What is in the schema, in the order created, but for what SQLite makes by itself.
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
  /// The text as a name in SQL.
  public var asSQLName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
