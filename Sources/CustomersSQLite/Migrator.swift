/// Brings the schema of a database up to date.
public struct Migrator: Sendable {
  /// The `PRAGMA application_id` of a file with this schema.
  public var applicationID: Int64
  /// The steps in order.
  ///
  /// `PRAGMA user_version` is the number of steps that a file has.
  public var steps: [String]

  /// Creates a migrator.
  public init(applicationID: Int64, steps: [String]) {
    self.applicationID = applicationID
    self.steps = steps
  }

  /// The state of a database, as a migrator sees it.
  public enum State: Equatable, Sendable {
    /// Empty: all steps are missing.
    case new
    /// With this schema; it has `steps` of the steps.
    case known(steps: Int)
    /// Of another application, by its `application_id`.
    case foreign(applicationID: Int64)
  }

  /// Determines the state of the database, without writing.
  ///
  /// It uses one statement, so that the result is consistent even while another program runs a step.
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

  /// Why the steps could not be run; the file is unchanged.
  public struct Failure: Error, Equatable, Sendable {
    /// How many steps the file has.
    public var stepsDone: Int
    /// The reason.
    public var reason: String

    /// Creates a failure.
    public init(stepsDone: Int, reason: String) {
      self.stepsDone = stepsDone
      self.reason = reason
    }
  }

  /// Runs the missing steps, all in one transaction: a file is never between two of them.
  ///
  /// Which steps are missing is determined inside the transaction, because two programs may start at the same
  /// time.
  ///
  /// - Parameters:
  ///   - connection: the database.
  ///   - finish: what else to do in the transaction, if a step was run.
  /// - Throws: `Failure` if the file is not as the steps expect, because it is damaged or its schema was
  ///   changed; otherwise `SQLiteError`.
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
