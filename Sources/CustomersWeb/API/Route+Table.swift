internal import CustomerStore
internal import CustomerTable
internal import CustomerTransfer
internal import CustomersText

/// The table of routes, and what their requests and answers have.
extension Route {
  /// All routes, in the order of the documents.
  static let all: [Route] = [
    .get(
      "/v1/rows", "listRows", ListAPI.rows,
      "Rows of the list: from a number on, in another order, or those that match.", .json(rows),
      [.from, .limit(0...1000)] + Parameter.rows + [.fields, .sort] + Parameter.view),
    .get(
      "/v1/ids", "listIDs", ListAPI.ids, "The ids of rows, all of them, in the order of the list.",
      .json(ids), Parameter.rows + Parameter.range + [.session]),
    .get("/v1/rows/{id}", "showRow", ListAPI.row, "One row, by the id of its customer.", .json(row)),
    .get(
      "/v1/duplicates", "listDuplicates", ListAPI.duplicates,
      "The customers that may be the same, in groups.", .json(duplicates)),
    .get(
      "/v1/next", "nextRow", ListAPI.next, "The first row that is due, with the last three lines of its log.",
      .json(next), Parameter.rows),
    .get(
      "/v1/rows/{id}/history", "rowHistory", ListAPI.stepsOfRow,
      "The steps that changed a customer, the latest first.", .json(history), [.before, .limit(1...50)]),
    .get(
      "/v1/rows/{id}/photo", "rowPhoto", ListAPI.photo, "The photo of a customer.",
      .other([.jpeg, .png, .gif, .webp])),
    .post(
      "/v1/rows/{id}/photo", "setPhoto", ListAPI.setPhoto, "Gives a customer a photo, or takes it away.",
      .json(photo), outcome),
    .get(
      "/v1/form", "showForm", ListAPI.form, "The form of a customer or of a new one, as people fill it in.",
      .json(FormState.Options.type),
      [Parameter("id", .number(1...Int.max), "the id of the customer; without it, a new one")]),
    .get("/v1/sections", "listSections", ListAPI.sections, "The sections, in their order.", .json(sections)),
    .get(
      "/v1/columns", "listColumns", ListAPI.columns, "The fields, and the extra columns of the list.",
      .json(columns)),
    .get(
      "/v1/history", "listHistory", ListAPI.steps, "The steps, the latest first.", .json(history),
      [.before, .limit(1...50)]),
    .post(
      "/v1/edits", "edit", ListAPI.edit, "Edits, all or none of them, as one step.", .json(edits), outcome),
    .post(
      "/v1/undo", "undo", { api in { try await api.revert(.undo, $0) } },
      "Undoes the last step, whoever made it.", .json(undo), outcome),
    .post(
      "/v1/redo", "redo", { api in { try await api.revert(.redo, $0) } },
      "Redoes the step that was undone last.", .json(undo), outcome),
    .post(
      "/v1/revert", "revert", ListAPI.revertStep, "Undoes one step alone; what was done since stays.",
      .json(revert), outcome),
    .post(
      "/v1/settle", "settle", ListAPI.settle,
      "Says whether the edit with a token was made; one that was not made can't be made later, unless the key only reads.",
      .json(settling), settled, isReading: true),
    .get("/v1/formats", "listFormats", ListAPI.formats, "The formats of exports.", .json(formats)),
    .get(
      "/v1/export", "exportRows", ListAPI.exportContent, "Rows as a file, of up to 16 MB.", .other([.bytes]),
      [Parameter("format", .words(FileFormat.writable.map(\.name)), "the format; without it, csv")]
        + Parameter.rows + [.sort]),
    .post(
      "/v1/export", "exportFile", ListAPI.exportFile,
      "Writes rows to a file, of up to 256 MB, which is fetched in pieces.", .json(exporting), exported,
      isReading: true, mayRun: true),
    .post(
      "/v1/backup", "backUp", ListAPI.backUp,
      "Writes a copy of the list with its history, which is fetched in pieces.", .json(backingUp), exported,
      isReading: true, mayRun: true),
    .post(
      "/v1/import", "importRows", ListAPI.importFile,
      "Imports a file as one step; with `dry_run`, says what it would do.", .json(importing), outcome,
      mayRun: true),
    .post(
      "/v1/pull", "pullCopy", ListAPI.pull,
      "Takes in what a copy of the list has that was edited on its own, as one step; with `dry_run`, says what it would do.",
      .json(pulling), outcome, mayRun: true),
    .get(
      "/v1/files", "readFile", ListAPI.download, "A piece of a file, of up to 1 MB.", .other([.bytes]),
      Parameter.piece),
    .post(
      "/v1/files", "sendFile", ListAPI.upload,
      "Adds a piece, of up to 1 MB, to a file of up to 256 MB; the piece at 0 begins it.", .bytes, sent,
      Parameter.piece + [
        Parameter("name", .text, "its name for people, to refuse a format that is not known")
      ]),
    .post(
      "/v1/cancel", "cancel", ListAPI.cancel, "Ends an import or export that is running, and drops a file.",
      .json(canceling), done, isReading: true),
    .post(
      "/v1/presence", "tellPresence", ListAPI.tellPresence,
      "Says which rows a page is editing now; streams have it for 30 seconds after the last time.",
      .json(telling), done),
    .get(
      "/v1/events", "events", ListAPI.missedEvents,
      "A stream of what changes from now on, or from a version on.", .events,
      [
        Parameter("after", .text, "a version: its later steps come first, or `reload`"),
        Parameter("page", .text, "a name; an earlier stream of the same name ends"),
      ]),
    .get("/v1/openapi.json", "openapi", ListAPI.document, "This description, as OpenAPI 3.1.", .document),
  ]

  private static func version(_ meaning: String = "the version of the list") -> JSONObjectType.Member {
    .always("version", .text, meaning)
  }

  private static let rows = JSONObjectType(
    "rows", "Rows of the list.",
    [
      version(), .always("count", .number, "how many rows there are, with those that are not here"),
      .always("from", .number, "the number of the first of these among them, from 1"),
      .always(
        "rows", .list(.object(partialCustomer)), "the rows; with `fields`, only the id and these members"),
      .always("read_only", .flag, "whether the caller can only read"),
      .optional("key", .text, "of a key that shows a part of the list, what it may: edit, read, or add"),
      .optional(
        "columns",
        .list(
          .object(
            "shown_column", "A column that a key shows.",
            [.always("name", .text, "the name"), .always("title", .text, "the name for people")])
        ), "of a key that shows some columns: which, in their order"),
      .optional(
        "other_list", .flag,
        "with `seen`: whether the list never was so, because a backup was restored or a copy put in its place"
      ),
      skipped,
      .optional(
        "found",
        .object(
          "found", "How far a search is.",
          [
            .always("count", .number, "how many rows match so far"),
            .always("read", .number, "how many rows were searched"),
            .always("complete", .flag, "whether these are all"),
            .optional("skipped", .text, "which values it could not compare, for people"),
            .optional("problem", .text, "what is wrong with the text, for people"),
          ]), "with a session and `text`: how far the search is"),
      .optional(
        "outline",
        .object(
          "outline", "The sections.",
          [
            .always("tag", .text, "another one if the sections are others"),
            .optional(
              "sections", .list(.object(JSONShapes.section.type)),
              "the sections, with titles cut after 300 characters, unless the caller has them"),
          ]), "with `outline`: the sections"),
      .optional(
        "places", .list(.any), "with `places`: for each id its row in the list, or null if it is not there"),
      .optional(
        "due", .number, "with `count_due`: how many are due, unless the list has more than 100,000 rows"),
      .optional("undo", .any, "with `steps`: the step that would be undone, without its changes, or null"),
      .optional("redo", .any, "with `steps`: the step that would be redone, without its changes, or null"),
    ])
  private static let skipped = JSONObjectType.Member.optional(
    "skipped",
    .list(
      .object(
        "skipped_values",
        "Values that a question could not compare, because they are not of the kind of their column.",
        [
          .always("column", .text, "the column"), .always("kind", .text, "its kind"),
          .always("count", .number, "how many values of it"),
        ])), "the values that left the question open, if any; these rows are not here")
  private static let next = JSONObjectType(
    "next_row", "The row that is due first.",
    [version(), .always("row", .any, "a shown_customer, or null if no one is due"), skipped])
  private static let ids = JSONObjectType(
    "ids", "The ids of rows.",
    [
      version("the version of the list in which they were read"),
      .always("complete", .flag, "false if a session still searches; then there are none yet"),
      .always("ids", .list(.number), "the ids"), skipped,
    ])
  /// A customer of which only some members may be there.
  private static let partialCustomer = JSONObjectType(
    "row", "A customer, or some of its fields.",
    JSONShapes.customer.type.members.map {
      $0.name == "id" ? $0 : .optional($0.name, $0.type, $0.meaning)
    } + [
      .optional("subtitle", .text, "the line that a table shows below the name"),
      .optional("match", .text, "of a row that matches: in which field, unless that is shown"),
      .optional("photo", .text, CardPhoto.tagMeaning),
    ], isOpen: true)
  private static let row = JSONObjectType(
    "one_row", "One row.", [version(), .always("row", .object(JSONShapes.shown.type), "the customer")])
  private static let sections = JSONObjectType(
    "sections", "The sections.",
    [version(), .always("sections", .list(.object(JSONShapes.section.type)), "the sections")])
  private static let columns = JSONObjectType(
    "columns", "The fields and extra columns.",
    [
      version(),
      .always(
        "columns",
        .list(
          .object(
            "field", "A field, or an extra column.",
            [
              .always("name", .text, "the column; extra.NAME for an extra one"),
              .always("title", .text, "its name for people"),
              .always(
                "kind", .text, "what its values are: \(ColumnKind.words)"),
              .optional("choices", .list(.text), "the values of a choice, in their order"),
              .optional("count", .number, "how many customers have the extra column"),
            ])), "the fields"),
    ])
  private static let history = JSONObjectType(
    "history", "Steps of the history.",
    [
      version(), .always("steps", .list(.object(ListAPI.step)), "the steps, the latest first"),
      .always("next", .any, "the number for `before` that gives earlier ones; null if there are none"),
    ])
  private static let token = JSONObjectType.Member.optional(
    "token", .text,
    "32 hexadecimal digits or a UUID, of version 7; a request that is repeated with it is done once")
  private static let seen = JSONObjectType.Member.optional(
    "seen", .text,
    "the version that the caller has seen: rows and sections that were changed since, and columns that were renamed, are refused"
  )
  private static let dryRun = JSONObjectType.Member.optional(
    "dry_run", .flag, "whether to answer what would happen, without doing it")
  private static let page = JSONObjectType.Member.optional(
    "page", .text, "a name of the caller, which its own events have")
  private static let changes = JSONObjectType.Member.optional(
    "changes", .number, "how many changes the answer lists, up to 1,000; without it, as many")
  private static let time = JSONObjectType.Member.optional("time", .text, "the time of that step, to be sure")
  private static let edits = JSONObjectType(
    "edits", "Edits that are made together.",
    [
      .always("edits", .list(.oneOf(RequestedEdit.types)), "the edits, in their order"), token, seen, dryRun,
      .optional(
        "typed", .flag, "whether a person typed the values: a number that may be two, as 1.200, is refused"),
      page, changes,
    ])
  private static let undo = JSONObjectType(
    "undo_request", "What to undo or redo.",
    [.optional("step", .number, "the step that is expected; another one is not undone"), time]
      + [token, dryRun, page, changes])
  private static let revert = JSONObjectType(
    "revert_request", "The step to revert.",
    [.always("step", .number, "the step"), time, token, dryRun, page, changes])
  private static let photo = JSONObjectType(
    "photo_request", "A photo.",
    [
      .optional(
        "file", .text,
        "a JPEG, PNG, GIF, or WebP file of up to 2 MB that was sent; without it, the photo is taken away"),
      token, dryRun, page, changes,
    ])
  private static let settling = JSONObjectType(
    "settle_request", "An edit of which the answer was lost.", [.always("token", .text, "its token")])
  private static let settled = JSONObjectType(
    "settled", "What became of an edit.",
    [
      .always("outcome", .text, "done, not_done, or unknown if it is too long ago"),
      .always("step", .any, "the number of its step; null if there is none or it is not known"),
      .always("version", .any, "the version after it; null if there is none or it is not known"),
      .always("text", .text, "what was done, as a sentence, if it is known"),
    ])
  private static let file = "the name of a file: 32 hexadecimal digits that the caller chooses at random"
  private static let progress = JSONObjectType.Member.optional(
    "progress", .flag,
    "whether to answer after a moment how far it is, with 202; the same request again goes on")
  static let importColumn = JSONObjectType(
    "import_column", "What a column of a file becomes.",
    [
      .always("name", .text, "its name in the file; without a header, its number"),
      .optional("to", .text, "a field, extra.NAME, name, section, or - for nothing"),
      .optional(
        "kind", .text,
        "of an extra column: text, number, date, time, yes/no, link, or one of the `readings` of the dry run"),
    ])
  static let choice = JSONObjectType(
    "choice", "Whose change counts in one conflict.",
    [.always("key", .text, "the key of the conflict"), .always("side", .text, "ours, or theirs")])
  private static let importing = JSONObjectType(
    "import_request", "A file to import.",
    [
      .always("name", .text, "its name, of which the end names the format: new.csv"),
      .optional("content", .text, "its content, of up to 1 MB"),
      .optional("file", .text, "instead of its content: \(file); it was sent before"),
      .optional("duplicates", .text, "what to do with customers that the list has: add, skip, or update"),
      .optional("header", .flag, "whether the first line of a table names the columns; without it, true"),
      .optional("columns", .list(.object(importColumn)), "what columns become that are not to be recognized"),
      .optional("to", .object(ListEdit.place), "the place of the customers; without it, the end"),
      .optional(
        "section", .number,
        "the section of the place; without both, the one that the file names, or the first"),
      .optional("leave_out", .flag, "whether rows that can't be imported are left out"),
      .optional(
        "order", .flag, "of a file with ids that updates: whether rows that lie elsewhere there are moved"),
      .optional(
        "delete_missing", .flag, "of a file with ids that updates: whether rows that it lacks are deleted"),
      .optional(
        "resolve", .text,
        "of a file with ids that updates: whose change counts if the list and the file changed the same value: ours, or theirs"
      ),
      .optional("sides", .list(.object(choice)), "the conflicts that are decided one by one"),
      .optional("choices", .text, "what a dry run has answered: if it is other now, nothing is done"), token,
      dryRun, page, changes, progress,
    ])
  private static let pulling = JSONObjectType(
    "pull_request", "A copy of the list to take in.",
    [
      .always("file", .text, "\(file); it was sent before"),
      .optional("name", .text, "its name for people"),
      .optional(
        "resolve", .text,
        "whose change counts if both changed the same thing: latest, ours, or theirs; without it, such a pull is refused"
      ),
      .optional("sides", .list(.object(choice)), "the conflicts that are decided one by one"),
      .optional(
        "unrelated", .flag,
        "whether to pull even if the histories no longer tell what the two have in common"), token,
      dryRun, page, changes, progress,
    ])
  /// Something that both copies changed.
  static let conflict = JSONObjectType(
    "conflict", "Something that both copies of a list changed.",
    [
      .always("key", .text, "what `sides` name it by"), .always("text", .text, "a line for people"),
      .optional("kind", .text, "of a pull: value, place, order, deletion, or the like"),
      .always("column", .any, "of a value: the column; or null"),
      .always("id", .any, "the customer in this list; or null"),
      .always("name", .text, "of the customer, the section, or what else it is about"),
      .optional("base", .any, "of a pull: what it was before; null for nothing, or if it is not known"),
      .always("ours", .any, "what it is here; null for nothing"),
      .always("theirs", .any, "what it is there; null for nothing"),
      .optional("ours_at", .any, "of a pull: when it was changed here; null if that is not known"),
      .optional("theirs_at", .any, "of a pull: when it was changed there"),
      .optional("winner", .text, "of a pull: whose change counts: ours, or theirs"),
    ])
  private static let exporting = JSONObjectType(
    "export_request", "A file to write.",
    [
      .always("file", .text, file), .always("format", .text, "the format"),
      .optional("ids", .list(.number), "the rows; without it and `view`, all"),
      .optional("range", .object(RowSelection.range), "instead of `ids`: rows by their numbers"),
      .optional("view", .object(RowSelection.view), "instead of `ids`: rows that match"),
      .optional("seen", .text, "the version in which the range or the view was chosen; without it, now"),
      .optional(
        "with_ids", .flag, "of a table or JSON: whether it has `id` and `version`, to be imported again"),
      progress,
    ])
  private static let backingUp = JSONObjectType(
    "backup_request", "A copy to write.", [.always("file", .text, file), progress])
  private static let duplicates = JSONObjectType(
    "duplicates", "Customers that may be the same.",
    [
      version("the version of the list"),
      .always(
        "groups",
        .list(
          .object(
            "duplicate_group", "Customers that have something in common.",
            [
              .always("reasons", .list(.text), "what all of them have in common: name, email, or phone"),
              .always("rows", .list(.object(JSONShapes.customer.type)), "the first of them, in list order"),
              .always("count", .number, "how many they are"),
            ])), "the first groups, in the order of their first rows"),
      .always("count", .number, "how many groups there are"),
    ])
  private static let exported = JSONObjectType(
    "exported", "A file that was written.",
    [
      .always("size", .number, "its size in bytes"), .always("name", .text, "a name for it"),
      .always("text", .text, "what was done, as a sentence"),
    ])
  private static let formats = JSONObjectType(
    "formats", "The formats of exports.",
    [
      .always(
        "formats",
        .list(
          .object(
            "format", "A format.",
            [
              .always("name", .text, "its name"), .always("summary", .text, "what it is"),
              .always("is_table", .flag, "whether it may have ids"),
            ])), "the formats")
    ])
  private static let sent = JSONObjectType(
    "sent", "What there is of a file.",
    [.always("size", .number, "its bytes so far, after which the next piece begins")])
  private static let canceling = JSONObjectType(
    "cancel_request", "What is no longer wanted.",
    [
      .optional("token", .text, "the token of an import, or the file of an export"),
      .optional("file", .text, file),
    ])
  private static let telling = JSONObjectType(
    "presence", "Rows that are being edited.",
    [
      .always(
        "page", .text, "a random name of the page, which its own events have: up to 32 hexadecimal digits"),
      .always("ids", .list(.number), "the customers, up to \(Presence.mostRows); none when it is over"),
    ])
  private static let done = JSONObjectType(
    "done", "It was done.", [.always("outcome", .text, "done")])
  /// How far something is that takes long.
  static let running = JSONObjectType(
    "running", "How far it is.",
    [
      .always("outcome", .text, "running"), .always("done", .number, "how much of it is done"),
      .always("total", .number, "how much it is; 0 if that is not known yet"),
    ])
  /// What an edit has done.
  static let outcome = JSONObjectType(
    "outcome", "What an edit has done.",
    [
      .always("outcome", .text, "done, or unchanged"), version("the version after the edit"),
      .always("again", .flag, "whether it was done before: this is what it did then"),
      .optional("dry_run", .flag, "true if nothing was done"),
      .always("step", .any, "the number of its step in the history; null if there is none"),
      .always("text", .text, "what was done, as a sentence"),
      .always("ids", .list(.number), "the first customers that it named or changed"),
      .optional("lines", .list(.text), "of the dry run of an import or a pull: more, in lines for people"),
      .optional(
        "relation", .text,
        "of the dry run of a pull: same (nothing is new), older (the list has nothing of its own), apart, or unrelated (no common state was found: a row may be there twice)"
      ),
      .optional(
        "conflicts", .list(.object(conflict)), "of the dry run of a pull or an import: what both changed"),
      .optional("table", .object(ImportedTable.type), "of the dry run of an import of a table: its start"),
      .optional(
        "read", .any,
        "of the dry run of an import: how it was read; with these members, an import reads it so, too"),
      .optional(
        "moved", .number,
        "of the dry run of an import of a file with ids: how many rows lie elsewhere there"),
      .optional("missing", .number, "the same: how many rows of the list it lacks"),
      .always("changes", .list(.object(JSONShapes.change.type)), "the changes"),
      .optional("omitted", .number, "how many further changes are not listed"),
    ])
}
