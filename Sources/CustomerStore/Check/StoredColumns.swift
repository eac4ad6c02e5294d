internal import CustomersSQLite

/// The columns of a table in the order in which its rows are stored.
struct StoredColumns {
  struct Column {
    var name: String
    var isText: Bool
    var isRequired: Bool
    var hasDefault: Bool
    /// Whether SQLite computes its value.
    var isComputed: Bool
  }

  let columns: [Column]
  /// The column that is the `rowid`.
  let alias: Int?
  /// Whether the table is `WITHOUT ROWID`.
  let isIndex: Bool

  init(columns: [Column]) { (self.columns, alias, isIndex) = (columns, nil, false) }

  /// The layout of the table that a statement creates, whatever it calls it.
  init(ofTableMadeBy sql: String) throws {
    let connection = try Connection(path: ":memory:")
    try connection.localFile.harden()
    try connection.create("table", sql)
    let name = try connection.fetchOne(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL AND name <> 'sqlite_sequence'"
    ) { $0.text(0) }
    try self.init(of: name ?? "", on: connection)
  }

  /// The layout of a table of a database.
  init(of table: String, on connection: Connection) throws {
    let found = try connection.fetchAll(
      #"SELECT name, upper(type), "notnull", dflt_value IS NOT NULL, pk, hidden FROM pragma_table_xinfo(?)"#,
      [.text(table)]
    ) { row in
      let (type, isComputed) = (row.text(1), row.int(5) == 3)
      let column = Column(
        name: row.text(0),
        isText: ["CHAR", "CLOB", "TEXT"].contains { type.contains($0) } && !type.contains("INT"),
        isRequired: row.bool(2), hasDefault: row.bool(3), isComputed: isComputed)
      return (
        column: column, isStored: ![1, 2].contains(row.int(5)), isKey: row.bool(4),
        isInteger: type == "INTEGER"
      )
    }
    // This is empty for a table with a rowid.
    let order = try connection.fetchAll("SELECT cid FROM pragma_index_xinfo(?)", [.text(table)]) { $0.int(0) }
    isIndex = !order.isEmpty
    let stored = (isIndex ? order.map { found[$0] } : found).filter(\.isStored)
    columns = stored.map(\.column)
    let hasKeyIndex = try connection.fetchOne(
      "SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", [.text(table)]
    ) { _ in true }
    let keys = stored.indices.filter { stored[$0].isKey }
    alias = !isIndex && hasKeyIndex == nil && keys.count == 1 && stored[keys[0]].isInteger ? keys[0] : nil
  }

  /// What its rows look like, with up to this many more values than it has columns.
  func shape(surplus: Int = 0) -> DamagedDatabase.Shape {
    let last = columns.lastIndex { $0.isRequired && !$0.hasDefault } ?? 0
    return DamagedDatabase.Shape(
      columns: max(1, last + 1)...max(1, columns.count + surplus), alias: alias,
      texts: Set(columns.indices.filter { columns[$0].isText }), isIndex: isIndex)
  }

  /// For each column, the one with its values in another layout of the same table: that of the same name whatever its
  /// case, else one of the same kind at the same place, which was renamed.
  func places(in found: StoredColumns) -> [Int?] {
    let names = found.columns.map { $0.name.lowercased() }
    let ours = Set(columns.map { $0.name.lowercased() })
    return columns.enumerated().map { index, column in
      if let place = names.firstIndex(of: column.name.lowercased()) { return place }
      guard index < names.count, !ours.contains(names[index]) else { return nil }
      let other = found.columns[index]
      return other.isText == column.isText && other.isRequired == column.isRequired ? index : nil
    }
  }
}
