internal import CustomerStore
internal import CustomersText

extension Command {
  static let help = Command(
    name: "help", summary: "show help, or print a shell completion script",
    description: [
      "Some commands and topics have further pages, which PART names.",
      "",
      "--completions completes commands, options, values, file names, rows, and sections. bash reads the",
      "script from ~/.local/share/bash-completion/completions/customers, with the package bash-completion,",
      "fish from ~/.config/fish/completions/customers.fish, and zsh from _customers in a folder of $fpath.",
    ],
    forms: [
      .plain([.optional(.topic), .optional(.part)], [.optional(Help.man)]),
      .plain([], [.required(Help.completions)]),
    ],
    common: [GlobalOptions.json],
    examples: [
      CommandExample("Show the help of a command", "customers help move"),
      CommandExample("Show how to name rows", "customers help rows"),
      CommandExample("Show what a command prints in JSON", "customers help json move"),
      CommandExample(
        "Install the manual pages",
        """
        mkdir -p ~/.local/share/man/man1 && cd ~/.local/share/man/man1
        customers help --man > customers.1
        names=$(customers help --json | grep -o '"name":"[a-z]*"' | cut -d'"' -f4)
        for n in $names; do customers help $n --man > customers-$n.1; done
        """),
      CommandExample(
        "Install the completions for bash",
        "folder=~/.local/share/bash-completion/completions\nmkdir -p $folder && customers help --completions bash > $folder/customers"
      ),
    ],
    seeAlso: ["rows", "scripts", "formats", "json"],
    isPaged: true, need: { _ in .nothing },
    run: { session in
      let words = session.invocation.operands
      if let shell = session.invocation[Help.completions] {
        try session.output.write(shell.script)
      } else if session.invocation[Help.man] {
        try session.output.write((words.isEmpty ? Manual.program : Help.page(words)).man)
      } else if try session.format() == .json {
        try session.output.write(Help.json(words).text + "\n")
      } else {
        try session.writeHelp(Help.page(words))
      }
      return .done
    })

  /// The commands that have a page: those for people, and the ones that they put into a file or a script.
  static let documented = shown + [expect, serve]

  /// The name, with its aliases in parentheses.
  fileprivate var names: String { aliases.isEmpty ? name : "\(name) (\(aliases.joined(separator: ", ")))" }

  /// The page of the command.
  var page: Page { Page(name, summary, parts: topics(), blocks) }

  private var blocks: [Page.Block] {
    if let earlier {
      return [
        .usage(forms.map(\.usage)), .paragraph("Of an earlier version; it works. Now: customers \(earlier)"),
      ]
    }
    var notes = paragraphs()
    if !aliases.isEmpty {
      notes.append(
        [notes.popLast() ?? "", "Also called \(listed(aliases.map { "`\($0)`" }, "and"))."]
          .filter { !$0.isEmpty }.joined(separator: " "))
    }
    var closing =
      formats.areUnusual && formats.names.count > 1
      ? ["Formats: \(formats.names.joined(separator: ", "))."] : []
    if !common.isEmpty {
      closing.append("Common options: \(common.map { $0.short ?? $0.name }.joined(separator: " ")).")
    }
    let usages = forms.reduce(into: [String]()) { usages, form in
      if !usages.contains(form.shortUsage) { usages.append(form.shortUsage) }
    }
    let (options, examples, parts) = (optionLines, examples(), topics())
    return [.usage(usages)] + notes.map { .paragraph($0) }
      + (options.isEmpty ? [] : [.heading("Options"), .options(options)])
      + (examples.isEmpty ? [] : [.heading("Examples"), .examples(examples)])
      + (parts.isEmpty ? [] : [.parts(parts)])
      + [.related(seeAlso(), after: closing)]
  }
}

/// The pages that `customers help` shows.
enum Help {
  static let man = Option.flag("--man", "print the man page of COMMAND, or of customers")
  static let completions = Option.value(
    "--completions", Argument<Shell>.choice("SHELL"), "print the completion script of a shell")

  /// The page that begins with what most people look for.
  static let overview = Page(
    "", "customers keeps a list of customers in the order you choose, in one SQLite file.", overviewBlocks)

  private static var overviewBlocks: [Page.Block] {
    let width = Command.shown.map { displayWidth($0.names) }.max()
    let topics = Manual.topics.map { ($0.name, $0.summary) }
    return [.usage(["COMMAND [options]"])] + commands(width: width) { .heading($0) } + [
      .heading("Options of every command"), .options(GlobalOptions.lines),
      .heading("Help topics"), .items(topics, width: width),
      .paragraph(
        """
        ROW is a row number (3, or 2,5-7 for several), an id (@17), first, last, a number in a section (leads/2), \
        or a name, an e-mail address, or any unambiguous part of one ("Ann Lee"). To choose rows by their fields, \
        use --where City=Berlin.
        """),
      .paragraph("Run `customers help COMMAND` for details. Add `--man` for a page of man."),
    ]
  }

  /// The commands in their groups.
  static func commands(width: Int? = nil, _ heading: (String) -> Page.Block) -> [Page.Block] {
    Command.groups.flatMap { title, commands -> [Page.Block] in
      [heading(title), .items(commands.map { ($0.names, $0.summary) }, width: width)]
    }
  }

  /// The page of a command or a topic, or the part of it that a second word names.
  ///
  /// - Throws: a `Failure` with code `usage` if there is none.
  static func page(_ words: [String]) throws -> Page {
    guard let name = words.first else { return overview }
    let page =
      try Manual.topics.first { $0.name == name }
      ?? Command.named(name, among: Command.documented + Command.earlier).page
    guard words.count > 1 else { return page }
    let parts = page.parts()
    guard let part = parts.first(where: { $0.word == words[1] }) else {
      throw Failure.unknown(
        "part", words[1], of: " of \(page.name)", among: parts.map { String($0.word) },
        remedy: "to see the page: customers help \(page.name)")
    }
    return part
  }

  /// The commands and topics, one command, or the text of any other page.
  ///
  /// - Throws: a `Failure` with code `usage` if there is no such page.
  static func json(_ words: [String]) throws -> JSON {
    guard let name = words.first else {
      return .object([
        ("op", .string("help")), ("commands", .array(Command.documented.map(JSONShapes.command.json))),
        ("topics", .array(Manual.topics.map { .string($0.name) })),
      ])
    }
    if words.count > 1 || Manual.isTopic(name) { return try JSONShapes.page.json(page(words)) }
    return JSONShapes.command.json(try .named(name, among: Command.documented + Command.earlier))
  }
}

extension Session {
  /// Writes a page of help; on a terminal it is no wider than that, and its headings are bold.
  func writeHelp(_ page: Page) throws {
    let width = output.isTerminal ? max(20, min(Page.width, screen.columns)) : Page.width
    let isStyled = hasColor(output)
    try output.write(page.text(width: width) { styled($0, .heading, if: isStyled) })
  }
}
