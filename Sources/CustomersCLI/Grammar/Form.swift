internal import CustomersTerminalText
internal import CustomersWording

/// A word as a shell and a script of `apply` read it back.
func shellQuoted(_ word: String) -> String {
  guard word.contains(where: { "\"$`\\!".contains($0) }) else { return quoted(word) }
  return "'\(printable(word).replacing("'", with: #"'\''"#))'"
}

/// A word as one would type it in a shell: in quotes only if it needs them.
func typed(_ word: String) -> String {
  let isPlain =
    !word.isEmpty
    && word.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5a).contains($0 & 0xdf) || "@-+_.,:/%".utf8.contains($0)
    }
  return isPlain ? word : shellQuoted(word)
}

/// A word of a command line other than an option.
struct Operand: Sendable {
  let value: ArgumentType
  var isOptional = false
  /// Whether it may be repeated; only for the last operand of a form.
  var isRepeated = false

  static func one(_ value: Argument<some Sendable>) -> Operand { Operand(value: value.type) }
  static func optional(_ value: Argument<some Sendable>) -> Operand {
    Operand(value: value.type, isOptional: true)
  }
  /// Once or more.
  static func many(_ value: Argument<some Sendable>) -> Operand {
    Operand(value: value.type, isRepeated: true)
  }
  /// Never, once or more.
  static func any(_ value: Argument<some Sendable>) -> Operand {
    Operand(value: value.type, isOptional: true, isRepeated: true)
  }

  /// The operand as usage shows it.
  var usage: String { (isOptional ? "[\(value.label)]" : value.label) + (isRepeated ? "…" : "") }
}

/// One form of a command: `section add TITLE` is one of several.
struct Form: Sendable {
  /// The word that identifies the form.
  var verb: String?
  /// Whether the form is the default without a verb.
  var isDefault = false
  var operands: [Operand] = []
  var groups: [OptionGroup] = []

  static func verb(
    _ verb: String, isDefault: Bool = false, _ operands: [Operand] = [], _ groups: [OptionGroup] = []
  ) -> Form {
    Form(verb: verb, isDefault: isDefault, operands: operands, groups: groups)
  }

  static func plain(_ operands: [Operand] = [], _ groups: [OptionGroup] = []) -> Form {
    Form(operands: operands, groups: groups)
  }

  var options: [any DeclaredOption] { groups.flatMap(\.options) }

  func takes(_ option: String) -> Bool { options.contains { $0.name == option } }

  /// The arguments after the command's name.
  var usage: String {
    let verb = verb.map { [isDefault ? "[\($0)]" : $0] } ?? []
    return (verb + operands.map(\.usage) + groups.map(\.usage)).joined(separator: " ")
  }

  /// Whether an incomplete line with these operands may be of this form.
  func mayBegin(with operands: [String]) -> Bool {
    operands.isEmpty || fits(verbOf: operands) && operands.count <= counts.upperBound
  }

  /// Returns the values allowed after these operands.
  func expected(after operands: [String]) -> [ArgumentType] {
    if operands.isEmpty, let verb { return [.choice([verb])] }
    guard fits(verbOf: operands) else { return [] }
    let count = operands.count - (verb == nil ? 0 : 1)
    if count < self.operands.count { return [self.operands[count].value] }
    return self.operands.last.flatMap { $0.isRepeated ? [$0.value] : nil } ?? []
  }

  /// Whether the verb is this form's or not needed.
  func fits(verbOf operands: [String]) -> Bool {
    verb == nil || verb == operands.first || isDefault && operands.isEmpty
  }

  /// The number of operands, including the verb.
  private var counts: ClosedRange<Int> {
    let verbs = verb == nil ? 0 : 1
    let least = verbs + operands.count { !$0.isOptional }
    let most = operands.last?.isRepeated == true ? Int.max : verbs + operands.count
    return (isDefault ? least - verbs : least)...most
  }

  /// - Throws: a `Failure` with code `usage` if the line is not of this form; `command` is its name, and
  ///   `others` are the alternative forms.
  func check(_ invocation: Invocation, of command: String, among forms: [Form]) throws {
    let called = verb.map { "\(command) \($0)" } ?? command
    let count = invocation.operands.count
    guard counts.contains(count) else {
      throw Failure.usage(
        count < counts.lowerBound ? "\(called): missing argument" : "\(called): too many arguments",
        hint: hint(for: invocation, of: command, among: forms))
    }
    let own = invocation.given.map(\.name).filter { option in forms.contains { $0.takes(option) } }
    if let wrong = own.first(where: { !takes($0) }) {
      throw refusal(of: wrong, beside: own, command, forms)
    }
    for group in groups { try group.check(invocation, called) }
  }

  /// What to type with as many operands as this form takes.
  private func hint(for invocation: Invocation, of command: String, among forms: [Form]) -> String {
    if verb == nil, operands.map(\.value.label) == ["NAME"], invocation.operands.count > 1 {
      return
        "put the name in quotes: customers \(command) \(shellQuoted(invocation.operands.joined(separator: " ")))"
    }
    let usages = forms.filter { $0.verb == verb }
      .map { $0.usage.isEmpty ? "customers \(command)" : "customers \(command) \($0.usage)" }
    // A hint that fits the terminal; the help breaks long lines.
    guard usages.allSatisfy({ $0.count <= 72 }) else { return Form.help(command) }
    return usages.joined(separator: "\n      ")
  }

  /// The hint at the help of a command.
  static func help(_ command: String) -> String { "to see how it is used: customers help \(command)" }

  /// The failure for an option of another form.
  private func refusal(
    of option: String, beside given: [String], _ command: String, _ forms: [Form]
  ) -> Failure {
    let owners = forms.filter { $0.takes(option) }
    if let other = given.first(where: { other in !owners.contains { $0.takes(other) } }) {
      return .contradictory(other, option)
    }
    // What the other form can't do without.
    let required = owners.first?.groups.lazy.compactMap { group -> (any DeclaredOption)? in
      if case .required(let required) = group, !given.contains(required.name), required.name != option {
        required
      } else {
        nil
      }
    }.first
    if let required, owners.count == 1, owners[0].verb == verb {
      return .usage("\(option) needs \(required.usage)", offendingArgument: option)
    }
    let names = owners.compactMap { owner in
      (owner.verb ?? owner.operands.first?.value.label).map { "\(command) \($0)" }
    }
    return .usage(
      names.isEmpty
        ? "\(operands.first?.value.label ?? command) and \(option) can't be combined"
        : "\(option) needs \(listed(names))",
      offendingArgument: option)
  }
}
