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
  public func state(of connection: Connection) throws -> State {
    let id = try connection.first("PRAGMA application_id") { $0.integer(0) }
    let version = try connection.first("PRAGMA user_version") { $0.int(0) } ?? 0
    if id == applicationID { return .known(steps: version) }
    let objects = try connection.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) }
    return id == 0 && version == 0 && objects == 0 ? .new : .foreign
  }

  /// Makes the missing steps, each in a transaction of its own.
  ///
  /// What is missing is looked up inside the transaction: two programs may start at one moment.
  public func migrate(_ connection: Connection) throws {
    while try state(of: connection).stepsDone < steps.count {
      try connection.immediateTransaction {
        let done = try state(of: connection).stepsDone
        guard done < steps.count else { return }
        try connection.execute(steps[done])
        let broken = try connection.first("PRAGMA foreign_key_check") { _ in true } ?? false
        precondition(!broken, "step \(done + 1) breaks a foreign key")
        try connection.execute("PRAGMA user_version = \(done + 1)")
      }
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
