/// A command line that works, on the list and with the files of an `ExampleSandbox`.
struct Example: CustomStringConvertible, Sendable {
  enum Kind {
    /// Shows the contents of the customers file.
    case reads
    /// Changes the list or writes a file.
    case edits
    /// Needs no customers file, and is text for shells, with `--json` too.
    case prints
    /// Needs no customers file, and is text for people, or JSON.
    case describes
    /// Fills the screen of a terminal and says nothing anywhere else.
    case fillsScreen
    /// Runs until it is interrupted.
    case serves
    /// Answers lines of JSON until its input ends.
    case converses
  }

  let kind: Kind
  let words: [String]
  /// Whether a missing customers file is made.
  let createsFile: Bool
  /// Whether there is no customers file before.
  let isFirst: Bool
  /// Whether the list has an older format before.
  let isOlder: Bool

  init(
    _ kind: Kind, _ words: String..., createsFile: Bool = false, isFirst: Bool = false, isOlder: Bool = false
  ) {
    self.kind = kind
    self.words = words
    self.createsFile = createsFile
    self.isFirst = isFirst
    self.isOlder = isOlder
  }

  var command: String { words[0] }

  /// The options with which its output is recorded.
  var forms: [[String]] {
    switch kind {
    case .reads: [[], ["--quiet"], ["--json"]]
    case .edits: [[], ["--dry-run"], ["--quiet"], ["--json"], ["--json", "--dry-run"]]
    case .describes: [[], ["--json"]]
    case .prints, .fillsScreen: [[]]
    case .serves, .converses: []
    }
  }

  /// Whether it lets the user edit a string.
  var opensEditor: Bool { words.contains("--editor") }

  /// Whether it answers in JSON.
  var hasJSON: Bool { kind == .reads || kind == .edits || kind == .describes }

  /// Whether it opens the customers file.
  var usesFile: Bool { (kind == .reads || kind == .edits) && words.last != "--check" }

  var description: String { "customers " + words.joined(separator: " ") }

  /// Whether it prints what is wrong with the file as its answer, with an exit code of its own.
  var reportsTrouble: Bool { command == "status" }

  /// The first example of each command that opens the customers file.
  static let oneOfEachCommand: [Example] = {
    var commands: Set<String> = []
    return all.filter { $0.usesFile && !$0.isFirst && commands.insert($0.command).inserted }
  }()

  /// Those that end by themselves.
  static let ending = all.filter { $0.kind != .serves && $0.kind != .converses }

  /// Of each command, and of each kind of its work.
  static let all = [
    Example(.fillsScreen, "table"),
    Example(.reads, "list"), Example(.reads, "list", "--section", "more", "--format", "csv"),
    Example(.reads, "list", "--count-by", "company"),
    Example(.reads, "list", "a"), Example(.reads, "list", "nobody"),
    Example(.reads, "list", "6"), Example(.reads, "list", "2,5-"), Example(.reads, "next"),
    Example(.reads, "next", "--section", "more"),
    Example(.edits, "log", "2", "left a message", "--next", "2026-12-24", "--to", "last"),
    Example(.edits, "done", "1-2", "sold out"),
    Example(.reads, "watch", "--limit", "0"), Example(.serves, "web"), Example(.converses, "mcp"),
    Example(.edits, "add", "Eve", createsFile: true),
    Example(.edits, "edit", "2", "--note", "new"), Example(.edits, "edit", "2", "--editor"),
    Example(.edits, "delete", "1", "-y"),
    Example(.edits, "move", "1", "3"),
    Example(.edits, "move", "1", "--swap", "6"),
    Example(.edits, "sort", "--by", "name", "--descending", "--section", "More", "-y"),
    Example(.edits, "sort", "--editor", "-y"),
    Example(.reads, "section"), Example(.edits, "section", "add", "New", createsFile: true),
    Example(.edits, "section", "rename", "More", "Less"), Example(.edits, "section", "move", "More", "1"),
    Example(.edits, "section", "delete", "More", "--with-customers", "-y"),
    Example(.reads, "config"), Example(.edits, "config", "columns", "phone"),
    Example(.reads, "columns"),
    Example(.edits, "edit", "1", "--no-move"),
    Example(.edits, "undo"), Example(.edits, "redo"), Example(.edits, "undo", "7"),
    Example(.reads, "history", "--limit", "2"), Example(.reads, "history", "8"),
    Example(.edits, "history", "--forget", "-y"),
    Example(.edits, "import", "new.csv", createsFile: true),
    Example(.reads, "export"), Example(.edits, "export", "old", "-y"),
    Example(.reads, "merge"), Example(.edits, "merge", "1", "X", "-y"),
    Example(.edits, "apply", "script", createsFile: true), Example(.reads, "apply", "script", "--check"),
    Example(.reads, "expect", "count", "6"), Example(.reads, "expect", "X", "--at", "5"),
    Example(.edits, "demo", createsFile: true, isFirst: true),
    Example(.reads, "check"), Example(.reads, "status"),
    Example(.edits, "backup", "copy"), Example(.edits, "restore", "backup", "-y", createsFile: true),
    Example(.edits, "take", "mine"),
    Example(.edits, "check", "--upgrade", isOlder: true),
    Example(.prints, "help", "completions", "fish"),
    Example(.describes, "help", "section"),
  ]
}
