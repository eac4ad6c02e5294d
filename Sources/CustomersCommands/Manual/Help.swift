internal import CustomerStore
internal import CustomersText

extension Command {
  static let help = Command(
    name: "help", summary: "show help",
    operands: [.optional(.topic)], options: [.optional(ManPage.option)],
    examples: [
      CommandExample("Show the help of a command:", "customers help move"),
      CommandExample("Show how to name rows:", "customers help rows"),
      CommandExample(
        "Install the manual pages:",
        """
        mkdir -p ~/.local/share/man/man1 && cd ~/.local/share/man/man1
        customers help --man > customers.1
        names=$(customers help --json | grep -o '"name":"[a-z]*"' | cut -d'"' -f4)
        for n in $names; do customers help $n --man > customers-$n.1; done
        """),
    ],
    seeAlso: ["rows", "scripts", "formats", "json"],
    isPaged: true, need: { _ in .nothing },
    run: { session in
      let name = session.invocation.operands.first
      if session.invocation[ManPage.option] {
        try session.output.write(name.map(ManPage.page) ?? ManPage.text)
      } else if try session.format() == .json {
        try session.output.write(Help.json(of: name).text + "\n")
      } else {
        try session.writeHelp(name.map(Help.page) ?? Help.overview)
      }
      return .done
    })
}

/// The help pages, generated from the table of commands.
enum Help {
  static var overview: String {
    let nameWidth = Command.shown.map { displayWidth(names($0)) }.max()
    let groups = Command.groups.map { title, commands in
      "\(title):\n" + HelpText.table(commands.map { (names($0), $0.summary) }, nameWidth: nameWidth)
    }
    let about = "customers keeps a list of customers in the order you choose, in one SQLite file."
    let rows = """
      ROW is a row number (3, or 2,5-7 for several), an id (@17), first, last, a number in a section (leads/2), \
      or a name, an e-mail address, or any unambiguous part of one ("Ann Lee"). To choose rows by their fields, \
      use --where City=Berlin.
      """
    return """
      \(HelpText.paragraph(about))

      Usage: customers COMMAND [options]

      \(groups.joined(separator: "\n\n"))

      Options of every command:
      \(options(GlobalOptions.all))

      Help topics:
      \(HelpText.table(HelpTopic.all.map { ($0.name, $0.summary) }, nameWidth: nameWidth))

      \(HelpText.paragraph(rows))

      Run `customers help COMMAND` for details. Add `--man` for a page of man.

      """
  }

  static func text(_ command: Command) -> String {
    var text = "\(command.summary)\n\n\(usage(command))\n"
    for paragraph in command.paragraphs { text += "\n\(HelpText.paragraph(paragraph))\n" }
    if !command.options.isEmpty { text += "\nOptions:\n\(options(command.options))\n" }
    if command.formats.areUnusual { text += "\nFormats: \(listed(command.formats.names)).\n" }
    if !command.examples.isEmpty { text += "\nExamples:\n\(examples(command.examples))\n" }
    if !command.seeAlso.isEmpty { text += "\nSee also: \(command.seeAlso.joined(separator: ", ")).\n" }
    return text + "\nEvery command takes -n, -y, -q, --json, and more: customers help.\n"
  }

  static func text(_ topic: HelpTopic) -> String { "\(topic.summary)\n\n\(topic.text)\n" }

  /// The page of a command or a topic.
  ///
  /// - Throws: a `Failure` with code `usage` if there is none.
  static func page(_ name: String) throws -> String {
    if let topic = HelpTopic.all.first(where: { $0.name == name }) { return text(topic) }
    return try text(.named(name, among: Command.shown + [Command.serve]))
  }

  /// The name, with its aliases in parentheses.
  static func names(_ command: Command) -> String {
    command.aliases.isEmpty ? command.name : "\(command.name) (\(command.aliases.joined(separator: ", ")))"
  }

  private static func usage(_ command: Command) -> String {
    let start = "customers \(command.name)"
    let indent = String(repeating: " ", count: "Usage: ".count)
    let lines = command.forms.flatMap { form in
      let parts = usageParts(form.usage)
      let lines = filled(parts, width: HelpText.width - indent.count - start.count - 1)
      let margin = indent + String(repeating: " ", count: start.count + 1)
      return lines.isEmpty
        ? [indent + start] : zip([indent + start + " "] + lines.dropFirst().map { _ in margin }, lines).map(+)
    }
    return "Usage: " + lines.joined(separator: "\n").dropFirst(indent.count)
  }

  /// A usage in parts that stay on one line, such as an option and its value.
  private static func usageParts(_ usage: String) -> [String] {
    var parts: [String] = []
    for word in usage.split(separator: " ").map(String.init) {
      if let last = parts.last, last == "|" || word != "|" && !"[(".contains(word.prefix(1)) {
        parts[parts.count - 1] = "\(last) \(word)"
      } else {
        parts.append(word)
      }
    }
    return parts
  }

  private static func options(_ options: [any DeclaredOption]) -> String {
    HelpText.table(
      options.map { option in
        let names = [option.short, option.name].compactMap { $0 }.joined(separator: ", ")
        return (names + option.placeholder, option.summary)
      })
  }

  private static func examples(_ examples: [CommandExample]) -> String {
    examples.map { example in
      "  \(example.purpose)\n"
        + example.line.split(separator: "\n").map { "    $ \($0)" }.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

extension Session {
  /// Writes a page of help; on a terminal its headings, which start at the left and end in a colon, are bold.
  func writeHelp(_ page: String) throws {
    guard hasColor(output) else { return try output.write(page) }
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let usage = "Usage:"
      if line.hasPrefix(usage) { return styled(usage, .heading, if: true) + line.dropFirst(usage.count) }
      return styled(String(line), line.hasSuffix(":") && !line.hasPrefix(" ") ? .heading : nil, if: true)
    }
    try output.write(lines.joined(separator: "\n"))
  }
}

/// Text in lines that fit every terminal.
enum HelpText {
  /// The maximum width of help, in columns.
  static let width = 80
  /// A longer name gets its own line.
  private static let longestName = 26

  static func paragraph(_ text: String, width: Int = width) -> String {
    lines(text, width).joined(separator: "\n")
  }

  /// Names and their meanings in two columns; by default the names take as much space as they need.
  static func table(_ rows: [(name: String, meaning: String)], nameWidth: Int? = nil) -> String {
    let widths = rows.map { displayWidth($0.name) }
    let nameWidth = nameWidth ?? widths.filter { $0 <= longestName }.max() ?? 0
    let margin = String(repeating: " ", count: nameWidth + 4)
    return rows.map { name, meaning in
      let meanings = lines(meaning, width - margin.count)
      guard displayWidth(name) <= nameWidth else {
        return (["  \(name)"] + meanings.map { margin + $0 }).joined(separator: "\n")
      }
      return "  \(padded(name, to: nameWidth))  " + meanings.joined(separator: "\n" + margin)
    }.joined(separator: "\n")
  }

  private static func lines(_ text: String, _ width: Int) -> [String] {
    filled(text.split(separator: " ").map(String.init), width: width)
  }
}

/// The words in lines of at most `width` columns, unless a word is longer.
func filled(_ words: [String], width: Int) -> [String] {
  var lines: [String] = []
  for word in words {
    if let line = lines.last, displayWidth(line) + 1 + displayWidth(word) <= width {
      lines[lines.count - 1] = "\(line) \(word)"
    } else {
      lines.append(word)
    }
  }
  return lines
}

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
