internal import CustomerStore

/// The output of every command with `--json`: for the page `customers help json` and for the tests.
enum JSONReference {
  /// The output of a command.
  struct Answer: Sendable {
    /// The relevant part of the command line: `undo`, `apply --check`.
    let command: String
    let type: JSONType
    /// Whether it is an endless stream with one object per line.
    var isStream = false
    /// The type in words, if its name says too little.
    var note: String?
  }

  /// The output on standard error when a command fails.
  static let error = JSONObjectType(
    "error",
    "The value of `error`, printed to standard error if a command fails.",
    [
      .always("code", .number, "the exit code"), .always("message", .text, "what is wrong, in one line"),
      .optional("done", .flag, "true if the change was made nevertheless"),
      .optional("details", .list(.text), "lines that belong to the message"),
      .optional(
        "candidates", .list(.object(Candidates.type)), "rows or sections that may have been meant"),
      .optional("outcome", .text, "that nothing was done, as a sentence"),
      .optional("hint", .text, "what to do instead"),
      .optional("problems", .list(.object(problem)), "the errors in a script"),
    ])

  static let problem = JSONObjectType(
    "problem", "An error in a script.",
    [
      .always("file", .text, "the script"), .always("line", .number, "the line, from 1"),
      .optional("column", .number, "the column, from 1"), .always("code", .number, "the exit code"),
      .always("message", .text, "what is wrong"),
      .optional("details", .list(.text), "lines that belong to the message"),
      .optional("candidates", .list(.object(Candidates.type)), "as in an error"),
      .optional("hint", .text, "what to do instead"),
    ])

  /// The first line of `watch`, repeated when too much has happened to list.
  static let picture = JSONObjectType(
    "list", "The first line of `watch`, repeated when too much has changed to list.",
    [
      .always("op", .text, "list"),
      .always("sections", .list(.object(JSONShapes.section.type)), "the sections in order"),
      .always("customers", .list(.object(JSONShapes.customer.type)), "the customers in order"),
    ])
}

/// The JSON output of all commands.
extension JSONReference {
  /// The output by command; commands that edit the list share one.
  static let answers: [Answer] =
    [
      Answer(command: "list", type: .list(.object(JSONShapes.customer.type))),
      Answer(command: "list --count-by", type: .list(.object(JSONShapes.valueCount.type))),
      Answer(command: "list ROW", type: .object(JSONShapes.shown.type)),
      Answer(command: "next", type: .object(JSONShapes.shown.type), note: "shown_customer, or null"),
      Answer(command: "section list", type: .list(.object(JSONShapes.section.type))),
      answer("config [NAME]", [.always("settings", .any, "the values of the settings, by name")]),
      Answer(command: "columns list", type: .list(.object(JSONShapes.column.type))),
      answer("merge", [.always("groups", .list(.object(group)), "the groups")]),
      Answer(command: "history", type: .list(.object(JSONShapes.step.type))),
      Answer(command: "history STEP", type: .object(JSONShapes.step.type)),
      Answer(command: "history ROW", type: .list(.object(JSONShapes.step.type))),
      Answer(command: "watch", type: .object(JSONShapes.step.type), isStream: true),
      answer("web address", [.always("url", .text, "the address of the page, with its key")]),
      Answer(command: "web people", type: .list(.object(JSONShapes.pagePerson.type))),
      answer(
        "web people add",
        [
          .always("name", .text, "the name"),
          .optional("url", .text, "the link, with the key; none with --dry-run"),
        ]),
      answer("web people remove", [.always("name", .text, "the name")]),
      answer(
        "web calendar", [.optional("url", .text, "the address of the calendar; none with --dry-run")]),
      answer(
        "web",
        [
          .always("url", .text, "the address of the page"), .optional("port", .number, "the port"),
          .optional("socket", .text, "the Unix socket, of --port PATH"),
        ]),
    ]
    + [
      "add", "edit", "log", "done", "delete", "move", "sort", "section", "columns", "merge ROW…", "undo STEP",
      "config",
    ].map {
      Answer(command: $0, type: .object(edit))
    } + [
      Answer(command: "undo", type: .object(revert)), Answer(command: "redo", type: .object(revert)),
      answer("history --forget", []),
      answer(
        "apply",
        changes + [
          .always("edits", .number, "how many lines changed something"),
          .always("count", .number, "how many rows the list has"),
          .always("rows", .any, "the id of each row that --as names, by name"), undo,
        ]),
      answer(
        "apply --check",
        [
          .always("check", .flag, "true"), .always("ok", .flag, "true"),
          .always("lines", .number, "how many lines do something"),
        ]),
      answer(
        "import",
        [
          .always("imported", .number, "how many customers were added"),
          .always("updated", .number, "how many existing customers were changed"),
          .always("skipped", .number, "how many existing customers were left unchanged"),
          .always("rejected", .number, "how many rows could not be imported"),
          .always("count", .number, "how many rows the list has"),
          .always("columns", .list(.object(importedColumn)), "the columns of the file and their targets"),
          .always("kept_columns", .list(.text), "the columns kept as extra columns"),
          .optional("moved", .number, "how many rows were moved, by take"),
          .optional(
            "reformed", .number, "how many values stay as handed out, because a spreadsheet writes them so"),
          .optional("deleted", .number, "how many customers were deleted, by take"),
          .optional("delimiter", .text, "the delimiter, if not a comma"),
          .optional("rejected_rows", .list(.object(rejected)), "the first of these rows"), undo,
        ]),
      answer(
        "export FILE",
        [
          .always("file", .text, "the file"), .always("count", .number, "how many rows it has"),
          .optional("missing_count", .number, "how many rows could not be read, with --partial"),
          .optional("missing", .list(.number), "the ids of these rows, as far as they are known"),
        ]),
      Answer(command: "export", type: .list(.any), note: "[the objects of the file]"),
      answer("expect", [.always("ok", .flag, "true")]),
      answer(
        "demo",
        [
          .always("added", .number, "how many customers were added"),
          .always("count", .number, "how many rows the list has"), undo,
        ]),
      answer(
        "check",
        [
          .always("ok", .flag, "whether no problem was found"),
          .always("violations", .list(.object(violation)), "the problems"),
          .optional(
            "count", .number,
            "how many rows the list has; as journal, misfits, and notes, only of one that can be opened"),
          .optional("journal", .text, "wal or delete, as SQLite calls it"),
          .optional(
            "misfits", .list(.any),
            "the first values that are not of the kind of their column: column, kind, id, name, value"),
          .optional("notes", .list(.text), "notes that are not problems"),
          .optional("repaired", .list(.any), "the rows whose place changed: id, from?, to"),
          .optional("removed_triggers", .list(.text), "the triggers of other programs that are gone"),
          .optional("lost", .list(.text), "what could not be read, and is not in the repaired list"),
          .optional("changed", .list(.text), "what the repair replaced"),
          .optional("backup", .text, "the damaged file, kept before the repair"),
          .optional("digest", .text, "the SHA-256 of the list, of check digest"),
          .optional(
            "nodes", .list(.any), "address and digest of each node's list, of check digest on a cluster"),
        ]),
      answer(
        "backup",
        [
          .always("file", .text, "the file"), .always("count", .number, "how many rows it has"),
          .always("ok", .flag, "false if the list, and so the copy, is damaged"),
        ]),
      Answer(command: "backup --list", type: .list(.object(JSONShapes.copy.type))),
      Answer(command: "backup --latest", type: .object(JSONShapes.copy.type)),
      answer(
        "status",
        [
          .always("ok", .flag, "whether all is well"), .always("code", .number, "the exit code"),
          .always("list", .any, "ok, message, file?, count?, version?"),
          .optional("cluster", .any, "ok, message, nodes?, voters?, of a list on a cluster"),
          .optional(
            "page", .any, "ok, message, port, state? (well, troubled, hung, silent), if there was a page here"
          ),
          .optional("copies", .any, "ok, message, file?, time?, with --copies"),
          .optional("standby", .any, "ok, message, file?, missing? (steps), since?, with --copies"),
          .optional("info", .object(info), "the file in use and the program"),
        ]),
      answer(
        "take",
        [
          .always("file", .text, "the copy; any other file is answered as by import"),
          .always(
            "relation", .text,
            "same, older (the list had nothing of its own), apart, or unrelated (no common state was found: a row may be there twice)"
          ),
          .always("steps", .number, "how many steps were made in the copy"),
          .always("added", .number, "how many customers were added"),
          .always("changed", .number, "how many customers got other values"),
          .always("moved", .number, "how many rows were moved"),
          .always("deleted", .number, "how many customers were deleted"),
          .always("sections", .number, "how many sections were added, changed, moved, or deleted"),
          .always("lines", .number, "how many lines of logs were"),
          .always("entries", .number, "how many declared columns, settings, and persons were"),
          .always(
            "conflicts", .list(.any),
            "what both changed: kind, column?, id?, name, base?, ours?, theirs?, ours_at?, theirs_at?, winner"
          ),
          .always(
            "misfits", .list(.any),
            "values that are not of the kind of their column: column, kind, id?, name, value"),
          undo,
        ]),
      answer(
        "restore",
        [
          .always("file", .text, "the backup"), .always("count", .number, "how many rows it has"),
          .optional("kept", .text, "the file with the old list"),
        ]),
      answer(
        "check --upgrade",
        [
          .always("from", .number, "the format that the list had"),
          .always("to", .number, "the format that it has now"),
          .optional("kept", .text, "the file as it was, if the list was upgraded"),
        ]),
      answer(
        "help",
        [
          .always("commands", .list(.object(JSONShapes.command.type)), "the commands, in the order of help"),
          .always("topics", .list(.text), "the topics of help"),
        ]),
      Answer(command: "help COMMAND", type: .object(JSONShapes.command.type)),
      Answer(command: "help TOPIC", type: .object(JSONShapes.page.type)),
    ]

  private static let changes: [JSONObjectType.Member] = [
    .always("changes", .list(.object(JSONShapes.change.type)), "the changes"),
    .optional("omitted", .number, "how many further changes are not listed"),
  ]
  static let group = JSONObjectType(
    "group", "Customers that may be the same.",
    [
      .always("same", .list(.text), "what they have in common: name, email, or phone"),
      .always("customers", .list(.object(JSONShapes.customer.type)), "the customers in order"),
    ])
  static let importedColumn = JSONObjectType(
    "imported_column", "A column of an imported file.",
    [
      .always("name", .text, "the name in the file"),
      .always("goes_to", .text, "the field, extra.NAME, or - if it is dropped"),
      .optional("kind", .text, "what the values of an extra column are, unless they are text"),
    ])
  static let info = JSONObjectType(
    "info", "The file in use and the program.",
    [
      .always("file", .text, "the customers file"),
      .always("chosen_by", .text, "the source of its name"),
      .always("exists", .flag, "whether it exists"), .optional("bytes", .number, "its size"),
      .optional("mode", .text, "its permissions, such as 600"),
      .always("format", .number, "the version of its format"),
      .always("version", .text, "the version of the program"),
      .always("build", .text, "the commit that it was built from, or development"),
      .optional("sqlite", .text, "the version of SQLite"),
      .always("sections", .number, "how many sections the list has"),
      .always("count", .number, "how many rows it has"),
      .optional("nodes", .list(.any), "address, leader, and voter of each node of its cluster"),
    ])
  static let violation = JSONObjectType(
    "violation", "A problem that `check` found.",
    [
      .always("message", .text, "what is wrong"), .optional("section", .number, "the id of the section"),
      .optional("order", .number, "the number in the section, from 1"),
      .optional("customer", .number, "the id of the customer"),
    ])
  static let rejected = JSONObjectType(
    "rejected", "A row of a file that could not be imported.",
    [
      .always("line", .number, "the line, from 1"), .optional("column", .number, "the column, from 1"),
      .always("message", .text, "what is wrong"), .always("text", .text, "the start of the row"),
    ])
  private static let undo = JSONObjectType.Member.optional(
    "undo", .number, "the step that undo would revert; absent if nothing changed")

  static let edit = answer(
    named: "answer", "The output of commands that edit the list.", changes + [undo])
  static let revert = answer(
    named: "reverted", "The output of undo and redo.",
    [.always("steps", .list(.object(JSONShapes.step.type)), "the steps that were undone or redone")])

  private static func answer(_ command: String, _ members: [JSONObjectType.Member]) -> Answer {
    Answer(command: command, type: .object(answer(named: command, "", members)))
  }

  /// The output of a command that changes something.
  private static func answer(
    named name: String, _ meaning: String, _ members: [JSONObjectType.Member]
  ) -> JSONObjectType {
    JSONObjectType(
      name, meaning,
      [.always("op", .text, "the command")] + members + [
        .optional("dry_run", .flag, "true with --dry-run")
      ])
  }
}

/// Outputs as printed, one for each shape, each below its command line.
extension JSONReference {
  static let examples: [(line: String, output: String)] = {
    let lines = Manual.jsonExamples.split(separator: "\n").map(String.init)
    return stride(from: 0, to: lines.count, by: 2).map { (lines[$0], lines[$0 + 1]) }
  }()
}

extension JSONReference {
  /// The reference as a page of help, and pages of each type, of each command, and of all.
  static let page = Page(
    "json", "what each command prints with --json", parts: parts,
    [
      .paragraph(
        """
        `customers help json move` shows what a command prints, with an example, `customers help json customer` a type, \
        and `customers help json all` everything. Commands that are not listed print an object of their own.
        """),
      .items(grouped(rows(answers)).filter { $0.name != ownObject }), .paragraph(promise),
      .paragraph("The types are \(listed(shared.map(\.name), "and"))."),
    ])

  /// What is said of a type that only one command has.
  private static let ownObject = "an object"

  private static var parts: [Page] {
    var names: [String] = []
    for name in shared.map(\.name) + answers.map(\.name) where !names.contains(name) { names.append(name) }
    return names.map { name in
      Page("json \(name)", "the JSON of \(name)", blocks(of: name))
    } + [
      Page(
        "json all", "all types and examples",
        [.paragraph(promise)] + (shared + answers.compactMap(\.own)).flatMap(object) + shown(examples))
    ]
  }

  /// What a command prints, and the type of that name.
  private static func blocks(of name: String) -> [Page.Block] {
    let answers = answers.filter { $0.name == name }
    var types = shared.filter { $0.name == name }
    for type in answers.compactMap(\.type.objectType) where !types.contains(where: { $0.name == type.name }) {
      types.append(type)
    }
    return (answers.isEmpty ? [] : [.items(rows(answers))]) + types.flatMap(object)
      + shown(examples.filter { $0.line.split(separator: " ").first.map(String.init) == name })
  }

  /// The objects that several commands print, or that are nested in others.
  private static var shared: [JSONObjectType] {
    [
      JSONShapes.customer.type, JSONShapes.shown.type, JSONShapes.line.type, JSONShapes.section.type, edit,
      JSONShapes.change.type, JSONShapes.place.type,
      revert, JSONShapes.step.type, JSONShapes.column.type, JSONShapes.valueCount.type, group,
      importedColumn, rejected, violation, info,
      JSONShapes.command.type, JSONShapes.helpOption.type, JSONShapes.helpExample.type, JSONShapes.page.type,
      JSONShapes.copy.type, JSONShapes.pagePerson.type, picture,
      error, Candidates.type, problem,
    ]
  }

  /// The type of each answer, in a line.
  private static func rows(_ answers: [Answer]) -> [(name: String, meaning: String)] {
    answers.map { answer in
      let name = answer.note ?? (answer.own == nil ? answer.type.name : ownObject)
      return (answer.command, answer.isStream ? "list, then \(name) per line" : name)
    }
  }

  /// The types and the commands that print them.
  private static func grouped(
    _ rows: [(name: String, meaning: String)]
  ) -> [(name: String, meaning: String)] {
    rows.reduce(into: []) { groups, row in
      if let index = groups.firstIndex(where: { $0.name == row.meaning }) {
        groups[index].meaning += ", \(row.name)"
      } else {
        groups.append((row.meaning, row.name))
      }
    }
  }

  /// What a program may rely on.
  private static let promise = """
    A name with ? may be missing. Until version 1.0, a key that is listed keeps its name, its type, and its meaning, \
    unless the changelog says what to do. There may be new ones, in any order. An error is an object `error` on \
    standard error.
    """

  /// Examples, in lines that fit every terminal.
  private static func shown(_ examples: [(line: String, output: String)]) -> [Page.Block] {
    guard !examples.isEmpty else { return [] }
    let lines = examples.map { line, output in
      let words = output.replacing(",", with: ", ").split(separator: " ").map(String.init)
      return "$ customers \(line)\n" + filled(words, width: Page.width - 4).joined(separator: "\n")
    }
    return [.heading(examples.count == 1 ? "Example" : "Examples")] + lines.map { .lines($0) }
  }

  private static func object(_ type: JSONObjectType) -> [Page.Block] {
    let rows = type.members.map { member -> (name: String, meaning: String) in
      (member.name + (member.isOptional ? "?" : ""), "\(member.type.name): \(member.meaning)")
    }
    let isShared = shared.contains { $0.name == type.name }
    return [
      .heading(
        isShared ? type.name.prefix(1).uppercased() + type.name.dropFirst() : "`customers \(type.name)`")
    ] + (type.meaning.isEmpty ? [] : [.paragraph(type.meaning)]) + [.items(rows)]
  }
}

extension JSONReference.Answer {
  /// The command.
  fileprivate var name: String { String(command.prefix { $0 != " " }) }

  /// The object, if no other command prints it.
  fileprivate var own: JSONObjectType? { type.name == command ? type.objectType : nil }
}

extension JSONType {
  /// The object, or that of which it is an array.
  fileprivate var objectType: JSONObjectType? {
    switch self {
    case .object(let type): type
    case .list(let type): type.objectType
    case .text, .number, .flag, .any, .map, .oneOf: nil
    }
  }
}
