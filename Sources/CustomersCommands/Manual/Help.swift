internal import CustomerStore
internal import CustomersText

extension Command {
  static let help = Command(
    name: "help", summary: "show help, or print a shell completion script",
    description: [
      "PART names a further page. man prints the page for man of COMMAND, or of customers. completions",
      "prints a script for bash, zsh, or fish that completes commands, options, values, files, rows, and",
      "sections. bash reads it from ~/.local/share/bash-completion/completions/customers, fish from",
      "~/.config/fish/completions/customers.fish, zsh from _customers in a folder of $fpath.",
    ],
    forms: [
      .plain([.optional(.topic), .optional(.part)], [.optional(Help.man)]),
      .verb("man", [.optional(.topic), .optional(.part)]),
      .verb("completions", [.one(Argument<Shell>.choice("SHELL"))]),
    ],
    common: [GlobalOptions.json],
    examples: [
      CommandExample("What it prints in JSON", "customers help json move"),
      CommandExample("Install a page of man", "customers help man move > customers-move.1"),
    ],
    seeAlso: ["rows", "scripts", "formats", "json"],
    isPaged: true, need: { _ in .nothing },
    run: { session in
      let words = session.invocation.operands
      let named = words.first == "man" ? Array(words.dropFirst()) : words
      if words.first == "completions" {
        try session.output.write(Shell(named: words[1]).script)
      } else if named != words || session.invocation[Help.man] {
        try session.output.write((named.isEmpty ? Manual.program : Help.page(named)).man)
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
    let sentence = summary.prefix(1).uppercased() + summary.dropFirst() + "."
    if notes.isEmpty { notes = [sentence] } else { notes[0] = "\(sentence) \(notes[0])" }
    if !aliases.isEmpty {
      notes.append(
        (notes.popLast() ?? "") + " Also called \(listed(aliases.map { "`\($0)`" }, "and")).")
    }
    var closing =
      formats.areUnusual && formats.names.count > 1
      ? ["Formats: \(formats.names.joined(separator: ", "))."] : []
    if !common.isEmpty {
      closing.append("Common options: \(common.map { $0.short ?? $0.name }.joined(separator: " ")).")
    }
    // Where rows may be named, --where, which is among the options, chooses them as well.
    let plain = shownForms.filter { !$0.takesTermsOnly }
    let usages = (plain.isEmpty ? forms : plain).reduce(into: [String]()) { usages, form in
      if !usages.contains(form.shortUsage) { usages.append(form.shortUsage) }
    }
    let (options, examples, parts) = (optionLines, examples(), topics())
    return [.usage(usages)] + notes.map { .paragraph($0) }
      + (options.isEmpty ? [] : [.heading("Options"), .options(options)])
      + (examples.isEmpty ? [] : [.examples(examples)])
      + (parts.isEmpty ? [] : [.parts(parts)])
      + [.related(seeAlso(), after: closing)]
  }
}

/// The pages that `customers help` shows.
enum Help {
  static let man = Option.flag("--man", earlier: "help man COMMAND")

  /// The page that begins with what most people look for.
  static let overview = Page("", "keep a list of customers in the order you choose", overviewBlocks)

  private static var overviewBlocks: [Page.Block] {
    let width = Command.shown.map { displayWidth($0.names) }.max()
    let topics = Manual.topics.map { ($0.name, $0.summary) }
    return [
      .usage(["COMMAND [options]"]),
      .paragraph("customers keeps a list of customers in the order you choose, in one SQLite file."),
    ] + commands(width: width) { .heading($0) } + [
      .heading("Options of every command"), .options(GlobalOptions.lines),
      .heading("Help topics"), .items(topics, width: width),
      .paragraph(
        """
        ROW is a row number (3, or 2,5-7 for several), an id (@17), first, last, a number in a section (leads/2), \
        or any unambiguous part of a name or an e-mail address. Run `customers help COMMAND` for details.
        """),
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
