internal import CustomersPlatform

/// The environment variables that the program uses.
enum Environment {
  static let variables: [(name: String, meaning: String)] = [
    ("CUSTOMERS_DB", "Customers file, unless `--db` is given."),
    ("XDG_DATA_HOME", "Folder of `customers/customers.sqlite`, if no file is named."),
    ("XDG_STATE_HOME", "Folder of `customers/web`, where `web` keeps the address of each list's page."),
    ("HOME", "Used to locate `.local/share` and `.local/state` when those are unset."),
    ("LOGNAME", "Your name in the history, otherwise that of `USER` or your user id."),
    ("USER", "Used if `LOGNAME` is unset."),
    ("NO_COLOR", "If not empty: no colors, except with `--color always`."),
    ("TERM", "`dumb` disables colors and the pager."),
    ("COLUMNS", "Width of tables, instead of the terminal's."),
    ("CUSTOMERS_PAGER", "Pager for output longer than the screen."),
    ("PAGER", "Used if `CUSTOMERS_PAGER` is unset (default: `less`)."),
    ("VISUAL", "Text editor for `edit` and `arrange`."),
    ("EDITOR", "Used if `VISUAL` is unset (default: `vi`)."),
    ("BROWSER", "Program for `web --open` (default: `xdg-open`)."),
    ("CUSTOMERS_SSH", "Program that reaches other machines (default: `ssh`)."),
    ("TZ", "Time zone of the times shown (default: that of the machine)."),
    ("TMPDIR", "Folder for temporary files (default: `/var/tmp`, otherwise `/tmp`)."),
    ("SQLITE_TMPDIR", "Folder for copies of the list while a command reads it (default: `TMPDIR`)."),
  ]

  /// The variables that are passed to a command on another machine, which takes no others.
  ///
  /// None of them names a program or a file.
  static let sent: Set = ["NO_COLOR", "TERM", "COLUMNS"]

  /// The command that sshd was given, if a key may run only `customers serve`.
  static let originalCommand = "SSH_ORIGINAL_COMMAND"

  static func read() -> [String: String] {
    var found: [String: String] = [:]
    for name in variables.map(\.name) + [originalCommand] {
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
