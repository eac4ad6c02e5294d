extension Command {
  static let help = Command(
    name: "help", summary: "show all commands, one, or a topic",
    forms: [
      .plain([.optional(.topic)]),
      .plain(
        [],
        [.required(.flag("--man", "the whole manual as a page for man: customers help --man | man -l -"))]),
    ],
    examples: [
      CommandExample("Show what a command does:", "customers help move"),
      CommandExample("Show how rows are named:", "customers help rows"),
      CommandExample(
        "Install the manual for man:",
        "mkdir -p ~/.local/share/man/man1\ncustomers help --man > ~/.local/share/man/man1/customers.1"),
    ],
    seeAlso: ["rows", "scripts", "formats"],
    isPaged: true, runsAtList: { _ in false },
    run: { session in
      let name = session.invocation.operands.first
      if session.invocation.has("--man") {
        try session.output.write(ManPage.text)
      } else {
        try session.writeHelp(name.map(Help.page) ?? Help.overview)
      }
      return .done
    })
}
