import CustomerFixtures
import Foundation
import CustomersTestSupport
import Testing

/// Command lines completed in the shells themselves.
@Suite(.onThreads) struct CompletionShellTests {
  @Test(arguments: TypingShell.allCases)
  func `a tab completes the word`(shell: TypingShell) throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.write("name\n", to: "new.csv")
    let other = try CLISandbox()
    #expect(try other.run("add", "Otto Other", "-q") == .done())
    let lines: [(typed: String, words: [String])] = [
      ("customers mo\t1 2", ["move", "1", "2"]),
      ("customers show jan\t", ["show", "Jane Eyre"]),
      ("customers show \"jan\t", ["show", "Jane Eyre"]),
      ("customers show 'jan\t", ["show", "Jane Eyre"]),
      ("customers show Jane\\ \t", ["show", "Jane Eyre"]),
      ("customers show zo\t", ["show", "Zoë Müller"]),
      ("customers show @10\t", ["show", "@10"]),
      ("customers move 1 bef\tmiss\t", ["move", "1", "before", "Miss Havisham"]),
      ("customers list --section le\t", ["list", "--section", "Leads"]),
      ("customers list --section=le\t", ["list", "--section=Leads"]),
      ("customers list --color=al\t", ["list", "--color=always"]),
      ("customers list --format nd\t", ["list", "--format", "ndjson"]),
      ("customers section ren\tarch\tOld", ["section", "rename", "Archive", "Old"]),
      ("customers completions z\t", ["completions", "zsh"]),
      ("customers import ne\t", ["import", "new.csv"]),
      ("customers import --db=ne\t", ["import", "--db=new.csv"]),
      ("customers show --db \(other.file) ot\t", ["show", "--db", other.file, "Otto Other"]),
      ("customers show --db=\(other.file) 'ot\t", ["show", "--db=\(other.file)", "Otto Other"]),
    ]
    #expect(try shell.words(typing: lines.map(\.typed), at: sandbox) == lines.map(\.words))
    #expect(try sandbox.names == ["customers.sqlite", "home", "new.csv"])
  }

  @Test(arguments: TypingShell.allCases)
  func `no name is executed or expanded, whatever characters it has`(shell: TypingShell) throws {
    let sandbox = try CLISandbox()
    let seed = 20
    var generator = SplitMix64(seed: seed)
    var names = [
      "$(touch pwned)", "`touch pwned`", "a; touch pwned", "x' ; touch pwned '", "x\" ; touch pwned \"",
      "|touch pwned",
      "`\u{301}touch pwned`\u{301}", "$\u{301}(touch pwned)", "say \"hi\"", "!!", "~", "*", "{a,b}",
      "a:b=c@d", "\\",
      "$HOME", "%n %F{red}",
      "(touch pwned)", "<(touch pwned)", "$'\\x41'", "[touch]", "#x",
    ]
    let letters = Array(" $`\\\"'!;&|<>(){}[]*?~#%^=:@,-+a\u{301}é".unicodeScalars)
    for _ in 0..<(isLong ? 150 : 2) {
      let letters = (0..<12).map { _ in letters[generator.below(letters.count)] }
      names.append("x" + String(String.UnicodeScalarView(letters)) + "y")
    }
    names = names.enumerated().map { "\($0)_\($1)" }
    for name in names { #expect(try sandbox.run("add", "-q", "--first-name=\(name)") == .done()) }
    try #require(sandbox.run("list", "--no-header").output.split(separator: "\n").count == names.count)
    var lines: [(typed: String, name: String)] = []
    for (number, name) in sampled(Array(names.enumerated()), oneIn: 12) {
      lines.append(("customers show \(number)_\t", name))
      // Characters that can't be quoted are not inserted.
      if !name.unicodeScalars.contains("!") { lines.append(("customers show \"\(number)_\t", name)) }
      if !name.unicodeScalars.contains("'") { lines.append(("customers show '\(number)_\t", name)) }
    }
    // At last a list with descriptions, in which some shells let a person choose, with one more Enter.
    let found = try shell.words(typing: lines.map(\.typed) + ["customers show @1\t\t\n"], at: sandbox)
    for (line, words) in zip(lines, found) {
      #expect(words == ["show", line.name], "\(line.typed), seed \(seed)")
    }
    #expect(try sandbox.names == ["customers.sqlite", "home"])
  }

  @Test func `zsh can also source the script`() throws {
    try requireInstalled("zsh", package: "zsh")
    let script = """
      autoload -U compinit; compinit -D -u
      eval "$("$CUSTOMERS" completions zsh)"
      print ${_comps[customers]}
      """
    let sandbox = try CLISandbox()
    #expect(try sandbox.start(["zsh", "-f", "-c", script]).outcome() == .done("_customers"))
  }
}
