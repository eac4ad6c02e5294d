@testable import CustomersCommands
import Foundation
import CustomersTestSupport
import Testing

/// The pages of `customers help man`, shown by the programs that show manual pages.
@Suite(.onThreads) struct ManPageTests {
  /// A page, and the file that has it in the sandbox: of a command, or about the program.
  private func page(_ command: String?, at sandbox: CLISandbox) throws -> (text: String, path: String) {
    let page = try sandbox.run(words: ["help", "man"] + [command].compactMap(\.self))
    #expect(page.code == 0 && page.errors.isEmpty)
    return (page.output, try sandbox.write(page.output, to: "\(command ?? "customers").1"))
  }

  /// The lines of a page as man-db shows them.
  private func shown(_ path: String, _ sandbox: CLISandbox, locale: String = "C", width: Int = 200) throws
    -> [String]
  {
    try requireInstalled("man", package: "man-db")
    // Small images of Ubuntu put a stub in the place of man, and man beside it.
    let real = "/usr/bin/man.REAL"
    let man = FileManager.default.isExecutableFile(atPath: real) ? real : "man"
    var started = try sandbox.start([man, "--warnings", "-P", "cat", "-l", path])
    started.spawn.environment.merge(["LC_ALL": locale, "MANWIDTH": "\(width)"]) { $1 }
    let shown = try started.outcome()
    #expect(shown.code == 0 && shown.errors.isEmpty, "\(shown.errors)")
    return shown.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(arguments: ["C", "C.UTF-8"])
  func `man formats the page of the program with every section, command, and option`(locale: String) throws {
    let sandbox = try CLISandbox()
    let lines = try shown(page(nil, at: sandbox).path, sandbox, locale: locale)
    let titles = [
      "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "NAMING A ROW", "NAMING A PLACE", "SCRIPTS",
      "FORMATS", "KEYS", "OTHER MACHINES", "A LIST ON SEVERAL MACHINES", "SQL", "THE API", "EXIT STATUS",
      "ENVIRONMENT",
      "EARLIER VERSIONS", "FILES", "EXAMPLES", "SEE ALSO",
    ]
    #expect(
      lines.filter { $0.first?.isUppercase == true && !$0.contains("(1)") && !$0.contains("0.3.0") } == titles
    )
    let commands = lines.drop { $0 != "COMMANDS" }
    for command in try HelpTests.pinned() where command != "expect" {
      #expect(commands.contains { $0.hasPrefix("       \(command)") }, "\(command)")
      #expect(lines.suffix(12).joined().contains("customers-\(command)(1)"), "\(command)")
    }
    // Characters with a meaning to roff are printed unchanged.
    for text in [
      "add \"Zoe Miller\" --tag fair --to first --as zoe", "is expanded, but \\n and its like in $'...'.",
      "~/.local/share/customers/customers.sqlite", "customers move 5 2 say where the row ends up",
    ] {
      #expect(lines.contains { $0.contains(text) }, "\(text)")
    }
  }

  @Test(arguments: sampled(try HelpTests.pinned(), oneIn: 12))
  func `the page of a command has its forms, options, and examples`(command: String) throws {
    let sandbox = try CLISandbox()
    let lines = try shown(page(command, at: sandbox).path, sandbox)
    let help = try sandbox.run("help", command).output.split(separator: "\n").map(String.init)
    func ascii(_ text: some StringProtocol) -> String {
      text.trimmingCharacters(in: .whitespaces).replacing("…", with: "...").replacing("ü", with: "u")
    }
    let shown = Set(lines.map(ascii))
    for option in help.filter({ $0.hasPrefix("  -") }).compactMap({ $0.split(separator: "  ").first }) {
      #expect(shown.contains { $0.hasPrefix(ascii(option)) }, "\(option)")
    }
    let declared = try Command.named(command, among: Command.documented)
    for line in declared.examples().flatMap({ $0.line.split(separator: "\n") }) {
      #expect(help.contains { $0.hasPrefix("  $ \(line)") } && shown.contains(ascii(line)), "\(line)")
    }
    let own = lines.compactMap { $0.hasPrefix("       customers-\(command) - ") ? $0.dropFirst(7) : nil }
    #expect(own.count == 1 && own[0].hasSuffix(ascii(declared.summary)), "\(own)")
    #expect(lines.contains { $0.contains("customers(1)") })
  }

  /// An example whose purpose is not a paragraph of its own runs on in the text before it.
  @Test(arguments: sampled(try HelpTests.pinned() + ["customers"], oneIn: 12), ["man", "mandoc"])
  func `the purpose of each example is a paragraph, and its lines stand below it`(
    name: String, program: String
  ) throws {
    let sandbox = try CLISandbox()
    let path = try page(name == "customers" ? nil : name, at: sandbox).path
    let lines: [String]
    if program == "man" {
      lines = try shown(path, sandbox, width: 80)
    } else {
      try requireInstalled("mandoc", package: "mandoc")
      let output = try sandbox.start(["mandoc", "-T", "ascii", "-O", "width=78", path]).outcome().output
      lines = withoutOverstrikes(output).split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
    }
    let section = lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { $0.first?.isUppercase != true }
    let paragraphs = section.split(separator: "").map(Array.init)
    let examples =
      try name == "customers" ? Manual.examples : Command.named(name, among: Command.documented).examples()
    #expect(paragraphs.count == 2 * examples.count, "\(section.joined(separator: "\n"))")
    for (example, start) in zip(examples, stride(from: 0, to: paragraphs.count, by: 2)) {
      #expect(paragraphs[start][0].trimmingCharacters(in: .whitespaces).hasPrefix(example.purpose.prefix(20)))
      #expect(paragraphs[start + 1].count >= example.line.split(separator: "\n").count)
    }
  }

  @Test(arguments: try HelpTests.pinned() + ["customers", "serve"])
  func `mandoc finds nothing to complain about`(name: String) throws {
    try requireInstalled("mandoc", package: "mandoc")
    let sandbox = try CLISandbox()
    let path = try page(name == "customers" ? nil : name, at: sandbox).path
    #expect(try sandbox.start(["mandoc", "-T", "lint", "-W", "style", path]).outcome() == .done())
  }

  @Test(arguments: [[], ["add"]])
  func `a page for man is ASCII and depends on no time or place`(name: [String]) throws {
    let page = try CLISandbox().run(words: ["help", "--man"] + name)
    #expect(
      try page
        == CLISandbox().run(
          words: ["help"] + name + ["--man"],
          environment: ["LC_ALL": "de_DE.UTF-8", "HOME": "/", "TZ": "UTC-12"]))
    #expect(page.output.utf8.allSatisfy { $0 == 10 || (0x20..<0x7f).contains($0) })
  }

  @Test(arguments: ["rows", "keys", "json all", "import columns"])
  func `a topic or a part has a page of section 7`(name: String) throws {
    try requireInstalled("mandoc", package: "mandoc")
    let sandbox = try CLISandbox()
    let page = try sandbox.run(words: ["help"] + name.split(separator: " ").map(String.init) + ["--man"])
    #expect(page.code == 0 && page.output.hasPrefix(".TH CUSTOMERS\\-"))
    #expect(page.output.utf8.allSatisfy { $0 == 10 || (0x20..<0x7f).contains($0) })
    let path = try sandbox.write(page.output, to: "page.7")
    #expect(try sandbox.start(["mandoc", "-T", "lint", "-W", "style", path]).outcome() == .done())
    #expect(
      try shown(path, sandbox).contains { $0.contains("customers-\(name.replacing(" ", with: "-")) - ") })
  }

  @Test func `the pages of a command include its parts`() throws {
    let sandbox = try CLISandbox()
    let titles = try shown(page("import", at: sandbox).path, sandbox).filter { $0.first?.isUppercase == true }
    #expect(titles.contains("COLUMNS") && titles.contains("UPDATES"))
  }

  @Test func `a mistyped command has no page`() throws {
    #expect(try CLISandbox().run("help", "--man", "mvoe").errors.contains("did you mean \"move\"?"))
  }
}

/// The text without the overstrikes by which terminals of paper showed bold and underlined characters.
private func withoutOverstrikes(_ text: String) -> String {
  var shown: [Character] = []
  for character in text {
    if character == "\u{8}" { shown.removeLast() } else { shown.append(character) }
  }
  return String(shown)
}
