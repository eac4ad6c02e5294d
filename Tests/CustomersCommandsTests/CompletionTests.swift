@testable import CustomersCommands
import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// The program's answers to the shells' completion scripts.
@Suite(.onThreads) struct CompletionTests {
  @Test(arguments: try Transcript.sessions("Completion"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  /// Returns the words that fish offers after these, the last of which is incomplete.
  private func offered(_ words: String..., at sandbox: CLISandbox) throws -> [String] {
    try offered(words: words, at: sandbox)
  }

  private func offered(words: [String], at sandbox: CLISandbox) throws -> [String] {
    let outcome = try sandbox.run(words: ["__complete", "fish", "--"] + words)
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { String($0.prefix { $0 != "\t" }) }
  }

  private static let files = [""]

  @Test(arguments: [
    (["mo"], ["move"]), (["r"], ["rm", "redo", "restore"]), (["MO"], ["move"]), (["xyzzy"], []),
    (["xyzzy", ""], []),
    (["help", "mo"], ["move"]), (["help", "move", ""], []), (["help", "man", "mo"], ["move"]),
    (["help", "scr"], ["scripts"]), (["help", "serv"], ["serve"]), (["serv"], []),
    (["help", "import", ""], ["columns", "encodings", "update"]),
    (["help", "json", "st"], ["step", "status"]),
    (["scr"], []),
    (["section", "delete", "Leads", ""], ["--with-customers"]),
    (["list", "--fields", "id,pos"], ["id,position"]), (["--quiet", "mo"], ["move"]),
    (["section", ""], ["list", "add", "rename", "footer", "move", "delete"]), (["section", "add", ""], []),
    (["section", "move", ""], ["Customers", "Leads", "Archive"]),
    (["section", "move", "Leads", ""], ["first", "last", "before", "after"]),
    (["section", "move", "Leads", "before", "a"], ["Archive"]),
    (["section", "rename", "l"], ["Leads"]), (["section", "list", ""], ["--db"]),
    (["completions", ""], ["bash", "zsh", "fish"]), (["completions", "bash", "z"], []),
    (["--color", ""], ["auto", "always", "never"]),
    (["list", "--color=a"], ["--color=auto", "--color=always"]),
    (["show", "--format", ""], ["table", "json", "ndjson"]), (["list", "--format", "c"], ["csv"]),
    (["import", "f", "--map", "Fax"], []), (["import", "f", "--map", "Fax=e"], ["Fax=email"]),
    (["import", "f", "--map=A=name,Fax=l"], ["--map=A=name,Fax=last_name"]), (["import", ""], files),
    (["import", "a.csv", "--f"], ["--format"]), (["apply", "x"], files),
    (["--db", ""], files), (["list", "--db=x"], files), (["list", "--limit", ""], []),
    (["list", "--limit="], []), (["check", "--nonsense=", ""], ["digest"]), (["list", "--nonsense="], []),
    (["list", "--sec"], ["--section"]), (["list", "--section", "Leads", "--sec"], []),
    (["list", "--section", "l"], ["Leads"]), (["list", "--section", "@2"], ["@2"]),
    (["list", "--", "--"], []), (["show", "--", "jan"], ["Jane Eyre"]), (["show", "Jane Eyre", "x"], []),
    (["move", "jan", "zo"], ["Zoë Müller"]), (["move", "1", "--up", "zo"], ["Zoë Müller"]),
    (["move", "1", "--before", "zo"], ["Zoë Müller"]), (["move", "1", "before", "zo"], ["Zoë Müller"]),
    (["move", "1", "--to", "after", "zo"], ["Zoë Müller"]),
    (["move", "1", "--to", "l"], ["last", "Leads/last"]),
    (["move", "1", "--before=zo"], ["--before=Zoë Müller"]),
    (["show", "1"], ["1", "10"]), (["show", "@1"], ["@1", "@10"]), (["show", "明"], ["明 山田"]),
    (["expect", "co"], ["count"]), (["expect", "count", ""], []), (["expect", "mi"], ["Miss Havisham"]),
    (["show", "--color", "blue", ""], []), (["show", "-"], ["--where"]), (["-"], ["--db"]),
    (["__complete", ""], []), (["__c"], []), ([""], ["table"]), (["check", ""], ["digest"]),
    (["help", "completions", "z"], ["zsh"]),
  ])
  func `completions are offered`(words: [String], expected: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    var found = try offered(words: words, at: sandbox)
    // If any option or command is possible, the first candidate says so.
    if let first = found.first, found.count > 6, expected.count == 1 { found = [first] }
    #expect(found == expected, "\(words)")
  }

  @Test(arguments: [
    ("mo", "move ", 0), ("customers li", "customers list ", 0), ("move 3 bef", "move 3 before ", 0),
    ("move 3 before jan", "move 3 before \"Jane Eyre\" ", 0),
    ("move 3 before \"jan", "move 3 before \"Jane Eyre\" ", 0),
    ("edit 1 --fav", "edit 1 --favorite ", 0), ("edit 1 --no", "edit 1 --no", 4),
    ("list --fields name,comp", "list --fields name,company ", 0), ("list --sort t", "list --sort tags ", 0),
    ("section m", "section move ", 0), ("xyzzy", "xyzzy", 0), ("list $(x", "list $(x", 0),
    ("list --format nd", "list --format ndjson ", 0), ("move 1 --to l", "move 1 --to l", 2),
  ])
  func `in the table, the word at the end of a line is completed`(
    line: String, expected: String, count: Int
  ) throws {
    let sandbox = try CLISandbox.withDemo()
    let context = Context(
      environment: sandbox.environment, input: StandardInput(.standardInput),
      output: CustomersCommands.Stream(TextSink()), errors: CustomersCommands.Stream(TextSink()))
    let (completed, words) = Completer.completed(line, Session(in: context))
    #expect(completed == expected && words.count == count, "\(words)")
  }

  @Test(arguments: try HelpTests.pinned())
  func `completion offers the options of a command, but those of earlier versions`(command: String) throws {
    let sandbox = try CLISandbox()
    let options = try Command.named(command, among: Command.documented).options + GlobalOptions.all
    let shown = options.filter { $0.earlier == nil }.map(\.name)
    #expect(shown.count >= 10)
    #expect(try offered(command, "--", at: sandbox) == shown)
    // They were offered without a file, and none was made.
    #expect(try sandbox.names.isEmpty)
  }

  @Test func `a name that could mean something else is marked as a name`() throws {
    let sandbox = try CLISandbox()
    let names = ["first", "3", "2,5-7", "@17", "leads/2", "-rf", "--yes", "name:x", "Ann"]
    for name in names { #expect(try sandbox.run("add", "-q", "--first-name=\(name)") == .done()) }
    let words = try offered("show", "", at: sandbox)
    #expect(words == names.map { $0 == "Ann" ? $0 : "name:" + $0 })
    for (index, word) in words.enumerated() {
      #expect(try sandbox.run("show", word).output.hasPrefix("Row:         \(index + 1)\n"), "\(word)")
    }
  }

  @Test func `a limited number of rows is offered, and the others after more typing`()
    throws
  {
    let sandbox = try CLISandbox()
    let csv = "name\n" + (1...1000).map { "Row n\($0)\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: csv) == .done())
    #expect(try offered("show", "", at: sandbox) == (1...200).map { "Row n\($0)" })
    #expect(try offered("show", "row n99", at: sandbox) == ["Row n99"] + (990...999).map { "Row n\($0)" })
  }

  @Test func `the columns of the file that is imported are offered`() throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.write("ContactName;Club;Captain;E-mail\nAnn Lee;Bonn;Germany;a@x\n", to: "a.csv")
    try sandbox.write(#"[{"Contact":"Ann Lee","Club":"Bonn"}]"#, to: "a.json")
    try sandbox.write("BEGIN:VCARD\nNO CARD", to: "bad.vcf")
    #expect(
      try offered("import", "a.csv", "--map", "c", at: sandbox) == ["ContactName=", "Club=", "Captain="])
    let second = ["Club=-,ContactName=", "Club=-,Club=", "Club=-,Captain="]
    #expect(try offered("import", "a.csv", "--map", "Club=-,c", at: sandbox) == second)
    #expect(
      try offered("import", "a.csv", "--map=Club=n", at: sandbox) == [
        "--map=Club=name", "--map=Club=note", "--map=Club=next",
      ])
    let keys = ["ContactName", "Club", "Captain", "E-mail"]
    #expect(try offered("import", "a.csv", "--on-duplicate", "skip", "--key", "", at: sandbox) == keys)
    #expect(try offered("import", "a.json", "--map", "c", at: sandbox) == ["Contact=", "Club="])
    #expect(try offered("import", "--delimiter", "|", "a.csv", "--key", "", at: sandbox).count == 1)
    for file in ["missing.csv", "bad.vcf", "-", "/dev/null", "/", "customers.sqlite"] {
      #expect(try offered("import", file, "--map", "", at: sandbox) == [], "\(file)")
    }
    #expect(try sandbox.shell("mkfifo pipe.csv").code == 0)
    #expect(try offered("import", "pipe.csv", "--key", "", at: sandbox) == [])
  }

  @Test func `a file that can't be read silently offers nothing`() throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.write("no list", to: "other")
    for file in ["missing", "other", "/dev/null", "/", ""] {
      #expect(try sandbox.run("__complete", "fish", "--", "show", "--db", file, "j") == .done())
    }
    #expect(try sandbox.names == ["customers.sqlite", "other"])
    let locked = try sandbox.shell(
      """
      sqlite3 -bail "$CUSTOMERS_DB" 'BEGIN EXCLUSIVE' '.shell "$CUSTOMERS" __complete fish -- show j' 'COMMIT'
      """)
    #expect(locked == .done())
    #expect(try offered("show", "j", at: sandbox) == ["Jane Eyre"])
  }

  @Test(arguments: [
    ("customers show j", "Jane\\ Eyre"), ("customers show \"j", "Jane Eyre"),
    ("customers show 'j", "Jane Eyre"),
    ("customers show Jane\\ e", "Jane\\ Eyre"), ("customers show Jane\\", ""),
    ("customers show \"Jane\" e", "Elizabeth\\ Bennet"),
    ("customers show \"Jane\"", ""), ("customers show \"Ja\"ne", ""), ("customers show $(j", ""),
    ("customers show \"$(j", ""), ("customers show `j", ""), ("customers show $J", ""),
    ("customers show >j", ""),
    ("customers --db=$(touch pwned) show j", ""), ("customers  show\t j", "Jane\\ Eyre"),
    ("customers list --section=le", "Leads"), ("customers list --section='le", "Leads"),
    ("customers show zoë\\ m", "Zoë\\ Müller"),
    ("customers show @10", "@10"), ("customers '' j", ""), ("/usr/bin/customers mov", "move"),
    ("customers show 'j' --color=alw", "always"), ("customers show a:", "b@c"),
    ("customers show A:b@", "@c"),
    ("customers show \"a:b@", "a:b@c"), ("customers show a:b\\@", "b@c"),
  ])
  func `bash receives the quoted part that readline replaces`(line: String, expected: String) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("add", "-q", "a:b@c") == .done())
    // As bash has them.
    let breaks = " \t\n\"'@><=;|&(:"
    let found = try sandbox.run("__complete", "bash", "--", line, breaks)
    #expect(found.output.split(separator: "\n").first ?? "" == expected)
    #expect(found.code == 0 && found.errors.isEmpty)
    #expect(try sandbox.names == ["customers.sqlite"])
  }
}
