internal import CustomersSQLite

/// The list inside a transaction, passed to the closures of `CustomerStore.read` and `write`.
///
/// Reading works on a borrowed list; editing needs the one that `write` passes, so the compiler knows which
/// transaction may change the file. Places are counted from 1. An edit is either refused as a whole, with a
/// `ListError`, or done as a whole.
public struct CustomerList: ~Copyable {
  let connection: Connection
  /// The author of this transaction, and whether the history has recorded it.
  let recorder = StepRecorder()
  private var schema = SchemaGuard()

  init(connection: Connection) { self.connection = connection }

  /// Whether this transaction has changed anything so far.
  public var hasEdits: Bool { recorder.isOpen }

  /// Ends a call that was canceled, for work that takes long between its reads and edits, which check it themselves.
  ///
  /// - Throws: `CancellationError`.
  public func checkCancellation() throws { try cancellationCheck() }

  /// The same, to be called while the list is being edited.
  package var cancellationCheck: () throws -> Void {
    let connection = connection
    return { do { try connection.checkCancellation() } catch { throw CancellationError() } }
  }

  /// Refuses a file with triggers by other programs on our tables.
  mutating func guardSchema() throws { try schema.refuseUnknownTriggers(connection) }
}

extension CustomerList {
  /// Runs one statement on the views and turns a refusal of their triggers into a typed error.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - values: its values.
  ///   - reason: the error for a refusal of a kind, the word before the colon in `Migrations`.
  /// - Throws: what `reason` returns, `ListError.damaged`, or a `StoreError`.
  func edit(_ sql: String, _ values: [SQLiteValue], _ reason: (Refusal) -> ListError?) throws {
    let isFirst = try recorder.open(connection)
    do {
      try connection.execute(sql, values)
    } catch let error as SQLiteError {
      // Some errors have ended the transaction, so this is refused; report the first error.
      if isFirst { try? recorder.abandon(connection) }
      // A reference that another program declared is no rule of ours.
      guard error.code.primary == .constraint, error.code != .constraintForeignKey else {
        throw error.ofStore
      }
      // The triggers check before they write, so in an intact list the tables themselves refuse nothing.
      let refusal = error.code == .constraintTrigger ? Refusal(message: error.message) : .damaged
      if refusal == .damaged { throw ListError.damaged }
      throw refusal.flatMap(reason) ?? StoreError(error)
    }
  }
}

extension CustomerList {
  /// Runs several statements as one edit: if one is refused, none has happened, even if the caller catches
  /// the error and continues the transaction.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    let wasOpen = recorder.isOpen
    do {
      return try connection.savepoint(body)
    } catch {
      // The author was rolled back with the rest.
      recorder.isOpen = wasOpen
      throw error
    }
  }

  /// The same for several edits.
  mutating func atomically<Result>(_ body: (inout CustomerList) throws -> Result) throws -> Result {
    let (connection, recorder, wasOpen) = (connection, recorder, recorder.isOpen)
    do {
      return try connection.savepoint { try body(&self) }
    } catch {
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
