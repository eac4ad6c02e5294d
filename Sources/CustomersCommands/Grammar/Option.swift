internal import CustomerStore
internal import CustomersText

/// An option of a command or a global one: its declaration and the type of what it says.
///
/// It is declared once, as a constant, and a command asks its command line for that constant:
/// `invocation[limit]`.
struct Option<Value: Sendable>: DeclaredOption {
  let name: String
  let short: String?
  let value: ArgumentType?
  let isValueOptional: Bool
  let isRepeatable: Bool
  let help: String
  let earlier: String?
  let instead: Replacement?
  private let parse: @Sendable (String?) throws -> any Sendable
  private let combine: @Sendable ([any Sendable]) -> Value

  func parsed(_ word: String?) throws -> any Sendable { try parse(word) }

  /// What the option says, given its parsed values; none if it was not given.
  func meaning(of values: [any Sendable]) -> Value { combine(values) }
}

extension Option where Value == Bool {
  static func flag(
    _ name: String, short: String? = nil, earlier: String? = nil, _ help: String = ""
  ) -> Option {
    Option(
      name: name, short: short, value: nil, isValueOptional: false, isRepeatable: false, help: help,
      earlier: earlier, instead: nil, parse: { _ in true }, combine: { !$0.isEmpty })
  }
}

extension Option {
  /// An option with a value; if it may be left out, `bare` stands for it, and only a number is taken as the
  /// value.
  static func value<Element>(
    _ name: String, short: String? = nil, _ value: Argument<Element>, bare: Element? = nil,
    earlier: String? = nil, _ help: String = ""
  ) -> Option where Value == Element? {
    Option(
      name: name, short: short, value: value.type, isValueOptional: bare != nil, isRepeatable: false,
      help: help, earlier: earlier, instead: nil,
      parse: { try ($0.map { try value.parse($0, name) } ?? bare) as any Sendable },
      combine: { $0.last as? Element })
  }

  /// An option that may be repeated, each time with a value.
  static func values<Element>(
    _ name: String, short: String? = nil, _ value: Argument<Element>, earlier: String? = nil,
    _ help: String = ""
  ) -> Option where Value == [Element] {
    Option(
      name: name, short: short, value: value.type, isValueOptional: false, isRepeatable: true, help: help,
      earlier: earlier, instead: nil, parse: { try $0.map { try value.parse($0, name) } as any Sendable },
      combine: { $0.compactMap { $0 as? Element } })
  }
}

extension Option where Value == Void {
  /// A spelling of an earlier version, which is taken as another option with a value.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - value: what follows it; nil for a flag.
  ///   - isValueOptional: whether that may be left out; then `word` gets an empty word.
  ///   - option: the option of today.
  ///   - earlier: what is written today.
  ///   - word: the value of that option, made of the one that was given.
  /// - Returns: the option.
  static func spelling(
    _ name: String, _ value: ArgumentType? = nil, isValueOptional: Bool = false,
    of option: any DeclaredOption, _ earlier: String, _ word: @escaping @Sendable (String) -> String
  ) -> Option {
    Option(
      name: name, short: nil, value: value, isValueOptional: isValueOptional,
      isRepeatable: option.isRepeatable, help: "", earlier: earlier,
      instead: Replacement(option: option, word: word), parse: { _ in () }, combine: { _ in })
  }
}

/// How a spelling of an earlier version is taken.
struct Replacement: Sendable {
  let option: any DeclaredOption
  let word: @Sendable (String) -> String
}

/// The declaration of an option, whatever the type of its value: for parsing, usage, help, the manual, and
/// completion.
protocol DeclaredOption: Sendable {
  /// Its name on the command line, such as `--to`.
  var name: String { get }
  /// A one-letter form, `-q`.
  var short: String? { get }
  /// The kind of its value; nil for a flag.
  var value: ArgumentType? { get }
  /// Whether the value is optional; only a number is taken as the value.
  var isValueOptional: Bool { get }
  /// Whether it may be repeated, each time with a value.
  var isRepeatable: Bool { get }
  /// One line of help, without the choices.
  var help: String { get }
  /// What is written today instead, if it is a spelling of an earlier version: it works, and only `help versions`
  /// shows it.
  var earlier: String? { get }
  /// How such a spelling is taken, if it is only another one.
  var instead: Replacement? { get }

  /// The value of a word; without one, of a flag, or of a value that was left out.
  ///
  /// - Throws: a `Failure` with code `usage` for an invalid word.
  func parsed(_ word: String?) throws -> any Sendable
}

extension DeclaredOption {
  /// The help with the choices, unless they are too many for a line.
  var summary: String {
    let choices = value?.choices ?? []
    return choices.isEmpty || choices.count > 8 ? help : "\(help): \(listed(choices))"
  }

  /// Itself, or the option that it is another spelling of.
  var current: any DeclaredOption { instead?.option ?? self }

  /// The value after the name in help, ` N` or ` [K]`.
  var placeholder: String { value.map { isValueOptional ? " [\($0.label)]" : " \($0.label)" } ?? "" }

  /// The name and what follows it, `--to N`.
  var usage: String { name + placeholder }

  /// Its names and what follows them, `-l, --limit N`.
  var names: String { [short, usage].compactMap { $0 }.joined(separator: ", ") }
}

/// Options that belong together.
enum OptionGroup: Sendable {
  /// An optional one.
  case optional(any DeclaredOption)
  /// A required one.
  case required(any DeclaredOption)
  /// Options of which at most one may be given; with `help`, they are short enough for one line of it.
  case oneOf([any DeclaredOption], help: String? = nil)
  /// Similar options, for which usage shows one label, and help one line, if there is one for all of them.
  case many(String, help: String? = nil, [any DeclaredOption])

  var options: [any DeclaredOption] {
    switch self {
    case .optional(let option), .required(let option): [option]
    case .oneOf(let options, _), .many(_, _, let options): options
    }
  }

  /// The group as usage shows it; nil if all of it is of earlier versions.
  var usage: String? {
    let shown = options.filter { $0.earlier == nil }
    guard !shown.isEmpty else { return nil }
    return switch self {
    case .optional(let option): "[\(option.usage)]" + (option.isRepeatable ? "…" : "")
    case .required(let option): option.usage + (option.isRepeatable ? " …" : "")
    case .oneOf: "[" + shown.map(\.usage).joined(separator: " | ") + "]"
    case .many(let label, _, _): "[\(label)]…"
    }
  }

  /// The lines of help on those that are not of earlier versions: the names and what they do.
  var lines: [(names: String, meaning: String)] {
    let shown = options.filter { $0.earlier == nil }
    return switch self {
    case .many(let label, let help?, _): [(label, help)]
    case .oneOf(_, let help?): [(shown.map(\.names).joined(separator: ", "), help)]
    case .optional, .required, .oneOf, .many: shown.map { ($0.names, $0.summary) }
    }
  }

  /// - Throws: a `Failure` with code `usage` if the given options can't be combined, or one is missing;
  ///   `command` is the name of the command.
  func check(_ invocation: Invocation, _ command: String) throws {
    switch self {
    case .required(let option) where !invocation.has(option):
      throw Failure.usage("\(command) needs \(option.usage)")
    case .oneOf(let options, _):
      let given = options.filter { invocation.has($0) }
      guard given.count < 2 else { throw Failure.contradictory(given[0], given[1]) }
    case .required, .optional, .many: break
    }
  }
}

extension Failure {
  /// The failure for two options that can't be combined.
  static func contradictory(_ first: any DeclaredOption, _ second: any DeclaredOption) -> Failure {
    contradictory(first.name, second.name)
  }

  /// The same, for words of which one may be an operand.
  static func contradictory(_ first: String, _ second: String) -> Failure {
    .usage("\(first) and \(second) can't be combined", offendingArgument: second)
  }
}

/// The options of every command, anywhere on the line.
struct GlobalOptions: Sendable {
  static let list = Option.value(
    "--db", .file(.list, "PATH"),
    "the list, or ssh://host/path, or dqlite://… (default: $CUSTOMERS_DB)"
  )
  static let format = Option.value(
    "--format", .format, "output format: table, json, or others of some commands")
  static let json = Option.flag("--json", "print JSON, whatever --format says")
  static let quiet = Option.flag("--quiet", short: "-q", "print only results and errors")
  static let yes = Option.flag("--yes", short: "-y", "answer yes to every confirmation")
  static let dryRun = Option.flag(
    "--dry-run", short: "-n", "show what would happen without changing anything")
  static let noInput = Option.flag("--no-input", "fail instead of prompting")
  static let color = Option.value("--color", Argument<ColorUse>.choice("WHEN"), "use colors")
  static let noPager = Option.flag("--no-pager", "do not pipe long output through a pager")
  static let noConfig = Option.flag("--no-config", "ignore the settings of the list")
  static let help = Option.flag("--help", short: "-h", "show help")
  static let version = Option.flag("--version", short: "-V", "show the version")

  static let all: [any DeclaredOption] = [
    list, format, json, quiet, yes, dryRun, noInput, color, noPager, noConfig, help, version,
  ]

  /// The lines of help on them.
  static var lines: [(names: String, meaning: String)] { all.map { ($0.names, $0.summary) } }

  /// Those that make a difference to most commands that read the list.
  static let ofReading: [any DeclaredOption] = [list, quiet, json]

  /// Those that make a difference to most commands that edit the list or write a file.
  static let ofEditing: [any DeclaredOption] = [list, dryRun, yes, quiet, json]

  /// Those that a line of a script accepts; they have no effect, because scripts ask no questions.
  static let ofScripts: [any DeclaredOption] = [yes, noInput]

  /// When output for people is colored.
  enum ColorUse: String, CaseIterable, Sendable {
    /// On a terminal.
    case auto
    case always, never
  }

  /// The name of a format.
  let format: String?
  let isJSON: Bool
  let isQuiet: Bool
  /// Whether every question is answered with yes.
  let saysYes: Bool
  let isDryRun: Bool
  let mayAsk: Bool
  let color: ColorUse
  let usesPager: Bool

  init(_ invocation: Invocation) {
    format = invocation[GlobalOptions.format]
    isJSON = invocation[GlobalOptions.json]
    isQuiet = invocation[GlobalOptions.quiet]
    saysYes = invocation[GlobalOptions.yes]
    isDryRun = invocation[GlobalOptions.dryRun]
    mayAsk = !invocation[GlobalOptions.noInput]
    color = invocation[GlobalOptions.color] ?? .auto
    usesPager = !invocation[GlobalOptions.noPager]
  }
}

/// A kind of word, and the value that such a word has.
struct Argument<Value: Sendable>: Sendable {
  let type: ArgumentType
  /// Returns the value of a word; `name` is the option.
  ///
  /// Throws a `Failure` with code `usage` for an invalid word.
  let parse: @Sendable (_ word: String, _ name: String) throws -> Value
}

extension Argument where Value == Int {
  static func number(_ label: String = "N") -> Argument {
    Argument(type: ArgumentType(label, .number), parse: Invocation.number)
  }

  static func count(_ label: String = "N") -> Argument {
    Argument(type: ArgumentType(label, .count), parse: Invocation.count)
  }
}

extension Argument where Value == Duration {
  static var duration: Argument {
    Argument(type: ArgumentType("TIME", .duration), parse: Invocation.duration)
  }
}

/// Words whose meaning depends on the list or that mean themselves.
extension Argument where Value == String {
  private init(_ label: String, _ kind: ArgumentType.Kind) {
    self.init(type: ArgumentType(label, kind)) { word, _ in word }
  }

  static func text(_ label: String = "TEXT") -> Argument { Argument(label, .text) }
  static func file(_ use: ArgumentType.FileUse, _ label: String = "FILE") -> Argument {
    Argument(label, .file(use))
  }
  static var topic: Argument { Argument("COMMAND|TOPIC", .topic) }
  static var part: Argument { Argument("PART", .part) }
  static var row: Argument { Argument("ROW", .row) }
  /// A text to search for, or rows.
  static var textOrRow: Argument { Argument("TEXT|ROW", .row) }
  static var section: Argument { Argument("SECTION", .section) }
  /// A place of rows, or the end of a section.
  static var placeOrSection: Argument { Argument("PLACE", .place) }
  static var format: Argument { Argument("FORMAT", .format) }
  static var term: Argument { Argument("TERM", .term) }
  static var assignment: Argument { Argument("FIELD=TEXT", .assignment) }
  static var extraColumn: Argument { Argument("COLUMN", .extraColumn) }
  static var fields: Argument { Argument("FIELD,…", .list(.field)) }
  static var column: Argument { Argument("FIELD", .column) }
  static var columns: Argument { Argument("FIELD,…", .list(.column)) }
  /// One value of a field that may have several.
  static func oneOfSeveral(_ fields: [String]) -> Argument {
    Argument("FIELD=TEXT", .pair(.choice(fields), .text))
  }
  static var fileColumns: Argument { Argument("COLUMN,…", .list(.fileColumn)) }
  static var columnMap: Argument { Argument("COLUMN=FIELD,…", .list(.pair(.fileColumn, .field))) }
}

extension Argument where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the cases, by its word; without a label, help shows the words themselves.
  static func choice(_ label: String? = nil) -> Argument {
    let words = Value.allCases.map(\.rawValue)
    return Argument(type: .choice(words, label)) { word, name in
      guard let choice = Name(word).only(of: Value.allCases, by: \.rawValue) else {
        throw Failure.usage(
          "\(name) must be \(listed(words)), not \(quoted(word))",
          hint: hint(caseFolded(word), among: words, for: name), offendingArgument: word)
      }
      return choice
    }
  }

  /// The hint for an invalid word.
  ///
  /// Words that differ only in their digits, such as latin1 and latin2, are not typing errors.
  private static func hint(_ word: String, among words: [String], for name: String) -> String? {
    func letters(_ word: String) -> String { word.filter { !$0.isNumber } }
    if let near = nearest(to: word, among: words), letters(near) != letters(word) {
      return didYouMean(near)
    }
    return Command.remedies[name]
  }
}

extension Argument where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// Some of the cases, separated by commas.
  static func choices(_ label: String) -> Argument<[Value]> {
    let one = choice()
    return Argument<[Value]>(type: ArgumentType(label, .list(one.type.kind))) { word, name in
      try word.split(separator: ",", omittingEmptySubsequences: false).map { try one.parse(String($0), name) }
    }
  }
}

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
    /// A place of rows or sections: a number, a word, or `before` or `after` and a name.
    case place
    /// The path of a file, and what a command does with it.
    case file(FileUse)
    /// The name of a command or a help topic.
    case topic
    /// A part of the page about the topic before it.
    case part
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

  /// Whether the word is a place.
  var isPlace: Bool { if case .place = kind { true } else { false } }

  /// Whether the word names fields to sort by, which a minus may precede.
  var takesFields: Bool { if case .list(.field) = kind { true } else { false } }

  /// Whether the word names rows.
  var takesRows: Bool { if case .row = kind { true } else { false } }

  /// The valid words; none if there are too many to list.
  var choices: [String] { if case .choice(let words) = kind { words } else { [] } }
}
