internal import CustomersText

/// A page of the manual: of the program, a command, or a topic.
///
/// Whatever is shown of it, as text, for man, or as JSON, is made of its blocks, which are built when they are
/// asked for.
struct Page: Sendable {
  /// What a page consists of.
  enum Block {
    /// The forms of a command, without its name.
    case usage([String])
    case heading(String)
    /// A heading below another.
    case subheading(String)
    case paragraph(String)
    /// Words and their meanings; `width` aligns several lists.
    case items([(name: String, meaning: String)], width: Int? = nil)
    /// Options and what they do.
    case options([(names: String, meaning: String)])
    /// Lines as they are typed or printed.
    case lines(String)
    case examples([CommandExample])
    /// Pages that text names and man includes.
    case parts([Page])
    /// The names of other commands and topics, after sentences that close a page.
    case related([String], after: [String])
  }

  /// The words after `customers help`; none for the program.
  let name: String
  /// Its heading where another page includes it.
  let title: String
  /// What it is about, in a line.
  let summary: String
  /// The pages that a second word after `customers help` shows.
  let parts: @Sendable () -> [Page]
  let blocks: @Sendable () -> [Block]

  init(
    _ name: String, title: String = "", _ summary: String,
    parts: @autoclosure @escaping @Sendable () -> [Page] = [],
    _ blocks: @autoclosure @escaping @Sendable () -> [Block]
  ) {
    (self.name, self.title, self.summary, self.parts, self.blocks) = (name, title, summary, parts, blocks)
  }

  /// The last of these words.
  var word: Substring { name.split(separator: " ").last ?? "" }

  /// The command line that a page of a command is about.
  fileprivate var called: String { name.isEmpty ? "customers" : "customers \(name)" }
}

// MARK: - Text

extension Page {
  fileprivate static func isOfCommand(_ blocks: [Block]) -> Bool {
    if case .usage = blocks.first { true } else { false }
  }

  /// The width of help, in columns; a terminal may be narrower.
  static let width = 80

  /// The page in lines of at most `width` columns, unless a word is longer; `heading` marks the headings.
  func text(width: Int = width, heading: (String) -> String = { $0 }) -> String {
    let layout = Layout(width: width)
    let blocks = blocks()
    // The description of a command begins with what it is about.
    var (text, gap) = Page.isOfCommand(blocks) ? ("", "") : (layout.paragraph(summary), "\n\n")
    for block in blocks {
      text += gap
      gap = "\n\n"
      switch block {
      case .usage(let forms): text += heading("Usage:") + " " + layout.usage(forms, of: called)
      case .heading(let title), .subheading(let title):
        text += heading("\(title):")
        gap = "\n"
      case .paragraph(let words): text += layout.paragraph(words)
      case .items(let items, let width): text += layout.table(items, nameWidth: width)
      case .options(let options): text += layout.table(options.map { ($0.names, $0.meaning) })
      case .lines(let lines): text += Layout.indented(lines, "    ")
      case .examples(let examples): text += examples.map(layout.example).joined(separator: "\n")
      case .parts(let parts):
        text += heading("More:") + "\n"
        let calls = parts.map { (name: "customers help \($0.name)", meaning: $0.summary) }
        text += layout.table(calls, nameWidth: calls.map(\.name.count).max())
      case .related(let names, let closing):
        text += layout.paragraph(
          (closing + ["See also: \(names.joined(separator: ", "))."]).joined(separator: " "))
      }
    }
    return text + "\n"
  }
}

/// Text in lines that fit a terminal.
private struct Layout {
  let width: Int

  /// Whether names and meanings hardly fit beside each other.
  private var isNarrow: Bool { width < 60 }

  func paragraph(_ text: String) -> String { lines(text, width).joined(separator: "\n") }

  /// Names and their meanings in two columns; by default the names take as much space as they need, and a longer
  /// name gets its own line.
  func table(_ rows: [(name: String, meaning: String)], nameWidth: Int? = nil) -> String {
    let widths = rows.map { displayWidth($0.name) }
    let longest = isNarrow ? 12 : 26
    let nameWidth = min(nameWidth ?? widths.filter { $0 <= longest }.max() ?? 0, isNarrow ? 12 : 40)
    let margin = String(repeating: " ", count: nameWidth + 4)
    return zip(rows, widths).map { row, rowWidth in
      let meanings = lines(row.meaning, width - margin.count)
      guard rowWidth <= nameWidth else {
        return (["  \(row.name)"] + meanings.map { margin + $0 }).joined(separator: "\n")
      }
      let gap = String(repeating: " ", count: nameWidth - rowWidth + 2)
      return "  \(row.name)\(gap)" + meanings.joined(separator: "\n" + margin)
    }.joined(separator: "\n")
  }

  /// The forms of a command, which stand below each other beside the heading.
  func usage(_ forms: [String], of command: String) -> String {
    let indent = String(repeating: " ", count: "Usage: ".count)
    let margin = indent + String(repeating: " ", count: isNarrow ? 4 : command.count + 1)
    return forms.map { form in
      let parts = Layout.parts(of: form)
      let lines = filled(isNarrow ? [command] + parts : parts, width: width - margin.count)
      let text = lines.joined(separator: "\n" + margin)
      return isNarrow ? text : lines.isEmpty ? command : "\(command) \(text)"
    }.joined(separator: "\n" + indent)
  }

  /// A usage in parts that stay on one line, such as an option and its value.
  private static func parts(of usage: String) -> [String] {
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

  /// An example as a shell takes it: its purpose is a comment, on the same line if there is room.
  func example(_ example: CommandExample) -> String {
    let line = "  $ \(example.line)"
    if !line.contains("\n"), displayWidth(line) + displayWidth(example.purpose) + 4 <= width {
      return "\(line)  # \(example.purpose)"
    }
    return "  # \(example.purpose)\n" + Layout.indented(example.line, "  $ ")
  }

  static func indented(_ lines: String, _ margin: String) -> String {
    lines.split(separator: "\n").map { margin + $0 }.joined(separator: "\n")
  }

  private func lines(_ text: String, _ width: Int) -> [String] {
    filled(text.split(separator: " ").map(String.init), width: width)
  }
}

/// The words in lines of at most `width` columns, unless a word is longer.
func filled(_ words: [String], width: Int) -> [String] {
  var lines: [String] = []
  var room = 0
  for word in words {
    let wordWidth = displayWidth(word)
    if !lines.isEmpty, wordWidth < room {
      lines[lines.count - 1] += " " + word
      room -= wordWidth + 1
    } else {
      lines.append(word)
      room = width - wordWidth
    }
  }
  return lines
}

// MARK: - Man

extension Page {
  /// The page for `man`, in the language of man(7); ASCII, so that it can be shown anywhere.
  var man: String {
    var blocks = blocks()
    let called = called.replacing(" ", with: "-")
    let (number, volume) = Page.isOfCommand(blocks) ? (1, "User Commands") : (7, "Miscellaneous")
    var text = """
      .TH \(Roff.plain(called.uppercased())) \(number) "\(versionDate)" "customers \(version)" "\(volume)"
      .nh
      .ad l
      .SH NAME
      \(Roff.plain(called)) \\- \(Roff.plain(summary))

      """
    if case .usage(let forms) = blocks.first {
      blocks.removeFirst()
      text += ".SH SYNOPSIS\n"
      let lines = forms.map { Roff.bold(self.called) + ($0.isEmpty ? "" : " " + Roff.usage($0)) }
      text += lines.joined(separator: "\n.br\n") + "\n"
    }
    if case .heading = blocks.first {} else { blocks.insert(.heading("Description"), at: 0) }
    return text + man(blocks)
  }

  private func man(_ blocks: [Block], isPart: Bool = false) -> String {
    var text = ""
    var isFirst = isPart
    for block in blocks {
      var isTitle = false
      switch block {
      case .usage: break
      case .heading(let title) where !isPart:
        text += ".SH \(Roff.plain(title.uppercased()))\n"
        isTitle = true
      case .heading(let title), .subheading(let title):
        text += ".SS \(Roff.plain(title))\n"
        isTitle = true
      case .paragraph(let words): text += (isFirst ? "" : ".PP\n") + Roff.prose(words)
      case .items(let items, _): text += items.map { Roff.item(Roff.bold($0.name), $0.meaning) }.joined()
      case .options(let options): text += options.map { Roff.item(Roff.usage($0.names), $0.meaning) }.joined()
      case .lines(let lines): text += (isFirst ? "" : ".PP\n") + Roff.example(lines)
      case .examples(let examples):
        if !isPart { text += ".SH EXAMPLES\n" }
        text += examples.map { Roff.prose($0.purpose + ":") + ".PP\n" + Roff.example($0.line) }.joined(
          separator: ".PP\n")
      case .parts(let parts):
        for part in parts {
          text += ".SH \(Roff.plain(part.title.uppercased()))\n" + man(part.blocks(), isPart: true)
        }
      case .related(let names, let closing):
        text += closing.isEmpty ? "" : ".SH NOTES\n" + Roff.prose(closing.joined(separator: " "))
        let topics = names.filter(Manual.isTopic).map { "`customers help \($0)`," }
        let others = names.filter { !Manual.isTopic($0) } + (name.isEmpty ? [] : [""])
        let pages = others.map { $0.isEmpty ? "customers" : $0 == "sqlite3" ? $0 : "customers-\($0)" }
          .sorted()
        text += ".SH SEE ALSO\n" + (topics.isEmpty ? "" : Roff.prose(topics.joined(separator: " ")))
        text += pages.map { ".BR \(Roff.plain($0)) (1)" }.joined(separator: ",\n") + "\n"
      }
      isFirst = isTitle
    }
    return text
  }
}
