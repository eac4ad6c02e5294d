internal import SQLite

/// The list inside a transaction; `CustomerStore.read` and `write` lend it.
///
/// Reading works on a borrowed list, editing needs the one that `write` gives, so the compiler knows
/// which transaction may change the file. Places are counted from 1. An edit is refused as a whole,
/// with a `ListError`, or done as a whole.
public struct CustomerList: ~Copyable {
  let connection: Connection
  /// Who makes this transaction, and whether the history knows.
  let recorder = StepRecorder()
  /// The moves that are made in memory only, so far.
  let planner = MovePlanner()
  private var schema = SchemaGuard()

  init(connection: Connection) { self.connection = connection }

  /// Whether this transaction has changed anything so far.
  public var hasEdits: Bool { recorder.isOpen }

  /// Refuses a file in which somebody put triggers on our tables.
  mutating func guardSchema() throws { try schema.refuseUnknownTriggers(connection) }
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
    let isFirst = try recorder.open(connection)
    do {
      try connection.execute(sql, values)
    } catch let error as SQLiteError {
      // Some errors have ended the transaction, and this fails too; the first error is the one to tell.
      if isFirst { try? recorder.abandon(connection) }
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
    let wasOpen = recorder.isOpen
    do {
      return try connection.savepoint(body)
    } catch {
      // The author was taken back with the rest.
      recorder.isOpen = wasOpen
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
