/// The answers of all commands.
extension JSONReference {
  /// By command; those that edit the list have one answer.
  static let answers: [Answer] =
    [
      Answer(command: "list", type: .list(.object(JSONShapes.customer.type))),
      Answer(command: "find", type: .list(.object(JSONShapes.customer.type))),
      Answer(command: "show ROW", type: .object(JSONShapes.customer.type)),
      Answer(command: "show ROW…", type: .list(.object(JSONShapes.customer.type))),
      Answer(command: "section list", type: .list(.object(JSONShapes.section.type))),
      Answer(command: "history", type: .list(.object(JSONShapes.step.type))),
      Answer(command: "history STEP", type: .object(JSONShapes.step.type)),
      Answer(command: "watch", type: .object(JSONShapes.step.type), isStream: true),
    ]
    + ["add", "edit", "delete", "move", "swap", "sort", "arrange", "section", "protect"].map {
      Answer(command: $0, type: .object(edit))
    } + [
      Answer(command: "undo", type: .object(revert)), Answer(command: "redo", type: .object(revert)),
      answer("history --forget", []),
      answer(
        "apply",
        changes + [
          .always("edits", .number, "how many lines changed something"),
          .always("count", .number, "how many rows the list has"),
          .always("rows", .any, "the id of each row that --as names"), undo,
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
          .always("updated", .number, "how many were there and were changed"),
          .always("skipped", .number, "how many were there and were left alone"),
          .always("rejected", .number, "how many lines could not be read"),
          .always("count", .number, "how many rows the list has"),
          .always("columns", .list(.any), "the columns of the file, and where each goes"),
          .always("kept_columns", .list(.text), "those that became extra columns"), undo,
        ]),
      answer(
        "export FILE",
        [.always("file", .text, "the file"), .always("count", .number, "how many rows it has")]),
      Answer(command: "export", type: .list(.any)),
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
          .always("ok", .flag, "whether all is as promised"),
          .always("count", .number, "how many rows the list has"),
          .always("journal", .text, "wal or delete, as SQLite calls it"),
          .always("violations", .list(.any), "what is wrong, and where"),
          .always("notes", .list(.text), "what is not wrong, but good to know"),
          .optional("repaired", .list(.any), "the rows that have another place now"),
          .optional("backup", .text, "where the file is as it was before the repair"),
          .optional("digest", .text, "the SHA-256 of the list, with --digest"),
        ]),
      answer(
        "backup",
        [
          .always("file", .text, "the file"), .always("count", .number, "how many rows it has"),
          .always("ok", .flag, "false if the list is damaged, and so the copy"),
        ]),
      Answer(
        command: "info",
        type: .object(
          JSONObjectType(
            name: "info", meaning: "",
            members: [
              .always("file", .text, "the customers file"), .always("chosen_by", .text, "what named it"),
              .always("exists", .flag, "whether it is there"), .always("bytes", .number, "its size"),
              .always("mode", .text, "who may read and write it, as in 0600"),
              .always("format", .number, "the version of its format"),
              .always("version", .text, "the version of the program"),
              .always("sqlite", .text, "the version of SQLite"),
              .always("sections", .number, "how many sections the list has"),
              .always("count", .number, "how many rows it has"),
            ]))),
    ]

  private static let changes: [JSONObjectType.Member] = [
    .always("changes", .list(.object(JSONShapes.change.type)), "what is different now"),
    .optional("omitted", .number, "how many changes are too many to name"),
  ]
  private static let undo = JSONObjectType.Member.optional(
    "undo", .number, "the step that undo would take back; none if nothing changed")

  static let edit = answer(
    named: "answer", "What a command that edits the list prints.", changes + [undo])
  static let revert = answer(
    named: "reverted", "What undo and redo print.",
    [.always("steps", .list(.object(JSONShapes.step.type)), "the steps that were undone or redone")])

  private static func answer(_ command: String, _ members: [JSONObjectType.Member]) -> Answer {
    Answer(command: command, type: .object(answer(named: command, "", members)))
  }

  /// The answer of a command that changes something, or might.
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
