/// A page of help about a topic: `customers help NAME` shows it.
struct HelpTopic: Sendable {
  let name: String
  /// One line for the list of topics.
  let summary: String
  let text: String

  static var all: [HelpTopic] {
    [
      HelpTopic(name: "rows", summary: "how to name rows", text: HelpText.table(Manual.rowNames)),
      scripts,
      HelpTopic(
        name: "formats", summary: "the formats of lists and files",
        text: HelpText.table(CommandFormats.manual.map { ($0.name, $0.summary) }) + "\n\n"
          + Manual.files.map { HelpText.paragraph($0) }.joined(separator: "\n\n")),
      HelpTopic(
        name: "exit-codes", summary: "the exit codes, for scripts",
        text: HelpText.table(Manual.exitCodes)),
      HelpTopic(
        name: "environment", summary: "the environment variables",
        text: HelpText.table(Environment.variables.map { ($0.name, $0.meaning) })),
      otherMachines("ssh", summary: "how to use a list on another machine", Manual.ssh),
      otherMachines("cluster", summary: "how to use a list on several machines", Manual.cluster),
      HelpTopic(name: "json", summary: "what each command prints with --json", text: JSONReference.text),
    ]
  }

  private static func otherMachines(_ name: String, summary: String, _ paragraphs: [String]) -> HelpTopic {
    HelpTopic(
      name: name, summary: summary,
      text: paragraphs.map { HelpText.paragraph($0) }.joined(separator: "\n\n"))
  }

  private static var scripts: HelpTopic {
    let script = Manual.script.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    return HelpTopic(
      name: "scripts", summary: "how to make many edits at once",
      text: Manual.scripts.map { HelpText.paragraph($0) }.joined(separator: "\n\n")
        + "\n\n\(script)\n\n\(HelpText.table(Manual.scriptRules))")
  }
}
