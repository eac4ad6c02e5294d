internal import CustomerStore

/// A command line typed in the table, in the syntax of scripts.
struct TypedCommand {
  /// The parsed words, with the selected rows filled in.
  private(set) var invocation: Invocation

  /// Parses a line; returns nil for a line without words.
  ///
  /// In a command that takes rows, `-` means `rows`. A command that needs rows and names none gets `rows`.
  ///
  /// - Throws: a `Failure` with code `usage` or a `ScriptDiagnostic`.
  init?(_ line: String, on rows: [CustomerID]) throws {
    var words = try TypedCommand.words(of: line)
    // Accepts the full command line, as typed in a shell.
    if words.first == "customers" { words.removeFirst() }
    guard !words.isEmpty else { return nil }
    let ids = rows.map { "@\($0.rawValue)" }
    invocation = try Invocation(parsing: words, commands: Command.all, globals: GlobalOptions.all)
    guard let command = invocation.command else { throw Failure.usage("no command given") }
    guard !TypedCommand.excluded.contains(command.name), !command.name.hasPrefix("__") else {
      throw Failure.usage(
        command.name == "table" ? "you are already in the table" : "\(command.name) can't be run in the table"
      )
    }
    guard !invocation.has(RepeatedBackup.every) else {
      throw Failure.usage("--every can't be used in the table", hint: "run it in another terminal")
    }
    if command.forms.contains(where: \.takesRows) {
      if let index = invocation.indexOfPipedRows {
        invocation.replaceOperand(at: index, by: ids)
      } else if (try? command.check(invocation)) == nil {
        var filled = invocation
        filled.operands = ids + filled.operands
        if (try? command.check(filled)) != nil { invocation = filled }
      }
    }
    try command.check(invocation)
  }

  /// The commands that run until they are interrupted, or serve another program; so do those that no person types.
  private static let excluded = [
    Command.table.name, Command.watch.name, Command.web.name, Command.serve.name,
  ]

  private static func words(of line: String) throws -> [String] {
    var rest = [Array(line.utf8)][...]
    var reader = WordReader(LineReader { rest.popFirst() ?? [] })
    let words = try reader.next()?.words ?? []
    if let variable = words.lazy.compactMap(\.variable).first {
      throw Failure.usage("$\(variable) names a row in scripts only", hint: "put a value with $ in quotes")
    }
    return words.map(\.text)
  }
}

extension Form {
  fileprivate var takesRows: Bool { operands.contains { $0.value.takesRows } }
}
