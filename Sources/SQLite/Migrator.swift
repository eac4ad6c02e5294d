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
    /// Something else's.
    case foreign
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
      return id == 0 && version == 0 && objects == 0 ? .new : .foreign
    } ?? .foreign
  }

  /// Makes the missing steps, all in one transaction: a file is never found between two of them.
  ///
  /// What is missing is looked up inside the transaction: two programs may start at one moment.
  public func migrate(_ connection: Connection) throws {
    guard try state(of: connection).stepsDone < steps.count else { return }
    try connection.immediateTransaction {
      let done = try state(of: connection).stepsDone
      guard done < steps.count else { return }
      for step in steps[done...] { try connection.executeScript(step) }
      let broken = try connection.fetchOne("PRAGMA foreign_key_check") { _ in true } ?? false
      precondition(!broken, "a step breaks a foreign key")
      try connection.executeScript("PRAGMA user_version = \(steps.count)")
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
