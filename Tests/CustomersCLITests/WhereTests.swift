import Testing

/// Rows by a question, by ids on standard input, and by open ranges.
@Suite struct WhereTests {
  private static let people = """
    name,email,City,Postal Code
    Ann Lee,ann@x.example,Berlin,10115
    Palle Ibsen,,Köln,50667
    Zoë Müller,zoe@x.example,berlin,
    Dan Ray,,,9

    """

  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("import", "-", "-q", stdin: Self.people) == .done())
    return sandbox
  }

  private func ids(_ sandbox: CLISandbox, _ words: String...) throws -> String {
    let result = try sandbox.run(words: words + ["--format", "ids"])
    #expect(result.code == 0, "\(words): \(result)")
    return result.output.split(separator: "\n").joined(separator: " ")
  }

  @Test func `list and find show the rows that match a term`() throws {
    let sandbox = try sandbox()
    #expect(try ids(sandbox, "list", "--where", "city=Berlin") == "@1 @3")
    #expect(try ids(sandbox, "list", "-w", "postal-code<20000", "-w", "email=") == "@4")
    #expect(try ids(sandbox, "find", "l", "--where", "City!=Berlin") == "@2")
    #expect(try ids(sandbox, "find", "l", "--in", "city") == "@1 @2 @3")
    #expect(try ids(sandbox, "find", "mull", "--word") == "@3")
    #expect(try ids(sandbox, "find", "ull", "--word") == "")
    #expect(try ids(sandbox, "list", "--sort", "city,name", "--reverse") == "@2 @3 @1 @4")
    #expect(try ids(sandbox, "list", "--reverse", "--limit", "2") == "@4 @3")
    #expect(try sandbox.run("list", "--count") == .done("4"))
    #expect(try sandbox.run("list", "--count", "-w", "city=berlin") == .done("2"))
    #expect(try sandbox.run("find", "xyz", "--count", "--json") == .done(#"{"count":0}"#))
    #expect(try sandbox.run("list", "-w", "city=Rome") == .done(errors: "No customers match."))
    let table = try sandbox.run("list", "--fields", "CITY,postal_code", "--format", "csv", "--limit", "1")
    #expect(table.output.hasPrefix("City,Postal Code") && table.output.contains("Berlin,10115"))
    let found = try sandbox.run("find", "koln").output
    #expect(found.contains("City: Köln"))
  }

  @Test func `every command for rows accepts a term`() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("show", "--where", "city=köln").output.contains("Palle"))
    #expect(
      try sandbox.run("edit", "--where", "city=berlin", "--set", "City=Bonn", "--note", "VIP", "-q")
        == .done())
    #expect(try ids(sandbox, "list", "--where", "City=Bonn", "--where", "note=vip") == "@1 @3")
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try ids(sandbox, "list", "--where", "City=Bonn") == "")
    #expect(try sandbox.run("protect", "--where", "name~ray", "--no-move", "-q") == .done())
    #expect(try ids(sandbox, "list", "--where", "can_move=no") == "@4")
    #expect(try sandbox.run("move", "--where", "city=berlin", "--last", "-q").code == 0)
    #expect(try ids(sandbox, "list") == "@2 @4 @1 @3")
    #expect(try sandbox.run("delete", "--where", "city=berlin", "-y", "-q") == .done())
    #expect(try ids(sandbox, "list") == "@2 @4")
    let script = "delete --where city=köln\nedit --where email= --phone 5\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: script).code == 0)
    #expect(try sandbox.run("list", "--where", "phone=5", "--count") == .done("1"))
  }

  @Test func `a term without a match changes nothing and is reported`() throws {
    let sandbox = try sandbox()
    for words in [
      ["delete"], ["edit", "--note", "x"], ["move", "--first"], ["move", "--up"], ["protect", "--no-edit"],
    ] {
      let result = try sandbox.expectUntouched { try sandbox.run(words: words + ["--where", "city=Rome"]) }
      #expect(result == .done(errors: "No customers match; nothing was changed."), "\(words)")
    }
    #expect(try sandbox.run("delete", "-", stdin: "\n").code == 0)
  }

  @Test(arguments: [
    (["delete", "1", "--where", "City=x"], "ROW and --where cannot be combined"),
    (["list", "--where", "City"], "--where: \"City\" is not a valid term"),
    (["list", "--where", "Ctiy=x"], "--where: there is no field of \"Ctiy=x\"\nhint: did you mean 'City'?"),
    (["edit", "1", "--set", "City"], "--set needs FIELD=TEXT, not \"City\""),
    (["edit", "1", "--set", "Ctiy=x"], "--set: there is no field \"Ctiy\"\nhint: did you mean 'City'?"),
    (["edit", "1", "--set", "phone=5", "--phone", "6"], "--set: \"phone\" is given twice"),
    (["edit", "1", "--name", "X", "--first-name", "Y"], "--name and --first-name cannot be combined"),
    (["add", "B C", "--last-name", "X"], "NAME and --last-name cannot be combined"),
    (["add", "--email", "--phone", "5"], "--email needs a value: --email TEXT"),
    (["add", "A", "--section", "c", "--before", "1"], "--before and --section cannot be combined"),
    (["list", "--fields", "Ctiy"], "--fields: there is no field \"Ctiy\"\nhint: did you mean 'City'?"),
    (["delete", "-"], "- reads ids"),
  ])
  func `conflicting or misspelled words are refused`(words: [String], message: String) throws {
    let sandbox = try sandbox()
    let result = try sandbox.expectUntouched {
      try sandbox.run(words: words, answers: words.last == "-" ? [] : nil)
    }
    #expect(result.code == 2 && result.errors.hasPrefix("customers: " + message), "\(words): \(result)")
  }

  @Test func `ids come from another command`() throws {
    let sandbox = try sandbox()
    let found = try sandbox.run("find", "berlin", "--format", "ids").output
    #expect(found == "@1\n@3\n")
    #expect(try sandbox.run("move", "-", "--last", "-q", stdin: found).code == 0)
    #expect(try ids(sandbox, "list") == "@2 @4 @1 @3")
    #expect(try sandbox.run("show", "-", "--format", "ndjson", stdin: "2\n").output.contains("Palle"))
    let bad = try sandbox.run("show", "-", stdin: "@2\nAnn\n")
    #expect(bad.code == 2 && bad.errors.hasPrefix("customers: standard input:2: \"Ann\" is not an id"))
    let refused = try sandbox.run("delete", "-", stdin: "@2\n")
    #expect(refused.code == 4 && refused.errors.contains("there is no terminal"))
  }

  @Test func `a part of a name edits nothing without a yes`() throws {
    let sandbox = try sandbox()
    let refused = """
      customers: "all" is only a part of a name: "Palle Ibsen" (row 2, @2)
      hint: without a confirmation, use the full name, the number or the id: @2
      """
    try sandbox.expectUntouched { () throws in
      for words in [
        ["delete", "all", "-y"], ["delete", "all", "-y", "-n"], ["move", "all", "--first"],
        ["move", "1", "--after", "all"], ["edit", "all", "--note", "x", "-y"],
        ["add", "Eve", "--before", "all"],
      ] {
        #expect(try sandbox.run(words: words) == .failed(3, refused), "\(words)")
      }
      #expect(try sandbox.run("apply", "-", stdin: "delete all\n").code == 3)
      #expect(try sandbox.run("show", "all").code == 0)
      let no = try sandbox.run(words: ["move", "all", "--first"], answers: ["n"])
      #expect(no.code == 5 && no.errors.contains("\"Palle Ibsen\" (row 2) meant? [y/N]"))
      #expect(no.errors.contains("Nothing was changed."))
    }
    #expect(try sandbox.run(words: ["move", "all", "--first"], answers: ["y"]).code == 0)
    #expect(try ids(sandbox, "list") == "@2 @1 @3 @4")
    // A whole word that only one has is enough, and so is an address.
    #expect(try sandbox.run("delete", "ibsen", "-y", "-q") == .done())
    #expect(try sandbox.run("delete", "ZOE@x.example", "muller", "-y").code == 2)
    #expect(try sandbox.run("delete", "ZOE@x.example", "-y", "-q") == .done())
  }

  @Test func `a deletion names the customers, and no is confirmed`() throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.expectUntouched { () throws in
      let one = try sandbox.run(words: ["delete", "2"], answers: ["n"])
      #expect(
        one.errors == "Delete \"Sherlock Holmes\" (row 2)? [y/N] Nothing was changed.\n" && one.code == 5)
      let many = try sandbox.run(words: ["delete", "1-7"], answers: ["maybe"])
      #expect(many.errors.hasPrefix("Delete 7 customers: \"Elizabeth Bennet\", ") && many.code == 5)
      #expect(many.errors.contains(" and 2 more? [y/N]"))
    }
  }

  @Test func `columns are listed, renamed and dropped, each as one step`() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("columns") == .done("City (3 customers)\nPostal Code (3 customers)"))
    #expect(
      try sandbox.run("columns", "rename", "postalcode", "Zip")
        == .done("Renamed column \"Postal Code\" → \"Zip\"."))
    #expect(try sandbox.run("columns", "--json").output.contains(#"{"name":"Zip","count":3}"#))
    #expect(try sandbox.run("columns", "drop", "CITY", "-q").code == 4)
    #expect(
      try sandbox.run("columns", "drop", "CITY", "-y") == .done("Dropped column \"City\"."))
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("columns") == .done("City (3 customers)\nPostal Code (3 customers)"))
    #expect(try sandbox.run("columns", "drop", "Ctiy", "-y").code == 3)
    #expect(try sandbox.run("columns", "rename", "City", "E-mail").code == 2)
    #expect(try sandbox.run("add", "Eve", "--set", "City=Rome", "--set", "New one=1", "-q") == .done())
    #expect(try ids(sandbox, "list", "-w", "new-one=1") == "@5")
    #expect(try sandbox.run("edit", "5", "--set", "city=", "-q") == .done())
    #expect(try sandbox.run("columns").output.hasPrefix("City (3 customers)\n"))
    #expect(try sandbox.run("sort", "--by", "City", "-y", "-q") == .done())
    #expect(try ids(sandbox, "list") == "@1 @3 @2 @4 @5")
  }

  @Test func `edits of columns can be in a script, and are named alike in history, undo and JSON`() throws {
    let sandbox = try sandbox()
    try sandbox.write("columns rename city Town\ncolumns drop postalcode\n", to: "script")
    let script = try sandbox.run("apply", "script", "-n").output
    #expect(
      script.hasPrefix("Would rename column \"City\" → \"Town\".\nWould drop column \"Postal Code\".\n"))
    #expect(try sandbox.run("columns", "rename", "Postal Code", "city").code == 4)
    #expect(try sandbox.run("columns", "rename", "city", "City").errors == "Nothing changed.\n")
    let answer = try jsonObject(sandbox.run("columns", "rename", "city", "Town", "--json").output)
    let change = try #require((answer["changes"] as? [[String: Any]])?.first)
    #expect(answer["op"] as? String == "columns rename" && change["op"] as? String == "columns rename")
    #expect(change["column"] as? String == "City" && change["new_name"] as? String == "Town")
    let step = try sandbox.run("history", "--limit", "1").output
    #expect(step.contains("customers columns rename") && step.contains("Renamed column \"City\" → \"Town\"."))
    let undone = "Undid columns rename: renamed column \"Town\" → \"City\".  (customers redo)"
    #expect(try sandbox.run("undo") == .done(undone))
  }

  @Test func `extra columns are edited in the editor`() throws {
    let sandbox = try sandbox()
    let editor = try sandbox.editor("sed -i 's/Berlin/Bonn/;s/^Postal Code:.*/Postal Code:/' \"$1\"")
    let result = try sandbox.onTerminal("edit", "1", "--editor", environment: editor)
    #expect(result.code == 0, "\(result)")
    let fields = try sandbox.run(
      "list", "--fields", "City,PostalCode", "--format", "csv", "--no-header", "-l", "1")
    #expect(fields.output.hasPrefix("Bonn,") && !fields.output.contains("10115"))
    for words in [["edit", "1", "--editor"], ["edit", "1", "--editor", "--no-input"]] {
      let refused = try sandbox.expectUntouched { try sandbox.run(words: words) }
      #expect(refused.code == 4 && refused.errors.hasPrefix("customers: the editor needs a terminal"))
    }
  }

  @Test func `reading creates nothing`() throws {
    let sandbox = try CLISandbox()
    let missing = sandbox.folder + "/typo"
    for words in [
      ["list"], ["find", "x"], ["show", "1"], ["info"], ["history"], ["section"], ["columns"],
      ["export"],
      ["expect", "count", "0"], ["delete", "1", "-y"], ["undo"],
      ["move", "1", "--up"],
    ] {
      let result = try sandbox.run(words: words + ["--db", missing])
      #expect(result.code == 3 && result.errors.contains("no such file"), "\(words): \(result)")
    }
    #expect(try sandbox.run("add", "x", "--db", sandbox.folder + "/a/b/c").code == 1)
    #expect(try sandbox.names.isEmpty)
    let usual = CLISandbox.usualPlace
    for words in [["list"], ["history"], ["columns"], ["export"]] {
      #expect(try sandbox.run(words: words, environment: usual).code == 0, "\(words)")
    }
    // There is nothing to check, wherever it is missing.
    for place in [[:], usual] {
      let result = try sandbox.run("check", environment: place)
      #expect(result.code == 3 && result.errors.contains("there is no list yet"), "\(result)")
    }
    #expect(try sandbox.names.isEmpty)
    #expect(try sandbox.run(words: ["add", "x", "-q"], environment: usual) == .done())
    #expect(try sandbox.names == [".local"])
  }

  @Test(arguments: [
    (["move", "2", "--before", "2"], "A B C D | X Y"), (["move", "2", "--after", "B"], "A B C D | X Y"),
    (["move", "1", "--up"], "A B C D | X Y"), (["move", "4", "--down"], "A B C D | X Y"),
    (["move", "3", "--up", "9"], "C A B D | X Y"), (["move", "1-2", "--down", "9"], "C D A B | X Y"),
    (["move", "more/1-2", "--section", "customers", "--first"], "X Y A B C D | "),
    (["move", "5-", "--section", "1", "--last"], "A B C D X Y | "),
    (["move", "#1", "--last"], "B C D A | X Y"),
    (["delete", "more/1-", "-y"], "A B C D | "), (["delete", "more/last,1", "-y"], "A B C D | "),
    (["section", "move", "More", "--to", "1"], "X Y | A B C D"),
  ])
  func `a row goes as far as it goes`(words: [String], order: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.run(words: words)
    #expect(result.code == 0, "\(result)")
    #expect(try sandbox.order == order)
  }

  @Test(arguments: [
    (["move", "2-4", "--before", "3"], "row 3 (\"C\") is one of the rows that move"),
    (["move", "1", "6", "--last"], "these rows are in several sections"),
    (["move", "1", "6", "--up"], "these rows are in several sections"),
    (["move", "2", "--section", "more", "--after", "5"], "--after and --section cannot be combined"),
    (["remove", "1"], "unknown command 'remove'\nhint: did you mean 'delete'?"),
    (["search", "1"], "unknown command 'search'\nhint: did you mean 'find'?"),
    (["edit", "2", "--section", "2"], "unknown option '--section' of edit\nhint: customers move ROW"),
    (
      ["edit", "1", "--is-favorite"],
      "unknown option '--is-favorite' of edit\nhint: did you mean '--favorite'?"
    ),
    (["add", "X", "-e", "a@b"], "unknown option '-e' of add\nhint: did you mean '--email'?"),
    (["move", "2", "more/1"], "move needs a place\nhint: did you mean: --to 1 --section more?"),
  ])
  func `the error is reported with a remedy`(words: [String], message: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
    #expect(result.code == 2 && result.errors.hasPrefix("customers: " + message), "\(result)")
  }

  @Test(arguments: [
    (["list", "--fields", "ci"], ["City"]), (["list", "--fields", "id,post"], ["id,Postal Code"]),
    (["sort", "--by", "ci"], ["City"]), (["columns", "drop", ""], ["City", "Postal Code"]),
    (["edit", "1", "--set", "ci"], ["City="]), (["list", "--where", "city=k"], ["city=Köln"]),
    (["list", "--where", "section=c"], ["section=Customers"]),
    (["show", "cust/"], ["cust/1", "cust/2", "cust/3", "cust/4"]),
    (["find", "x", "--in", "ci"], ["City"]), (["list", "--format", "i"], ["ids"]),
  ])
  func `columns and values are completed`(words: [String], expected: [String]) throws {
    let sandbox = try sandbox()
    let outcome = try sandbox.run(words: ["__complete", "fish", "--"] + words)
    let found = outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(found == expected, "\(words)")
  }
}
