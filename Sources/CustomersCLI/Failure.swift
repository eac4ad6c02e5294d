internal import CustomersFormats

/// The exit code of a command.
public enum ExitCode: Int32, CaseIterable, Sendable {
  /// Success, including when there was nothing to do.
  case done = 0
  /// Reading, writing, or the file itself failed; nothing was changed.
  case failed = 1
  /// The command line is wrong.
  case usage = 2
  /// A row, section, or file does not exist, or a name is ambiguous.
  case notFound = 3
  /// Refused: a protected row, or a confirmation is needed but there is no terminal.
  case refused = 4
  /// The user answered no.
  case declined = 5
  /// The change may have been made.
  case unknown = 6
  /// The change was made or the file written, but something after it failed.
  case incomplete = 7
}

/// Why a command failed.
struct Failure: Error {
  var code: ExitCode
  /// One line, without a period.
  var message: String
  /// Lines that belong to the message, such as candidates.
  var details: [String] = []
  /// The possible rows or sections, for a program.
  var candidates: [JSON] = []
  /// That nothing was done, as a sentence, if it is not in the message.
  var outcome: String?
  /// What to do instead.
  var hint: String?
  /// The offending word as typed, if it is one word.
  var offendingArgument: String?
  /// Whether it was refused only because there is no terminal to ask on.
  var needsPerson = false
  /// The question that could not be asked, if it is only yes or no.
  var question: String?
  /// What was done nevertheless; only something after it failed.
  var done: RunProgress.Done?
  /// Whether the command has done what it was asked to do, and this is what it found.
  var isFinding = false
  /// The offending lines of a script.
  var problems: [ScriptDiagnostic] = []

  static let nothingChanged = "Nothing was changed."
  static let nothingImported = "Nothing was imported."

  static func usage(_ message: String, hint: String? = nil, offendingArgument: String? = nil) -> Failure {
    Failure(code: .usage, message: message, hint: hint, offendingArgument: offendingArgument)
  }

  static func notFound(
    _ message: String, details: [String] = [], candidates: [JSON] = [], hint: String? = nil
  ) -> Failure {
    Failure(code: .notFound, message: message, details: details, candidates: candidates, hint: hint)
  }

  /// Runs `body` and adds the offending word to a failure that has none.
  static func attributing<Result>(_ word: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var failure as Failure {
      failure.offendingArgument = failure.offendingArgument ?? word
      throw failure
    }
  }
}
