internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

/// A parsed command line.
struct Invocation: Sendable {
  var command: Command?
  var operands: [String] = []
  /// The word for which the list had the first words of the line; nil if it began with a command.
  var alias: Alias?
  /// The day that `today` means, however long the command takes.
  var today = CalendarDay.today
  /// The options, in the order they were given.
  private(set) var given: [GivenOption] = []

  /// What an option says.
  subscript<Value>(option: Option<Value>) -> Value {
    option.meaning(of: given.filter { $0.name == option.name }.map(\.value))
  }

  /// Whether ids on standard input took the place of an operand; there may be none.
  private(set) var hasPipedRows = false

  /// The operands that may name rows: all of them, but for a text that must be the last one.
  var rowOperands: [String] {
    guard let form = command?.forms.first, form.operands.contains(where: \.isRepeated),
      form.operands.last.map({ !$0.isRepeated && !$0.isOptional }) == true
    else { return operands }
    return operands.dropLast()
  }

  /// Whether the last operand is the word `before` or `after` of a place.
  fileprivate var endsBesideSomething: Bool {
    guard let command, let last = operands.last, PlaceName.neighbors.contains(last) else { return false }
    let hasVerb = command.forms.contains { $0.verb == operands[0] }
    return operands.count > (hasVerb ? 2 : 1) && command.takesPlace
  }

  /// Whether an option was given, with or without a value.
  func has(_ option: any DeclaredOption) -> Bool { given.contains { $0.name == option.name } }

  /// The word that was given as the value of an option.
  func word(of option: any DeclaredOption) -> String? { given.last { $0.name == option.name }?.word }

  /// The words of an option that may be repeated.
  func words(of option: any DeclaredOption) -> [String] {
    given.filter { $0.name == option.name }.compactMap(\.word)
  }

  /// Replaces an operand with words.
  mutating func replaceOperand(at index: Int, by words: [String]) {
    hasPipedRows = true
    operands.replaceSubrange(index...index, with: words)
  }

  /// An integer, strictly: an optional minus and digits.
  static func number(_ text: String, for what: String) throws -> Int {
    guard isNumber(text) else {
      throw Failure.usage("\(what) must be a whole number, not \(quoted(text))", offendingArgument: text)
    }
    // Too large for a place in any list; the list reports its range.
    return Int(text) ?? (text.hasPrefix("-") ? .min : .max)
  }

  /// A nonnegative integer.
  static func count(_ text: String, for what: String) throws -> Int {
    let count = try number(text, for: what)
    guard count >= 0 else {
      throw Failure.usage("\(what) must be 0 or more, not \(count)", offendingArgument: what)
    }
    return count
  }

  /// A time such as 60s, 5m, 2h, or 1d.
  static func duration(_ text: String, for what: String) throws -> Duration {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    guard let unit = text.last.flatMap({ units[$0] }), isNumber(String(text.dropLast())),
      let number = Int64(text.dropLast()), (1...(1 << 31)).contains(number)
    else {
      throw Failure.usage(
        "\(what) must be a time, not \(quoted(text))", hint: "for example: 60s, 5m, 2h, or 1d",
        offendingArgument: text)
    }
    return .seconds(number * unit)
  }

  /// A number in a message, after what it counts, as in `row 99`; `the row number` if it is beyond any list, because
  /// its digits are unknown.
  static func spelled(_ what: String, _ number: Int) -> String {
    number.magnitude >> 53 == 0
      ? "\(what) \(number)" : what.hasSuffix("number") ? "the \(what)" : "the \(what) number"
  }

  /// `row 99 is out of range (1–10)`.
  static func outOfRange(_ what: String, _ number: Int, _ most: Int) -> String {
    "\(spelled(what, number)) is out of range (1–\(most))"
  }

  static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension Invocation {
  /// Parses a command line; global options may be anywhere.
  ///
  /// - Throws: a `Failure` with code `usage`.
  init(
    parsing arguments: [String], commands: @autoclosure @escaping @Sendable () -> [Command],
    globals: [any DeclaredOption]
  ) throws {
    var reader = InvocationReader(commands: commands(), globals: globals)
    for argument in arguments { try reader.take(argument) }
    self = try reader.end()
  }

  /// Creates a command line that the program itself makes.
  init(_ command: Command, _ operands: [String] = [], flags: [Option<Bool>] = []) {
    (self.command, self.operands) = (command, operands)
    given = flags.map { GivenOption(name: $0.name, word: nil, value: true) }
  }

  /// Records an option and its value; nil for a flag, or for a value that was left out.
  ///
  /// - Throws: a `Failure` with code `usage` for an invalid value.
  mutating func set(_ option: any DeclaredOption, to word: String? = nil) throws {
    if let instead = option.instead { return try set(instead.option, to: instead.word(word ?? "")) }
    let word = option.isValueOptional && word?.isEmpty == true ? nil : word
    let new = GivenOption(name: option.name, word: word, value: try option.parsed(word))
    if !option.isRepeatable, let index = given.firstIndex(where: { $0.name == option.name }) {
      given[index] = new
    } else {
      given.append(new)
    }
  }

  /// The command line as words, for the program on another machine.
  var words: [String] {
    let options = given.map { option in option.word.map { "\(option.name)=\($0)" } ?? option.name }
    return (command.map { [$0.name] } ?? []) + options + (operands.isEmpty ? [] : ["--"] + operands)
  }
}

extension Failure {
  /// The failure for a place beside nothing.
  fileprivate static func lacksNeighbor(_ option: any DeclaredOption, _ word: String) -> Failure {
    .usage("\(option.name) \(word) needs a row or section", hint: "for example: \(option.name) \(word) @7")
  }
}

/// An option as it was given.
struct GivenOption: Sendable {
  let name: String
  /// The word of its value, if any.
  let word: String?
  let value: any Sendable
}

/// Parses a command line, word by word.
///
/// After each word it knows what may come next.
struct InvocationReader {
  /// The commands, which are built when a word names one.
  private let commands: @Sendable () -> [Command]
  let globals: [any DeclaredOption]
  /// The result so far.
  private(set) var invocation = Invocation()
  /// The option whose value may or must come next.
  private(set) var pending: (any DeclaredOption)?
  /// Whether the row or section beside a place comes next.
  var awaitsNeighbor: Bool { besideWord != nil || invocation.endsBesideSomething }

  /// How many operands came before a place beside a row, and after how many words the place was given.
  private var beforePlace: (operands: Int, row: String)?
  /// The word `before` or `after`, if the row beside which the place of the pending option is comes next.
  private var besideWord: String?
  /// Whether no `--` has come yet.
  private(set) var takesOptions = true

  init(commands: @autoclosure @escaping @Sendable () -> [Command], globals: [any DeclaredOption]) {
    self.commands = commands
    self.globals = globals
  }

  /// The options of the command and those of every command.
  var options: [any DeclaredOption] { (invocation.command?.options ?? []) + globals }

  /// Whether a word that looks like an option is one.
  func isOption(_ word: String) -> Bool {
    takesOptions && word.hasPrefix("-") && word != "-" && !Invocation.isNumber(word)
  }

  /// Parses the next word.
  ///
  /// - Throws: a `Failure` with code `usage`.
  mutating func take(_ word: String) throws {
    if let option = pending {
      let beside = besideWord
      (pending, besideWord) = (nil, nil)
      // Another option is hardly meant as a value; such a value can be given after `=`.
      if beside == nil, !option.isValueOptional, isKnownOption(word) {
        throw Failure.usage(
          "\(option.name) needs a value: \(option.usage)",
          hint: "if \(word) is the value: \(option.name)=\(word)", offendingArgument: option.name)
      }
      if let beside, isOption(word) { throw Failure.lacksNeighbor(option, beside) }
      if beside == nil, option.value?.isPlace == true, PlaceName.neighbors.contains(word) {
        (pending, besideWord) = (option, word)
        return
      }
      if beside != nil { beforePlace = (invocation.operands.count, word) }
      if !option.isValueOptional || Invocation.isNumber(word) {
        return try invocation.set(option, to: beside.map { "\($0) \(word)" } ?? word)
      }
    }
    if takesOptions, word == "--" {
      takesOptions = false
    } else if isOption(word) {
      try take(option: word)
    } else if invocation.command == nil {
      invocation.command = try Command.named(word, among: commands())
    } else if invocation.endsBesideSomething {
      invocation.operands[invocation.operands.count - 1] += " \(word)"
    } else {
      invocation.operands.append(word)
    }
  }

  /// - Throws: a `Failure` with code `usage` if something is missing.
  func end() throws -> Invocation {
    if let word = besideWord, let pending { throw Failure.lacksNeighbor(pending, word) }
    if let (count, row) = beforePlace, count > 0, let rest = invocation.operands.dropFirst(count).first {
      throw Failure.usage(
        "\(quoted(rest)) after the place may be a row, or belong to \(quoted(row))",
        hint: "put a name in quotes, \(shellQuoted("\(row) \(rest)")), and rows before the place",
        offendingArgument: rest)
    }
    if let pending, !pending.isValueOptional {
      throw Failure.usage(
        "\(pending.name) needs a value: \(pending.usage)",
        offendingArgument: pending.name)
    }
    return invocation
  }

  private mutating func take(option word: String) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = options.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
      if let flags = flags(in: word) {
        for flag in flags { try invocation.set(flag) }
        return
      }
      // A field to sort by in the opposite direction.
      let isSetting = invocation.command?.name == Command.config.name && invocation.operands == ["sort"]
      if !word.hasPrefix("--"),
        isSetting
          || invocation.command?.expected(after: invocation.operands).contains(where: \.takesFields) == true
      {
        return invocation.operands.append(word)
      }
      throw unknown(parts[0])
    }
    // Otherwise one of two places would silently be ignored.
    let current = option.current
    if current.value != nil, !current.isRepeatable, invocation.has(current),
      !globals.contains(where: { $0.name == current.name })
    {
      guard option.instead == nil else { throw Failure.contradictory(current, option) }
      throw Failure.usage("\(current.name) was given twice", offendingArgument: word)
    }
    if parts.count == 2 {
      guard option.value != nil else {
        throw Failure.usage("\(option.name) does not take a value", offendingArgument: word)
      }
      guard option.value?.isPlace == true, PlaceName.neighbors.contains(parts[1]) else {
        return try invocation.set(option, to: parts[1])
      }
      (pending, besideWord) = (option, parts[1])
      return
    }
    if option.value != nil { pending = option }
    if option.value == nil || option.isValueOptional { try invocation.set(option) }
  }

  /// Whether the word is an option of the command, by its long name.
  private func isKnownOption(_ word: String) -> Bool {
    word.hasPrefix("--") && options.contains { $0.name == word }
  }

  /// The flags of a word such as `-nq`, if it consists of one-letter flags.
  private func flags(in word: String) -> [any DeclaredOption]? {
    let letters = word.dropFirst()
    let flags = letters.compactMap { letter in
      options.first { $0.short == "-\(letter)" && $0.value == nil }
    }
    return flags.count == letters.count ? flags : nil
  }

  private func unknown(_ word: String) -> Failure {
    guard let command = invocation.command else {
      return .unknown("option", word, among: options.map(\.name))
    }
    func unknown(_ remedy: String) -> Failure {
      .usage("unknown option \(quoted(word)) of \(command.name)", hint: remedy, offendingArgument: word)
    }
    if let other = command.shownOptions.first(where: { $0.name.hasPrefix("-" + word) }), word.count == 2 {
      return unknown(didYouMean(other.name))
    }
    if let remedy = Command.remedies["\(command.name) \(word)"] { return unknown(remedy) }
    if let earlier = command.options.first(where: { $0.earlier != nil && $0.name.hasPrefix(word) })?.earlier {
      return unknown(didYouMean(earlier))
    }
    // A column that every list may have, such as Birthday.
    if word.hasPrefix("--"),
      let set = command.shownOptions.first(where: { $0.name == FieldOptions.set.name }),
      let field = KnownNames.field(String(word.dropFirst(2)))
    {
      return unknown("to set this field: \(set.name) \(typed(field.column))=TEXT")
    }
    if word.hasPrefix("--"), options.contains(where: { $0.name == GlobalOptions.format.name }),
      let format = FileFormat(named: String(word.dropFirst(2)))
    {
      return unknown(didYouMean("\(GlobalOptions.format.name) \(format.name)"))
    }
    let takesName = !command.expected(after: invocation.operands).isEmpty && !word.hasPrefix("--")
    return .unknown(
      "option", word, of: " of \(command.name)", among: (command.shownOptions + globals).map(\.name),
      remedy: word.hasPrefix("--") && command.options.contains { $0.name == FieldOptions.set.name }
        ? "to set a column: \(FieldOptions.set.name) \(typed(String(word.dropFirst(2))))=TEXT"
        : takesName
          ? "put `--` before a word that starts with `-`: customers "
            + ([command.name] + invocation.operands.map(typed) + ["--", printable(word)]).joined(
              separator: " ")
          : Form.help(command.name))
  }
}
