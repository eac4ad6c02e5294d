internal import CustomerStore
internal import TerminalText

/// The edit that an understood command line means in a list, whose rows the resolver finds; nil for a
/// check, which edits nothing.
typealias EditRequest = (RowResolver, borrowing CustomerList) throws -> ListEdit?

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
    do {
      // Who has said yes already need not wait until it is known what the question would be.
      guard let question, !session.isDryRun, !session.invocation.has("--yes") else {
        try session.edit(creating: creating, isSure: session.isDryRun, request)
        return .done
      }
      guard let preview = try session.preview(request, mayBeMissing: creating) else { return .done }
      let guessed = preview.guesses.isEmpty ? nil : Guess(edit: preview.edit, names: preview.guesses)
      if let question = question(preview.edit, preview.outcome)
        ?? guessed?.question(session.invocation.action)
      {
        guard try session.confirm(question, to: session.invocation.action) else {
          return try session.declined()
        }
      }
      // Its rows are named by id now, as they may slide in the meantime.
      try session.edit(creating: creating) { _, _ in preview.edit.seen(at: preview.lastEdit) }
      if case .delete(let ids, _) = preview.edit, !ids.isEmpty, !session.isQuiet {
        try session.errors.write("To bring back what was deleted: customers undo\n")
      }
    } catch let guess as Guess {
      let question = guess.question(session.invocation.action)
      guard try session.confirm(question, to: session.invocation.action) else {
        return try session.declined()
      }
      try session.edit(creating: creating) { _, _ in guess.edit }
    }
    return .done
  }
}

/// An edit of customers that were found by a mere part of a name, so that the person is to say whether they
/// are meant.
struct Guess: Error {
  let edit: ListEdit
  let names: [SelectionError.Match]

  func question(_ action: String) -> String {
    let names = names.map { "\(quoted($0.name)) (row \($0.position))" }.joined(separator: ", ")
    return "\(action.capitalizedFirst): is \(names) meant?"
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Session {
  /// Says that the person's no was heard.
  func declined() throws -> ExitCode {
    if !isQuiet { try errors.write("Nothing was changed.\n") }
    return .declined
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
    let verb = operands.first.flatMap { word in command?.forms.first { $0.verb == word }?.verb }
    return [command?.name ?? "", verb ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
