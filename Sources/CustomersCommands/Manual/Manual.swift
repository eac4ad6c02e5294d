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
    keys("keys"),
    Page(
      "ssh", title: "Other machines", "how to use a list on another machine", ssh.map { .paragraph($0) }),
    Page(
      "cluster", title: "A list on several machines", "how to use a list on several machines",
      cluster.map { .paragraph($0) }),
    Page(
      "sql", title: "SQL", "how to use the file from other programs",
      sql.map { .paragraph($0) } + [.lines(sqlExamples), .paragraph(rowsByNumber), .lines(rowsByNumberQuery)]),
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
      "versions", title: "Earlier versions", "what earlier versions wrote in another way",
      [.paragraph("These still work."), .items(earlier)]),
  ]

  /// The commands and options of earlier versions, and what is written today.
  private static var earlier: [(String, String)] {
    let commands = Command.earlier.compactMap { command in command.earlier.map { (command.name, $0) } }
    var known: Set<String> = []
    let declared = Command.documented.flatMap { command in command.options.map { (command.name, $0) } }
    let options = declared.compactMap { _, option -> (String, String)? in
      guard let today = option.earlier, known.insert(option.name).inserted else { return nil }
      let commands = declared.filter { $0.1.name == option.name && $0.1.earlier != nil }.map(\.0)
      return (option.usage, "\(today) (\(listed(commands, "and")))")
    }
    return commands + options
  }

  private static let placeNames = [
    (
      "5",
      "Row 5 of the whole list, or number 5 in --section, counted after the edit. leads/5 is number 5 in a section."
    ),
    (
      "first, last",
      "The ends of --section, else of the section of the first row that moves. Also leads/first and leads/last."
    ),
    ("before ROW", "Beside a row, as in before @7 or after \"Ann Lee\". after ROW is the other side."),
    ("-1, +1", "So many rows up or down, at most to the end of the section; only for rows that move."),
  ]

  static func isTopic(_ name: String) -> Bool { topics.contains { $0.name == name } }

  /// The keys of the table, as the table itself has them.
  static func keys(_ name: String) -> Page {
    Page(
      name, title: "Keys", "the keys of the table",
      KeyReference.topics.flatMap { topic -> [Page.Block] in
        [.heading(topic.title), .items(topic.keys.map { ($0.keys, $0.meaning) }, width: 24)]
      })
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
      .parts(topics.filter { !["guide", "keys", "json"].contains($0.name) }),
      .heading("Files"), .items([("~/.local/share/customers/customers.sqlite", file)]),
      .heading("Examples"), .examples(examples),
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
    ("2,5-7", "Several rows. 5- is all rows from 5 on. #5 is row 5, too, where 5 alone would be a step."),
    ("@17", "The row with this id, which is never reused."),
    ("first, last", "The first and the last row of the list."),
    ("leads/2", "Number 2 in a section. Also leads/1-3, leads/first, leads/last, and leads/1-."),
    (
      "\"Ann Lee\"",
      """
      A name or an e-mail address, ignoring case and accents. Any part that matches only one row is enough, but \
      unless it is a whole word, you confirm an edit. In scripts, with --yes, or without a terminal, only a whole \
      word will do. If several rows match, customers lists them and changes nothing.
      """
    ),
    ("name:42", "A name that would otherwise be read as a row number or id."),
    ("-", "The ids on standard input, as `customers list Berlin --format ids` prints them."),
    (
      "--where TERM",
      """
      Instead of ROW: every row that matches. FIELD=TEXT compares the whole value, and FIELD~TEXT a part of it. != \
      and !~ are the opposites. < <= > >= compare numbers with numbers, dates with dates, and what is in quotes by the \
      alphabet: 'name<"M"'. FIELD= is an empty value, and FIELD!= any other; no other comparison with = != < <= > >= \
      matches an empty value. FIELD is any field or extra column, name, section, can_edit, or can_move. If a customer has \
      several e-mail addresses, numbers, postal addresses, or tags, one match is enough: tag=vip.
      """
    ),
    (
      "A=1,2",
      """
      Either value. Put a value with a comma, an operator, or the word or in quotes: 'City="Paris, Texas"'.
      """
    ),
    (
      "A=1 or B=2",
      """
      Either term. Terms beside each other must both match, as in 'A=1 B=2 or C=3', and so must several --where. not \
      is the opposite of a term, or of several in parentheses: 'A=1 not (B=2 or C=3)'. An empty value is neither equal \
      to another one, nor different, less, or greater: A= finds it.
      """
    ),
    (
      "A<=friday",
      """
      A date: today, yesterday, tomorrow, today+7, +3d, 2w, friday (the next one), next month, eom (the end of the \
      month), 24.12. (of this year), 24.12.2026, or 2026-12-24. A value that can't be compared, such as "soon" with a \
      date, never matches, nor does not with it. How many there were is said, and an edit needs --yes then.
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
    Rows, sections, columns, steps, and changes are those of `--json` (customers help json). A member with ? may be \
    missing, and one that is not listed is refused; answers may get new members, so ignore those that you don't know. \
    An error is an object `error` with `kind`, `message`, and `remedy`. GET /v1/openapi.json describes all of this for \
    programs.
    """,
  ]

  private static let apiExample = """
    curl -H "Authorization: Bearer $KEY" 'http://localhost:8421/v1/rows?where=City=Bonn'
    curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
      -d '{"edits": [{"move": {"ids": [7], "to": {"before": 2}}}]}' http://localhost:8421/v1/edits
    """

  private static let scripts = """
    `customers apply FILE` runs a script of edits: either all lines take effect, as one step, or none do. Each line is \
    a command line without the leading `customers`: add, edit, delete, move, sort, merge, section, columns, log, done, \
    or expect. It asks before it merges customers that have nothing in common. `--dry-run` changes nothing, and `--check` checks only the syntax. For example:
    """

  private static let script = """
    # spring-clean.customers
    add "Zoe Miller" --note "Met at the fair" --to first --as zoe
    move "Alice Smith" before $zoe
    delete @17
    expect count 41
    begin
      delete 3
      delete 4
      add "Bob" --to 1 --section Customers
    end
    """

  /// What a line of a script may contain and its meaning.
  private static let scriptRules = [
    ("\"…\", '…'", "Quotes as in a shell, but in them nothing is expanded, and outside only $NAME."),
    ("$'…'", "A value with escapes: \\n for a line break, \\r, \\t, \\\\, \\', \\\", and \\u0041."),
    ("#", "Starts a comment, at the start of a word."),
    ("\\", "At the end of a line, continues it on the next."),
    (
      "--as NAME",
      "With add: gives the new row a name for later lines, which write it as $NAME without quotes."
    ),
    ("{…}", "An edit in JSON, alone on its line, as in POST /v1/edits: customers help api."),
    ("expect", "Fails, and with it the script, unless the list is as stated: customers help expect."),
    (
      "begin, end",
      """
      A batch: add, delete, edit, and move whose row numbers refer to the list before the batch. In add and move, \
      places are those after the batch, and need --section if the list has several. The order of the lines does \
      not matter.
      """
    ),
  ]

  /// A list on another machine, in paragraphs.
  private static let ssh = [
    """
    `--db ssh://host/path`, or `$CUSTOMERS_DB`, names a list on another machine: ssh://[user@]host[:port]/path. \
    A path that begins with /~/ is in the home folder there. %-escapes are not decoded. Every command works as with a \
    list on this machine, but runs there: install `customers` on that machine, too, in a folder of $PATH, in \
    ~/.local/bin, or in /usr/local/bin.
    """,
    """
    `ssh` (or the command in $CUSTOMERS_SSH) makes the connection, with your configuration, keys, agent, and jump \
    hosts. It needs no other server, port, or password. If ssh can't reach the machine, the exit code \
    is 1.
    """,
    """
    FILE arguments, the editor, and the pager are those of this machine, and so are the width, the colors, \
    and the time zone. The history records the user and the machine that ssh logs in to.
    """,
    """
    To let a key use one list and nothing else, put `restrict,command="customers serve --list PATH"` before it in \
    ~/.ssh/authorized_keys on that machine. Add `pty` after restrict for the table. `customers help serve` has the \
    other limits.
    """,
    """
    If the connection is lost, the program connects again and looks up whether the change was made. The exit \
    code is 0 if it was, 1 if it was not and never will be, and 6 if that is unknown: the machine can't be \
    reached, or the command was `restore`, `check --repair`, or `history --forget`, which can't be looked up.
    """,
    """
    Each command opens a connection. To share one among commands, add this to ~/.ssh/config, for the host: \
    `ControlMaster auto`, `ControlPath ~/.ssh/%C`, `ControlPersist 10m`. To notice a dead connection sooner: \
    `ServerAliveInterval 15`. Tab completion of rows never prompts for a password.
    """,
  ]

  /// How to use a list on a cluster, in paragraphs.
  private static let cluster = [
    """
    `--db dqlite://HOST:PORT,HOST:PORT,…/customers`, or `$CUSTOMERS_DB`, names a list on a cluster, which is \
    stored on several machines that run `customers-node`. The list is available as long as most of them \
    are running. A host is a name or a numeric address, IPv6 in brackets. You need not name every node. dqlite has no login and \
    no encryption, so use a cluster only inside a VPN or through ssh.
    """,
    """
    Every command works as with a file, except `restore`, `check --repair`, and `history --forget`. \
    `customers --db FILE backup dqlite://…` copies a list and its history to a cluster without a list, and \
    `customers backup FILE` copies it back. `customers status` shows the nodes.
    """,
    """
    While the nodes elect a leader, commands wait for up to 30 seconds. If the connection is lost during a \
    change, the program asks the next leader for the outcome: the exit code is 0 if the change was made, 1 \
    if it was not and never will be, and 6 if no leader can be reached.
    """,
  ]

  /// The file in SQLite clients, in paragraphs.
  private static let sql = [
    """
    Any program with SQLite 3.33 or newer can read and write the views `customers`, `sections`, `log_lines`, which has \
    the lines of the log of each customer, and `columns`, `settings`, and `persons`, while `customers` runs, too. The \
    rows are numbered 1 to n after each statement, \
    and `customers undo` reverts it. For example:
    """
  ]

  private static let sqlExamples = """
    SELECT "order", first_name, last_name FROM customers
    WHERE section = 1 ORDER BY "order";
    UPDATE customers SET "order" = 1 WHERE id = 7;
    INSERT INTO log_lines (customer, text) VALUES (7, 'called');
    SELECT section, "order" FROM customers WHERE id = :id;
    SELECT count FROM sections WHERE id = :section;
    """

  private static let rowsByNumber = """
    To read some rows of a long list by their numbers, use this query with the parameters :section, :first, and :last. \
    On the views SQLite would read the whole list. It is for format 12, which `customers status` prints.
    """

  private static let rowsByNumberQuery = """
    WITH
      part AS (
        SELECT id, start AS before FROM node
        WHERE parent = -:section AND start < :last AND start >= ifnull(
          (SELECT max(start) FROM node
           WHERE parent = -:section AND start < :first), 0)),
      chapter AS (
        SELECT node.id, before + start AS before
        FROM part CROSS JOIN node ON parent = part.id
        WHERE before + start < :last AND start >= ifnull(
          (SELECT max(start) FROM node
           WHERE parent = part.id AND before + start < :first), 0)),
      block AS (
        SELECT node.id, before + start AS before
        FROM chapter CROSS JOIN node ON parent = chapter.id
        WHERE before + start < :last AND start >= ifnull(
          (SELECT max(start) FROM node
           WHERE parent = chapter.id AND before + start < :first), 0))
    SELECT
      customer AS id, before + place."order" AS number, first_name, last_name
    FROM block
    CROSS JOIN place ON slot BETWEEN 64 * block.id AND 64 * block.id + 63
    CROSS JOIN customer_record AS record ON record.id = customer
    WHERE number BETWEEN :first AND :last ORDER BY number;
    """

  /// Files in detail, in paragraphs.
  private static let files = [
    """
    The first line of csv and tsv names the columns. Values with a comma, a quote, or a line break are in double quotes, \
    and lines end in LF (CR LF with `--crlf`). In tsv, a tab, line break, or backslash in a value is written \\t, \\n, \\r, \
    or \\\\. `import` reads commas, semicolons, tabs, and bars between values.
    """,
    """
    Files are UTF-8. `import` also recognizes UTF-16 and the common one-byte encodings. `--encoding` names one. It reads \
    vCard 2.1, 3.0, and 4.0 and writes 4.0, or 3.0 with `--vcard-version 3`. The extra column vcard keeps what a \
    card has besides the fields, and `export` writes it again.
    """,
    """
    json and ndjson hold every field, extra columns with their types, sections, and footers. ldif is only read; \
    markdown, ids, and mutt are only written.
    """,
    """
    A spreadsheet opens csv: in LibreOffice choose UTF-8 and the comma, and in Excel use Data, From Text/CSV, which keeps \
    zeros at the start of numbers. It takes a value that begins with =, +, -, or @ for a formula. `customers export \
    --spreadsheet-safe` puts an apostrophe before it, which `customers import` removes. To import what a spreadsheet \
    has changed, save it as CSV UTF-8.
    """,
  ]

  /// The exit codes and their meanings.
  static let exitCodes =
    ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) } + [
      ("130", "Interrupted with Ctrl-C. Nothing was changed, except perhaps on another machine."),
      ("141", "The reader of the output has gone, as in `customers list | head`. Nothing was changed."),
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
    case .failed: "Reading or writing failed, or the file is damaged. Nothing was changed."
    case .usage: "The command line, or a line of a script, is not valid."
    case .notFound:
      "A row, section, file, or number does not exist, a name is ambiguous, or no one is due (--exit-code)."
    case .refused:
      "Refused: a protected row, a failed expectation, or a confirmation without a terminal or --yes."
    case .declined: "You answered no. Nothing was changed."
    case .unknown: "The disk or the connection failed, and the change may have been made."
    case .incomplete:
      "The change was made or the file written, but then something failed, such as printing the result."
    case .damaged: "The list is damaged (status), or the newest copy is (backup, restore --latest)."
    case .locked: "Another program has locked the list (status)."
    case .unreadable: "The list can't be read, or its cluster has no leader (status)."
    case .outdated: "The newest copy is older than --max-age (status, backup)."
    }
  }
}
