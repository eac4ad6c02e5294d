/// The kinds of errors, with the exit codes of commands; `APIError` has the answers of the API.
package enum ErrorKind {
  case failed, damaged, locked, readOnly, canceled
  case usage, notFound, refused
  /// The change may have been made; it was made, but something after it failed.
  case unknown, incomplete

  /// The exit code of a command.
  package var exitCode: Int32 {
    switch self {
    case .failed, .damaged, .locked, .readOnly, .canceled: 1
    case .usage: 2
    case .notFound: 3
    case .refused: 4
    case .unknown: 6
    case .incomplete: 7
    }
  }

  /// The kind of any error.
  package init(of error: any Error) {
    self =
      (error as? any ExplainedError)?.explanation.kind
      ?? (error is CancellationError ? .canceled : .failed)
  }
}

/// An error that explains itself.
package protocol ExplainedError: Error, CustomStringConvertible {
  var explanation: Explanation { get }
  /// What can't be done with a file, as in `open "list.sqlite"`; nil if the reason says it.
  func task(with file: String) -> String?
}

extension ExplainedError {
  /// What is wrong, in one line without the name of the file.
  package var description: String { explanation.reason }

  package func task(with file: String) -> String? { nil }
}

/// What an error means, and what helps.
package struct Explanation {
  package var kind: ErrorKind
  /// What is wrong, in one line without the name of the file.
  package var reason: String
  /// What helps, the best first.
  package var remedies: [Remedy] = []
  /// What was not done, as in "Nothing was changed", if a person may doubt it.
  package var nothing: String?

  package static func failed(
    _ reason: String, _ remedies: Remedy..., nothing: String? = nil
  ) -> Explanation {
    Explanation(kind: .failed, reason: reason, remedies: remedies, nothing: nothing)
  }

  package static func refused(
    _ reason: String, _ remedies: Remedy..., nothing: String? = nil
  ) -> Explanation {
    Explanation(kind: .refused, reason: reason, remedies: remedies, nothing: nothing)
  }

  package static func notFound(
    _ reason: String, _ remedies: Remedy..., nothing: String? = nil
  ) -> Explanation {
    Explanation(kind: .notFound, reason: reason, remedies: remedies, nothing: nothing)
  }

  package static func usage(_ reason: String) -> Explanation { Explanation(kind: .usage, reason: reason) }

  /// The explanation of a list in which something can't be read.
  static func damage(_ reason: String) -> Explanation {
    Explanation(
      kind: .damaged, reason: reason,
      remedies: [
        .run(.check, to: "see what is wrong"), .run(.exportPartial, to: "save the other rows"),
        .run(.restore, to: "go back to a backup"),
      ])
  }
}

/// What helps after an error.
package enum Remedy {
  /// Something to do by hand, as in "free some space".
  case advice(String)
  /// Something that the program does, for a purpose, as in "allow editing".
  case run(Command, to: String)
  /// The history says what was done, when the disk or the cluster works again.
  case seeHistory(when: String)
  /// Name another list; name another file or replace this one; delete the rows with their section; or find out who
  /// put a journal beside the list.
  case chooseAnotherList, chooseAnotherFileOrReplace, emptySection, suspectJournal

  package enum Command {
    case addSection, check, checkFile, repair, restore, exportPartial, upgrade
    case allowEditing(CustomerID), allowMoving(CustomerID), edit(CustomerID)
    case history, historyOf(CustomerID)
  }
}
