/// A page of help that is about no single command: `customers help NAME` shows it.
struct HelpTopic: Sendable {
  let name: String
  /// One line for the list of topics.
  let summary: String
  let text: String

  static var all: [HelpTopic] { [rows, scripts, json] }

  private static var json: HelpTopic {
    HelpTopic(name: "json", summary: "what every command prints with --json", text: JSONReference.text)
  }

  private static var rows: HelpTopic {
    let width = Manual.rowNames.map { displayWidth($0.0) }.max() ?? 0
    let margin = "\n" + String(repeating: " ", count: width + 4)
    let lines = Manual.rowNames.map { name, meaning in
      "  \(padded(name, to: width))  " + paragraph(meaning, width: 95 - width).joined(separator: margin)
    }
    return HelpTopic(name: "rows", summary: "how rows are named", text: lines.joined(separator: "\n"))
  }

  private static var scripts: HelpTopic {
    let script = Manual.script.split(separator: "\n").map { "    \($0)" }
    let lines = paragraph(Manual.scripts, width: 100) + [""] + script
    return HelpTopic(
      name: "scripts", summary: "how many edits are done at once", text: lines.joined(separator: "\n"))
  }

  private static func paragraph(_ text: String, width: Int) -> [String] {
    filled(text.split(separator: " ").map(String.init), width: width)
  }
}
