internal import CustomerStore
internal import CustomersTerminalText

/// A parsed command line.
struct Invocation: Sendable {
  var command: Command?
  var operands: [String] = []
  /// The values of the options by name, in the order given; empty for flags.
  private(set) var options: [String: [String]] = [:]
  /// The names of the options, in the order they were given.
  private(set) var given: [String] = []

  func has(_ option: String) -> Bool { options[option] != nil }

  /// The value of an option; if it was repeated, the last one.
  func value(_ option: String) -> String? { options[option]?.last }

  /// The values of a repeatable option.
  func values(_ option: String) -> [String] { options[option] ?? [] }

  /// Replaces an operand with words.
  mutating func replaceOperand(_ operand: String, by words: [String]) {
    operands = operands.flatMap { $0 == operand ? words : [$0] }
  }

  /// The value of an option as an integer.
  func number(_ option: String) throws -> Int? {
    guard let text = value(option) else { return nil }
    return try Invocation.number(text, for: option)
  }

  /// The value of an option as a count.
  func count(_ option: String) throws -> Int? {
    guard let text = value(option) else { return nil }
    return try Invocation.count(text, for: option)
  }

  /// An integer, strictly: an optional minus and digits.
  static func number(_ text: String, for what: String) throws -> Int {
    guard isNumber(text) else {
      throw Failure.usage("\(what) needs a whole number, not \(quoted(text))", offendingArgument: text)
    }
    // Too large for a place in any list; the list reports its range.
    return Int(text) ?? (text.hasPrefix("-") ? .min : .max)
  }

  /// A nonnegative integer.
  static func count(_ text: String, for what: String) throws -> Int {
    let count = try number(text, for: what)
    guard count >= 0 else {
      throw Failure.usage("\(what) needs 0 or more, not \(count)", offendingArgument: what)
    }
    return count
  }

  /// A time such as 60s, 5m, 2h or 1d.
  static func duration(_ text: String, for what: String) throws -> Duration {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    guard let unit = text.last.flatMap({ units[$0] }), isNumber(String(text.dropLast())),
      let number = Int64(text.dropLast()), (1...(1 << 31)).contains(number)
    else {
      throw Failure.usage(
        "\(what) takes a time, not \(quoted(text))", hint: "examples: 60s   5m   2h   1d",
        offendingArgument: text)
    }
    return .seconds(number * unit)
  }

  /// A number in a message; for numbers beyond any list, not the exact digits.
  static func spelled(_ number: Int) -> String { number.magnitude >> 53 > 0 ? "that far" : "\(number)" }

  static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension Invocation {
  /// Parses a command line; global options may be anywhere.
  ///
  /// - Throws: a `Failure` with code `usage`.
  init(parsing arguments: [String], commands: [Command], globals: [Option]) throws {
    var reader = InvocationReader(commands: commands, globals: globals)
    for argument in arguments { try reader.take(argument) }
    self = try reader.end()
  }

  /// Records an option and its parsed value; empty for a flag.
  ///
  /// - Throws: a `Failure` with code `usage` for an invalid value.
  mutating func set(_ option: Option, to value: String = "") throws {
    let isLeftOut = value.isEmpty && option.isValueOptional
    let value = isLeftOut ? value : try option.value?.checked(value, for: option.name) ?? value
    if !has(option.name) { given.append(option.name) }
    options[option.name] = (option.isRepeatable ? values(option.name) : []) + [value]
  }
}
