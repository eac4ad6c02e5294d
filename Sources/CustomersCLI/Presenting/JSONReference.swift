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
    name: "error",
    meaning: "Why a command failed; the only member of an object on standard error is `error`.",
    members: [
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
    name: "problem", meaning: "An error in a script.",
    members: [
      .always("file", .text, "the script"), .always("line", .number, "the line, from 1"),
      .optional("column", .number, "the column, from 1"), .always("code", .number, "the exit code"),
      .always("message", .text, "what is wrong"),
      .optional("details", .list(.text), "lines that belong to the message"),
      .optional("candidates", .list(.object(Candidates.type)), "as in an error"),
      .optional("hint", .text, "what to do instead"),
    ])

  /// The first line of `watch`, repeated when too much has happened to list.
  static let picture = JSONObjectType(
    name: "list", meaning: "The first line of `watch`, repeated when too much has changed to list.",
    members: [
      .always("op", .text, "list"),
      .always("sections", .list(.object(JSONShapes.section.type)), "the sections in order"),
      .always("customers", .list(.object(JSONShapes.customer.type)), "the customers in order"),
    ])
}
