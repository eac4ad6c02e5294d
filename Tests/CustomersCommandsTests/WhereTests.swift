import CustomersTestSupport
import Testing

/// Rows by a question, or by ids on standard input.
@Suite(.onThreads) struct WhereTests {
  @Test func `list and find show the rows that match a term`() throws {
    let sandbox = try CLISandbox.withPeople()
    #expect(try sandbox.ids("list", "--where", "city=Berlin") == "@1 @3")
    #expect(try sandbox.ids("list", "-w", "postal-code<20000", "-w", "email=") == "@4")
    #expect(try sandbox.ids("find", "l", "--where", "City!=Berlin") == "@2")
    #expect(try sandbox.ids("find", "l", "--in", "city") == "@1 @2 @3")
    #expect(try sandbox.ids("find", "mull", "--word") == "@3")
    #expect(try sandbox.ids("find", "ull", "--word") == "")
    #expect(try sandbox.ids("list", "--sort", "city,name", "--reverse") == "@2 @3 @1 @4")
    #expect(try sandbox.ids("list", "--reverse", "--limit", "2") == "@4 @3")
    #expect(try sandbox.run("list", "--count") == .done("4"))
    #expect(try sandbox.run("list", "--count", "-w", "city=berlin") == .done("2"))
    #expect(try sandbox.run("find", "xyz", "--count", "--json") == .done(#"{"count":0}"#))
    #expect(try sandbox.run("list", "-w", "city=Rome") == .done(errors: "No customers match."))
    let table = try sandbox.run("list", "--fields", "CITY,postal_code", "--format", "csv", "--limit", "1")
    #expect(table.output.hasPrefix("City,Postal Code") && table.output.contains("Berlin,10115"))
    let found = try sandbox.run("find", "koln").output
    #expect(found.contains("City: Köln"))
  }

  @Test(arguments: [
    (
      "City=Berlin and Note=x",
      "\"and\" does not join terms\nhint: write a space, as in 'City=Berlin note~tea'"
    ),
    ("City=Berlin || Note=x", "\"||\" does not join terms\nhint: write or"),
  ])
  func `a word that joins terms elsewhere is refused with the right one`(term: String, message: String) throws
  {
    let sandbox = try CLISandbox.withPeople()
    let result = try sandbox.run("list", "--where", term)
    #expect(result.code == 2 && result.errors.contains(message), "\(result)")
  }

  @Test func `a customer without a name is named by id when it is named twice`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "1", "--name", "", "--note", "x", "-q") == .done())
    #expect(
      try sandbox.run("delete", "1", "@1", "-y") == .failed(2, "customers: customer @1 is named twice"))
  }

  @Test func `every command for rows accepts a term`() throws {
    let sandbox = try CLISandbox.withPeople()
    #expect(try sandbox.run("show", "--where", "city=köln").output.contains("Palle"))
    #expect(
      try sandbox.run("edit", "--where", "city=berlin", "--set", "City=Bonn", "--note", "VIP", "-q")
        == .done())
    #expect(try sandbox.ids("list", "--where", "City=Bonn", "--where", "note=vip") == "@1 @3")
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.ids("list", "--where", "City=Bonn") == "")
    #expect(try sandbox.run("protect", "--where", "name~ray", "--no-move", "-q") == .done())
    #expect(try sandbox.ids("list", "--where", "can_move=no") == "@4")
    #expect(try sandbox.run("move", "--where", "city=berlin", "--last", "-q").code == 0)
    #expect(try sandbox.ids("list") == "@2 @4 @1 @3")
    #expect(try sandbox.run("delete", "--where", "city=berlin", "-y", "-q") == .done())
    #expect(try sandbox.ids("list") == "@2 @4")
    let script = "delete --where city=köln\nedit --where email= --phone 5\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: script).code == 0)
    #expect(try sandbox.run("list", "--where", "phone=5", "--count") == .done("1"))
  }

  @Test func `a term without a match changes nothing and is reported`() throws {
    let sandbox = try CLISandbox.withPeople()
    for words in [
      ["delete"], ["edit", "--note", "x"], ["move", "--first"], ["move", "--up"], ["protect", "--no-edit"],
    ] {
      let result = try sandbox.expectUntouched { try sandbox.run(words: words + ["--where", "city=Rome"]) }
      #expect(result == .done(errors: "No customers match; nothing was changed."), "\(words)")
    }
    #expect(try sandbox.run("delete", "-", stdin: "\n").code == 0)
  }

  @Test(arguments: [
    (["delete", "1", "--where", "City=x"], "ROW and --where can't be combined"),
    (["list", "--where", "City"], "--where: \"City\" is not a valid term"),
    (
      ["list", "--where", "Ctiy=x"],
      "--where: there is no field or column \"Ctiy\"\nhint: did you mean \"City\"?"
    ),
    (["list", "--where", "favorite=maybe"], "--where: favorite must be yes or no, not \"maybe\""),
    (["edit", "1", "--set", "City"], "--set must be FIELD=TEXT, not \"City\""),
    (["edit", "1", "--set", "Ctiy=x"], "--set: there is no field \"Ctiy\"\nhint: did you mean \"City\"?"),
    (["edit", "1", "--set", "phone=5", "--phone", "6"], "--set: \"phone\" was given twice"),
    (["edit", "1", "--name", "X", "--first-name", "Y"], "--name and --first-name can't be combined"),
    (["add", "B C", "--last-name", "X"], "NAME and --last-name can't be combined"),
    (["add", "--email", "--phone", "5"], "--email needs a value: --email [LABEL:]TEXT"),
    (["add", "A", "--section", "c", "--before", "1"], "--before and --section can't be combined"),
    (["list", "--fields", "Ctiy"], "--fields: there is no field \"Ctiy\"\nhint: did you mean \"City\"?"),
    (["delete", "-"], "- reads ids"),
  ])
  func `conflicting or misspelled words are refused`(words: [String], message: String) throws {
    let sandbox = try CLISandbox.withPeople()
    let result = try sandbox.expectUntouched {
      try sandbox.run(words: words, answers: words.last == "-" ? [] : nil)
    }
    #expect(result.code == 2 && result.errors.hasPrefix("customers: " + message), "\(words): \(result)")
  }

  @Test func `ids can be read from another command`() throws {
    let sandbox = try CLISandbox.withPeople()
    let found = try sandbox.run("find", "berlin", "--format", "ids").output
    #expect(found == "@1\n@3\n")
    #expect(try sandbox.run("move", "-", "--last", "-q", stdin: found).code == 0)
    #expect(try sandbox.ids("list") == "@2 @4 @1 @3")
    #expect(try sandbox.run("show", "-", "--format", "ndjson", stdin: "2\n").output.contains("Palle"))
    let bad = try sandbox.run("show", "-", stdin: "@2\nAnn\n")
    #expect(bad.code == 2 && bad.errors.hasPrefix("customers: standard input:2: \"Ann\" is not an id"))
    let refused = try sandbox.run("delete", "-", stdin: "@2\n")
    #expect(refused.code == 4 && refused.errors.contains("there is no terminal"))
  }
}
