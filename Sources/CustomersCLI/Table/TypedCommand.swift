internal import CustomerStore

/// A command line typed in the table, in the syntax of scripts.
struct TypedCommand {
  /// The words after `customers`, with the selected rows filled in.
  let words: [String]
  /// The parsed words.
  let invocation: Invocation

  /// Parses a line; returns nil for a line without words.
  ///
  /// In a command that takes rows, `-` means `rows`. A command that needs rows and names none gets `rows`.
  ///
  /// - Throws: a `Failure` with code `usage`, or a `ScriptDiagnostic`.
  init?(_ line: String, on rows: [CustomerID]) throws {
    var words = try TypedCommand.words(of: line)
    // Accepts the full command line, as typed in a shell.
    if words.first == "customers" { words.removeFirst() }
    guard !words.isEmpty else { return nil }
    let ids = rows.map { "@\($0.rawValue)" }
    let typed = try TypedCommand.parse(words)
    guard let command = typed.command else { throw Failure.usage("no command given") }
    guard !TypedCommand.excluded.contains(command.name) else {
      throw Failure.usage("\(command.name) can't be run in the table")
    }
    if command.forms.contains(where: \.takesRows) {
      if typed.operands.contains("-") {
        words = try TypedCommand.replacingOperand("-", in: words, by: ids)
      } else if (try? command.check(typed)) == nil, let name = words.firstIndex(where: command.isCalled) {
        let others = words[...name] + ids + words[(name + 1)...]
        if (try? command.check(TypedCommand.parse(Array(others)))) != nil { words = Array(others) }
      }
    }
    self.words = words
    invocation = try TypedCommand.parse(words)
    try command.check(invocation)
  }

  private static func parse(_ words: [String]) throws -> Invocation {
    try Invocation(parsing: words, commands: Command.all, globals: Command.globals)
  }

  /// Replaces an operand by other words; leaves the same word alone where it is the value of an option.
  private static func replacingOperand(
    _ operand: String, in words: [String], by others: [String]
  ) throws -> [String] {
    for index in words.indices where words[index] == operand {
      let replaced = Array(words[..<index] + others + words[(index + 1)...])
      if try !parse(replaced).operands.contains(operand) { return replaced }
    }
    return words
  }

  /// The commands that run until they are interrupted, or serve another program.
  private static let excluded = [
    Command.table.name, Command.watch.name, Command.complete.name, Command.serve.name,
  ]

  private static func words(of line: String) throws -> [String] {
    var rest = [Array(line.utf8)][...]
    var reader = WordReader(LineReader { rest.popFirst() ?? [] })
    let words = try reader.next()?.words ?? []
    if let variable = words.lazy.compactMap(\.variable).first {
      throw Failure.usage("$\(variable) names a row in scripts only", hint: "put a text with $ in quotes")
    }
    return words.map(\.text)
  }
}

extension Form {
  fileprivate var takesRows: Bool { operands.contains { $0.value.takesRows } }
}

extension Command {
  fileprivate func isCalled(_ word: String) -> Bool { word == name || aliases.contains(word) }
}
