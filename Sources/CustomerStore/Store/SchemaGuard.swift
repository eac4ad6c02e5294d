internal import CustomersMigrations
internal import CustomersSQLite

/// Looks for triggers by other programs, which could break what ours guarantee; once for each state of the schema.
struct SchemaGuard {
  /// The `PRAGMA schema_version` whose triggers were checked.
  private var known: Int64?

  /// Refuses a file that has any.
  ///
  /// - Throws: `StoreError.unknownTriggers`.
  mutating func refuseUnknownTriggers(_ connection: Connection) throws {
    if let known, try connection.fetchOne("PRAGMA schema_version", [], { $0.integer(0) }) == known { return }
    // The name of the table is kept as the trigger's author wrote it.
    let triggers = try connection.fetchAll(
      """
      SELECT name, lower(tbl_name), sql, schema_version FROM pragma_schema_version CROSS JOIN sqlite_schema
      WHERE type = 'trigger'
      """
    ) { row in
      let isOurs = Migrations.triggers.contains(row.text(2)) || !Migrations.tables.contains(row.text(1))
      return (unknown: isOurs ? nil : row.text(0), version: row.integer(3))
    }
    let unknown = triggers.compactMap(\.unknown)
    guard unknown.isEmpty else { throw StoreError.unknownTriggers(unknown) }
    known = triggers.first?.version
  }
}
