internal import CustomerStore
internal import CustomerTable
internal import CustomersPlatform
internal import CustomersTerminal
internal import CustomersTerminalText

extension Command {
  static let table = Command(
    name: "table", summary: "view and edit the list on the whole screen",
    description: [
      "Shows the list and follows changes by other programs. You can move rows by hand, add, edit, and delete",
      "customers, search, and undo. Press ? for the keys. On a terminal, `customers` without arguments, or with --db",
      "only, does the same.",
      "",
      "Type : to run any command of customers. If it takes rows, - means the marked rows or the row at the cursor.",
      "So does leaving them out, as in `:move --to 1` or `:edit --company Acme`. As in vi, :q quits, and :5 goes to",
      "row 5. The table saves at once.",
      "",
      "On a screen of 100 columns or more, the fields are in columns: those of `customers list` or those that you",
      "choose with --fields or the key c, which need only 60 columns. The key s sorts the view, up to 50,000 rows,",
      "by the rules of `customers list --sort`. The list keeps its order, so rows can't be moved until Esc shows it",
      "again.",
    ],
    options: [
      .optional(TableOptions.section), .optional(Listing.fields), .optional(TableOptions.noMouse),
    ],
    examples: [
      CommandExample("Work on the list:", "customers table"),
      CommandExample("Start at a section:", "customers table --section leads"),
      CommandExample("Choose the columns after the name:", "customers table --fields company,phone"),
    ],
    seeAlso: ["list", "watch", "undo"], formats: .printed([.table]), need: { _ in .terminal },
    run: { session in try session.showTable() })
}

private enum TableOptions {
  static let section = Option.value("--section", short: "-s", .section, "start at a section")
  static let noMouse = Option.flag("--no-mouse", "leave the mouse to the terminal (the key M switches it)")
}

extension Session {
  /// Whether a command line without a command shows the table: on a terminal that can, if it has no options
  /// but the list.
  var opensTable: Bool {
    invocation.command == nil && invocation.given.allSatisfy { $0.name == GlobalOptions.list.name }
      && context.input.isTerminal
      && output.isTerminal && Terminal.refusal(of: environment["TERM"]) == nil
  }

  /// Shows the table until the user quits.
  func showTable() throws -> ExitCode {
    let session = self
    var table = try TableSession(policy: TableFace.policy()) { isCreating in
      try session.openList(creating: isCreating)
    }
    if let title = invocation[TableOptions.section] {
      let index = try read(mayBeMissing: true) { list in
        let outline = try list.outline()
        let section = try outline.section(titled: title, upTo: .part)
        return outline.sections.firstIndex { $0.id == section.id }
      }
      table.send(.resize(screen.rows))
      table.send(.go(.sections(index ?? 0)))
    }
    if let names = invocation[Listing.fields] {
      table.send(.show(try read(mayBeMissing: true) { try $0.columns(named: names, by: Listing.fields) }))
    }
    let usesMouse = !invocation[TableOptions.noMouse]
    let colors = hasColor(output)
    let fileName = try list.name.split(separator: "/").last.map(String.init) ?? ""
    var options = TableFace.Options(fileName: fileName, usesMouse: usesMouse, colors: colors)
    let address = try list.address
    options.lockHolder = { address.holder }
    let face = TableFace(table, options: options)
    let terminal = try Terminal(usesMouse: usesMouse)
    let commands = TableCommands(session: self, terminal: terminal)
    var loop = TableLoop(face, on: terminal, colors: colors) { commands.perform($0) }
    let code = loop.run()
    guard code != 128 + SIGINT else { endInterrupted() }
    return ExitCode(rawValue: code) ?? .failed
  }

  /// - Throws: a `Failure` if there is no terminal that can show a table, or an option rules it out.
  func checkTerminal() throws {
    for option in [GlobalOptions.json, GlobalOptions.dryRun, GlobalOptions.noInput]
    where invocation[option] {
      throw Failure.usage(
        "table and \(option.name) can't be combined", hint: "to print the list: customers list",
        offendingArgument: option.name)
    }
    guard context.input.isTerminal, output.isTerminal else {
      throw Failure(
        code: .refused, message: "the table needs a terminal", hint: "to print the list: customers list")
    }
    if let refusal = Terminal.refusal(of: environment["TERM"]) {
      throw Failure(
        code: .refused, message: printable(refusal),
        hint: "set TERM=xterm; or to print the list: customers list")
    }
  }
}
