internal import CustomerStore
internal import CustomersTerminalText
/// The kind of a word on a command line: its label in help, the valid words, and its completions.
struct ArgumentType: Sendable {
  /// The kinds of words.
  indirect enum Kind: Sendable {
    /// Any text.
    case text
    /// A whole number, such as a place.
    case number
    /// A nonnegative integer.
    case count
    /// A number of seconds, minutes, hours or days.
    case duration
    case row, section
    /// The path of a file, and what a command does with it.
    case file(FileUse)
    /// The name of a command or a help topic.
    case topic
    case format
    /// A field of a customer, or the full name.
    case field
    /// An extra column.
    case extraColumn
    /// A field, an operator and a value: a condition.
    case term
    /// A field, `=` and its new value.
    case assignment
    /// A column of the list in output for programs.
    case column
    /// One of these words.
    case choice([String])
    /// Several, separated by commas.
    case list(Kind)
    /// A column of the file that is imported.
    case fileColumn
    /// Two values with `=` between them.
    case pair(Kind, Kind)
  }

  /// The use of a file named on the command line.
  enum FileUse: Sendable {
    case read, write
    /// It is the customers file.
    case list
  }

  /// Its label in help, in uppercase unless it is the word itself.
  let label: String
  let kind: Kind

  private init(_ label: String, _ kind: Kind) {
    self.label = label
    self.kind = kind
  }

  static func text(_ label: String = "TEXT") -> ArgumentType { ArgumentType(label, .text) }
  static func number(_ label: String = "N") -> ArgumentType { ArgumentType(label, .number) }
  static func count(_ label: String = "N") -> ArgumentType { ArgumentType(label, .count) }
  static func file(_ use: FileUse, _ label: String = "FILE") -> ArgumentType {
    ArgumentType(label, .file(use))
  }
  static let duration = ArgumentType("TIME", .duration)
  static let topic = ArgumentType("COMMAND|TOPIC", .topic)
  static let row = ArgumentType("ROW", .row)
  static let section = ArgumentType("SECTION", .section)
  static let format = ArgumentType("FORMAT", .format)
  static let term = ArgumentType("TERM", .term)
  static let assignment = ArgumentType("FIELD=TEXT", .assignment)
  static let extraColumn = ArgumentType("COLUMN", .extraColumn)
  static let field = ArgumentType("FIELD", .field)
  static let fields = ArgumentType("FIELD,…", .list(.field))
  static let columns = ArgumentType("A,B", .list(.column))
  static let fileColumn = ArgumentType("COLUMN", .fileColumn)
  static let columnMap = ArgumentType("COLUMN=FIELD,…", .list(.pair(.fileColumn, .field)))

  /// One of a few words; without a label, help shows the words themselves.
  static func choice(_ words: [String], _ label: String? = nil) -> ArgumentType {
    ArgumentType(label ?? words.joined(separator: "|"), .choice(words))
  }

  /// Whether the word names rows.
  var takesRows: Bool { if case .row = kind { true } else { false } }

  /// The valid words; none if there are too many to list.
  var choices: [String] { if case .choice(let words) = kind { words } else { [] } }

  /// The word in its canonical form.
  ///
  /// - Throws: a `Failure` with code `usage` for an invalid word; `name` is the option.
  func checked(_ word: String, for name: String) throws -> String {
    switch kind {
    case .number: _ = try Invocation.number(word, for: name)
    case .duration: _ = try Invocation.duration(word, for: name)
    case .count: _ = try Invocation.count(word, for: name)
    case .choice(let words):
      guard let choice = Name(word).only(of: words, by: \.self) else {
        throw Failure.usage(
          "\(name) must be \(listed(words)), not \(quoted(word))",
          hint: ArgumentType.hint(caseFolded(word), among: words, for: name),
          offendingArgument: word)
      }
      return choice
    case .text, .row, .section, .file, .topic, .format, .field, .extraColumn, .term, .assignment, .column,
      .fileColumn, .list, .pair:
      break
    }
    return word
  }

  /// The hint for an invalid word.
  ///
  /// Words that differ only in their digits, such as latin1 and latin2, are not typing errors.
  private static func hint(_ word: String, among words: [String], for name: String) -> String? {
    func letters(_ word: String) -> String { word.filter { !$0.isNumber } }
    if let near = nearest(to: word, among: words), letters(near) != letters(word) {
      return "did you mean '\(near)'?"
    }
    return Command.remedies[name]
  }
}

/// `a, b or c`.
func listed(_ words: [String], _ conjunction: String = "or") -> String {
  words.count < 2
    ? words.joined()
    : "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(words[words.count - 1])"
}
