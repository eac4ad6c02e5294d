extension Command {
  static let help = Command(
    name: "help", summary: "show all commands, or one", usage: "[COMMAND]", operands: 0...1,
    isPaged: true,
    run: { session in
      guard let name = session.invocation.operands.first else {
        try session.output.write(Help.overview)
        return .done
      }
      guard let command = Command.all.first(where: { $0.name == name || $0.aliases.contains(name) }) else {
        let near = nearest(to: name, among: Command.all.map(\.name))
        throw Failure.usage(
          "unknown command '\(printable(name))'", hint: near.map { "did you mean '\($0)'?" })
      }
      try session.output.write(Help.text(command))
      return .done
    })
}

/// The help texts, made from the table of commands.
enum Help {
  static var overview: String {
    """
    customers keeps a list of customers in the order you give it, in one SQLite file.

    Usage: customers COMMAND [options]

    Commands:
    \(table(Command.all.map { ($0.name + ($0.aliases.isEmpty ? "" : " (\($0.aliases.joined(separator: ", ")))"), $0.summary) }))

    Options of every command:
    \(options(Command.globals))

    A row is named by its number (3, 2,5-7), its id (@17), first, last, a section and a number (leads/2),
    or its name or a part that only one has ("Ann Lee", name:42). `customers help COMMAND` tells more.

    """
  }

  static func text(_ command: Command) -> String {
    let usage = ["customers \(command.name)", command.usage].filter { !$0.isEmpty }.joined(separator: " ")
    var text = "\(command.summary)\n\nUsage: \(usage)\n"
    if !command.notes.isEmpty { text += "\n" + command.notes.joined(separator: "\n") + "\n" }
    if !command.options.isEmpty { text += "\nOptions:\n\(options(command.options))\n" }
    return text + "\n`customers help` shows the options of every command.\n"
  }

  private static func options(_ options: [Option]) -> String {
    table(
      options.map { option in
        let names = [option.short, option.name].compactMap { $0 }.joined(separator: ", ")
        let value = option.value.map { option.isValueOptional ? " [\($0)]" : " \($0)" } ?? ""
        return (names + value, option.help)
      })
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map { displayWidth($0.0) }.max() ?? 0
    return rows.map { "  \(padded($0.0, to: width))  \($0.1)" }.joined(separator: "\n")
  }
}
