/// The options of every command, anywhere on the line.
struct GlobalOptions: Sendable {
  static let list = Option.value(
    "--db", .file(.list, "PATH"),
    "customers file to use, ssh://host/path, or dqlite://host:port,…/name (default: $CUSTOMERS_DB, or the default location)"
  )
  static let format = Option.value(
    "--format", .format, "output format: table, json, or others of some commands")
  static let json = Option.flag("--json", "print JSON, whatever --format says")
  static let quiet = Option.flag("--quiet", short: "-q", "print only results and errors")
  static let yes = Option.flag("--yes", short: "-y", "answer yes to every confirmation")
  static let dryRun = Option.flag(
    "--dry-run", short: "-n", "show what would happen without changing anything")
  static let noInput = Option.flag("--no-input", "fail instead of prompting")
  static let color = Option.value("--color", Argument<ColorUse>.choice("WHEN"), "use colors")
  static let noPager = Option.flag("--no-pager", "do not pipe long output through a pager")
  static let help = Option.flag("--help", short: "-h", "show help")
  static let version = Option.flag("--version", short: "-V", "show the version")

  static let all: [any DeclaredOption] = [
    list, format, json, quiet, yes, dryRun, noInput, color, noPager, help, version,
  ]

  /// Those that a line of a script accepts; they have no effect, because scripts ask no questions.
  static let ofScripts: [any DeclaredOption] = [yes, noInput]

  /// When output for people is colored.
  enum ColorUse: String, CaseIterable, Sendable {
    /// On a terminal.
    case auto
    case always, never
  }

  /// The name of a format.
  let format: String?
  let isJSON: Bool
  let isQuiet: Bool
  /// Whether every question is answered with yes.
  let saysYes: Bool
  let isDryRun: Bool
  let mayAsk: Bool
  let color: ColorUse
  let usesPager: Bool

  init(_ invocation: Invocation) {
    format = invocation[GlobalOptions.format]
    isJSON = invocation[GlobalOptions.json]
    isQuiet = invocation[GlobalOptions.quiet]
    saysYes = invocation[GlobalOptions.yes]
    isDryRun = invocation[GlobalOptions.dryRun]
    mayAsk = !invocation[GlobalOptions.noInput]
    color = invocation[GlobalOptions.color] ?? .auto
    usesPager = !invocation[GlobalOptions.noPager]
  }
}
