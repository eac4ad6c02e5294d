internal import CustomerStore

/// What is done to the list once a command line has been understood.
typealias Edit = (inout CustomerList) throws -> Report

/// What is added to a batch once a command line has been understood.
typealias BatchEdit = (RowResolver, borrowing CustomerList, inout BatchUpdates) throws -> Void

/// A command that edits the list in one transaction: by itself, or as a line of a script.
struct Editing: Sendable {
  /// Whether a missing file is made.
  var createsFile: @Sendable (Invocation) -> Bool = { _ in false }
  /// Whether it only moves rows, so that a run of its kind is planned before it is written.
  var onlyMoves = false
  /// Asks the person before anything is locked.
  ///
  /// It returns what the person agreed to, its rows named by id as they may slide meanwhile; nil if the
  /// answer was no.
  var confirm: (@Sendable (Session) throws -> Invocation?)?
  /// The same for a line between `begin` and `end` of a script; nil if it can't stand there.
  var batch: (@Sendable (Invocation) throws -> BatchEdit)?
  /// Understands the words without looking at the list, so that every wrong one is told before anything
  /// is done.
  var prepare: @Sendable (Invocation) throws -> Edit
}

extension Editing {
  /// Runs the edit as a command of its own.
  func run(_ session: Session) throws -> ExitCode {
    if session.invocation.has("--as") {
      throw Failure.usage("--as names a row of a script", offendingArgument: "--as")
    }
    var edit = try prepare(session.invocation)
    // Who has said yes already need not wait until it is known what the question would be.
    if let confirm, !session.isDryRun, !session.invocation.has("--yes") {
      guard let agreed = try confirm(session) else { return .declined }
      edit = try prepare(agreed)
    }
    try session.edit(creating: createsFile(session.invocation), edit)
    return .done
  }
}
