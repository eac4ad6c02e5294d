/// What the manual tells beside the table of commands; backquotes mark what a person types.
enum Manual {
  static let description = """
    customers keeps a list of customers that people put in order by hand, in one SQLite file. Rows are \
    numbered 1 to n, in one or more sections, whichever program changes the file; every edit can be taken \
    back. Standard output says what is now true, standard error the rest. A place is the one that a row has \
    afterwards. With `--json` every command answers in JSON, with `--dry-run` it only tells what it would do.
    """

  static let rowNames = [
    ("3", "The row shown as 3, counted from 1 through the whole list."),
    ("2,5-7", "Several rows; 5- is all rows from 5 on."),
    ("@17", "The row with this id; an id is never used again."),
    ("first, last", "The first and the last row of the list."),
    ("leads/2", "Row 2 of a section; also leads/1-3, leads/first, leads/last, leads/1-."),
    (
      "\"Ann Lee\"",
      """
      A name or an e-mail address; case and accents are ignored. Any part that matches only one row is \
      enough, but before an edit the program asks whether that row is meant, unless it is a whole word. In a \
      script, with --yes and without a terminal only whole words count. A name that fits several rows is \
      never guessed; they are shown instead.
      """
    ),
    ("name:42", "A name that would be taken for something else."),
    ("-", "The ids on standard input, as `customers find Berlin --format ids` prints them."),
    (
      "--where TERM",
      """
      Instead of ROW: every row for which all terms hold. FIELD=TEXT asks for the whole value and FIELD~TEXT \
      for a part, != and !~ for the opposite, < and > for less and more (as numbers if both are), FIELD= for \
      no value; FIELD is any field or extra column, name, section, can_edit or can_move.
      """
    ),
  ]

  static let scripts = """
    `customers apply FILE` runs a script of edits, all or nothing and as one step of the history. A line is what \
    stands behind `customers` on a command line, quoted as in a shell, but nothing in it is expanded. Between \
    `begin` and `end` rows are named as the list was before. For example:
    """

  static let script = """
    # spring-clean.customers
    add "Zoe Miller" --note "Met at the fair" --first --as zoe
    move "Alice Smith" --before $zoe
    delete @17
    expect count 41
    begin
      delete 3
      delete 4
      add "Bob" --at 1
    end
    """

  /// A list on another machine, in paragraphs.
  static let ssh = [
    """
    `--db ssh://host/path`, or `$CUSTOMERS_DB`, names a list on another machine: ssh://[user@]host[:port]/path. \
    A path that begins with /~/ is in the home folder there; no sign of it is decoded. Every command works \
    as with a list on this machine. It runs there, and `customers` must be there too, in a folder of $PATH, \
    in ~/.local/bin or in /usr/local/bin.
    """,
    """
    The machine is reached with `ssh` (or with what $CUSTOMERS_SSH names), with your configuration, keys, agent \
    and jump hosts. There is no other server, port or password. If ssh can't reach the machine, the exit code \
    is 1.
    """,
    """
    A FILE is a file of this machine, as are the editor and the pager; the width, the colors and the time zone \
    are those of this machine. The history names the user and the machine that ssh logs in to.
    """,
    """
    When the connection is lost, the program connects once more and asks what became of the change: the exit \
    code is 0 if it was made, 1 if it was not and never will be, and 6 if the machine can't be reached, or \
    after `restore`, `check --repair` and `history --forget`, which can't be looked up.
    """,
    """
    Each command opens a connection. To share one, write this into ~/.ssh/config, for the host: \
    `ControlMaster auto`, `ControlPath ~/.ssh/%C`, `ControlPersist 10m`. To notice a dead connection sooner: \
    `ServerAliveInterval 15`. Completion of rows uses no password.
    """,
  ]

  /// What a shell sees when a command has ended.
  static let exitCodes =
    ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) } + [("130", "Interrupted with Ctrl-C.")]

  static let file = """
    The customers file, if neither `--db` nor the environment names another. It is made by the first command \
    that adds something, and only its owner can read it. `customers info` tells which file is used, and why.
    """

  static let examples = [
    CommandExample("Add a customer as row 3:", "customers add \"Ann Lee\" --phone 555-0100 --at 3"),
    CommandExample(
      "Put row 5 before the row with id 2, and take that back:",
      "customers move 5 --before @2\ncustomers undo"),
    CommandExample("Give the list to another program:", "customers list --format csv"),
  ]
}

extension ExitCode {
  /// What it says, in a sentence.
  fileprivate var meaning: String {
    switch self {
    case .done: "Done, also when there was nothing to do."
    case .failed: "Reading or writing failed, or the file is not as it should be."
    case .usage: "The command line, or a line of a script, is wrong."
    case .notFound: "A row, a section or a file is not there, or a name fits several."
    case .refused:
      "Refused: a protected row, an expectation that fails, or a question that nobody can be asked."
    case .declined: "The person said no."
    case .unknown: "The disk or the connection failed, and it is not known whether the change was made."
    }
  }
}
