/// An option of a command, or a global one.
struct Option: Sendable {
  /// Its name in code and on the command line, such as `--to`.
  let name: String
  /// A one-letter form, `-q`.
  var short: String?
  /// The kind of its value; nil for a flag.
  var value: ArgumentType?
  /// Whether the value is optional; only a number is taken as the value.
  var isValueOptional = false
  /// Whether it may be repeated, each time with a value.
  var isRepeatable = false
  /// One line of help, without the choices.
  let help: String

  static func flag(_ name: String, short: String? = nil, _ help: String) -> Option {
    Option(name: name, short: short, help: help)
  }

  static func value(
    _ name: String, short: String? = nil, _ value: ArgumentType, isOptional: Bool = false, _ help: String
  ) -> Option {
    Option(name: name, short: short, value: value, isValueOptional: isOptional, help: help)
  }

  /// A repeatable option.
  static func values(_ name: String, short: String? = nil, _ value: ArgumentType, _ help: String) -> Option {
    Option(name: name, short: short, value: value, isRepeatable: true, help: help)
  }

  /// The help with the choices.
  var summary: String {
    let choices = value?.choices ?? []
    return choices.isEmpty ? help : "\(help): \(listed(choices))"
  }

  /// The value after the name in help, ` N` or ` [K]`.
  var placeholder: String { value.map { isValueOptional ? " [\($0.label)]" : " \($0.label)" } ?? "" }

  /// The name and what follows it, `--to N`.
  var usage: String { name + placeholder }
}

/// Options that belong together.
enum OptionGroup: Sendable {
  /// An optional one.
  case optional(Option)
  /// A required one.
  case required(Option)
  /// Options of which at most one may be given.
  case oneOf([Option])
  /// Similar options, for which usage shows one label.
  case many(String, [Option])

  static func flag(_ name: String, _ help: String) -> OptionGroup { .optional(.flag(name, help)) }

  static func value(_ name: String, short: String? = nil, _ value: ArgumentType, _ help: String)
    -> OptionGroup
  {
    .optional(.value(name, short: short, value, help))
  }

  static func values(_ name: String, short: String? = nil, _ value: ArgumentType, _ help: String)
    -> OptionGroup
  {
    .optional(.values(name, short: short, value, help))
  }

  static func required(
    _ name: String, _ value: ArgumentType, isRepeatable: Bool = false, _ help: String
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

  /// - Throws: a `Failure` with code `usage` if the given options can't be combined, or one is missing;
  ///   `command` is the name of the command.
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
  /// The failure for two options that can't be combined.
  static func contradictory(_ first: String, _ second: String) -> Failure {
    .usage("\(first) and \(second) cannot be combined", offendingArgument: second)
  }
}
