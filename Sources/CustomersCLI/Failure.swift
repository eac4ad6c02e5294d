internal import Formats

/// How a command ends, for the shell.
public enum ExitCode: Int32, CaseIterable, Sendable {
  /// Done, also when there was nothing to do.
  case done = 0
  /// Reading, writing or the file itself failed.
  case failed = 1
  /// The command line is wrong.
  case usage = 2
  /// A row, a section or a file is not there, or a name fits several.
  case notFound = 3
  /// Refused: a protected row, or a confirmation that nobody can give.
  case refused = 4
  /// The person said no.
  case declined = 5
  /// It is not known whether the change was made.
  case unknown = 6
}

/// Why a command did not do what it was asked.
struct Failure: Error {
  var code: ExitCode
  /// One line, without a full stop.
  var message: String
  /// Lines that belong to the message, such as candidates.
  var details: [String] = []
  /// The rows, or sections, that may have been meant, for a program.
  var candidates: [JSON] = []
  /// What to do instead.
  var hint: String?
  /// The word that is at fault, as it was typed, if it is one word.
  var offendingArgument: String?
  /// Whether it was refused only because there is nobody to be asked.
  var needsPerson = false
  /// Whether the change was made nevertheless, and only what came after it failed.
  var isDone = false
  /// The lines of a script that are at fault.
  var problems: [ScriptDiagnostic] = []

  static func usage(_ message: String, hint: String? = nil, offendingArgument: String? = nil) -> Failure {
    Failure(code: .usage, message: message, hint: hint, offendingArgument: offendingArgument)
  }

  static func notFound(
    _ message: String, details: [String] = [], candidates: [JSON] = [], hint: String? = nil
  ) -> Failure {
    Failure(code: .notFound, message: message, details: details, candidates: candidates, hint: hint)
  }

  /// Runs `body`; a failure of its is laid to a word, unless it knows a narrower one.
  static func attributing<Result>(_ word: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var failure as Failure {
      failure.offendingArgument = failure.offendingArgument ?? word
      throw failure
    }
  }
}
