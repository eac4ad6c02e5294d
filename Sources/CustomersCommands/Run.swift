internal import CustomerStore
internal import CustomersSystem
internal import CustomersText
internal import Synchronization

/// The version of the program.
let version = "0.3.0"

/// The date of the version, for the manual.
let versionDate = "2026-11-30"

extension Command {
  /// The commands for people, in the groups and the order of the help.
  static let groups: [(title: String, commands: [Command])] = [
    ("View", [table, list, next, watch, web, mcp]),
    ("Edit", [add, edit, log, done, delete, move, sort, section, columns, merge]),
    ("Undo", [undo, redo, history]),
    ("Import, export, and scripts", [importCommand, export, take, apply, demo]),
    ("Maintenance", [check, status, backup, restore, config, help]),
  ]

  static let shown = groups.flatMap(\.commands)

  /// Those of earlier versions: each is an option or another form of one that is shown.
  static let earlier = [
    find, show, swap, arrange, protect, revert, duplicates, info, upgrade, completions,
  ]

  /// The commands for programs only.
  static let hidden = [complete, serve, settle, page, revision, had, keepBackup, copies, standing, stand]

  /// Those that a person may type.
  static let forPeople = shown + [expect] + earlier

  static let all = forPeople + hidden
}

/// Runs the program with the arguments of `main`.
///
/// - Parameters:
///   - count: the number of arguments.
///   - words: the arguments.
///   - build: the commit that the program was built from and its date; "development" if it is not a release.
/// - Returns: the exit code.
@_cdecl("customers_main")
package func main(
  _ count: Int32, _ words: UnsafePointer<UnsafePointer<CChar>?>?, _ build: UnsafePointer<CChar>
) -> Int32 {
  // A closed pipe and a file that may not grow are errors to report, not signals to die from.
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
  let words = unsafe ProgramWords(count, words)
  let code = run(words?.arguments ?? [], in: .ofProcess(build: unsafe String(cString: build))) {
    guard let words else {
      throw Failure.failed("started without arguments, not even the program's name")
    }
    try refuseUnreadableText(in: words)
  }
  return code.rawValue
}

/// Runs a command line with the environment and the streams of this process, for a benchmark.
///
/// - Parameter arguments: the words after the program's name.
/// - Returns: the exit code.
package func run(_ arguments: [String]) -> Int32 { run(arguments, in: .ofProcess()).rawValue }

/// Runs a command line.
///
/// - Parameters:
///   - arguments: the words after the program's name.
///   - context: the environment of the run.
///   - refusing: throws before the words are parsed, if they must not be.
/// - Returns: the exit code; everything has been written to the streams of the context.
func run(_ arguments: [String], in context: Context, refusing: () throws -> Void = {}) -> ExitCode {
  perform(
    in: context,
    parse: {
      try refusing()
      return try Invocation(expanding: arguments, in: context)
    },
    asksForJSON: { CustomersCommands.asksForJSON(arguments, formatIsOfFile: $0) }
  ).code
}

/// Runs a command line that the program makes itself.
///
/// - Returns: the exit code and the reason if it failed.
func perform(_ invocation: Invocation, in context: Context) -> (code: ExitCode, failure: Failure?) {
  perform(
    in: context, parse: { invocation },
    asksForJSON: { isOfFile in
      invocation[GlobalOptions.json] || !isOfFile && invocation[GlobalOptions.format] == "json"
    })
}

/// Runs what `parse` returns.
///
/// `asksForJSON` says whether errors are printed as JSON and gets whether `--format` is that of a file.
private func perform(
  in context: Context, parse: () throws -> Invocation, asksForJSON: (_ formatIsOfFile: Bool) -> Bool
) -> (code: ExitCode, failure: Failure?) {
  var session = Session(in: context)
  do {
    try session.take(parse())
    let code = try session.dispatch()
    try session.output.finish()
    try session.errors.flush()
    return (code, nil)
  } catch {
    // The exit code is that of the failure, whoever has stopped reading. Flushes what was printed before.
    session.outliveReaders()
    try? session.output.finish()
    var failure = session.failure(error)
    if !failure.isFinding, let done = session.progress.done { failure.done = done }
    if failure.done != nil, failure.code == .failed { failure.code = .incomplete }
    failure.makeTypable(db: session.invocation.word(of: GlobalOptions.list))
    let isJSON = asksForJSON(session.invocation.command?.formats.areOfFile == true)
    if let alias = session.invocation.alias { failure.details.append("     \(alias.note)") }
    try? session.tell(failure, asJSON: isJSON)
    return (failure.code, failure)
  }
}

extension Invocation {
  /// Parses a command line whose command may be an alias of the list.
  fileprivate init(expanding arguments: [String], in context: Context) throws {
    func parse(_ words: [String]) throws -> Invocation {
      try Invocation(parsing: words, commands: Command.all, globals: GlobalOptions.all)
    }
    do { self = try parse(arguments) } catch {
      guard let (words, alias) = try Alias.expanding(arguments, in: context) else { throw error }
      do { self = try parse(words) } catch var failure as Failure {
        failure.details.append("     \(alias.note)")
        throw failure
      }
      self.alias = alias
    }
  }
}

extension Session {
  fileprivate mutating func dispatch() throws -> ExitCode {
    // Without any arguments, shows the overview where there is no terminal for the table.
    let asksForHelp =
      invocation[GlobalOptions.help] || invocation.command == nil && invocation.given.isEmpty && !opensTable
    if asksForHelp || invocation[GlobalOptions.version] { try context.offer?.admit("help", .nothing) }
    if asksForHelp || invocation.command?.isPaged == true { pageOutput() }
    if invocation[GlobalOptions.version] {
      try output.write("customers \(version)\n")
      return .done
    }
    if opensTable { invocation.command = .table }
    guard let command = invocation.command else {
      guard asksForHelp else {
        throw Failure.usage("no command given", hint: "to list the commands: customers help")
      }
      try writeHelp(Help.overview)
      return .done
    }
    if asksForHelp {
      try writeHelp(command.page)
      return .done
    }
    try command.check(invocation)
    // Refuses an unsupported format before anything is changed.
    _ = try format()
    return try perform(command)
  }

  /// Runs a command where its list is or refuses: the only place that does because of where the list is or
  /// where the user is.
  private mutating func perform(_ command: Command) throws -> ExitCode {
    let need = try command.need(invocation)
    try context.offer?.admit(command.name, need)
    if case .terminal = need { try checkTerminal() }
    switch need {
    case .nothing, .copy, .copies, .completion: break
    case .typist:
      guard context.caller == nil else {
        throw Failure.refused("this form of \(command.name) runs only on the machine where it is typed")
      }
    case .list, .cluster, .file, .terminal:
      switch (try list.address, need) {
      case (.ssh(let machine), .terminal): return try runOnTerminal(of: machine)
      case (.ssh(let machine), _):
        do {
          let code = try RemoteRun(self, on: machine).run()
          if code == .done, command.name == Command.config.name { try confirmSetting() }
          return code
        } catch var failure as Failure
          where command.name == Command.status.name && failure.code == .failed
        {
          // What `status` says of any list that it can't reach.
          failure.code = .unreadable
          throw failure
        }
      case (.cluster, .file(let what, let instead, _)):
        throw Failure.refused("\(what) can't be done on a cluster", hint: instead)
      default: break
      }
    }
    try readRows()
    let code: ExitCode
    do { code = try command.run?(self) ?? command.editing?.run(self) ?? .done } catch is Declined {
      code = .declined
    }
    if code == .declined, !isQuiet { try errors.write("Nothing was changed.\n") }
    return code
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

/// Whether errors are printed as JSON, even if the command line can't be parsed.
private func asksForJSON(_ arguments: [String], formatIsOfFile: Bool) -> Bool {
  if arguments.contains("--json") || formatIsOfFile { return arguments.contains("--json") }
  return arguments.contains("--format=json")
    || zip(arguments, arguments.dropFirst()).contains { $0 == "--format" && $1 == "json" }
}

/// The environment variables that the program uses.
enum Environment {
  static let variables: [(name: String, meaning: String)] = [
    ("CUSTOMERS_DB", "Customers file, unless `--db` is given."),
    ("XDG_DATA_HOME", "Has `customers/customers.sqlite` (default: `~/.local/share`)."),
    ("XDG_STATE_HOME", "Where `web` keeps addresses (default: `~/.local/state`)."),
    ("HOME", "Has both; else set `--db`, and for `web` XDG_STATE_HOME."),
    ("LOGNAME, USER", "Your name in the history."),
    ("NO_COLOR", "If not empty: no colors, except with `--color always`."),
    ("TERM", "`dumb` disables colors and the pager."),
    ("COLUMNS", "Width of tables, instead of the terminal's."),
    ("CUSTOMERS_PAGER", "Pager for long output; else `PAGER`, else `less`."),
    ("VISUAL, EDITOR", "Text editor of `edit` and `sort --editor` (default: `vi`)."),
    ("BROWSER", "Program for `web --open` (default: `xdg-open`)."),
    ("CUSTOMERS_SSH", "Program that reaches other machines (default: `ssh`)."),
    ("TZ", "Time zone of the times shown."),
    ("TMPDIR", "Folder for temporary files (default: `/var/tmp`, or `/tmp`)."),
    ("SQLITE_TMPDIR", "The same for copies of the list that a command reads."),
  ]

  static let names = variables.flatMap { $0.name.split(separator: ", ").map(String.init) } + ["PAGER"]

  /// The variables that are passed to a command on another machine, which takes no others.
  ///
  /// None of them names a program or a file.
  static let sent: Set = ["NO_COLOR", "TERM", "COLUMNS"]

  /// The command that sshd was given, if a key may run only `customers serve`.
  static let originalCommand = "SSH_ORIGINAL_COMMAND"

  static func read() -> [String: String] {
    var found: [String: String] = [:]
    for name in names + [originalCommand] + ServiceManager.variables {
      if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
    }
    return found
  }
}

/// Refuses words and paths that are not UTF-8.
///
/// Swift replaces invalid bytes with a replacement character, so a different name would be kept, or a
/// different file opened.
func refuseUnreadableText(in words: ProgramWords) throws {
  if let number = words.unreadable {
    throw Failure.usage("word \(number) of the command line is not UTF-8")
  }
  for name in ["CUSTOMERS_DB", "XDG_DATA_HOME", "XDG_STATE_HOME", "HOME"] {
    guard let value = unsafe getenv(name) else { continue }
    guard unsafe String(validatingCString: value) != nil else {
      throw Failure.usage("$\(name) is not UTF-8")
    }
  }
}

/// Waits for a customers file that another program has locked: for a limited time, with a message after a
/// second.
final class Waiting: Sendable {
  private let list: ListAddress
  private let errors: Stream?
  private let limit: Duration
  private let state = Mutex((waited: Duration.zero, hasTold: false))

  /// - Parameters:
  ///   - list: the list.
  ///   - limit: the time to wait in total, to open it and for its transactions.
  ///   - errors: where to print the message.
  init(for list: ListAddress, within limit: Duration, telling errors: Stream?) {
    (self.list, self.limit, self.errors) = (list, limit, errors)
  }

  /// Whether to keep waiting; false if the user has pressed the interrupt key.
  func shouldContinue(after pause: Duration) -> Bool {
    let (waited, reports) = state.withLock { state in
      state.waited += pause
      let reports = state.waited >= .seconds(1) && !state.hasTold
      if reports { state.hasTold = true }
      return (state.waited, reports)
    }
    if reports { tell() }
    return waited < limit && !SignalSet.ending.isPending
  }

  private func tell() {
    try? errors?.write("note: waiting for \(list.obstacle)\n")
    try? errors?.flush()
  }
}
