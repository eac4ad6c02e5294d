internal import Platform

/// What the program looks at in its environment.
enum Environment {
  static let variables: [(name: String, meaning: String)] = [
    ("CUSTOMERS_DB", "The customers file, if `--db` names none."),
    ("XDG_DATA_HOME", "The folder of `customers/customers.sqlite`, if no file is named."),
    ("HOME", "Where that folder is if it is not named: in `.local/share`."),
    ("NO_COLOR", "If not empty: no colors, unless `--color always` asks for them."),
    ("TERM", "If `dumb`: no colors either, and no pager."),
    ("COLUMNS", "The width of the table on a terminal, instead of the terminal's own."),
    ("CUSTOMERS_PAGER", "What shows outputs longer than the screen."),
    ("PAGER", "The same, if that is not set; `less` if neither is."),
    ("VISUAL", "The text editor of `edit --editor` and `arrange`."),
    ("EDITOR", "The same, if that is not set; `vi` if neither is."),
    ("CUSTOMERS_SSH", "The program that reaches other machines; `ssh` if it is not set."),
    ("TZ", "The time zone of the times that are shown; that of the machine if it is not set."),
    ("TMPDIR", "Where the text for the editor, and output that has to wait, are kept; else `/var/tmp`."),
  ]

  /// Those that a command on another machine gets from this one.
  static let sent: Set = [
    "CUSTOMERS_DB", "NO_COLOR", "TERM", "COLUMNS", "CUSTOMERS_PAGER", "PAGER", "VISUAL", "EDITOR",
  ]

  static func read() -> [String: String] {
    var found: [String: String] = [:]
    for (name, _) in variables {
      if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
    }
    return found
  }
}
