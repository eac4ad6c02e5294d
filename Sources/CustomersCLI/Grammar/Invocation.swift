internal import CustomerStore
internal import TerminalText

/// A command line taken apart.
struct Invocation: Sendable {
  var command: Command?
  var operands: [String] = []
  /// The values of the options by name, in the order given; the value of one that takes none is empty.
  private(set) var options: [String: [String]] = [:]
  /// The names of the options, in the order they were given.
  private(set) var given: [String] = []

  func has(_ option: String) -> Bool { options[option] != nil }

  /// The value of an option; of one that was given several times the last.
  func value(_ option: String) -> String? { options[option]?.last }

  /// The values of an option that may be given several times.
  func values(_ option: String) -> [String] { options[option] ?? [] }

  /// Puts words in the place of an operand.
  mutating func replaceOperand(_ operand: String, by words: [String]) {
    operands = operands.flatMap { $0 == operand ? words : [$0] }
  }

  /// The value of an option as a whole number.
  func number(_ option: String) throws -> Int? {
    guard let text = value(option) else { return nil }
    return try Invocation.number(text, for: option)
  }

  /// The value of an option that counts something.
  func count(_ option: String) throws -> Int? {
    guard let text = value(option) else { return nil }
    return try Invocation.count(text, for: option)
  }

  /// A whole number, strictly: an optional minus and digits.
  static func number(_ text: String, for what: String) throws -> Int {
    guard isNumber(text) else {
      throw Failure.usage("\(what) takes a whole number, not \(quoted(text))", offendingArgument: text)
    }
    // Too large for a place in any list; the list says how far its places go.
    return Int(text) ?? (text.hasPrefix("-") ? .min : .max)
  }

  /// A whole number that is not negative.
  static func count(_ text: String, for what: String) throws -> Int {
    let count = try number(text, for: what)
    guard count >= 0 else {
      throw Failure.usage("\(what) takes 0 or more, not \(count)", offendingArgument: what)
    }
    return count
  }

  /// A number as a message has it: one beyond any list need not be what was typed.
  static func spelled(_ number: Int) -> String { number.magnitude >> 53 > 0 ? "that far" : "\(number)" }

  static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension Invocation {
  /// Takes a command line apart; the options that every command takes may stand anywhere.
  ///
  /// - Throws: a `Failure` with code `usage`.
  init(parsing arguments: [String], commands: [Command], globals: [Option]) throws {
    var reader = InvocationReader(commands: commands, globals: globals)
    for argument in arguments { try reader.take(argument) }
    self = try reader.end()
  }

  /// Notes an option, and its value as commands understand it; a flag has an empty one.
  ///
  /// - Throws: a `Failure` with code `usage` for a value that the option does not take.
  mutating func set(_ option: Option, to value: String = "") throws {
    let isLeftOut = value.isEmpty && option.isValueOptional
    let value = isLeftOut ? value : try option.value?.checked(value, for: option.name) ?? value
    if !has(option.name) { given.append(option.name) }
    options[option.name] = (option.isRepeatable ? values(option.name) : []) + [value]
  }
}
