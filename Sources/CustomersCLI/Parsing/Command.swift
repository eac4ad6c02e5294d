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
  /// One line of help.
  var help: String

  static func flag(_ name: String, short: String? = nil, _ help: String) -> Option {
    Option(name: name, short: short, help: help)
  }

  static func value(_ name: String, _ value: String, short: String? = nil, _ help: String) -> Option {
    Option(name: name, short: short, value: value, help: help)
  }
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
  var run: @Sendable (Session) throws -> ExitCode
}
