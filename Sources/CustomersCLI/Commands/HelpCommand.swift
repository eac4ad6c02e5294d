internal import CustomersFormats

extension Command {
  static let help = Command(
    name: "help", summary: "show help",
    operands: [.optional(.topic)], options: [.optional(ManPage.option)],
    examples: [
      CommandExample("Show the help of a command:", "customers help move"),
      CommandExample("Show how to name rows:", "customers help rows"),
      CommandExample(
        "Install the manual pages:",
        """
        mkdir -p ~/.local/share/man/man1 && cd ~/.local/share/man/man1
        customers help --man > customers.1
        names=$(customers help --json | grep -o '"name":"[a-z]*"' | cut -d'"' -f4)
        for n in $names; do customers help $n --man > customers-$n.1; done
        """),
    ],
    seeAlso: ["rows", "scripts", "formats", "json"],
    isPaged: true, need: { _ in .nothing },
    run: { session in
      let name = session.invocation.operands.first
      if session.invocation[ManPage.option] {
        try session.output.write(name.map(ManPage.page) ?? ManPage.text)
      } else if try session.format() == .json {
        try session.output.write(Help.json(of: name).text + "\n")
      } else {
        try session.writeHelp(name.map(Help.page) ?? Help.overview)
      }
      return .done
    })
}
