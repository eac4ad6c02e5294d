import CustomersTestSupport
import Testing

/// The one rule for names: exact, then folded, and never a part of a word where something is changed.
@Suite(.onThreads) struct NameRuleTests {
  @Test(arguments: try Transcript.sessions("NameRule"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  /// People, sections, and a column whose names differ from what is typed only in what the rule ignores.
  private static func withNames() throws -> CLISandbox { try CLISandbox(list: names.get()) }

  private static let names = CLISandbox.file(
    importing: "name,section,Größe der Firma\nAnna-Lena Öz,Alt_Kunden,1\nΟδός Παπά,ΟΔΟΣ,2\n")

  @Test(arguments: ["anna-lena öz", "Anna Lena Öz", "ANNA_LENA OZ", "annalena öz", "ann alena-oz"])
  func `a person is found however the name is written`(name: String) throws {
    let sandbox = try NameRuleTests.withNames()
    #expect(try sandbox.run("show", name, "--json").output.hasPrefix("{\"id\":1,"), "\(name)")
    #expect(try sandbox.run("edit", name, "--note", "x", "-q") == .done(), "\(name)")
  }

  @Test(arguments: ["alt kunden", "ALT-KUNDEN", "Altkunden", "ált kunden"])
  func `a section is found however the title is written`(title: String) throws {
    let sandbox = try NameRuleTests.withNames()
    #expect(try sandbox.ids("list", "--section", title) == "@1", "\(title)")
    #expect(try sandbox.ids("list", "--where", "section=\(title)") == "@1", "\(title)")
    #expect(try sandbox.run("move", "ΟΔΌΣ", "--section", title, "-q") == .done(), "\(title)")
    #expect(try sandbox.run("section", "rename", title, "New", "-q") == .done(), "\(title)")
  }

  @Test(arguments: ["größe der firma", "GROßE-DER-FIRMA", "große_derFirma", "g-r-ö-ß-e der firma"])
  func `a column is found however it is written`(name: String) throws {
    let sandbox = try NameRuleTests.withNames()
    #expect(try sandbox.run("edit", "1", "--set", "\(name)=9", "-q") == .done(), "\(name)")
    #expect(try sandbox.run("columns") == .done("Größe der Firma (2 customers): number"), "\(name)")
    #expect(try sandbox.ids("list", "--where", "\(name)=9") == "@1", "\(name)")
  }

  @Test func `a word of the program is found however it is written`() throws {
    let sandbox = try NameRuleTests.withNames()
    #expect(try sandbox.run("list", "--format", "CSV") == sandbox.run("list", "--format", "csv"))
    #expect(try sandbox.run("export", "--format", "NDjson") == sandbox.run("export", "--format", "ndjson"))
    for words in [["--encoding", "UTF8"], ["--encoding", "utf_8"], ["--encoding", "Windows 1252"]] {
      let result = try sandbox.run(words: ["import", "-", "-n", "-q"] + words, stdin: "name\nEve\n")
      #expect(result.code == 0, "\(words) \(result)")
    }
    let shown = try sandbox.run("import", "-", "-n", "--map", "Who=LAST-NAME", stdin: "Who\nEve\n")
    #expect(shown.output.hasPrefix("Who → last_name\n"), "\(shown)")
  }

  @Test func `show and find fold case and accents alike`() throws {
    let sandbox = try NameRuleTests.withNames()
    for text in ["ΟΔΟΣ", "οδος", "ΟΔΌΣ", "οδός ΠΑΠΑ"] {
      #expect(try sandbox.ids("find", text) == "@2", "\(text)")
      #expect(try sandbox.run("show", text, "--json").output.hasPrefix("{\"id\":2,"), "\(text)")
    }
  }

  // MARK: Parts of titles

  /// Commands that a part of a title could mislead.
  private static let changing = [
    ["section", "delete", "h", "--with-customers", "--yes"], ["section", "rename", "h", "X"],
    ["section", "rename", "h", "--footer", "x"], ["section", "move", "h", "1"],
    ["add", "Eve", "--section", "h"], ["add", "Eve", "--section", "arch", "--at", "1"],
    ["move", "1", "--section", "h"], ["move", "1", "--section", "h", "--to", "1"],
    ["sort", "--by", "name", "--section", "ea", "-y"], ["import", "-", "--section", "h"],
    ["arrange", "--section", "h", "-y"], ["delete", "h/1", "-y"], ["edit", "arch/1", "--note", "x"],
    ["move", "h/1", "1"], ["swap", "1", "h/1"],
  ]

  @Test(arguments: changing)
  func `a part of a title changes nothing`(words: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.expectUntouched { () throws in
      for more in [[], ["-n"]] {
        let result = try sandbox.run(
          words: words + more, stdin: "name\nEve\n", environment: ["EDITOR": "touch opened"])
        #expect(
          result.code == 3 && result.errors.contains(" matches only part of \""), "\(words) \(result)")
      }
      guard !["import", "arrange"].contains(words[0]) else { return }
      let script = try sandbox.run("apply", "-", stdin: scriptLine(words))
      #expect(script.code == 3 && script.errors.contains(" matches only part of \""), "\(script)")
    }
    #expect(try !sandbox.names.contains("opened"))
  }

  @Test(arguments: ["=", "!="])
  func `in a condition a title is compared as a whole`(sign: String) throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.expectUntouched { () throws in
      for words in [["delete", "-y"], ["edit", "--note", "x"], ["list"], ["delete", "-y", "-n"]] {
        let result = try sandbox.run(words: words + ["--where", "section\(sign)ea"])
        #expect(result.code == 3 && result.errors.contains("\"ea\" matches only part of"), "\(result)")
      }
    }
    #expect(try sandbox.ids("list", "--where", "section=LEADS") == "@7 @8 @9")
    #expect(try sandbox.ids("list", "--where", "section~ea") == "@7 @8 @9")
  }

  @Test func `import finds a section whose title differs only in what is ignored`() throws {
    let sandbox = try CLISandbox.withDemo()
    let file = "name,section\nEve,leads\nFay,LEADS\nGus,Archive\nHal,New\nIda,new\n"
    #expect(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    #expect(
      try sandbox.order
        == "Elizabeth Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明 Eve Fay | Miss Gus | Hal Ida")
    // Titles that differ in more than case stay two sections, as in the list that was exported.
    let other = try CLISandbox()
    #expect(
      try other.run("import", "-", "-q", stdin: "name,section\nA,Müller\nB,Muller\nC,a b\nD,a-b\n") == .done()
    )
    #expect(try other.order == "A | B | C | D")
    _ = try sandbox.run("section", "add", "old-leads", "-q")
    _ = try sandbox.run("section", "add", "Old Leads", "-q")
    let several = try sandbox.expectUntouched {
      try sandbox.run("import", "-", stdin: "name,section\nEve,Old_Leads\n")
    }
    #expect(
      several.code == 3 && several.errors.hasPrefix("customers: 2 sections match \"Old_Leads\""), "\(several)"
    )
  }

  // MARK: Columns

  /// Ann has `CustomerID` and `Club`, Bob `CustomerId` and `club`.
  private static func withTwins() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    for name in ["Ann", "Bob"] { #expect(try sandbox.run("add", name, "-q") == .done()) }
    _ = try sandbox.sqlite(
      """
      UPDATE customers SET extra = '{"CustomerID":"1","Club":"Bonn"}' WHERE id = 1;
      UPDATE customers SET extra = '{"CustomerId":"2","club":"Bonn"}' WHERE id = 2;
      """)
    #expect(try sandbox.run("columns").output.split(separator: "\n").count == 4)
    return sandbox
  }

  @Test func `of several columns that are the same but for what is ignored, none is chosen`() throws {
    let sandbox = try NameRuleTests.withTwins()
    let refused = """
      customers: "CLUB" may be "Club" or "club"
      hint: write the name exactly
      """
    try sandbox.expectUntouched { () throws in
      for words in [
        ["list", "--where", "CLUB=Bonn"], ["find", "b", "--in", "CLUB"], ["list", "-f", "CLUB"],
        ["list", "--sort", "CLUB"], ["sort", "--by", "CLUB", "-y"], ["edit", "1", "--set", "CLUB=x"],
        ["add", "Eve", "--set", "CLUB=x"], ["columns", "drop", "CLUB", "-y"],
        ["columns", "rename", "CLUB", "Guild"], ["delete", "--where", "CLUB=Bonn", "-y"],
      ] {
        #expect(try sandbox.run(words: words) == .failed(3, refused), "\(words)")
      }
      #expect(try sandbox.run("columns", "rename", "Club", "CLUB").code == 4)
    }
  }
}
