internal import Migrations
internal import SQLite
internal import Synchronization

/// The list inside a transaction; `CustomerStore.read` and `write` lend it.
///
/// Reading works on a borrowed list, editing needs the one that `write` gives, so the compiler knows
/// which transaction may change the file. Places are counted from 1. An edit is refused as a whole,
/// with a `ListError`, or done as a whole.
public struct CustomerList: ~Copyable, Sendable {
  let connection: Connection
  /// The `PRAGMA schema_version` whose triggers were looked at.
  private var knownSchema: Int64?

  /// Who makes this transaction, and what it is called in the history.
  var author = StepAuthor()
  /// Whether the file has been told.
  let isStepOpen = Atomic(false)
  /// The order that the moves made so far lead to, while they are planned and not written.
  let plan = Mutex<PlannedOrder?>(nil)

  init(connection: Connection) { self.connection = connection }
}

extension CustomerList {
  /// A trigger that somebody put on our tables could undo what ours promise.
  mutating func refuseUnknownTriggers() throws {
    let schema = try connection.fetchOne("PRAGMA schema_version") { $0.integer(0) }
    guard schema != knownSchema else { return }
    // The name of the table is kept as the trigger's author wrote it.
    let unknown = try connection.fetchAll(
      "SELECT name, lower(tbl_name), sql FROM sqlite_schema WHERE type = 'trigger'"
    ) { row in
      let isOurs = Migrations.triggers.contains(row.text(2))
      return isOurs || !Migrations.tables.contains(row.text(1)) ? nil : row.text(0)
    }.compactMap { $0 }
    guard unknown.isEmpty else { throw StoreError.unknownTriggers(unknown) }
    knownSchema = schema
  }
}

extension CustomerList {
  /// Runs one statement on the views and turns a refusal of their triggers into a typed error.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - values: its values.
  ///   - reason: the error for a refusal of a kind, the word before the colon in `Migrations`.
  /// - Throws: what `reason` gives, `ListError.damaged`, or a `StoreError`.
  func edit(_ sql: String, _ values: [Value], _ reason: (Refusal) -> ListError?) throws {
    try writePlan()
    let isFirst = try openStepIfNeeded()
    do {
      try connection.execute(sql, values)
    } catch let error as SQLiteError {
      // Some errors have ended the transaction, and this fails too; the first error is the one to tell.
      if isFirst { try? abandonStep() }
      guard error.code.primary == .constraint else { throw StoreError(error) }
      // The triggers check before they write, so in a sound list the tables themselves refuse nothing.
      let refusal = error.code == .constraintTrigger ? Refusal(message: error.message) : .damaged
      if refusal == .damaged { throw ListError.damaged }
      throw refusal.flatMap(reason) ?? StoreError(error)
    }
  }
}

extension CustomerList {
  /// Runs several statements that are one edit: if one is refused, none has happened, also when the
  /// caller catches the error and goes on with the transaction.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    try writePlan()
    let wasStepOpen = isStepOpen.load(ordering: .relaxed)
    do {
      return try connection.savepoint(body)
    } catch {
      // The author was taken back with the rest.
      isStepOpen.store(wasStepOpen, ordering: .relaxed)
      throw error
    }
  }
}

/// The kinds of refusal that the triggers in `Migrations` know.
enum Refusal: String, CaseIterable {
  case place, section, protected, id, value, count, untitled, title, occupied, history, damaged

  init?(message: String) {
    self.init(rawValue: String(message.prefix { $0 != ":" }))
  }
}
