internal import CustomersSQLite

extension CustomerList {
  /// Restores the schema of the migrations; the contents of the tables are kept.
  ///
  /// - Parameter mayRemove: whether to remove a foreign trigger on our tables, by its name.
  /// - Throws: `StoreError.unknownTriggers` if there are some that must not be removed: they would run during the
  ///   repair.
  func repairSchema(removing mayRemove: (String) -> Bool) throws {
    let difference = try SchemaDifference(of: connection)
    let foreign = difference.foreignTriggers
    let kept = foreign.map(\.name).filter { !mayRemove($0) }
    guard kept.isEmpty else { throw StoreError.unknownTriggers(kept) }
    for trigger in foreign { try connection.executeScript("DROP TRIGGER \(trigger.name.asSQLName)") }
    guard !difference.wrong.isEmpty else { return }
    // Without it, renaming a table would also change the views.
    try connection.executeScript("PRAGMA legacy_alter_table = ON")
    defer { try? connection.executeScript("PRAGMA legacy_alter_table = OFF") }
    try clearNames(of: difference.ours)
    for table in difference.ours where table.type == "table" { try restore(table, difference) }
    for object in difference.ours where object.type == "index" {
      try connection.executeScript("DROP INDEX IF EXISTS \(object.name.asSQLName)")
      try connection.executeScript(object.sql)
    }
    for type in ["view", "trigger"] {
      for object in difference.ours where object.type == type { try connection.executeScript(object.sql) }
    }
  }

  /// Drops our triggers and views; renames other objects that use one of our names.
  ///
  /// Dropping a view drops its triggers.
  private func clearNames(of ours: [SchemaObject]) throws {
    let tables = Set(ours.filter { $0.type == "table" }.map(\.name))
    let views = Set(ours.filter { $0.type == "view" }.map(\.name))
    let triggers = Set(ours.filter { $0.type == "trigger" }.map(\.name))
    for object in try connection.schema() {
      let (name, word) = (object.name.lowercased(), object.name.asSQLName)
      switch object.type {
      case "trigger" where triggers.contains(name) || tables.contains(object.table.lowercased()):
        try connection.executeScript("DROP TRIGGER IF EXISTS \(word)")
      case "view" where views.contains(name) || tables.contains(name):
        try connection.executeScript("DROP VIEW IF EXISTS \(word)")
      case "table" where views.contains(name):
        try connection.executeScript("ALTER TABLE \(word) RENAME TO \("\(name)_found".asSQLName)")
      default: break
      }
    }
  }

  /// Creates a missing table; a table with other columns gets the right ones and keeps its rows.
  private func restore(_ table: SchemaObject, _ difference: SchemaDifference) throws {
    guard let wrong = difference.wrong.first(where: { $0.object == table }) else { return }
    guard !wrong.isMissing else { return try connection.executeScript(table.sql) }
    try connection.executeScript("ALTER TABLE \(table.name) RENAME TO found_table; \(table.sql)")
    let found = try Set(columns(of: "found_table").map(\.name))
    let shared = try columns(of: table.name).filter { found.contains($0.name) }
    let values = shared.map { column in
      let name = column.name.asSQLName
      return column.isRequired ? "ifnull(\(name), \(column.isText ? "''" : "0"))" : name
    }
    try connection.executeScript(
      """
      INSERT OR IGNORE INTO \(table.name) (\(shared.map(\.name.asSQLName).joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM found_table;
      DROP TABLE found_table;
      """)
  }

  private struct Column {
    var name: String
    var isText: Bool
    var isRequired: Bool
  }

  private func columns(of table: String) throws -> [Column] {
    try connection.fetchAll("SELECT name, type, \"notnull\" FROM pragma_table_info(?)", [.text(table)]) {
      Column(name: $0.text(0), isText: $0.text(1) == "TEXT", isRequired: $0.bool(2))
    }
  }
}
