/// The JSON output of all commands.
extension JSONReference {
  /// The output by command; commands that edit the list share one.
  static let answers: [Answer] =
    [
      Answer(command: "list", type: .list(.object(JSONShapes.customer.type))),
      Answer(command: "find", type: .list(.object(JSONShapes.customer.type))),
      Answer(command: "show ROW", type: .object(JSONShapes.customer.type)),
      Answer(command: "show ROW…", type: .list(.object(JSONShapes.customer.type))),
      Answer(command: "section list", type: .list(.object(JSONShapes.section.type))),
      Answer(command: "columns list", type: .list(.object(JSONShapes.column.type))),
      answer("duplicates", [.always("groups", .list(.object(group)), "the groups")]),
      Answer(command: "history", type: .list(.object(JSONShapes.step.type))),
      Answer(command: "history STEP", type: .object(JSONShapes.step.type)),
      Answer(command: "history ROW", type: .list(.object(JSONShapes.step.type))),
      Answer(command: "watch", type: .object(JSONShapes.step.type), isStream: true),
      answer(
        "web",
        [
          .always("url", .text, "the address of the page"), .optional("port", .number, "the port"),
          .optional("socket", .text, "the Unix socket, with --socket"),
        ]),
    ]
    + [
      "add", "edit", "delete", "move", "swap", "sort", "arrange", "section", "columns", "protect", "merge",
      "revert",
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
          .optional("moved", .number, "how many rows were moved, with --order"),
          .optional("deleted", .number, "how many customers were deleted, with --delete-missing"),
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
          .always("count", .number, "how many rows the list has"),
          .always("journal", .text, "wal or delete, as SQLite calls it"),
          .always("violations", .list(.object(violation)), "the problems"),
          .always("notes", .list(.text), "notes that are not problems"),
          .optional("repaired", .list(.any), "the rows whose place changed: id, from?, to"),
          .optional("lost", .list(.text), "what could not be read, and is not in the repaired list"),
          .optional("changed", .list(.text), "what the repair replaced"),
          .optional("backup", .text, "the damaged file, kept before the repair"),
          .optional("digest", .text, "the SHA-256 of the list, with --digest"),
          .optional(
            "nodes", .list(.any), "address and digest of each node's list, with --digest on a cluster"),
        ]),
      answer(
        "backup",
        [
          .always("file", .text, "the file"), .always("count", .number, "how many rows it has"),
          .always("ok", .flag, "false if the list, and so the copy, is damaged"),
        ]),
      answer(
        "restore",
        [
          .always("file", .text, "the backup"), .always("count", .number, "how many rows it has"),
          .optional("kept", .text, "the file with the old list"),
        ]),
      answer(
        "help",
        [
          .always("commands", .list(.object(JSONShapes.command.type)), "the commands, in the order of help"),
          .always("topics", .list(.text), "the topics of help"),
        ]),
      Answer(command: "help COMMAND", type: .object(JSONShapes.command.type)),
      Answer(
        command: "info",
        type: .object(
          JSONObjectType(
            name: "info", meaning: "",
            members: [
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
            ]))),
    ]

  private static let changes: [JSONObjectType.Member] = [
    .always("changes", .list(.object(JSONShapes.change.type)), "the changes"),
    .optional("omitted", .number, "how many further changes are not listed"),
  ]
  static let group = JSONObjectType(
    name: "group", meaning: "Customers that may be the same.",
    members: [
      .always("same", .list(.text), "what they have in common: name, email, or phone"),
      .always("customers", .list(.object(JSONShapes.customer.type)), "the customers in order"),
    ])
  static let importedColumn = JSONObjectType(
    name: "imported_column", meaning: "A column of an imported file.",
    members: [
      .always("name", .text, "the name in the file"),
      .always("goes_to", .text, "the field, extra.NAME, or - if it is dropped"),
    ])
  static let violation = JSONObjectType(
    name: "violation", meaning: "A problem that `check` found.",
    members: [
      .always("message", .text, "what is wrong"), .optional("section", .number, "the id of the section"),
      .optional("order", .number, "the number in the section, from 1"),
      .optional("customer", .number, "the id of the customer"),
    ])
  static let rejected = JSONObjectType(
    name: "rejected", meaning: "A row of a file that could not be imported.",
    members: [
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
      name: name, meaning: meaning,
      members: [.always("op", .text, "the command")] + members + [
        .optional("dry_run", .flag, "true with --dry-run")
      ])
  }
}
