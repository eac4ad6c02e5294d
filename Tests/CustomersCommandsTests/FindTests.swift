import CustomersTestSupport
import Testing

/// `customers find` and `--fields`, whole outputs.
@Suite(.onThreads) struct FindTests {
  private static let mueller = """
    Row  Id   Name        Company           E-mail               Note
    Customers
      5  @5   Zoë Müller  Müller & Töchter  zoe@mueller.example  met at the fair
    """

  @Test(arguments: [["MÜLLER"], ["zoë"], ["FAIR müll"], ["fair", "töch"], ["mu\u{308}ller"], ["zoe@"]])
  func `every word must occur in some field, ignoring case`(words: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.expectUntouched { try sandbox.run(words: ["find"] + words) }
    #expect(result == .done(FindTests.mueller))
  }

  @Test func `rows keep their number, under the sections that have some`() throws {
    let sandbox = try CLISandbox.withDemo()
    let rows = """
      Row  Id   Name              Company               E-mail                        Note
      Customers
        1  @1   Elizabeth Bennet  Longbourn Books       lizzy@longbourn.example       walks everywhere
        2  @2   Sherlock Holmes                         sherlock@bakerstreet.example  knock twice
        6  @6   Anna Karenina                           anna@vronsky.example          no trains
      Leads
        7  @7   Dorothea Brooke   Middlemarch Cottages  dorothea@lowick.example
      Archive
       10  @10  Miss Havisham     Satis House                                         clocks stopped
      """
    #expect(try sandbox.run("find", "o", "e", "s", "k") == .done(rows))
    let leads = """
      Row  Id   Name             Company               E-mail
      Leads
        7  @7   Dorothea Brooke  Middlemarch Cottages  dorothea@lowick.example
      """
    #expect(try sandbox.run("find", "o", "e", "s", "k", "--section", "leads") == .done(leads))
    #expect(try sandbox.run("find", "o", "e", "s", "k", "--offset", "3", "--limit", "1") == .done(leads))
  }

  @Test(arguments: ["nobody", "Zoë Miller", "% _", "name:Zoë", "12", "' OR 1"])
  func `finding nothing is reported on standard error, and is not an error`(text: String) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("find", text) == .done(errors: "No customers match \"\(text)\"."))
    #expect(try sandbox.run("find", text, "-q") == .done())
    #expect(try sandbox.run("find", text, "--json") == .done("[\n]"))
    #expect(try sandbox.run("delete", "1-", "-y", "-q") == .done())
    #expect(try sandbox.run("find", text) == .done(errors: "No customers match \"\(text)\"."))
  }

  @Test func `the letters of other scripts are folded too`() throws {
    let sandbox = try CLISandbox()
    for name in ["ΣΟΦΟΣ", "İnci", "ısı", "STRASSE", "straße", "ДМИТРИЙ"] {
      #expect(try sandbox.run("add", name, "-q") == .done())
    }
    for (text, row) in [("σοφος", 1), ("σοφοσ", 1), ("дмитрий", 6), ("ẞ", 5), ("ISI", 0), ("ß", 5)] {
      let found = try sandbox.run(
        "find", text, "-q", "--fields", "position", "--format", "csv", "--no-header")
      #expect(found.output == (row == 0 ? "" : "\(row)\n"), "\(text)")
    }
  }

  @Test func `extra columns are searched by value`() throws {
    let sandbox = try CLISandbox()
    let file = "name,Floor \"1\",Shoes\nAnn,555-77,\nBob,,\"red \"\"high\"\"\"\n"
    #expect(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    #expect(
      try sandbox.run("find", "555-77") == .done("Row  Id  Name  Found\n  1  @1  Ann   Floor \"1\": 555-77"))
    #expect(
      try sandbox.run("find", "\"HIGH\"") == .done("Row  Id  Name  Found\n  2  @2  Bob   Shoes: red \"high\"")
    )
    #expect(try sandbox.run("find", "shoes", "-q") == .done())
  }

  @Test func `the fields are chosen, for every format`() throws {
    let sandbox = try CLISandbox.withDemo()
    let find = ["find", "müller", "--fields"]
    #expect(
      try sandbox.run(words: find + ["email,id,company"]).output.hasSuffix(
        "  zoe@mueller.example  Müller & Töchter\n"))
    let csv = try sandbox.run(words: find + ["position,note,is_favorite,extra", "--format", "csv"])
    #expect(csv.output == "position,note,is_favorite,extra\n5,met at the fair,0,{}\n")
    let tsv = try sandbox.run(words: find + ["name,phone", "--format", "tsv", "--no-header"])
    #expect(tsv.output == "Zoë Müller\t\n")
    let json = #"{"name":"Zoë Müller","order":5,"can_edit":true}"#
    #expect(try sandbox.run(words: find + ["name,order,can_edit", "--format", "ndjson"]) == .done(json))
    #expect(try sandbox.run(words: find + ["name,order,can_edit", "--json"]) == .done("[\n\(json)\n]"))
    let listed = try sandbox.run("list", "--fields", "id", "--format", "csv", "--no-header", "--limit", "3")
    #expect(listed.output == "1\n2\n3\n")
  }

  @Test func `no similar name is suggested for a short name`() throws {
    let sandbox = try CLISandbox()
    for name in ["Bob", "Anna"] { #expect(try sandbox.run("add", name, "-q") == .done()) }
    #expect(try sandbox.run("show", "Bab") == .failed(3, "customers: no customer matches \"Bab\""))
    let near = "customers: no customer matches \"Amna\"\nhint: did you mean \"Anna\" (row 2, @2)?"
    #expect(try sandbox.run("show", "Amna") == .failed(3, near))
    #expect(try sandbox.run("section", "add", "Old", "-q") == .done())
    let far = "customers: no section matches \"Odl\"\nhint: to list the sections: customers section list"
    #expect(try sandbox.run("list", "--section", "Odl") == .failed(3, far))
    let close = "customers: no section matches \"Custmoers\"\nhint: did you mean \"Customers\"?"
    #expect(try sandbox.run("list", "--section", "Custmoers") == .failed(3, close))
  }
}
