import CustomersTestSupport
import Foundation
import Testing

/// `customers config`: settings that are in the list.
@Suite(.onThreads) struct ConfigTests {
  private func list() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let names = "name,phone,tags\nCid,3,vip\nAnn,1,\nBob,2,vip\n"
    #expect(try sandbox.run("import", "-", "-q", stdin: names) == .done())
    #expect(try sandbox.run("section", "add", "Leads", "-q") == .done())
    return sandbox
  }

  @Test func `settings show columns, sort rows, and choose a section, for people only`() throws {
    let sandbox = try list()
    let (plain, json) = try (sandbox.run("list"), sandbox.run("list", "--json"))
    #expect(
      try sandbox.run("config", "columns", "phone") == .done(#"Added setting "columns": "phone"."#))
    #expect(try sandbox.run("config", "sort", "name", "-q") == .done())
    #expect(try sandbox.run("config") == .done("columns=phone\nsort=name"))
    #expect(try sandbox.run("config", "sort") == .done("name"))
    #expect(
      try sandbox.run("config", "--json")
        == .done(#"{"op":"config","settings":{"columns":"phone","sort":"name"}}"#))
    let shown = try sandbox.run("list").output
    #expect(shown.contains("Phone") && !shown.contains("Tags"))
    let names = ["Ann", "Bob", "Cid"].compactMap { shown.range(of: $0)?.lowerBound }
    #expect(names.count == 3 && names == names.sorted())
    #expect(try sandbox.run("list", "--no-config") == plain)
    #expect(try sandbox.run("list", "--fields", "tags").output.contains("vip"))
    #expect(try sandbox.run("list", "--json") == json)
    #expect(try sandbox.run("config", "section", "Leads", "-q") == .done())
    #expect(try sandbox.run("add", "Dora", "-q") == .done())
    #expect(try sandbox.run("add", "Eve", "--no-config", "-q") == .done())
    #expect(
      try sandbox.sqlite("SELECT section, first_name FROM customers WHERE id > 3 ORDER BY id")
        == "2|Dora\n1|Eve\n")
    // A batch adds to the same one, and a place of its own comes first everywhere.
    let script = "add First --first\nadd Third --section Customers --at 3\nbegin\nadd Last --last\nend\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: script) == .done())
    let added = "SELECT section, \"order\", first_name FROM customers WHERE id > 5 ORDER BY id"
    #expect(try sandbox.sqlite(added) == "2|1|First\n1|3|Third\n2|3|Last\n")
    #expect(try sandbox.run("undo", "-q") == .done())
    for _ in 1...3 { #expect(try sandbox.run("undo", "-q") == .done()) }
    #expect(try sandbox.run("config", "section").code == 3)
    #expect(try sandbox.run("config", "columns", "", "-q") == .done())
    #expect(try sandbox.run("config", "columns", "-q").code == 3)
  }

  @Test func `a setting that no longer fits is named and left out`() throws {
    let sandbox = try list()
    #expect(try sandbox.run("edit", "1", "--set", "Club=Chess", "-q") == .done())
    #expect(try sandbox.run("config", "columns", "Club", "-q") == .done())
    #expect(try sandbox.run("columns", "drop", "Club", "-y", "-q") == .done())
    let shown = try sandbox.run("list")
    #expect(shown.code == 0 && shown.output.contains("Ann") && shown.errors.contains("the setting columns"))
    // The others stay.
    #expect(try sandbox.run("edit", "1", "--set", "Club=Chess", "--set", "Age=7", "-q") == .done())
    #expect(try sandbox.run("config", "columns", "Club,phone", "-q") == .done())
    #expect(try sandbox.run("config", "sort", "Age,name", "-q") == .done())
    for column in ["Club", "Age"] {
      #expect(try sandbox.run("columns", "drop", column, "-y", "-q") == .done())
    }
    let others = try sandbox.run("list")
    #expect(others.output.contains("Phone") && !others.output.contains("E-mail"))
    #expect(
      others.errors.contains("fits \"Club\" in the setting columns")
        && others.errors.contains("fits \"Age\" in the setting sort"), "\(others)")
    #expect(try sandbox.run("config", "section", "Leads", "-q") == .done())
    #expect(try sandbox.run("section", "add", "Others", "-q") == .done())
    #expect(try sandbox.run("section", "delete", "Leads", "-y", "-q") == .done())
    #expect(try sandbox.run("add", "Dora").code == 3)
    let batch = "begin\nadd Dora --section Others\nend\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: batch) == .done())
  }

  @Test func `settings follow the section and the columns that they name, in the same step`() throws {
    let sandbox = try list()
    #expect(try sandbox.run("edit", "1", "--set", "Club=Chess", "--set", "Old=x", "-q") == .done())
    let settings = [
      ("columns", "phone,club,Old"), ("sort", "-Club,name"), ("section", "Leads"), ("done", "Leads"),
    ]
    for (name, value) in settings { #expect(try sandbox.run("config", name, value, "-q") == .done()) }
    let before = try sandbox.run("config")
    #expect(try sandbox.run("section", "rename", "Leads", "Archive", "-q") == .done())
    #expect(try sandbox.run("columns", "rename", "Club", "Team", "-q") == .done())
    let after = try sandbox.run("config")
    #expect(after.output == "columns=phone,Team,Old\ndone=Archive\nsection=Archive\nsort=-Team,name\n")
    #expect(try sandbox.run("done", "1", "-q") == .done())
    #expect(try sandbox.run("add", "Dora", "-q") == .done())
    #expect(
      try sandbox.sqlite("SELECT first_name FROM customers WHERE section = 2 ORDER BY \"order\"")
        == "Cid\nDora\n")
    #expect(try sandbox.run("list").errors == "")
    for _ in 1...4 { #expect(try sandbox.run("undo", "-q") == .done()) }
    #expect(try sandbox.run("config") == before)
    // A script, too; `done` has words of its own.
    #expect(try sandbox.run("apply", "-", "-q", stdin: "section rename Leads Won\ndone 1\n") == .done())
    #expect(try sandbox.run("config", "done") == .done("Won"))
    #expect(try sandbox.run("done", "1", "-q") == .done())
    #expect(try sandbox.sqlite("SELECT count(*) FROM customers WHERE section = 2") == "2\n")
    #expect(try sandbox.run("section", "rename", "Won", "stay", "-q") == .done())
    #expect(try sandbox.run("config", "done") == .done("Won"))
  }

  @Test func `a no is kept until the setting changes, and only what does not count is named`() throws {
    let sandbox = try list()
    let other = try CLISandbox()
    #expect(try sandbox.run("config", "alias.vips", "list --where tag=vip", "-q") == .done())
    #expect(try sandbox.run("config", "done", "stay", "-q") == .done())
    let file = other.folder + "/customers.sqlite"
    #expect(try sandbox.run("backup", file, "-q") == .done())
    let declined = try other.onTerminal("done", "1", "-q", answers: ["n\n"])
    #expect(declined.screen.contains("Let them count") && declined.screen.contains("alias.vips="))
    let again = try other.onTerminal("done", "1", "-q", answers: [])
    #expect(!again.screen.contains("Let them count") && again.code == 0, "\(again.screen)")
    let shown = try other.run("config")
    #expect(shown.errors.contains("note: alias.vips and done do not count here"), "\(shown)")
    #expect(try other.run("config", "done", "stay", "-q") == .done())
    let rest = try other.run("config")
    #expect(rest.errors.contains("note: alias.vips does not count here"), "\(rest)")
    #expect(try other.run("vips").errors.contains("customers config alias.vips \"list --where tag=vip\""))
    // What was changed since is asked again.
    #expect(
      try OtherClient.run("UPDATE settings SET value = 'list' WHERE name = 'alias.vips'", on: file) == "")
    let asked = try other.onTerminal("vips", answers: ["y\n"])
    #expect(asked.screen.contains("Let them count") && asked.code == 0)
    #expect(try other.run("config").errors == "")
  }

  @Test func `a hint about a text follows where done moves rows`() throws {
    let sandbox = try list()
    #expect(try sandbox.run("add", "Quentin Q", "-q") == .done())
    for (rule, place) in [(nil, " --to last"), ("stay", ""), ("Leads", " --to Leads")] as [(String?, String)]
    {
      if let rule { #expect(try sandbox.run("config", "done", rule, "-q") == .done()) }
      let refused = try sandbox.run("done", "1", "quentin")
      #expect(refused.errors.contains("quentin --next none\(place)\n"), "\(refused)")
    }
  }

  @Test func `done moves rows where the list says`() throws {
    let sandbox = try list()
    let order = "SELECT section, first_name FROM customers ORDER BY section, \"order\""
    #expect(try sandbox.run("config", "done", "stay", "-q") == .done())
    #expect(try sandbox.run("done", "1", "-q") == .done())
    #expect(try sandbox.sqlite(order) == "1|Cid\n1|Ann\n1|Bob\n")
    #expect(try sandbox.run("config", "done", "Leads", "-q") == .done())
    #expect(try sandbox.run("done", "2", "1", "sold", "-q") == .done())
    #expect(try sandbox.sqlite(order) == "1|Bob\n2|Cid\n2|Ann\n")
    #expect(try sandbox.run("undo", "-q") == .done())
    #expect(try sandbox.run("done", "1", "--no-config", "-q") == .done())
    #expect(try sandbox.sqlite(order) == "1|Ann\n1|Bob\n1|Cid\n")
    #expect(try sandbox.run("apply", "-", "--no-config", "-q", stdin: "done 1\n") == .done())
    #expect(try sandbox.sqlite(order) == "1|Bob\n1|Cid\n1|Ann\n")
  }

  @Test func `done is the same in a script, as JSON, and through the API`() throws {
    let order = "SELECT section, first_name FROM customers ORDER BY section, \"order\""
    for (rule, rows) in [
      ("Leads", "1|Bob\n2|Cid\n2|Ann\n"), ("stay", "1|Cid\n1|Ann\n1|Bob\n"),
      ("last", "1|Bob\n1|Cid\n1|Ann\n"),
    ] {
      let sandbox = try list()
      let ids = try sandbox.sqlite("SELECT id FROM customers ORDER BY \"order\"").split(separator: "\n")
      #expect(try sandbox.run("config", "done", rule, "-q") == .done())
      let json = #"{"done":{"ids":[\#(ids[1]),\#(ids[0])]}}"#
      let calls = ["true", "false"].map { isDry in
        MCPTests.call(2, "edit", #"{"edits":[\#(json)],"dry_run":\#(isDry)}"#)
      }
      for (words, input) in [
        (["apply", "-"], "done 2 1\n"), (["apply", "-"], json + "\n"),
        (["mcp", "--edit"], MCPTests.hello + calls.joined()),
      ] {
        let result = try sandbox.run(words: words, stdin: input)
        #expect(result.code == 0)
        #expect(try sandbox.sqlite(order) == rows, "\(rule) \(words) \(result)")
        #expect(try sandbox.run("undo", "-q", "-y") == .done())
      }
    }
  }

  @Test func `wrong settings change nothing`() throws {
    let sandbox = try list()
    let before = try sandbox.run("check", "--digest")
    for (words, code) in [
      (["color", "phone"], 2), (["columns", "fone"], 2), (["sort", "fone"], 2), (["section", "Lead"], 3),
      (["done", "away"], 3), (["alias.list", "find x"], 2), (["alias.Big", "list"], 2),
      (["alias.a", "lst"], 2),
      (["alias.a", "delete 1 --yes"], 2), (["alias.a", "delete 1 -qy"], 2), (["alias.a", "list --db x"], 2),
      (["--", "alias.a", "--quiet"], 2), (["alias.a", "list 'x"], 2), (["alias.rm", "$(touch x)"], 2),
    ] as [([String], Int32)] {
      let result = try sandbox.run(words: ["config"] + words)
      #expect(result.code == code && !result.errors.isEmpty, "\(words): \(result)")
    }
    #expect(try sandbox.run("config") == .done())
    #expect(try sandbox.run("check", "--digest") == before)
  }

  @Test func `an alias stands for a command line, which messages name`() throws {
    let sandbox = try list()
    #expect(try sandbox.run("config", "alias.vips", "list --where tag=vip --fields phone", "-q") == .done())
    let plain = try sandbox.run("list", "--where", "tag=vip", "--fields", "phone")
    #expect(try sandbox.run("vips") == plain)
    #expect(try sandbox.run("-q", "vips", "--limit", "1").output.contains("Cid"))
    #expect(try sandbox.run("vips", "--count") == .done("2"))
    let wrong = try sandbox.run("vips", "--limt", "1")
    #expect(wrong.code == 2 && wrong.errors.contains(#""vips" stands for: customers list --where"#))
    #expect(try sandbox.run("vips", "--no-config").code == 2)
    // A question says what it is about, and the line in the table knows the word, too.
    #expect(try sandbox.run("config", "alias.gone", "delete", "-q") == .done())
    let asked = try sandbox.onTerminal("gone", "1", answers: ["n\n"])
    #expect(asked.screen.contains(#""gone" stands for: customers delete"#), "\(asked.screen)")
    // Another client can write anything.
    for line in ["delete 1 --yes", "vips", "lst"] {
      _ = try sandbox.sqlite("INSERT INTO settings VALUES ('alias.a', '\(line)')")
      let result = try sandbox.run("a")
      #expect(result.code == 2 || result.code == 4, "\(result)")
      _ = try sandbox.sqlite("DELETE FROM settings WHERE name = 'alias.a'")
    }
    #expect(try sandbox.run("list", "--count") == .done("3"))
  }

  @Test func `settings that came from another machine do not count before someone has seen them`() throws {
    let sandbox = try list()
    let other = try CLISandbox()
    #expect(try sandbox.run("config", "alias.vips", "list --where tag=vip", "-q") == .done())
    let file = other.folder + "/customers.sqlite"
    #expect(try sandbox.run("backup", file, "-q") == .done())
    let refused = try other.run("--db", file, "vips")
    #expect(refused.code == 4 && refused.errors.contains("no one has let this setting"))
    let shown = try other.run("--db", file, "config")
    #expect(
      shown.output == "alias.vips=list --where tag=vip\n" && shown.errors.contains("does not count here"))
    // Another setting of this machine counts here, and does not let them count.
    #expect(try other.run("--db", file, "config", "done", "stay", "-q") == .done())
    #expect(try other.run("--db", file, "done", "1", "-q") == .done())
    #expect(try OtherClient.run("SELECT first_name FROM customers", on: file) == "Cid\nAnn\nBob\n")
    #expect(try other.run("--db", file, "vips").code == 4)
    let done = try sandbox.run("--db", file, "done", "1")
    #expect(done.code == 0 && done.errors.contains("the setting done=stay of the list does not count here"))
    #expect(try sandbox.run("--db", file, "vips").code == 0)
  }

  @Test func `an alias of a list elsewhere stands for its command line, if someone here has seen it`() throws
  {
    let sandbox = try CLISandbox()
    let environment = try sandbox.otherMachine()
    for words in [["add", "Ann"], ["add", "Bob"], ["config", "alias.first-one", "list first"]] {
      #expect(try sandbox.run(words: words, environment: environment).code == 0)
    }
    // What was set from here counts here.
    let own = try sandbox.run(words: ["first-one", "--format", "ids"], environment: environment)
    #expect(own == .done("@1"))
    let set = "INSERT INTO settings VALUES ('alias.last-one', 'list last')"
    _ = try OtherClient.run(set, on: sandbox.file)
    let config = try sandbox.run(words: ["config"], environment: environment)
    #expect(config.errors.contains("note: alias.last-one does not count here"), "\(config)")
    let refused = try sandbox.run(words: ["last-one"], environment: environment)
    #expect(refused.code == 4 && refused.errors.contains("stands for: customers list last"), "\(refused)")
    let (screen, code) = try sandbox.onTerminal("last-one", answers: ["y\n"], environment: environment)
    #expect(code == 0 && screen.contains("alias.last-one=list last"), "\(screen)")
    let shown = try sandbox.run(words: ["last-one", "--format", "ids"], environment: environment)
    #expect(shown == .done("@2"))
    #expect(try sandbox.run(words: ["next-one"], environment: environment).code == 2)
  }
}
