internal import CustomerStore

/// An option of a command, or one that every command takes.
struct Option: Sendable {
  /// What it is called in code and on the command line, `--to`.
  var name: String
  /// A one-letter form, `-q`.
  var short: String?
  /// What stands for its value in help; nil if it takes none.
  var value: String?
  /// Whether the value may be left out; it is taken only if it is a number.
  var isValueOptional = false
  /// The only values it takes; none if it takes any.
  var choices: [String] = []
  /// One line of help, without the choices.
  var help: String

  /// The help with the choices.
  var summary: String { choices.isEmpty ? help : "\(help): \(listed(choices))" }

  static func bool(_ name: String, short: String? = nil, _ help: String) -> Option {
    Option(name: name, short: short, help: help)
  }

  static func value(
    _ name: String, _ value: String, short: String? = nil, choices: [String] = [], _ help: String
  ) -> Option {
    Option(name: name, short: short, value: value, choices: choices, help: help)
  }
}

/// `a, b or c`.
func listed(_ choices: [String]) -> String {
  choices.count < 2
    ? choices.joined() : choices.dropLast().joined(separator: ", ") + " or " + choices[choices.count - 1]
}

/// A command: everything that parsing, help and running it need.
struct Command: Sendable {
  var name: String
  var aliases: [String] = []
  /// One line for the list of commands.
  var summary: String
  /// What comes after the name.
  var usage: String
  /// More than one line of help, where it is needed.
  var notes: [String] = []
  /// How many operands it takes.
  var operands: ClosedRange<Int>
  var options: [Option] = []
  /// What it can print its result in.
  var formats: [Format] = [.table, .json]
  /// Whether `--format` is about a file, and only `--json` about what the command prints.
  var formatIsOfFile = false
  /// Whether what it prints may be longer than a screen.
  var isPaged = false
  /// The edit that it is, if it is one; then it may stand in a script.
  var editing: Editing?
  /// What it does when it is not an edit, or not always.
  var run: (@Sendable (Session) throws -> ExitCode)?
}

extension Command {
  /// Whether it has other formats than most.
  var hasOwnFormats: Bool { formats != [.table, .json] }

  /// The command that a person calls so.
  ///
  /// - Throws: a `Failure` with code `usage` if there is none.
  static func named(_ word: String, among commands: [Command]) throws -> Command {
    guard let command = commands.first(where: { $0.name == word || $0.aliases.contains(word) }) else {
      throw Failure.unknown("command", word, among: commands.flatMap { [$0.name] + $0.aliases })
    }
    return command
  }

  /// - Throws: a `Failure` with code `usage` for too few or too many words.
  func checkOperands(of invocation: Invocation) throws {
    guard !operands.contains(invocation.operands.count) else { return }
    throw Failure.usage(
      invocation.operands.count < operands.lowerBound
        ? "\(name) needs more words" : "\(name) takes fewer words",
      hint: "customers \(name) \(usage)")
  }
}

extension Failure {
  /// A word that is not in the table.
  static func unknown(
    _ kind: String, _ word: String, of place: String = "", among known: [String],
    remedy: String = "customers help lists what there is"
  ) -> Failure {
    let near = nearest(to: word, among: known)
    return .usage(
      "unknown \(kind) '\(printable(word))'\(place)",
      hint: near.map { "did you mean '\($0)'?" } ?? remedy, offendingArgument: word)
  }
}
