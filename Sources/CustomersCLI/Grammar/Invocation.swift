internal import CustomerStore
internal import CustomersTerminalText

/// A parsed command line.
struct Invocation: Sendable {
  var command: Command?
  var operands: [String] = []
  /// The options, in the order they were given.
  private(set) var given: [GivenOption] = []

  /// What an option says.
  subscript<Value>(option: Option<Value>) -> Value {
    option.meaning(of: given.filter { $0.name == option.name }.map(\.value))
  }

  /// Whether an option was given, with or without a value.
  func has(_ option: any DeclaredOption) -> Bool { given.contains { $0.name == option.name } }

  /// The word that was given as the value of an option.
  func word(of option: any DeclaredOption) -> String? { given.last { $0.name == option.name }?.word }

  /// Replaces an operand with words.
  mutating func replaceOperand(at index: Int, by words: [String]) {
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
    number.magnitude >> 53 == 0 ? "\(what) \(number)" : what == "number" ? "the number" : "the \(what) number"
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
  init(parsing arguments: [String], commands: [Command], globals: [any DeclaredOption]) throws {
    var reader = InvocationReader(commands: commands, globals: globals)
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

/// An option as it was given.
struct GivenOption: Sendable {
  let name: String
  /// The word of its value, if any.
  let word: String?
  let value: any Sendable
}
