internal import CustomerStore
internal import CustomersTerminal
internal import CustomersWeb

/// The pages of the manual besides those of commands; backquotes mark what is typed.
enum Manual {
  /// The topics of help, in the order of the overview.
  static let topics = [
    guide,
    Page("rows", title: "Naming a row", "how to name rows", [.items(rowNames)]),
    Page("places", title: "Naming a place", "how to name a place", [.items(placeNames)]),
    Page(
      "scripts", title: "Scripts", "how to make many edits at once",
      [.paragraph(scripts), .lines(script), .items(scriptRules)]),
    Page(
      "formats", title: "Formats", "the formats of lists and files",
      [.items(CommandFormats.manual.map { ($0.name, $0.summary) })] + files.map { .paragraph($0) }),
    keys,
    Page(
      "ssh", title: "Other machines", "how to use a list on another machine", ssh.map { .paragraph($0) }),
    Page(
      "cluster", title: "A list on several machines", "how to use a list on several machines",
      cluster.map { .paragraph($0) }),
    Page(
      "sql", title: "SQL", "how to use the file from other programs", [.paragraph(sql), .lines(sqlExamples)]),
    Page(
      "api", title: "The API", "how programs use the list over HTTP",
      api.map { .paragraph($0) } + [
        .lines(apiExample), .heading("Requests"), .items(APIReference.requests),
        .heading("Edits (in the member `edits` of POST /v1/edits)"), .items(APIReference.edits),
        .heading("Objects"), .items(APIReference.objects), .heading("Errors"), .items(APIReference.errors),
      ]),
    Page("exit-codes", title: "Exit status", "the exit codes, for scripts", [.items(exitCodes)]),
    Page("environment", title: "Environment", "the environment variables", [.items(Environment.variables)]),
    JSONReference.page,
    Page(
      "versions", title: "Earlier versions", "what earlier versions wrote in another way, which still works",
      [.items(earlier)]),
  ]

  /// The commands and options of earlier versions, by what is written today.
  private static var earlier: [(String, String)] {
    let commands = Command.earlier.compactMap { command in command.earlier.map { ($0, command.name) } }
    let options = Command.documented.flatMap(\.options).compactMap { option in
      option.earlier.map { (option.instead?.option.usage ?? $0, option.usage) }
    }
    return (commands + options).reduce(into: [(String, String)]()) { lines, spelling in
      guard let index = lines.firstIndex(where: { $0.0 == spelling.0 }) else { return lines.append(spelling) }
      guard !lines[index].1.split(separator: ", ").contains(spelling.1[...]) else { return }
      lines[index].1 += ", \(spelling.1)"
    }
  }

  private static let placeNames = [
    (
      "5",
      "Row 5 of the whole list after the edit, or number 5 in --section, or, as leads/5, in a section."
    ),
    (
      "first, last",
      "The ends of --section, else of the section that has all rows that move. Also leads/first and leads/last."
    ),
    ("before ROW", "Beside a row: before @7, or after \"Ann Lee\"."),
    ("-1, +1", "So many rows up or down, at most to the end of the section."),
  ]

  static func isTopic(_ name: String) -> Bool { topics.contains { $0.name == name } }

  /// The keys of the table, as the table itself has them.
  private static var keys: Page {
    Page(
      "keys", title: "Keys", "the keys of the table",
      KeyReference.topics.filter(\.isOfList).flatMap { topic -> [Page.Block] in
        [.heading(topic.title), .items(topic.keys.map { ($0.keys, $0.meaning) }, width: 24)]
      } + [
        .paragraph(
          "For those of the form and of questions, press ? in the table, or see Documentation/keys.md.")
      ])
  }

  /// The page customers(1), which includes most topics.
  static let program = Page("", "keep a list of customers in the order you choose", programBlocks)

  private static var programBlocks: [Page.Block] {
    [.usage(["COMMAND [OPTION]…"])] + description.map { .paragraph($0) } + [
      .heading("Options"),
      .paragraph(
        "These may be anywhere on the line. The page of a command names those that make a difference to it."),
      .options(GlobalOptions.lines),
      .heading("Commands"), .paragraph("Each command has a page of its own, such as customers-move(1)."),
    ] + Help.commands { .subheading($0) } + [
      .parts(topics.filter { !["guide", "json"].contains($0.name) }),
      .heading("Files"), .items([("~/.local/share/customers/customers.sqlite", file)]),
      .examples(examples),
      .related(Command.documented.map(\.name) + ["sqlite3"], after: []),
    ]
  }

  private static let description = [
    """
    customers keeps a list of customers in the order you choose, in one SQLite file. Rows are numbered 1 to n, in one \
    or more sections, whichever program changes the file, and you can undo every edit. Row numbers in commands such \
    as `customers move 5 2` say where the row ends up.
    """,
    """
    Results go to standard output, and warnings and errors to standard error. Every command that edits has \
    `--dry-run`, which shows what would happen. Every command but `table` has `--json`.
    """,
  ]

  private static let rowNames = [
    ("3", "Row 3 of the whole list."),
    ("2,5-7", "Several rows; 5- is from 5 on. #5 is row 5 where 5 alone is a step."),
    ("@17", "The row with this id, which is never reused."),
    ("first, last", "The first and the last row of the list."),
    ("leads/2", "Number 2 in a section. Also leads/1-3, leads/first, leads/last, and leads/1-."),
    (
      "\"Ann Lee\"",
      """
      A name or an e-mail address, ignoring case and accents, or a part that only one row has. If it is not a whole \
      word, you confirm an edit; in scripts, with --yes, or without a terminal, only a whole word will do.
      """
    ),
    ("name:42", "A name that would otherwise be read as a row number or id."),
    ("--", "The words after it are no options: customers add -- -dash."),
    ("-", "The ids on standard input, as `list --format ids` prints them."),
    (
      "--where TERM",
      """
      Instead of ROW: every row that matches. FIELD=TEXT compares the whole value, FIELD~TEXT a part; != and !~ are the \
      opposites. FIELD= is an empty value, which != does not find. < <= > >= compare numbers, dates, or what is in \
      quotes by the alphabet: 'name<"M"'. FIELD is any field or extra column, name, section, can_edit, or can_move. One \
      of several values is enough: tag=vip.
      """
    ),
    (
      "A=1,2 or B=2",
      """
      Either value, or either term. Terms beside each other, or with and, must both match, and so must several --where. not is the \
      opposite: 'A=1 not (B=2 or C=3)'. A value with a comma, an operator, or or is in quotes: 'City="Paris, Texas"'.
      """
    ),
    (
      "A<=friday",
      """
      A date: today, tomorrow, today+7, +3d, 2w, friday (the next one), next month, eom (the end of the month), 24.12., \
      or 2026-12-24. A value that can't be compared never matches; the command says how many there were, and an \
      edit needs --yes then.
      """
    ),
  ]

  private static let api = [
    """
    `customers web` answers programs, too, in JSON. They send the key, which is what follows the # in the address that \
    it prints, in the header `Authorization: Bearer KEY`, and never in an address. `customers web --json` prints the \
    address as an object, and port and key stay the same for a list. GET /health needs no key.
    """,
    """
    Each request that edits is one step, all or nothing. With a token, it can be sent again until it is answered: it is \
    done once, and the answer is the first one. With `seen`, the version of an earlier answer, a row that was changed \
    since is not touched. With `dry_run`, the answer is what would happen.
    """,
    """
    Rows, sections, steps, and changes are those of `--json` (customers help json). A column is named as in edits: a field \
    such as `last_name`, or `extra.` and the name of an extra column. A member with ? may be \
    missing, and one that is not listed is refused; answers may get new members, so ignore those that you don't know. \
    `today` is the server's day, unless the parameter `zone` of a request says how many minutes the caller's clock is \
    ahead of Greenwich. An error is an object `error` with `kind`, `message`, and `remedy`. A body needs a \
    Content-Length. A request that HTTP itself does not allow gets 408, 417, 431, or 505. GET /v1/openapi.json describes \
    all of this for programs.
    """,
  ]

  private static let apiExample = """
    curl -H "Authorization: Bearer $KEY" 'http://localhost:8421/v1/rows?where=City=Bonn'
    curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
      -d '{"edits": [{"insert": {"customers": [{"name": "Ann Lee"}]}}]}' http://localhost:8421/v1/edits
    """

  private static let scripts = """
    `customers apply FILE` runs a script of edits: all lines take effect, as one step, or none do. A line is a command \
    line without `customers`: add, edit, delete, move, sort, merge, section, columns, log, done, or expect. For example:
    """

  private static let script = """
    # spring-clean.customers
    add "Zoe Miller" --tag fair --to first --as zoe
    move "Alice Smith" before $zoe
    delete @17
    begin
      delete 3
      add "Bob" --to 1 --section Customers
    end
    """

  /// What a line of a script may contain and its meaning.
  private static let scriptRules = [
    ("\"…\", '…', $'…'", "Quotes as in a shell; nothing in them is expanded, but \\n and its like in $'…'."),
    ("#", "Starts a comment. \\ at the end of a line continues it on the next."),
    (
      "--as NAME",
      "With add: a name for the new row, which later lines write as $NAME."
    ),
    ("{…}", "An edit in JSON, as in POST /v1/edits: customers help api."),
    ("expect", "Fails unless the list is as stated: customers help expect."),
    (
      "begin, end",
      """
      A batch of add, delete, edit, and move, in any order: rows are numbered as before it, and places as after it, \
      in --section if the list has several.
      """
    ),
  ]

  /// A list on another machine, in paragraphs.
  private static let ssh = [
    """
    `--db ssh://[user@]host[:port]/path`, or `$CUSTOMERS_DB`, names a list on another machine; a path that begins with \
    /~/ is in the home folder there. Every command works as with a list here, but runs there: install `customers` on \
    both. Files, the editor, and the pager are those of this machine. `ssh` makes the connection, with your \
    configuration and keys; each command opens one.
    """,
    """
    If the connection is lost during a change, the program looks up whether it was made: the exit code is 0 if it was, \
    1 if it was not and never will be, and 6 if that is unknown, as always after `restore`, `check --repair`, and \
    `history --forget`. Documentation/sharing.md has more, and security.md says how to let a key use one list only.
    """,
  ]

  /// How to use a list on a cluster, in paragraphs.
  private static let cluster = [
    """
    `--db dqlite://HOST:PORT,HOST:PORT,…/customers`, or `$CUSTOMERS_DB`, names a list that several machines keep, which \
    run `customers-node`. It is available as long as most of them run. dqlite has no login and no encryption, so use a \
    cluster only inside a VPN or through ssh.
    """,
    """
    Every command works as with a file, except `restore`, `check --repair`, and `history --forget`. `customers --db FILE \
    backup dqlite://…` copies a list to a cluster without one, and `customers backup FILE` copies it back. \
    Documentation/cluster.md says how to run the nodes.
    """,
  ]

  private static let sql = """
    Any program with SQLite 3.33 or newer can read and write the views `customers`, `sections`, `log_lines`, `columns`, \
    `settings`, and `persons`, while `customers` runs, too. The rows are numbered 1 to n after each statement, and \
    `customers undo` reverts it. Documentation/sql.md has all columns, and how to read some rows of a long list. For \
    example:
    """

  private static let sqlExamples = """
    SELECT "order", first_name, last_name FROM customers
    WHERE section = 1 ORDER BY "order";
    UPDATE customers SET "order" = 1 WHERE id = 7;
    INSERT INTO log_lines (customer, text) VALUES (7, 'called');
    """

  /// Files in detail, in paragraphs.
  private static let files = [
    """
    `import` recognizes the encoding and what is between the values; `export` writes UTF-8. ldif is only read; markdown, \
    ids, and mutt are only written.
    """,
    """
    In Excel, open csv by Data, From Text/CSV, which keeps zeros at the start of numbers; in LibreOffice, choose UTF-8 \
    and the comma. Documentation/import-and-export.md has more.
    """,
  ]

  /// The exit codes and their meanings.
  static let exitCodes =
    ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) } + [
      ("130", "Interrupted by Ctrl-C. Nothing was changed, at least not on this machine."),
      ("141", "The reader of the output has gone, as in `list | head`. Nothing changed."),
    ]

  private static let file = """
    The customers file, unless `--db` or the environment names another. The first command that adds something \
    creates it, and only its owner can read it. `customers status` shows which file is used and why.
    """

  static let examples = [
    CommandExample("Add a customer as row 3", "customers add \"Ann Lee\" --phone 555-0100 --to 3"),
    CommandExample(
      "Move row 5 before the row with id 2 and undo that",
      "customers move 5 before @2\ncustomers undo"),
    CommandExample("For another program", "customers list --format csv"),
  ]
}

extension ExitCode {
  /// The meaning, in a sentence.
  fileprivate var meaning: String {
    switch self {
    case .done: "Done, or there was nothing to do."
    case .failed: "Failed, the list stayed locked, or check found problems. Nothing changed."
    case .usage: "The command line, or a line of a script, is not valid."
    case .notFound:
      "No such list, row, section, or file; an ambiguous name; list --exit-code."
    case .refused:
      "Refused: a protected row, a failed expectation, or no one to ask."
    case .declined: "You answered no. Nothing was changed."
    case .unknown: "The disk or the connection failed, and the change may have been made."
    case .incomplete:
      "The change was made, or the file written; something else failed."
    case .damaged: "The list or its newest copy is damaged (status, backup, --latest)."
    case .locked: "Another program has locked the list (status)."
    case .unreadable: "The list can't be read, or no leader (status); no list (--exit-code)."
    case .outdated: "No recent copy, or one from the future (the same)."
    }
  }
}
