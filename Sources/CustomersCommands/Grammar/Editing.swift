@_spi(Tools) internal import CustomerStore
internal import CustomersText

/// The edit that a parsed command line makes in a list, whose rows the resolver finds; nil for a check.
typealias EditRequest = (RowResolver, borrowing CustomerList) throws -> ListEdit?

/// The part of a batch that a parsed command line adds.
typealias BatchEdit = (RowResolver, borrowing CustomerList, inout BatchUpdates) throws -> Void

/// A command that edits the list in one transaction: on its own or as a line of a script.
struct Editing: Sendable {
  /// Whether it creates a missing file.
  var createsFile: @Sendable (Invocation) -> Bool = { _ in false }
  /// Whether it only moves rows that are named, so that a run of such lines is planned before it is written.
  var onlyMoves: @Sendable (Invocation) -> Bool = { _ in false }
  /// The question to confirm, given what the edit would do; nil if there is none.
  var question: (@Sendable (Preview) -> String?)?
  /// Whether a script asks it, too.
  var asksInScripts = false
  /// The same for a line between `begin` and `end` of a script; nil if it is not allowed there.
  var batch: (@Sendable (Invocation) throws -> BatchEdit)?
  /// Parses the words without reading the list, so that every error is reported before anything is done.
  var prepare: @Sendable (Invocation) throws -> EditRequest
}

extension Editing {
  /// The option that names the row which a line of a script adds.
  static let rowName = Option.value("--as", .text("NAME"), "in a script: name the new row, for $NAME")

  /// Runs the edit as a command on its own.
  func run(_ session: Session) throws -> ExitCode {
    if session.invocation.has(Editing.rowName) {
      let name = Editing.rowName.name
      throw Failure.usage("\(name) only works in a script", offendingArgument: name)
    }
    let request = try prepare(session.invocation)
    let creating = createsFile(session.invocation)
    do {
      // With --yes, the question is not computed.
      guard let question, !session.isDryRun, !session.options.saysYes else {
        try session.edit(creating: creating, isSure: session.isDryRun, request)
        return .done
      }
      guard let preview = try session.preview(request, mayBeMissing: creating) else { return .done }
      let guess = preview.guesses.isEmpty ? nil : Guess(preview: preview)
      if let question = question(preview)
        ?? guess?.question
      {
        guard try session.confirm(question, to: session.invocation.action) else { return .declined }
      }
      try session.edit(preview.confirmed, creating: creating)
      // In a table, a key does that.
      if preview.edit.deletes, !session.isQuiet, session.context.agreed == nil {
        try session.errors.write("To restore what was deleted: customers undo\n")
      }
    } catch let guess as Guess {
      guard try session.confirm(guess.question, to: session.invocation.action) else { return .declined }
      try session.edit(guess.preview.confirmed, creating: creating)
    }
    return .done
  }
}

/// An edit of rows or sections that were found by only a part of a name, to be confirmed.
struct Guess: Error {
  let preview: Preview

  var question: String {
    let names = preview.guesses.map { guess in
      switch guess {
      case .customer(let match): "\(quoted(match.name)) (row \(match.position))"
      case .section(let section): "section \(quoted(section.title)) (\(section.order))"
      }
    }.joined(separator: ", ")
    return "Did you mean \(names)?"
  }
}

extension ListEdit {
  /// Whether it deletes rows or sections.
  fileprivate var deletes: Bool {
    switch self {
    case .delete(let ids, _): !ids.isEmpty
    case .merge, .section(.delete): true
    default: false
    }
  }
}

extension Invocation {
  /// The command in a message, such as `section delete`.
  var action: String {
    let verb = operands.first.flatMap { word in command?.forms.first { $0.verb == word }?.verb }
    return [command?.name ?? "", verb ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
