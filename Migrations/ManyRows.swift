public import CustomersSQLite

/// Edits of many rows at once: runs the statements of `many-rows.sql`, part by part.
///
/// They must run in a transaction, and after an error it, or a savepoint around them, must be rolled back.
public struct ManyRows: Sendable {
  /// The statements of each part.
  private let parts: @Sendable () -> [Part: String]

  /// The parts; `many-rows.sql` says what each does.
  private enum Part: String { case tables, clear, find, log, move, rearrange, arrange, revert, unchanged }

  /// The statements of this version, read when they are first needed.
  init() { parts = { ManyRows.own } }

  /// Reads statements in which each part begins with a line `-- Part NAME: …`.
  public init(_ sql: String) {
    let parts = ManyRows.parts(of: sql)
    self.parts = { parts }
  }

  private static let own = parts(of: Migrations.manyRowsSQL)

  private static func parts(of sql: String) -> [Part: String] {
    var parts: [Part: String] = [:]
    for text in sql.split(separator: "\n-- Part ").dropFirst() {
      if let part = Part(rawValue: String(text.prefix { $0 != ":" })) { parts[part] = "-- Part \(text)" }
    }
    return parts
  }

  /// Makes the tables of an edit; the rows to edit are to be inserted into `staged_row`.
  public func begin(_ connection: Connection) throws { try run([.tables], connection) }

  /// Deletes, moves, and adds the staged rows.
  public func write(_ connection: Connection) throws {
    try run([.find], connection)
    try writeFound(connection)
  }

  /// Gives the staged rows, all of one section, the places of each other.
  public func arrange(_ connection: Connection) throws { try run([.find, .arrange, .clear], connection) }

  /// Makes the opposite of an edit, of whatever kind.
  public func revert(edit: Int64, _ connection: Connection) throws {
    let number = [SQLiteValue.integer(edit)]
    let kind = try connection.fetchOne("SELECT kind FROM \(Self.logged)", number) { $0.text(0) }
    guard kind == "rows" || kind == "arrange" else {
      return try connection.execute("INSERT INTO revert_edit SELECT * FROM \(Self.logged)", number)
    }
    try begin(connection)
    try connection.execute(
      "INSERT INTO reverted_edit SELECT id, kind, count, section FROM \(Self.logged)", number)
    try run([.revert, .find, .unchanged], connection)
    if kind == "arrange" {
      try run([.arrange, .clear], connection)
    } else {
      try writeFound(connection)
    }
  }

  /// Undoes or redoes a step, as `revert_step` does for one without edits of many rows.
  ///
  /// - Parameters:
  ///   - step: the number of the step.
  ///   - kind: `undo` or `redo`.
  ///   - connection: a connection to the list.
  /// - Throws: `SQLiteError`; of a refusal, with the words of the trigger that refused.
  public func revert(step: Int64, _ kind: String, _ connection: Connection) throws {
    let values = [SQLiteValue.integer(step), .text(kind)]
    guard try has(step: step, connection) else {
      return try connection.execute("INSERT INTO revert_step VALUES (?, ?)", values)
    }
    try connection.execute("INSERT INTO begin_revert VALUES (?, ?)", values)
    let edits = try connection.fetchAll(
      "SELECT id FROM \(Self.left) ORDER BY id DESC", [.integer(step)]
    ) { $0.integer(0) }
    for edit in edits { try revert(edit: edit, connection) }
    try connection.execute("INSERT INTO end_revert VALUES (?, ?)", values)
  }

  /// Whether edits of many rows left a step as it is.
  private func has(step: Int64, _ connection: Connection) throws -> Bool {
    let sql = "SELECT 1 FROM \(Self.left) AND kind IN ('rows', 'arrange') LIMIT 1"
    return try connection.fetchOne(sql, [.integer(step)]) { _ in true } ?? false
  }

  /// The edit `?1` in the log.
  private static let logged =
    "history_edit WHERE step = (SELECT max(id) FROM history_step WHERE first_edit <= ?1) AND id = ?1"

  /// The edits that left step `?1` as it is.
  private static let left = "history_edit WHERE step = (SELECT last FROM history_step WHERE id = ?1)"

  private func writeFound(_ connection: Connection) throws {
    try run([.log], connection)
    let isRun = try connection.fetchOne("SELECT 1 FROM moved_run") { _ in true } ?? false
    try run([isRun ? .move : .rearrange, .clear], connection)
  }

  private func run(_ names: [Part], _ connection: Connection) throws {
    let parts = parts()
    try connection.executeScript(names.map { parts[$0, default: ""] }.joined(separator: "\n"))
  }
}
