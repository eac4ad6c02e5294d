extension Command {
  static let help = Command(
    name: "help", summary: "show help",
    forms: [
      .plain([.optional(.topic)]),
      .plain(
        [],
        [.required(ManPage.option)]),
    ],
    examples: [
      CommandExample("Show the help of a command:", "customers help move"),
      CommandExample("Show how to name rows:", "customers help rows"),
      CommandExample(
        "Install the manual page:",
        "mkdir -p ~/.local/share/man/man1\ncustomers help --man > ~/.local/share/man/man1/customers.1"),
    ],
    seeAlso: ["rows", "scripts", "formats"],
    isPaged: true, need: { _ in .nothing },
    run: { session in
      let name = session.invocation.operands.first
      if session.invocation[ManPage.option] {
        try session.output.write(ManPage.text)
      } else {
        try session.writeHelp(name.map(Help.page) ?? Help.overview)
      }
      return .done
    })
}
