/// An option of a command, or one that every command takes.
struct Option: Sendable {
  /// What it is called in code and on the command line, `--to`.
  let name: String
  /// A one-letter form, `-q`.
  var short: String?
  /// What it takes; nil for a flag.
  var value: Value?
  /// Whether the value may be left out; it is taken only if it is a number.
  var isValueOptional = false
  /// Whether it may be given several times, each time with a value.
  var isRepeatable = false
  /// One line of help, without the choices.
  let help: String

  static func flag(_ name: String, short: String? = nil, _ help: String) -> Option {
    Option(name: name, short: short, help: help)
  }

  static func value(
    _ name: String, short: String? = nil, _ value: Value, isOptional: Bool = false, _ help: String
  ) -> Option {
    Option(name: name, short: short, value: value, isValueOptional: isOptional, help: help)
  }

  /// An option that may be given several times.
  static func values(_ name: String, short: String? = nil, _ value: Value, _ help: String) -> Option {
    Option(name: name, short: short, value: value, isRepeatable: true, help: help)
  }

  /// The help with the choices.
  var summary: String {
    let choices = value?.choices ?? []
    return choices.isEmpty ? help : "\(help): \(listed(choices))"
  }

  /// What follows the name in help, ` N` or ` [K]`.
  var placeholder: String { value.map { isValueOptional ? " [\($0.label)]" : " \($0.label)" } ?? "" }

  /// The name and what follows it, `--to N`.
  var usage: String { name + placeholder }
}

/// Options that belong together.
enum OptionGroup: Sendable {
  /// One that may be left out.
  case optional(Option)
  /// One without which the command makes no sense.
  case required(Option)
  /// Several of which one command line has one at most.
  case oneOf([Option])
  /// Several that are alike, so that usage shows one label for all of them.
  case many(String, [Option])

  static func flag(_ name: String, _ help: String) -> OptionGroup { .optional(.flag(name, help)) }

  static func value(_ name: String, short: String? = nil, _ value: Value, _ help: String) -> OptionGroup {
    .optional(.value(name, short: short, value, help))
  }

  static func values(_ name: String, short: String? = nil, _ value: Value, _ help: String) -> OptionGroup {
    .optional(.values(name, short: short, value, help))
  }

  static func required(
    _ name: String, _ value: Value, isRepeatable: Bool = false, _ help: String
  ) -> OptionGroup {
    .required(isRepeatable ? .values(name, value, help) : .value(name, value, help))
  }

  var options: [Option] {
    switch self {
    case .optional(let option), .required(let option): [option]
    case .oneOf(let options), .many(_, let options): options
    }
  }

  /// The group as usage shows it.
  var usage: String {
    switch self {
    case .optional(let option): "[\(option.usage)]" + (option.isRepeatable ? "…" : "")
    case .required(let option): option.usage + (option.isRepeatable ? " …" : "")
    case .oneOf(let options): "[" + options.map(\.usage).joined(separator: " | ") + "]"
    case .many(let label, _): "[\(label)]…"
    }
  }

  /// - Throws: a `Failure` with code `usage` if the options that were given can't be given together, or
  ///   one is missing; `command` is what the person called.
  func check(_ invocation: Invocation, _ command: String) throws {
    switch self {
    case .required(let option) where !invocation.has(option.name):
      throw Failure.usage("\(command) needs \(option.usage)")
    case .oneOf(let options):
      let given = options.map(\.name).filter(invocation.has)
      guard given.count < 2 else { throw Failure.contradictory(given[0], given[1]) }
    case .required, .optional, .many: break
    }
  }
}

extension Failure {
  /// Two options that say different things.
  static func contradictory(_ first: String, _ second: String) -> Failure {
    .usage("\(first) and \(second) cannot be combined", offendingArgument: second)
  }
}
