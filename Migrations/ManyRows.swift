package import CustomersSQLite

/// Edits of many rows at once: runs the statements of `many-rows.sql`, part by part.
///
/// They must run in a transaction, and after an error it, or a savepoint around them, must be rolled back.
package struct ManyRows: Sendable {
  /// The statements of each part.
  private let parts: @Sendable () -> [Part: String]

  /// The parts; `many-rows.sql` says what each does.
  private enum Part: String {
    case tables, clear, find, log, move, rearrange, split, join, revert, unchanged
    case append
    case places, record, placed, returned, arrange, back
    case update, before
  }

  /// Fewer rows than this are edited one by one.
  ///
  /// Measured: preparing the statements for many rows takes as long as that many single edits.
  package static let fewest = 32

  /// The statements of this version, read when they are first needed.
  init() { parts = { ManyRows.own } }

  /// Reads statements in which each part begins with a line `-- Part NAME: …`.
  package init(_ sql: String) {
    let parts = ManyRows.parts(of: sql)
    self.parts = { parts }
  }

  private static let own = parts(of: Migrations.manyRowsSQL)

  private static func parts(of sql: String) -> [Part: String] {
    var parts: [Part: String] = [:]
    for text in sql.split(separator: "\n-- Part ").dropFirst() {
      let name = String(text.prefix { $0 != ":" })
      guard let part = Part(rawValue: name) else { preconditionFailure("nothing runs the part \(name)") }
      parts[part] = "-- Part \(text)"
    }
    return parts
  }

  /// Makes the tables of an edit; the rows to edit are to be inserted into `staged_row`, `staged_section`,
  /// `arranged_row`, or `staged_value`.
  package func begin(_ connection: Connection) throws { try run([.tables], connection) }

  /// Deletes, moves, and adds the staged rows.
  package func write(_ connection: Connection) throws {
    try run([.find], connection)
    try writeFound(connection)
  }

  /// Adds the staged sections at the end of the list, and the staged records, each at the end of its section.
  package func append(_ connection: Connection) throws { try run([.append, .split, .clear], connection) }

  /// Gives the rows in `arranged_row`, all of one section, the places of each other.
  package func arrange(section: Int64, _ connection: Connection) throws {
    try connection.execute("INSERT INTO arranged_section VALUES (?)", [.integer(section)])
    try run([.places, .record, .placed, .arrange, .clear], connection)
  }

  /// Gives customers in the list the staged values, at least one, as an edit for each.
  package func update(_ connection: Connection) throws { try run([.update, .clear], connection) }

  /// Makes the opposite of an edit, of whatever kind.
  package func revert(edit: Int64, _ connection: Connection) throws {
    let number = [SQLiteValue.integer(edit)]
    let kind = try connection.fetchOne("SELECT kind FROM \(Self.logged)", number) { $0.text(0) }
    guard kind == "rows" || kind == "arrange" else {
      return try connection.execute("INSERT INTO revert_edit SELECT * FROM \(Self.logged)", number)
    }
    try begin(connection)
    try connection.execute(
      "INSERT INTO reverted_edit SELECT id, kind, count, section FROM \(Self.logged)", number)
    if kind == "arrange" {
      return try run([.back, .places, .record, .returned, .arrange, .clear], connection)
    }
    try run([.revert, .find, .unchanged], connection)
    try writeFound(connection)
  }

  /// Undoes or redoes a step, as `revert_step` does for one of a few edits of single rows.
  ///
  /// - Parameters:
  ///   - step: the number of the step.
  ///   - kind: `undo` or `redo`.
  ///   - connection: a connection to the list.
  /// - Throws: `SQLiteError`; of a refusal, with the words of the trigger that refused.
  package func revert(step: Int64, _ kind: String, _ connection: Connection) throws {
    let values = [SQLiteValue.integer(step), .text(kind)]
    guard try has(step: step, connection) else {
      return try connection.execute("INSERT INTO revert_step VALUES (?, ?)", values)
    }
    try connection.execute("INSERT INTO begin_revert VALUES (?, ?)", values)
    for edits in try runs(ofEditsOf: step, connection) {
      if try areOfDifferentRows(edits, connection) {
        try begin(connection)
        try connection.execute(
          "INSERT INTO reverted_edit VALUES (?, 'update', ?, NULL)",
          [.integer(edits.lowerBound), .integer(edits.count)])
        try run([.before, .update, .clear], connection)
      } else {
        for edit in edits.reversed() { try revert(edit: edit, connection) }
      }
    }
    try connection.execute("INSERT INTO end_revert VALUES (?, ?)", values)
  }

  /// Whether many edits, or those of many rows, left a step as it is.
  private func has(step: Int64, _ connection: Connection) throws -> Bool {
    // For an aggregate of the view, SQLite would read the whole log.
    let sql = "SELECT kind IN ('rows', 'arrange') FROM \(Self.left) LIMIT ?2"
    let areOfMany = try connection.fetchAll(sql, [.integer(step), .integer(Self.fewest)]) { $0.bool(0) }
    return areOfMany.count == Self.fewest || areOfMany.contains(true)
  }

  /// The edits that left a step as it is, the last one first; updates one after another are together.
  private func runs(ofEditsOf step: Int64, _ connection: Connection) throws -> [ClosedRange<Int64>] {
    let sql = "SELECT id, kind = 'update' FROM \(Self.left) ORDER BY id DESC"
    return try connection.query(sql, [.integer(step)]) { row in
      var (runs, areUpdates) = ([ClosedRange<Int64>](), false)
      while try row.step() {
        let (edit, isUpdate) = (row.integer(0), row.bool(1))
        let last = areUpdates && isUpdate ? runs.popLast()?.upperBound : nil
        runs.append(edit...(last ?? edit))
        areUpdates = isUpdate
      }
      return runs
    }
  }

  /// Whether edits, if there are many, update as many customers.
  private func areOfDifferentRows(_ edits: ClosedRange<Int64>, _ connection: Connection) throws -> Bool {
    guard edits.count >= Self.fewest else { return false }
    let sql = "SELECT count(DISTINCT row) = count(*) FROM edit_record WHERE id BETWEEN ? AND ?"
    let numbers = [SQLiteValue.integer(edits.lowerBound), .integer(edits.upperBound)]
    return try connection.fetchOne(sql, numbers) { $0.bool(0) } ?? false
  }

  /// The edit `?1` in the log.
  private static let logged =
    "history_edit WHERE step = (SELECT max(id) FROM history_step WHERE first_edit <= ?1) AND id = ?1"

  /// The edits that left step `?1` as it is.
  private static let left = "history_edit WHERE step = (SELECT last FROM history_step WHERE id = ?1)"

  private func writeFound(_ connection: Connection) throws {
    try run([.log], connection)
    let isRun = try connection.fetchOne("SELECT 1 FROM moved_run") { _ in true } ?? false
    try run(isRun ? [.move, .clear] : [.rearrange, .split, .join, .clear], connection)
  }

  private func run(_ names: [Part], _ connection: Connection) throws {
    let parts = parts()
    let script = names.map { name -> String in
      guard let part = parts[name] else { preconditionFailure("many-rows.sql has no part \(name)") }
      return part
    }
    try connection.executeScript(script.joined(separator: "\n"))
  }
}
