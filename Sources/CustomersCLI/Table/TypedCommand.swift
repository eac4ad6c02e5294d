internal import CustomerStore

/// A command line that a person types in the table, in the words of scripts.
struct TypedCommand {
  /// The words after `customers`, with the rows that are meant in them.
  let words: [String]
  /// The words taken apart.
  let invocation: Invocation

  /// Understands a line; nil for one without words.
  ///
  /// In a command that takes rows, `-` stands for `rows`; so does nothing at all, if the command needs rows.
  ///
  /// - Throws: a `Failure` with code `usage`, or a `ScriptDiagnostic`.
  init?(_ line: String, on rows: [CustomerID]) throws {
    var words = try TypedCommand.words(of: line)
    // People type what they are used to.
    if words.first == "customers" { words.removeFirst() }
    guard !words.isEmpty else { return nil }
    let ids = rows.map { "@\($0.rawValue)" }
    let typed = try TypedCommand.parse(words)
    guard let command = typed.command else { throw Failure.usage("which command?") }
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

  /// Puts words in the place of an operand; the same word may be the value of an option too, and stays there.
  private static func replacingOperand(
    _ operand: String, in words: [String], by others: [String]
  ) throws -> [String] {
    for index in words.indices where words[index] == operand {
      let replaced = Array(words[..<index] + others + words[(index + 1)...])
      if try !parse(replaced).operands.contains(operand) { return replaced }
    }
    return words
  }

  /// Those that have no end of their own.
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
