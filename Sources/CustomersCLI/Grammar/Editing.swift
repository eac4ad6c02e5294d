internal import CustomerStore

/// The edit that an understood command line means in a list; nil for a check, which edits nothing.
typealias EditRequest = (borrowing CustomerList) throws -> ListEdit?

/// What is added to a batch once a command line has been understood.
typealias BatchEdit = (RowResolver, borrowing CustomerList, inout BatchUpdates) throws -> Void

/// A command that edits the list in one transaction: by itself, or as a line of a script.
struct Editing: Sendable {
  /// Whether a missing file is made.
  var createsFile: @Sendable (Invocation) -> Bool = { _ in false }
  /// Whether it only moves rows, so that a run of its kind is planned before it is written.
  var onlyMoves = false
  /// What the person is asked, given what the edit would do; nil if nothing needs to be asked.
  var question: (@Sendable (ListEdit, EditOutcome) -> String?)?
  /// The same for a line between `begin` and `end` of a script; nil if it is not allowed there.
  var batch: (@Sendable (Invocation) throws -> BatchEdit)?
  /// Understands the words without looking at the list, so that every wrong one is reported before
  /// anything is done.
  var prepare: @Sendable (Invocation) throws -> EditRequest
}

extension Editing {
  /// Runs the edit as a command of its own.
  func run(_ session: Session) throws -> ExitCode {
    if session.invocation.has("--as") {
      throw Failure.usage("--as names a row of a script", offendingArgument: "--as")
    }
    let request = try prepare(session.invocation)
    let creating = createsFile(session.invocation)
    // Who has said yes already need not wait until it is known what the question would be.
    guard let question, !session.isDryRun, !session.invocation.has("--yes") else {
      try session.edit(creating: creating, request)
      return .done
    }
    guard let preview = try session.preview(request) else { return .done }
    if let question = question(preview.edit, preview.outcome) {
      guard try session.confirm(question, to: session.invocation.action) else { return .declined }
    }
    // Its rows are named by id now, as they may slide in the meantime.
    try session.edit(creating: creating) { _ in preview.edit.seen(at: preview.lastEdit) }
    return .done
  }
}

extension ListEdit {
  /// The edit, if it deletes what a person was asked about, only of what has not changed since.
  fileprivate func seen(at edit: Int64) -> ListEdit {
    if case .delete(let ids, _) = self { .delete(ids, asSeenAt: edit) } else { self }
  }
}

extension Invocation {
  /// What the command does, in a message: `section delete` for one of the edits of sections.
  var action: String {
    let name = command?.name ?? ""
    return name == "section" ? "section \(operands.first ?? "")" : name
  }
}
