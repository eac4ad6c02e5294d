import CustomersTestSupport
import Testing

/// `customers show`, whole outputs.
@Suite(.onThreads) struct ShowTests {
  @Test func `show has every field that is not empty`() throws {
    let sandbox = try CLISandbox()
    let added = try sandbox.run(
      "add", "--first-name", "Zoë", "--last-name", "Müller", "--company", "Müller & Töchter", "--email",
      "zoe@mueller.example", "--phone", "+49 30 1234", "--address", "Am Markt 1\nBerlin", "--note",
      "met at the fair", "--favorite")
    #expect(added == .done("Added \"Zoë Müller\" as row 1."))
    let all = """
      Row:         1
      Id:          @1
      First name:  Zoë
      Last name:   Müller
      Company:     Müller & Töchter
      E-mail:      zoe@mueller.example
      Phone:       +49 30 1234
      Address:     Am Markt 1
                   Berlin
      Note:        met at the fair
      Marks:       favorite
      """
    #expect(try sandbox.expectUntouched { try sandbox.run("show", "1") } == .done(all))
  }

  @Test func `marks and the place in the section are shown`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite("UPDATE customers SET can_edit = 0, can_move = 0, is_favorite = 1 WHERE id = 8")
    let expected = """
      Row:         8, Leads 2
      Id:          @8
      First name:  Edmond
      Last name:   Dantès
      Company:     Monte Cristo Holdings
      Note:        very patient
      Marks:       favorite, protected against editing, deleting, and moving
      """
    #expect(try sandbox.run("show", "leads/2") == .done(expected))
  }

  @Test(arguments: [
    ["show", "8", "--json"], ["show", "@8", "--format", "ndjson"], ["--json", "show", "dant"],
  ])
  func `show prints the same object as list`(words: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    let listed = try sandbox.run("list", "--format", "ndjson", "--offset", "7", "--limit", "1")
    #expect(try sandbox.run(words: words) == listed)
  }

  @Test(arguments: [
    "5", "@5", "Zoë Müller", "zoë müller", "ZOË", "name:zoë müller", "üller", "Customers/5", "cust/5", "1/5",
  ])
  func `a row is found by number, id, name, part of a name, or place in a section`(row: String) throws {
    #expect(
      try CLISandbox.withDemo().run("show", row).output.hasPrefix(
        "Row:         5, Customers 5\nId:          @5\n"))
  }

  @Test func `first and last`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("show", "first").output.contains("Elizabeth"))
    #expect(try sandbox.run("show", "last").output.contains("Havisham"))
    let both = try [2, 3].map { try sandbox.run("show", "\($0)").output }.joined(separator: "\n")
    #expect(try sandbox.run("show", "2-3").output == both)
    let records = try jsonArray(sandbox.run("show", "3,1", "--json").output)
    #expect(records.map { $0["position"] as? Int } == [3, 1])
    #expect(try sandbox.run("show", "3", "1", "--format", "ndjson").output.split(separator: "\n").count == 2)
  }

  @Test func `extra columns are shown in their order, whatever they contain`() throws {
    let sandbox = try CLISandbox()
    let file = #"{"name":"Ann","Zip":"1\u00002","Age":42,"Floor":"x\u001b[2J"}"#
    #expect(try sandbox.run("import", "-", "-q", "--format", "ndjson", stdin: file) == .done())
    let shown = try sandbox.run("show", "1").output.split(separator: "\n").suffix(3)
    #expect(shown == ["Zip:         1\\u{0}2", "Age:         42", "Floor:       x\\u{1B}[2J"])
  }
}
