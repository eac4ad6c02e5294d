import CustomersTestSupport
import Testing

/// Command lines that are wrong: exit code 2, a hint where one is near, and nothing done.
@Suite(.onThreads) struct UsageTests {
  @Test(arguments: try Transcript.sessions("Usage"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a place as large as any is only out of range`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.expectUntouched { () throws in
      for number in [
        "6", "2147483648", "9223372036854775807", "9223372036854775808",
        "9" + String(repeating: "0", count: 400),
      ] {
        let result = try sandbox.run("move", "@1", "@2", "--to", number)
        let named = number.count > 16 ? "the row number" : "row \(number)"
        #expect(
          result.code == 3 && result.errors.hasPrefix("customers: \(named) is out of range (1–"), "\(result)")
      }
    }
  }

  @Test func `an unsupported format or color is refused before anything is done`() throws {
    let examples = try ExampleSandbox()
    try examples.sandbox.expectUntouched { () throws in
      for example in Example.all where !example.words.contains("--format") {
        let isOfFile = ["import", "export", "take"].contains(example.command)
        let format = try examples.runAsIs(example, ["--format", "yaml"])
        let first = isOfFile ? "csv" : "table"
        let message = "customers: unknown format \"yaml\"\nhint: the formats are \(first)"
        #expect(format.code == 2 && format.output.isEmpty && format.errors.hasPrefix(message), "\(example)")
        let color = try examples.runAsIs(example, ["--color", "blue"])
        #expect(color == .failed(2, "customers: --color must be auto, always, or never, not \"blue\""))
        if !isOfFile, !["list", "find"].contains(example.command) {
          #expect(try examples.runAsIs(example, ["--format", "csv"]).code == 2, "\(example)")
        }
      }
    }
  }

  private static let encodings =
    "--encoding must be utf-8, utf-16, latin1, windows-1252, mac-roman, windows-1250, windows-1251, windows-1253, "
    + "windows-1254, iso-8859-2, iso-8859-5, iso-8859-7, iso-8859-9, iso-8859-15, or koi8-r"

  @Test(arguments: [
    (["mvoe", "3", "1"], "unknown command \"mvoe\"\nhint: did you mean \"move\"?"),
    (["lst"], "unknown command \"lst\"\nhint: did you mean \"list\"?"),
    (["settle"], "unknown command \"settle\"\nhint: to list the commands: customers help"),
    (["xyzzy"], "unknown command \"xyzzy\"\nhint: to list the commands: customers help"),
    (["mov", "3", "1"], "unknown command \"mov\"\nhint: did you mean \"move\"?"),
    ([""], "unknown command \"\"\nhint: to list the commands: customers help"),
    (["-q"], "no command given\nhint: to list the commands: customers help"),
    (["list", "--limt", "3"], "unknown option \"--limt\" of list\nhint: did you mean \"--limit\"?"),
    (["redo", "-x"], "unknown option \"-x\" of redo\nhint: to see how it is used: customers help redo"),
    (
      ["add", "--xyzzy"], "unknown option \"--xyzzy\" of add\nhint: to set a column: --set xyzzy=TEXT"
    ),
    (
      ["show", "-rf"],
      "unknown option \"-rf\" of show\nhint: put `--` before a word that starts with `-`: customers show -- -rf"
    ),
    (
      ["sort", "--desc", "--by", "name"],
      "unknown option \"--desc\" of sort\nhint: did you mean \"sort -FIELD\"?"
    ),
    (["sec"], "unknown command \"sec\"\nhint: did you mean \"section\"?"),
    (["move", "1", "--to", "2", "--last"], "--to and --last can't be combined"),
    (["import", "-", "--before", "1", "--at", "2"], "--to and --at can't be combined"),
    (["history", "--limti", "1"], "unknown option \"--limti\" of history\nhint: did you mean \"--limit\"?"),
    (["--to", "2", "move", "1"], "unknown option \"--to\"\nhint: to list the commands: customers help"),
    (["list", "--limit"], "--limit needs a value: --limit N|M-N"),
    (["list", "--quiet=1"], "--quiet does not take a value"),
    (["list", "--limit", "-1"], "--limit must be 0 or more, not -1"),
    (["list", "--limit", "ten"], "--limit must be a whole number, not \"ten\""),
    (["list", "--limit", "3-2"], "--limit must be a number or a range such as 21-40, not \"3-2\""),
    (["list", "--limit", "0-2"], "--limit must be a number or a range such as 21-40, not \"0-2\""),
    (["list", "--offset", ""], "--offset must be a whole number, not \"\""),
    (["move", "1", "--to", "1e3"], "--to must be a place, not \"1e3\"\n\(places)"),
    (["move", "1", "--to", "7.0"], "--to must be a place, not \"7.0\"\n\(places)"),
    (["move", "1", "--to", "+-2"], "--to must be a place, not \"+-2\"\n\(places)"),
    (["move", "1", "--to", "２"], "--to must be a place, not \"２\"\n\(places)"),
    (["move", "1", "--up", "-1"], "--to must be a place, not \"--1\"\n\(places)"),
    (["move", "1", "--to", "2", "--to", "3"], "--to was given twice"),
    (["redo", "1"], "redo: too many arguments\nhint: customers redo [--steps K | --to STEP]"),
    (
      ["next", "1", "friday"],
      "next: too many arguments\nhint: to set a next date: customers edit ROW --set next=WHEN"
    ),
    (
      ["edit", "1", "--next", "friday"],
      "unknown option \"--next\" of edit\nhint: for example: customers edit 3 --set next=friday"
    ),
    (
      ["edit", "1", "--birthday", "x"],
      "unknown option \"--birthday\" of edit\nhint: to set this field: --set Birthday=TEXT"
    ),
    (["show"], "show: missing argument\nhint: customers show ROW…\n      customers show --where TERM …"),
    (["info", "--db", ""], "--db needs a path"),
    (["info", "foo"], "info: too many arguments\nhint: customers info"),
    (
      ["import", "-", "--encoding", "latin2"],
      "\(encodings), not \"latin2\"\n"
        + "hint: to import another encoding: iconv -f NAME -t UTF-8 FILE | customers import -"
    ),
    (
      ["import", "-", "--encoding", "latn1"],
      "\(encodings), not \"latn1\"\nhint: did you mean \"latin1\"?"
    ),
    (
      ["list", "--fields", "id,frist_name"],
      "--fields: there is no field \"frist_name\"\nhint: did you mean \"first_name\"?"
    ),
    (["find", "a", "--fields", "id,id"], "--fields: \"id\" was given twice"),
    (["find", " ", ""], "find needs a word to search for"),
    (["find"], "find: missing argument\nhint: to see how it is used: customers help find"),
    (["swap", "1"], "swap: missing argument\nhint: customers swap ROW ROW"),
    (["swap", "1", "1"], "\"A\" (row 1) is named twice"),
    (["swap", "1-2", "3"], "expected one row, but \"1-2\" names 2"),
    (
      ["protect", "1"],
      "protect needs --protect or --allow\nhint: for example: customers edit 3 --protect edit"
    ),
    (["protect", "1", "--no-edit", "--allow-edit"], "--protect edit and --allow edit can't be combined"),
    (
      ["edit", "1-2"],
      "nothing to change\nhint: for example: customers edit 3 --phone 555-0100; any other field: --set FIELD=TEXT; "
        + "one customer in $EDITOR: --editor"
    ),
    (["edit", "1", "--favorite", "--no-favorite"], "--set: \"is_favorite\" was given twice"),
    (["edit", "1", "--editor", "--note", "x"], "--note and --editor can't be combined"),
  ])
  func `a mistake in a command line is named`(words: [String], message: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
    #expect(result == .failed(2, "customers: " + message))
  }

  private static let places = "hint: to see how places are named: customers help places"

  @Test(arguments: ["6", "2147483648", "9223372036854775808", "9" + String(repeating: "0", count: 400)])
  func `as many places as any is as far as rows can go`(number: String) throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("move", "B", "C", "--down", number, "-q") == .done())
    #expect(try sandbox.order == "A D B C | X Y")
    #expect(try sandbox.run("move", "B", "C", "-\(number)", "-q") == .done())
    #expect(try sandbox.order == "B C A D | X Y")
    try sandbox.expectSound()
  }

  @Test(arguments: [
    ["add", "Ann", "--at"], ["add", "Ann", "--section", "More", "--at"], ["import", "-", "--at"],
    ["move", "@1", "--to"], ["move", "@1", "--section", "More", "--to"], ["move", "@1"],
    ["section", "add", "New", "--at"], ["section", "move", "More"],
  ])
  func `an impossible place is reported by every command with a place`(words: [String]) throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.expectUntouched { () throws in
      for number in ["0", "9", "9223372036854775807", "9223372036854775808"] {
        let result = try sandbox.run(words: words + [number], stdin: "name\nEve\n")
        #expect(result.code == 3 && result.output.isEmpty, "\(result)")
        let named = number.count > 2 ? "the (row|section) number" : "(row|section number) \(number)"
        #expect(
          try result.errors.firstMatch(of: Regex("^customers: \(named) is out of range \\(1–")) != nil,
          "\(result)")
      }
      for number in ["", "x", "1.0", "+-1", "--1"] {
        // After an option, a word may be the title of a section.
        let mayBeTitle =
          number == "x" && words[0] != "section" && !words.contains("--section") && words.last != "@1"
        let result = try sandbox.run(words: words + [number], stdin: "name\nEve\n")
        #expect(result.code == (mayBeTitle ? 3 : 2), "\(number)")
      }
    }
  }

  @Test func `a file given again is another file`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("list", "--db", "/nowhere", "--db", sandbox.file) == sandbox.run("list"))
  }

  @Test func `invalid UTF-8 is refused, not replaced`() throws {
    let sandbox = try CLISandbox()
    let word = try sandbox.shell("customers add \"$(printf 'a\\377b')\"")
    #expect(word == .failed(2, "customers: word 2 of the command line is not UTF-8"))
    let file = try sandbox.shell("CUSTOMERS_DB=$(printf 'a\\377b') customers add Ann")
    #expect(file == .failed(2, "customers: $CUSTOMERS_DB is not UTF-8"))
    #expect(try sandbox.names.isEmpty)
  }
}
