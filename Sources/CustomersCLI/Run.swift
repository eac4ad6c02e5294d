internal import Formats
internal import CustomerStore
internal import Glibc

/// The version of the program.
let version = "0.1.0"

extension Command {
  /// All commands, in the order in which help shows them.
  static let all: [Command] = [
    list, show, add, delete, move, section, undo, redo, history, importCommand, export, check, info, watch,
    demo,
    help,
  ]

  /// The options that every command takes, anywhere on the line.
  static let globals: [Option] = [
    .value("--db", "PATH", "the customers file, instead of $CUSTOMERS_DB or the usual place"),
    .value("--format", "FORMAT", "table, json; list also csv, tsv, ndjson; of a file also vcard"),
    .flag("--json", "the same as --format json"),
    .flag("--quiet", short: "-q", "say nothing but results and errors"),
    .flag("--yes", short: "-y", "answer every question with yes"),
    .flag("--dry-run", short: "-n", "show what would be done, and do nothing"),
    .flag("--no-input", "never ask"),
    .value("--color", "WHEN", "auto, always or never"),
    .flag("--help", short: "-h", "show help"),
    .flag("--version", short: "-V", "show the version"),
  ]
}

/// Runs the program.
///
/// - Parameter arguments: the command line after the program's name.
/// - Returns: the exit code.
public func run(_ arguments: some Sequence<String>) -> Int32 {
  // A closed pipe and a file that may not grow are errors to be told, not deaths.
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
  let arguments = Array(arguments)
  var session = Session(
    invocation: Invocation(), environment: environment(), output: Stream(STDOUT_FILENO),
    errors: Stream(STDERR_FILENO))
  do {
    try refuseUnreadableText()
    session.invocation = try Invocation(parsing: arguments, commands: Command.all, globals: Command.globals)
    let code = try session.dispatch()
    try session.output.flush()
    try session.errors.flush()
    return code.rawValue
  } catch {
    // What was printed before comes first.
    try? session.output.flush()
    let failure = Failure(error, file: (try? session.dataFile().path) ?? "")
    let isJSON = asksForJSON(arguments, formatIsOfFile: session.invocation.command?.formatIsOfFile == true)
    try? session.tell(failure, asJSON: isJSON)
    return failure.code.rawValue
  }
}

extension Session {
  fileprivate func dispatch() throws -> ExitCode {
    if invocation.has("--version") {
      try output.write("customers \(version)\n")
      return .done
    }
    guard let command = invocation.command else {
      guard invocation.has("--help") else {
        throw Failure.usage("which command?", hint: "customers help lists them")
      }
      try output.write(Help.overview)
      return .done
    }
    if invocation.has("--help") {
      try output.write(Help.text(command))
      return .done
    }
    guard command.operands.contains(invocation.operands.count) else {
      throw Failure.usage(
        invocation.operands.count < command.operands.lowerBound
          ? "\(command.name) needs more words" : "\(command.name) takes fewer words",
        hint: "customers \(command.name) \(command.usage)")
    }
    // What no command can print is refused before one has changed anything.
    _ = (try format(), try hasColor(output))
    return try command.run(self)
  }

  fileprivate func tell(_ failure: Failure, asJSON: Bool) throws {
    if asJSON {
      let hint = failure.hint.map { [("hint", JSON.string($0))] } ?? []
      let details = failure.details.isEmpty ? [] : [("details", JSON.array(failure.details.map(JSON.string)))]
      let error: [(String, JSON)] = [
        ("code", .int(Int(failure.code.rawValue))), ("message", .string(failure.message)),
      ]
      try errors.write(JSON.object([("error", .object(error + details + hint))]).text + "\n")
    } else {
      try errors.write("customers: \(failure.message)\n")
      for line in failure.details { try errors.write(line + "\n") }
      if let hint = failure.hint { try errors.write("hint: \(hint)\n") }
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

private func environment() -> [String: String] {
  var found: [String: String] = [:]
  for name in ["CUSTOMERS_DB", "XDG_DATA_HOME", "HOME", "NO_COLOR", "TERM"] {
    if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
  }
  return found
}
