internal import Platform

/// The environment variables that the program uses.
enum Environment {
  static let variables: [(name: String, meaning: String)] = [
    ("CUSTOMERS_DB", "Customers file, unless `--db` is given."),
    ("XDG_DATA_HOME", "Folder of `customers/customers.sqlite`, if no file is named."),
    ("HOME", "Used to locate `.local/share` when `XDG_DATA_HOME` is unset."),
    ("NO_COLOR", "If not empty: no colors, except with `--color always`."),
    ("TERM", "`dumb` disables colors and the pager."),
    ("COLUMNS", "Width of tables, instead of the terminal's."),
    ("CUSTOMERS_PAGER", "Pager for output longer than the screen."),
    ("PAGER", "Used if `CUSTOMERS_PAGER` is unset; the default is `less`."),
    ("VISUAL", "Text editor for `edit` and `arrange`."),
    ("EDITOR", "Used if `VISUAL` is unset; the default is `vi`."),
    ("TMPDIR", "Folder for temporary files; the default is `/var/tmp`."),
  ]

  static func read() -> [String: String] {
    var found: [String: String] = [:]
    for (name, _) in variables {
      if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
    }
    return found
  }
}
