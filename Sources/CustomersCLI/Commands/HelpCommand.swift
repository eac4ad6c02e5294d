extension Command {
  static let help = Command(
    name: "help", summary: "show all commands, one, or a topic",
    forms: [
      .plain([.optional(.topic)]),
      .plain(
        [],
        [.required(.flag("--man", "the whole manual as a page for man: customers help --man | man -l -"))]),
    ],
    isPaged: true,
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
