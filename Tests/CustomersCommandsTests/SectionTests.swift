import CustomersTestSupport
import Testing

/// `customers section`, whole outputs.
@Suite(.onThreads) struct SectionTests {
  private static let listed = """
    Order  Id  Title      Rows
        1  @1  Customers     6
        2  @2  Leads         3
        3  @3  Archive       1
    """

  @Test func `a new file may start with a section`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("section", "add", "Leads", "-n").code == 0)
    #expect(try sandbox.names.isEmpty)
    #expect(try sandbox.run("section", "add", "Leads", "-q") == .done())
    #expect(try sandbox.run("list") == .done("Customers\nLeads"))
    let other = try CLISandbox()
    #expect(try other.run("section", "rename", "Customers", "Old").code == 3)
    #expect(try other.names.isEmpty)
  }

  @Test func `section list shows number, id, title, and rows`() throws {
    let sandbox = try CLISandbox.withDemo()
    for words in [["section"], ["section", "list"]] {
      #expect(try sandbox.run(words: words) == .done(SectionTests.listed))
    }
    let json = """
      [{"id":1,"title":"Customers","footer":"","order":1,"count":6},\
      {"id":2,"title":"Leads","footer":"","order":2,"count":3},\
      {"id":3,"title":"Archive","footer":"","order":3,"count":1}]
      """
    #expect(try sandbox.expectUntouched { try sandbox.run("section", "list", "--json") } == .done(json))
  }

  @Test func `add, at the end and at a place, with a footer below the rows`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("section", "add", "New", "-n") == .done("Would add section \"New\" as number 3."))
    #expect(
      try sandbox.run("section", "add", "New", "--footer", "the end")
        == .done("Added section \"New\" as number 3."))
    let json = """
      {"op":"section add","changes":[{"op":"section add","id":4,"name":"Top",\
      "section":{"id":4,"title":"Top","footer":"","order":1,"count":0}}]}
      """
    #expect(try sandbox.run("section", "add", "Top", "--at", "1", "--json").withoutStep == .done(json))
    #expect(try sandbox.run("add", "Ann", "--section", "new", "-q") == .done())
    #expect(
      try sandbox.run("list")
        == .done(
          """
          Row  Id  Name
          Top
          Customers
            1  @1  A
            2  @2  B
            3  @3  C
            4  @4  D
          More
            5  @5  X
            6  @6  Y
          New
            7  @7  Ann
          the end
          """))
    try sandbox.expectSound()
  }

  @Test func `rename the title, the footer, or both`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(
      try sandbox.run("section", "rename", "more", "Less") == .done("Renamed section \"More\" → \"Less\"."))
    let json = """
      {"op":"section rename","changes":[{"op":"section rename","id":2,"name":"Less","fields":["footer"],\
      "section":{"id":2,"title":"Less","footer":"f","order":2,"count":2}}]}
      """
    #expect(try sandbox.run("section", "rename", "2", "--footer", "f", "--json").withoutStep == .done(json))
    let rehearsal = try sandbox.expectUntouched { try sandbox.run("section", "rename", "@2", "X", "-n") }
    #expect(rehearsal == .done("Would rename section \"Less\" → \"X\"."))
  }

  @Test func `move takes the rows along`() throws {
    let sandbox = try CLISandbox.withDemo()
    let rehearsal = try sandbox.expectUntouched { try sandbox.run("section", "move", "archive", "1", "-n") }
    #expect(rehearsal == .done("Would move section \"Archive\" 3 → 1."))
    #expect(try sandbox.run("section", "move", "archive", "1") == .done("Moved section \"Archive\" 3 → 1."))
    #expect(try sandbox.order == "Miss | Elizabeth Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明")
    let json = """
      {"op":"section move","changes":[{"op":"section move","id":3,"name":"Archive",\
      "section":{"id":3,"title":"Archive","footer":"","order":3,"count":1},"from_order":1}]}
      """
    #expect(try sandbox.run("section", "move", "@3", "3", "--json").withoutStep == .done(json))
    try sandbox.expectSound()
  }

  @Test func `delete keeps a section with rows, unless they are deleted, too`() throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.expectUntouched { () throws in
      let refused = """
        customers: section "Leads" is not empty (3 customers)
        hint: move or delete its rows first, or add --with-customers
        """
      #expect(try sandbox.run("section", "delete", "leads", "-y") == .failed(4, refused))
      // No question is asked about an edit that is refused anyway.
      #expect(try sandbox.run("section", "delete", "leads") == .failed(4, refused))
      let rehearsal = try sandbox.run("section", "delete", "leads", "--with-customers", "-n")
      #expect(rehearsal == .done("Would delete section \"Leads\" with 3 rows."))
    }
    let gone = try sandbox.run("section", "delete", "leads", "--with-customers", "-y")
    #expect(gone == .done("Deleted section \"Leads\" with 3 rows."))
    let json = """
      {"op":"section delete","changes":[{"op":"section delete","id":3,"name":"Archive",\
      "section":{"id":3,"title":"Archive","footer":"","order":2,"count":1}},\
      {"op":"delete","id":10,"name":"Miss Havisham"
      """
    let last = try sandbox.run("section", "delete", "2", "--with-customers", "-y", "--json")
    #expect(last.output.hasPrefix(json))
    #expect(try sandbox.order == "Elizabeth Sherlock Jane Ishmael Zoë Anna")
    try sandbox.expectSound()
  }

  @Test func `a number means a whole title first, then a section number, then a part of a title`()
    throws
  {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("section", "add", "Fair 2", "-q") == .done())
    try sandbox.expectUntouched { () throws in
      let shown = try sandbox.run("section", "rename", "2", "X", "-n")
      #expect(shown == .done("Would rename section \"Leads\" → \"X\"."))
    }
    #expect(try sandbox.run("section", "rename", "@4", "2", "-q") == .done())
    try sandbox.expectUntouched { () throws in
      let titled = try sandbox.run("section", "delete", "2", "-n")
      #expect(titled == .done("Would delete section \"2\"."))
    }
    #expect(try sandbox.run("section", "rename", "@4", "Year 2026", "-q") == .done())
    let part = try sandbox.run("section", "rename", "2026", "Now")
    #expect(part == .done("Renamed section \"Year 2026\" → \"Now\"."))
  }

  @Test func `the list of ten sections is in columns`() throws {
    let sandbox = try CLISandbox.withDemo()
    for number in 4...10 { #expect(try sandbox.run("section", "add", "S\(number)", "-q") == .done()) }
    let lines = try sandbox.run("section").output.split(separator: "\n")
    #expect(lines[1] == "    1  @1   Customers     6" && lines.last == "   10  @10  S10           0")
  }

  @Test func `an unknown or ambiguous section, or an invalid place, is refused`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("section", "add", "Later leads", "-q") == .done())
    try sandbox.expectUntouched { () throws in
      let several = """
        customers: 2 sections match "l"
             2  @2  Leads
             4  @4  Later leads
        hint: use the section number or the id
        """
      #expect(try sandbox.run("section", "rename", "l", "X") == .failed(3, several))
      let unknown = "customers: no section matches \"Archiv3\"\nhint: did you mean \"Archive\"?"
      #expect(try sandbox.run("section", "delete", "Archiv3", "-y") == .failed(3, unknown))
      let range = "customers: number 9 is out of range (1–4)"
      #expect(try sandbox.run("section", "move", "leads", "9") == .failed(3, range))
      #expect(try sandbox.run("section", "add", "X", "--at", "0").code == 3)
      #expect(
        try sandbox.run("section", "dlete", "leads")
          == .failed(2, "customers: unknown section command \"dlete\"\nhint: did you mean \"delete\"?"))
      #expect(
        try sandbox.run("section", "delete")
          == .failed(
            2,
            "customers: section delete: missing argument\nhint: customers section delete SECTION [--with-customers]"
          ))
      #expect(try sandbox.run("section", "move", "leads", "1.0").code == 2)
    }
  }

  @Test func `an option of another edit is refused`() throws {
    let sandbox = try CLISandbox.withLetters()
    for words in [
      ["move", "More", "1", "--with-customers"], ["delete", "More", "--at", "1"],
      ["rename", "More", "X", "--at", "1"],
      ["add", "X", "--with-customers"], ["move", "More", "1", "--footer", "x"],
    ] {
      let result = try sandbox.expectUntouched { try sandbox.run(words: ["section"] + words + ["--yes"]) }
      #expect(result.code == 2 && result.errors.contains(" needs section "), "\(words) \(result)")
    }
  }
}
