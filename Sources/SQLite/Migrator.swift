/// Brings the schema of a database up to date.
public struct Migrator: Sendable {
  /// What `PRAGMA application_id` says in a file of this schema.
  public var applicationID: Int64
  /// The steps in order.
  ///
  /// `PRAGMA user_version` counts those a file has.
  public var steps: [String]

  /// Makes a migrator.
  public init(applicationID: Int64, steps: [String]) {
    self.applicationID = applicationID
    self.steps = steps
  }

  /// What a database is to a migrator.
  public enum State: Equatable, Sendable {
    /// Empty: all steps are missing.
    case new
    /// Of this schema; `steps` of it are there.
    case known(steps: Int)
    /// Something else's, by its `application_id`.
    case foreign(applicationID: Int64)
  }

  /// Looks what the database is, without writing.
  ///
  /// By one statement, so that all it sees is of one moment, also while another program makes a step.
  public func state(of connection: Connection) throws -> State {
    try connection.fetchOne(
      """
      SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
      FROM pragma_application_id, pragma_user_version
      """
    ) { row in
      let (id, version, objects) = (row.integer(0), row.int(1), row.int(2))
      if id == applicationID, version > 0 { return .known(steps: version) }
      return id == 0 && version == 0 && objects == 0 ? .new : .foreign(applicationID: id)
    } ?? .foreign(applicationID: 0)
  }

  /// Why the steps could not be made; the file is as it was.
  public struct Failure: Error, Equatable, Sendable {
    /// How many steps the file has.
    public var stepsDone: Int
    /// What stood in the way.
    public var reason: String

    /// Makes a failure.
    public init(stepsDone: Int, reason: String) {
      self.stepsDone = stepsDone
      self.reason = reason
    }
  }

  /// Makes the missing steps, all in one transaction: a file is never found between two of them.
  ///
  /// What is missing is looked up inside the transaction: two programs may start at one moment.
  ///
  /// - Parameters:
  ///   - connection: the database.
  ///   - finish: what else is to be done in the transaction, if a step was made.
  /// - Throws: `Failure` if the file is not as the steps expect, because it is damaged or somebody
  ///   changed its schema; else `SQLiteError`.
  public func migrate(_ connection: Connection, finish: () throws -> Void = {}) throws {
    guard try state(of: connection).stepsDone < steps.count else { return }
    try connection.immediateTransaction {
      let done = try state(of: connection).stepsDone
      guard done < steps.count else { return }
      do {
        for step in steps[done...] { try connection.executeScript(step) }
      } catch let error as SQLiteError
        where [ResultCode.error, .constraint, .mismatch].contains(error.code.primary)
      {
        throw Failure(stepsDone: done, reason: error.message)
      }
      if let table = try connection.fetchOne("PRAGMA foreign_key_check", [], { $0.text(0) }) {
        throw Failure(stepsDone: done, reason: "a row of table \(table) refers to nothing")
      }
      try connection.executeScript("PRAGMA user_version = \(steps.count)")
      try finish()
    }
  }
}

extension Migrator.State {
  fileprivate var stepsDone: Int {
    switch self {
    case .new: 0
    case .known(let steps): steps
    case .foreign: .max
    }
  }
}
