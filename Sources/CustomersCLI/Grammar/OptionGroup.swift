/// Options that belong together.
enum OptionGroup: Sendable {
  /// An optional one.
  case optional(any DeclaredOption)
  /// A required one.
  case required(any DeclaredOption)
  /// Options of which at most one may be given.
  case oneOf([any DeclaredOption])
  /// Similar options, for which usage shows one label.
  case many(String, [any DeclaredOption])

  var options: [any DeclaredOption] {
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
    case .required(let option) where !invocation.has(option):
      throw Failure.usage("\(command) needs \(option.usage)")
    case .oneOf(let options):
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
