internal import CustomerStore
internal import CustomersText

/// The pages for `man`, generated from the table of commands: one about the program and one for each command.
enum ManPage {
  static let option = Option.flag("--man", "print a page for man, of a command or the program")

  /// The page customers(1).
  static var text: String {
    """
    \(head("CUSTOMERS"))\
    .SH NAME
    customers \\- keep a list of customers in the order you choose
    .SH SYNOPSIS
    \(Roff.usage("customers COMMAND [OPTION]…"))
    .SH DESCRIPTION
    \(Roff.paragraphs(Manual.description))\
    .SH OPTIONS
    Every command takes these options, anywhere on the line:
    \(GlobalOptions.all.map(item).joined())\
    .SH COMMANDS
    \(Roff.prose("Each command has a page of its own, such as customers-move(1)."))\
    \(Command.groups.map { ".SS \($0.title)\n" + $0.commands.map(summary).joined() }.joined())\
    .SH NAMING A ROW
    \(Manual.rowNames.map { Roff.item(Roff.bold($0.0), $0.1) }.joined())\
    .SH SCRIPTS
    \(Roff.paragraphs(Manual.scripts))\
    \(Roff.example(Manual.script))\
    \(Manual.scriptRules.map { Roff.item(Roff.bold($0.0), $0.1) }.joined())\
    .SH OTHER MACHINES
    \(Roff.paragraphs(Manual.ssh))\
    .SH A LIST ON SEVERAL MACHINES
    \(Roff.paragraphs(Manual.cluster))\
    .SH FORMATS
    \(CommandFormats.manual.map { Roff.item(Roff.bold($0.name), $0.summary) }.joined())\
    .PP
    \(Roff.paragraphs(Manual.files))\
    .SH EXIT STATUS
    \(Manual.exitCodes.map { Roff.item(Roff.bold($0.0), $0.1) }.joined())\
    .SH ENVIRONMENT
    \(Environment.variables.map { Roff.item(Roff.bold($0.name), $0.meaning) }.joined())\
    .SH FILES
    \(Roff.item(Roff.bold("~/.local/share/customers/customers.sqlite"), Manual.file))\
    .SH EXAMPLES
    \(Roff.examples(Manual.examples))\
    .SH SEE ALSO
    \(references(Command.shown.map { "customers-\($0.name)" } + ["sqlite3"]))
    """
  }

  /// The page of a command, such as customers-move(1).
  ///
  /// - Throws: a `Failure` with code `usage` if there is no such command.
  static func page(_ name: String) throws -> String {
    if HelpTopic.all.contains(where: { $0.name == name }) {
      throw Failure.usage(
        "\(quoted(name)) is a topic, not a command",
        hint: "to print the page that has it: customers help --man",
        offendingArgument: name)
    }
    return text(of: try .named(name, among: Command.shown + [Command.serve]))
  }

  private static func text(of command: Command) -> String {
    let title = "customers-\(command.name)"
    let synopsis = command.forms.map { form in
      Roff.bold("customers \(command.name)") + (form.usage.isEmpty ? "" : " " + Roff.usage(form.usage))
    }
    let aliases =
      command.aliases.isEmpty ? [] : ["Also called \(listed(command.aliases.map { "`\($0)`" }, "and"))."]
    let description = command.paragraphs.isEmpty ? [command.summary.asSentence] : command.paragraphs
    let formats =
      command.formats.areUnusual ? ["The formats are \(listed(command.formats.names, "and"))."] : []
    let topics = command.seeAlso.filter { name in HelpTopic.all.contains { $0.name == name } }
    let commands = command.seeAlso.filter { !topics.contains($0) }.map { "customers-\($0)" }
    return head(title.uppercased()) + ".SH NAME\n\(Roff.plain(title)) \\- \(Roff.plain(command.summary))\n"
      + ".SH SYNOPSIS\n" + synopsis.joined(separator: "\n.br\n") + "\n"
      + ".SH DESCRIPTION\n" + Roff.paragraphs(description + aliases + formats)
      + (command.options.isEmpty ? "" : ".SH OPTIONS\n" + command.options.map(item).joined() + ".PP\n")
      + (command.options.isEmpty ? ".PP\n" : "")
      + Roff.prose("The options of every command, such as `--db` and `--json`, are in customers(1).")
      + (command.examples.isEmpty ? "" : ".SH EXAMPLES\n" + Roff.examples(command.examples))
      + ".SH SEE ALSO\n"
      + (topics.isEmpty ? "" : Roff.prose(topics.map { "`customers help \($0)`," }.joined(separator: " ")))
      + references(["customers"] + commands)
  }

  private static func head(_ title: String) -> String {
    ".TH \(Roff.plain(title)) 1 \"\(versionDate)\" \"customers \(version)\" \"User Commands\"\n.nh\n.ad l\n"
  }

  /// The names of pages, in the order of `man`.
  private static func references(_ pages: [String]) -> String {
    let pages = pages.sorted()
    return pages.enumerated().map { index, page in
      ".BR \(Roff.plain(page)) (1)\(index == pages.count - 1 ? "" : ",")\n"
    }.joined()
  }

  private static func summary(_ command: Command) -> String {
    let names = ([command.name] + command.aliases).map(Roff.bold).joined(separator: ", ")
    return Roff.item(names, command.summary.asSentence)
  }

  private static func item(_ option: any DeclaredOption) -> String {
    let names = [option.short, option.name].compactMap { $0 }.map(Roff.bold).joined(separator: ", ")
    return Roff.item(names + Roff.usage(option.placeholder), option.summary)
  }
}

extension String {
  /// The text as a sentence, capitalized and with a period.
  fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}

/// Text for `man`, in the language of man(7); ASCII, so that it can be shown anywhere.
enum Roff {
  /// A paragraph in short lines; text between backquotes is bold.
  static func prose(_ text: String) -> String {
    var isCode = false
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map { part in
      defer { isCode.toggle() }
      return isCode ? bold(String(part)) : escaped(String(part))
    }
    let lines = filled(parts.joined().split(separator: " ").map(String.init), width: 77)
    // A period at the end of a line would be followed by a wider gap than elsewhere.
    return lines.map { protected($0) + ($0.hasSuffix(".") ? "\\&\n" : "\n") }.joined()
  }

  /// Paragraphs with space between them.
  static func paragraphs(_ texts: [String]) -> String { texts.map(prose).joined(separator: ".PP\n") }

  /// Examples, each with its purpose in a line of its own.
  static func examples(_ examples: [CommandExample]) -> String {
    examples.map { prose($0.purpose) + example($0.line) }.joined(separator: ".PP\n")
  }

  /// Text without styles.
  static func plain(_ text: String) -> String { escaped(text) }

  /// An item of a list and its meaning.
  static func item(_ styledTag: String, _ text: String) -> String {
    ".TP\n" + protected(styledTag) + "\n" + prose(text)
  }

  /// Preformatted lines.
  static func example(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return ".PP\n.nf\n.RS 4\n" + lines.map { protected(escaped(String($0))) + "\n" }.joined() + ".RE\n.fi\n"
  }

  static func bold(_ text: String) -> String { text.isEmpty ? "" : "\\fB\(escaped(text))\\fP" }

  /// Literal words in bold, placeholders (in uppercase) in italics.
  static func usage(_ usage: String) -> String {
    var styled = ""
    var rest = usage[...]
    while let first = rest.first {
      let isWord = isInWord(first)
      let part = rest.prefix { isInWord($0) == isWord }
      rest = rest.dropFirst(part.count)
      let text = escaped(String(part))
      styled += isWord ? (first.isUppercase ? "\\fI\(text)\\fP" : "\\fB\(text)\\fP") : text
    }
    return styled
  }

  private static func isInWord(_ letter: Character) -> Bool { letter.isLetter || letter == "-" }

  /// The text with roff's special characters replaced.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\"": "\\(dq"
      case "…": "..."
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u\(hexadecimal(scalar))]"
      }
    }.joined()
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// A line that roff does not read as a request.
  private static func protected(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }
}
