import Foundation
import CustomersTestSupport
import Testing

/// `customers help --man`, shown by the programs that show manual pages.
@Suite struct ManPageTests {
  /// The page in a file of the sandbox.
  private func page(at sandbox: CLISandbox) throws -> String {
    let page = try sandbox.run("help", "--man")
    #expect(page.code == 0 && page.errors.isEmpty)
    return try sandbox.write(page.output, to: "customers.1")
  }

  @Test(arguments: ["C", "C.UTF-8"])
  func `man formats every command, option, and section without a warning`(locale: String) throws {
    try requireInstalled("man", package: "man-db")
    let sandbox = try CLISandbox()
    // Small images of Ubuntu put a stub in the place of man, and man beside it.
    let real = "/usr/bin/man.REAL"
    let man = FileManager.default.isExecutableFile(atPath: real) ? real : "man"
    var started = try sandbox.start([man, "--warnings", "-P", "cat", "-l", page(at: sandbox)])
    started.spawn.environment.merge(["LC_ALL": locale, "MANWIDTH": "200"]) { $1 }
    let shown = try started.outcome()
    #expect(shown.code == 0 && shown.errors.isEmpty, "\(shown.errors)")
    let lines = shown.output.split(separator: "\n").map(String.init)
    for title in [
      "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS OF EVERY COMMAND", "NAMING A ROW", "SCRIPTS",
      "FORMATS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO",
    ] {
      #expect(lines.contains(title))
    }
    let commands = lines.drop { $0 != "COMMANDS" }
    for command in try HelpTests.pinned() {
      let start = try #require(commands.firstIndex { $0.hasPrefix("       \(command)") }, "\(command)")
      let rest = lines[start...].drop { !$0.hasPrefix("        ") }.prefix {
        !$0.hasPrefix("       ") || $0.hasPrefix("        ")
      }
      let help = try sandbox.run("help", command).output.split(separator: "\n").map(String.init)
      let options = help.filter { $0.hasPrefix("  -") }.compactMap { $0.split(separator: "  ").first }
      for option in options {
        let option = option.trimmingCharacters(in: .whitespaces).replacing("…", with: "...")
        #expect(
          rest.contains { $0.trimmingCharacters(in: .whitespaces).hasPrefix(option) }, "\(command) \(option)")
      }
    }
    // Characters with a meaning to roff are printed unchanged.
    for text in [
      "add \"Zoe Miller\" --note \"Met at the fair\" --first --as zoe", "\\ at the",
      "$'...' may contain \\n",
      "~/.local/share/customers/customers.sqlite", "move 5 2 is move 5 --to 2",
    ] {
      #expect(lines.contains { $0.contains(text) }, "\(text)")
    }
  }

  @Test func `mandoc finds nothing to complain about`() throws {
    try requireInstalled("mandoc", package: "mandoc")
    let sandbox = try CLISandbox()
    let found = try sandbox.start(["mandoc", "-T", "lint", "-W", "style", page(at: sandbox)]).outcome()
    #expect(found == .done())
  }

  @Test func `the page is the same at any time and place, and ASCII`() throws {
    let page = try CLISandbox().run("help", "--man")
    #expect(
      try page
        == CLISandbox().run(
          "help", "--man", environment: ["LC_ALL": "de_DE.UTF-8", "HOME": "/", "TZ": "UTC-12"]))
    #expect(page.output.utf8.allSatisfy { $0 == 10 || (0x20..<0x7f).contains($0) })
  }

  @Test func `the manual is about all commands`() throws {
    #expect(
      try CLISandbox().run("help", "move", "--man")
        == .failed(2, "customers: COMMAND|TOPIC and --man cannot be combined"))
  }
}
