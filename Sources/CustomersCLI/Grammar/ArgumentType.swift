/// The kind of a word on a command line: its label in help, the valid words, and its completions.
struct ArgumentType: Sendable {
  /// The kinds of words.
  indirect enum Kind: Sendable {
    /// Any string.
    case text
    /// A whole number, such as a place.
    case number
    /// A nonnegative integer.
    case count
    /// A number of seconds, minutes, hours, or days.
    case duration
    case row, section
    /// The path of a file, and what a command does with it.
    case file(FileUse)
    /// The name of a command or a help topic.
    case topic
    case format
    /// A field of a customer or the full name.
    case field
    /// An extra column.
    case extraColumn
    /// A field, an operator, and a value: a condition.
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

  init(_ label: String, _ kind: Kind) {
    self.label = label
    self.kind = kind
  }

  /// One of a few words; without a label, help shows the words themselves.
  static func choice(_ words: [String], _ label: String? = nil) -> ArgumentType {
    ArgumentType(label ?? words.joined(separator: "|"), .choice(words))
  }

  /// Whether the word names rows.
  var takesRows: Bool { if case .row = kind { true } else { false } }

  /// The valid words; none if there are too many to list.
  var choices: [String] { if case .choice(let words) = kind { words } else { [] } }
}
