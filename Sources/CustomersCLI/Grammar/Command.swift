internal import CustomerStore
internal import TerminalText
/// A command: all that parsing, usage, help, the manual and completion are derived from, and what it does.
struct Command: Sendable {
  let name: String
  let aliases: [String]
  /// One line for the list of commands.
  let summary: String
  /// More than one line of help, where it is needed.
  let description: [String]
  /// The ways to write it; most have one.
  let forms: [Form]
  /// Command lines that show what it is good for.
  let examples: [CommandExample]
  /// Other commands and help topics to read about.
  let seeAlso: [String]
  /// What it can print its result in.
  let formats: [Format]
  /// Whether `--format` is about a file, and only `--json` about what the command prints.
  let formatIsOfFile: Bool
  /// Whether what it prints may be longer than a screen.
  let isPaged: Bool
  /// The edit that it is, if it is one; then it may stand in a script.
  let editing: Editing?
  /// What it does when it is not an edit, or not always.
  let run: (@Sendable (Session) throws -> ExitCode)?

  /// A command that is written in one way, with these operands and options, or in several forms.
  init(
    name: String, aliases: [String] = [], summary: String, description: [String] = [],
    operands: [Operand] = [], options: [OptionGroup] = [], forms: [Form]? = nil,
    examples: [CommandExample] = [], seeAlso: [String] = [], formats: [Format] = [.table, .json],
    formatIsOfFile: Bool = false, isPaged: Bool = false, editing: Editing? = nil,
    run: (@Sendable (Session) throws -> ExitCode)? = nil
  ) {
    self.name = name
    self.aliases = aliases
    self.summary = summary
    self.description = description
    self.forms = forms ?? [.plain(operands, options)]
    self.examples = examples
    self.seeAlso = seeAlso
    self.formats = formats
    self.formatIsOfFile = formatIsOfFile
    self.isPaged = isPaged
    self.editing = editing
    self.run = run
  }
}

/// A command line, and what it is good for.
struct CommandExample: Sendable {
  let purpose: String
  /// What to type at a shell; several lines where one is not enough.
  let line: String

  init(_ purpose: String, _ line: String) {
    self.purpose = purpose
    self.line = line
  }
}

extension Command {
  /// The options of all its forms, each once.
  var options: [Option] { Command.options(of: forms) }

  /// Whether it has other formats than most.
  var hasOwnFormats: Bool { formats != [.table, .json] }

  /// The options that may still be given after these operands.
  func options(after operands: [String]) -> [Option] {
    Command.options(of: forms.filter { $0.mayBegin(with: operands) })
  }

  /// What may come after these operands.
  func expected(after operands: [String]) -> [Value] {
    Command.unique(forms.flatMap { $0.expected(after: operands) }, by: \.label)
  }

  /// - Throws: a `Failure` with code `usage` if the line is of none of its forms.
  func check(_ invocation: Invocation) throws {
    let fitting = forms.filter { $0.fits(verbOf: invocation.operands) }
    // Of a line that is wrong, the form with its verb is more likely meant.
    let candidates = fitting.filter { $0.verb != nil } + fitting.filter { $0.verb == nil }
    guard !candidates.isEmpty else { throw unknownVerb(invocation.operands.first ?? "") }
    var first: (any Error)?
    for form in candidates {
      do {
        return try form.check(invocation, of: name, among: forms)
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  private func unknownVerb(_ word: String) -> Failure {
    let near = nearest(to: word, among: forms.compactMap(\.verb)).map { "did you mean '\($0)'?" }
    return .usage(
      "unknown \(name) command '\(printable(word))'", hint: near ?? "customers help \(name)",
      offendingArgument: word)
  }

  private static func options(of forms: [Form]) -> [Option] {
    unique(forms.flatMap(\.options), by: \.name)
  }

  /// Those that have another key than all before them.
  private static func unique<Element>(_ elements: [Element], by key: (Element) -> String) -> [Element] {
    var known: Set<String> = []
    return elements.filter { known.insert(key($0)).inserted }
  }

  /// The command that a person calls so.
  ///
  /// - Throws: a `Failure` with code `usage` if there is none.
  static func named(_ word: String, among commands: [Command]) throws -> Command {
    guard let command = commands.first(where: { $0.name == word || $0.aliases.contains(word) }) else {
      if let remedy = remedies[caseFolded(word)] {
        throw Failure.usage("unknown command '\(printable(word))'", hint: remedy, offendingArgument: word)
      }
      throw Failure.unknown("command", word, among: commands.flatMap { [$0.name] + $0.aliases })
    }
    return command
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
