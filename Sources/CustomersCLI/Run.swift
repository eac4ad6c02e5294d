internal import Files
internal import Formats
internal import CustomerStore
internal import Platform

/// The version of the program.
let version = "0.1.0"

/// The day of the version, for the manual.
let versionDate = "2026-11-21"

extension Command {
  /// The commands that people use, in the groups and the order in which help shows them.
  static let groups: [(title: String, commands: [Command])] = [
    ("See the list", [list, find, show, watch]),
    ("Change it", [add, edit, delete, move, swap, sort, arrange, section, columns, protect]),
    ("Take back", [undo, redo, history]),
    ("Many at once", [importCommand, export, duplicates, merge, apply, expect, demo]),
    ("The file and the program", [check, backup, restore, info, completions, help]),
  ]

  static let shown = groups.flatMap(\.commands)

  /// All commands, also those that only programs use.
  static let all = shown + [complete, serve, settle, revision, keepBackup]

  /// The options that every command takes, anywhere on the line.
  static let globals: [Option] = [
    .value(
      "--db", .file(.list, "PATH"),
      "the customers file, instead of $CUSTOMERS_DB or the usual place; also ssh://host/path"),
    .value("--format", .format, "table or json; help COMMAND tells if there are more"),
    .flag("--json", "the same as --format json"),
    .flag("--quiet", short: "-q", "say nothing but results and errors"),
    .flag("--yes", short: "-y", "answer every question with yes"),
    .flag("--dry-run", short: "-n", "show what would be done, and do nothing"),
    .flag("--no-input", "never ask"),
    .value("--color", .choice(["auto", "always", "never"], "WHEN"), "use colors"),
    .flag("--no-pager", "never show long outputs in $CUSTOMERS_PAGER, $PAGER or less"),
    .flag("--help", short: "-h", "show help"),
    .flag("--version", short: "-V", "show the version"),
  ]

  /// Those that a line of a script may have too; nobody is asked there anyway.
  static let scriptGlobals = globals.filter { ["--yes", "--no-input"].contains($0.name) }
}

/// Runs the program.
///
/// - Parameter arguments: the command line after the program's name.
/// - Returns: the exit code.
public func run(_ arguments: some Sequence<String>) -> Int32 {
  // A closed pipe and a file that may not grow are errors to be told, not deaths.
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
  return run(Array(arguments), in: .ofProcess(), refusing: refuseUnreadableText).rawValue
}

/// Runs a command line.
///
/// - Parameters:
///   - arguments: the words after the program's name.
///   - context: what the run finds around it.
///   - refusing: throws before the words are looked at, if they must not be.
/// - Returns: how it ended; all that is to be told has been written to the streams of the context.
func run(_ arguments: [String], in context: Context, refusing: () throws -> Void = {}) -> ExitCode {
  var session = Session(invocation: Invocation(), context: context, words: arguments)
  do {
    try refusing()
    session.invocation = try Invocation(parsing: arguments, commands: Command.all, globals: Command.globals)
    let code = try session.dispatch()
    try session.output.finish()
    try session.errors.flush()
    return code
  } catch {
    // What was printed before comes first.
    try? session.output.finish()
    var failure = Failure(error, file: (try? session.dataFile().path) ?? "")
    if session.progress.isDone { failure.isDone = true }
    let isJSON = asksForJSON(arguments, formatIsOfFile: session.invocation.command?.formatIsOfFile == true)
    try? session.tell(failure, asJSON: isJSON)
    return failure.code
  }
}

extension Session {
  fileprivate mutating func dispatch() throws -> ExitCode {
    // Without a word or an option, the overview is the way in.
    let asksForHelp = invocation.has("--help") || invocation.command == nil && invocation.given.isEmpty
    if asksForHelp || invocation.command?.isPaged == true { pageOutput() }
    if invocation.has("--version") {
      try output.write("customers \(version)\n")
      return .done
    }
    guard let command = invocation.command else {
      guard asksForHelp else {
        throw Failure.usage("which command?", hint: "customers help lists them")
      }
      try writeHelp(Help.overview)
      return .done
    }
    if asksForHelp {
      try writeHelp(Help.text(command))
      return .done
    }
    try command.check(invocation)
    // What no command can print is refused before one has changed anything.
    _ = try format()
    if command.runsAtList(invocation), let machine = try otherMachine() {
      return try RemoteRun(self, on: machine).run()
    }
    try readRows()
    if let run = command.run { return try run(self) }
    return try command.editing?.run(self) ?? .done
  }

  fileprivate func tell(_ failure: Failure, asJSON: Bool) throws {
    if asJSON {
      try errors.write(failure.json.text + "\n")
    } else {
      for line in failure.lines { try writeAside(line) }
    }
    try errors.flush()
  }
}

/// Whether errors are to be JSON, also those of a command line that can't be taken apart.
private func asksForJSON(_ arguments: [String], formatIsOfFile: Bool) -> Bool {
  if arguments.contains("--json") || formatIsOfFile { return arguments.contains("--json") }
  return arguments.contains("--format=json")
    || zip(arguments, arguments.dropFirst()).contains { $0 == "--format" && $1 == "json" }
}
