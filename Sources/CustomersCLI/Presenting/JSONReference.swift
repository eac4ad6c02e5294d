/// What every command prints with `--json`: the page `customers help json`, and what the tests compare
/// the output with.
enum JSONReference {
  /// What a command prints.
  struct Answer: Sendable {
    /// The command line, as far as it matters: `undo`, `apply --check`.
    let command: String
    let type: JSONType
    /// Whether it is one object a line, without end.
    var isStream = false
  }

  /// What standard error has when a command fails.
  static let error = JSONObjectType(
    name: "error",
    meaning: "Why a command failed; the only member of an object on standard error is `error`.",
    members: [
      .always("code", .number, "the exit code"), .always("message", .text, "what is wrong, in one line"),
      .optional("done", .flag, "true if the change was made all the same"),
      .optional("details", .list(.text), "lines that belong to the message"),
      .optional(
        "candidates", .list(.object(Candidates.type)), "the rows, or sections, that were meant perhaps"),
      .optional("hint", .text, "what to do instead"),
      .optional("problems", .list(.object(problem)), "the lines of a script that are wrong"),
    ])

  static let problem = JSONObjectType(
    name: "problem", meaning: "What is wrong with a line of a script.",
    members: [
      .always("file", .text, "the script"), .always("line", .number, "the line, from 1"),
      .optional("column", .number, "the column, from 1"), .always("code", .number, "the exit code"),
      .always("message", .text, "what is wrong"),
      .optional("details", .list(.text), "lines that belong to the message"),
      .optional("candidates", .list(.object(Candidates.type)), "as in an error"),
      .optional("hint", .text, "what to do instead"),
    ])

  /// The first line of `watch`, which comes again when more has happened than is worth naming.
  static let picture = JSONObjectType(
    name: "list", meaning: "The first line of `watch`, and again when too much has changed to be named.",
    members: [
      .always("op", .text, "list"),
      .always("sections", .list(.object(JSONShapes.section.type)), "the sections in order"),
      .always("customers", .list(.object(JSONShapes.customer.type)), "the customers in order"),
    ])
}
