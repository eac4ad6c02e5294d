/// A page of help that is about no single command: `customers help NAME` shows it.
struct HelpTopic: Sendable {
  let name: String
  /// One line for the list of topics.
  let summary: String
  let text: String

  static var all: [HelpTopic] {
    [
      HelpTopic(name: "rows", summary: "how rows are named", text: HelpText.table(Manual.rowNames)),
      scripts,
      HelpTopic(
        name: "formats", summary: "what lists and files are written in",
        text: HelpText.table(Format.allCases.map { ($0.rawValue, $0.meaning) })),
      HelpTopic(
        name: "exit-codes", summary: "how a command ends, for scripts",
        text: HelpText.table(Manual.exitCodes)),
      HelpTopic(
        name: "environment", summary: "the variables that are looked at",
        text: HelpText.table(Environment.variables.map { ($0.name, $0.meaning) })),
      ssh,
      HelpTopic(name: "json", summary: "what every command prints with --json", text: JSONReference.text),
    ]
  }

  private static var ssh: HelpTopic {
    HelpTopic(
      name: "ssh", summary: "how to use a list on another machine",
      text: Manual.ssh.map { HelpText.paragraph($0) }.joined(separator: "\n\n"))
  }

  private static var scripts: HelpTopic {
    let script = Manual.script.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    return HelpTopic(
      name: "scripts", summary: "how to make many edits at once",
      text: "\(HelpText.paragraph(Manual.scripts))\n\n\(script)")
  }
}

extension Format {
  /// What it is good for, in a sentence or two.
  var meaning: String {
    switch self {
    case .table: "Aligned columns, for people. On a terminal they are cut to its width."
    case .markdown: "A table as GitHub shows it."
    case .csv: "Values separated by commas, with a line of column names."
    case .tsv: "Values separated by tabs, with a line of column names."
    case .json: "One array of objects, or one object."
    case .ndjson: "An object per line; the first is there before the last is known."
    case .vcard: "Address cards, as phones and mail programs read them."
    case .ids: "An id per line, as `-` in place of ROW reads them."
    }
  }
}
