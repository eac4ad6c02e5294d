internal import CustomersWording

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
  private let parse: @Sendable (String?) throws -> any Sendable
  private let combine: @Sendable ([any Sendable]) -> Value

  func parsed(_ word: String?) throws -> any Sendable { try parse(word) }

  /// What the option says, given its parsed values; none if it was not given.
  func meaning(of values: [any Sendable]) -> Value { combine(values) }
}

extension Option where Value == Bool {
  static func flag(_ name: String, short: String? = nil, _ help: String) -> Option {
    Option(
      name: name, short: short, value: nil, isValueOptional: false, isRepeatable: false, help: help,
      parse: { _ in true }, combine: { !$0.isEmpty })
  }
}

extension Option {
  /// An option with a value; if it may be left out, `bare` stands for it, and only a number is taken as the
  /// value.
  static func value<Element>(
    _ name: String, short: String? = nil, _ value: Argument<Element>, bare: Element? = nil, _ help: String
  ) -> Option where Value == Element? {
    Option(
      name: name, short: short, value: value.type, isValueOptional: bare != nil, isRepeatable: false,
      help: help, parse: { try ($0.map { try value.parse($0, name) } ?? bare) as any Sendable },
      combine: { $0.last as? Element })
  }

  /// An option that may be repeated, each time with a value.
  static func values<Element>(
    _ name: String, short: String? = nil, _ value: Argument<Element>, _ help: String
  ) -> Option where Value == [Element] {
    Option(
      name: name, short: short, value: value.type, isValueOptional: false, isRepeatable: true, help: help,
      parse: { try $0.map { try value.parse($0, name) } as any Sendable },
      combine: { $0.compactMap { $0 as? Element } })
  }
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

  /// The value of a word; without one, of a flag, or of a value that was left out.
  ///
  /// - Throws: a `Failure` with code `usage` for an invalid word.
  func parsed(_ word: String?) throws -> any Sendable
}

extension DeclaredOption {
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
