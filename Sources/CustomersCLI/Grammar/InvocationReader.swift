internal import CustomersTerminalText

/// Parses a command line, word by word.
///
/// After each word it knows what may come next.
struct InvocationReader {
  let commands: [Command]
  let globals: [any DeclaredOption]
  /// The result so far.
  private(set) var invocation = Invocation()
  /// The option whose value may or must come next.
  private(set) var pending: (any DeclaredOption)?
  /// Whether no `--` has come yet.
  private(set) var takesOptions = true

  init(commands: [Command], globals: [any DeclaredOption]) {
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
      pending = nil
      // Another option is hardly meant as a value; such a value can be given after `=`.
      if !option.isValueOptional, isKnownOption(word) {
        throw Failure.usage(
          "\(option.name) needs a value: \(option.usage)",
          hint: "if \(word) is the value: \(option.name)=\(word)", offendingArgument: option.name)
      }
      if !option.isValueOptional || Invocation.isNumber(word) { return try invocation.set(option, to: word) }
    }
    if takesOptions, word == "--" {
      takesOptions = false
    } else if isOption(word) {
      try take(option: word)
    } else if invocation.command == nil {
      invocation.command = try Command.named(word, among: commands)
    } else {
      invocation.operands.append(word)
    }
  }

  /// - Throws: a `Failure` with code `usage` if something is missing.
  func end() throws -> Invocation {
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
      throw unknown(parts[0])
    }
    // Otherwise one of two places would silently be ignored.
    if option.value != nil, !option.isRepeatable, invocation.has(option),
      !globals.contains(where: { $0.name == option.name })
    {
      throw Failure.usage("\(option.name) was given twice", offendingArgument: word)
    }
    if parts.count == 2 {
      guard option.value != nil else {
        throw Failure.usage("\(option.name) does not take a value", offendingArgument: word)
      }
      return try invocation.set(option, to: parts[1])
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
    if let other = command.options.first(where: { $0.name.hasPrefix("-" + word) }), word.count == 2 {
      return .usage(
        "unknown option \(quoted(word)) of \(command.name)", hint: didYouMean(other.name),
        offendingArgument: word)
    }
    if let remedy = Command.remedies["\(command.name) \(word)"] {
      return .usage(
        "unknown option \(quoted(word)) of \(command.name)", hint: remedy, offendingArgument: word)
    }
    let takesName = !command.expected(after: invocation.operands).isEmpty && !word.hasPrefix("--")
    return .unknown(
      "option", word, of: " of \(command.name)", among: options.map(\.name),
      remedy: takesName
        ? "put `--` before a name that starts with `-`: customers \(command.name) -- \(printable(word))"
        : Form.help(command.name))
  }
}
