import CustomersTestSupport
import Foundation
import Testing

/// `customers export` of some rows and columns, and the formats of other programs.
@Suite(.onThreads) struct ExportRowsTests {
  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let file = """
      name,email,E-mail 2,City,section
      Ann,ann@x.example,a@home.example,Bonn,Customers
      Bob,bob@x.example,,Kiel,Customers
      Cid,,,Bonn,Leads

      """
    try #require(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    return sandbox
  }

  @Test func `an export takes what a list takes`() throws {
    let sandbox = try sandbox()
    for words in [
      ["--fields", "city,name,section_title,position"], ["--where", "City=Bonn", "--fields", "name"],
      ["--sort", "City", "--reverse", "--fields", "name"], ["--section", "leads"],
      ["--limit", "1", "--offset", "1"],
      ["--fields", "name", "--no-header"],
    ] {
      let listed = try sandbox.run(words: ["list", "--format", "csv"] + words)
      #expect(listed.code == 0 && !listed.output.isEmpty)
      #expect(try sandbox.run(words: ["export"] + words) == listed, "\(words)")
    }
    #expect(try sandbox.run("export", "-", "3", "first", "--fields", "name").output == "name\nCid\nAnn\n")
    let piped = try sandbox.shell("customers find bonn --format ids | customers export - - --fields name")
    #expect(piped.output == "name\nAnn\nCid\n")
    let objects = try sandbox.run("export", "--format", "ndjson", "--fields", "section,name", "--limit", "1")
    #expect(objects.output == "{\"section\":\"Customers\",\"name\":\"Ann\"}\n")
    #expect(
      try sandbox.run("export", "x.vcf", "--fields", "name").errors
        == "customers: --fields only works with csv, tsv, json, ndjson, and markdown\n")
    #expect(
      try sandbox.run("export", "x.csv", "--vcard-version", "3").errors
        == "customers: --vcard-version only works with vcard\n")
    #expect(try sandbox.names.contains("x.csv") == false)
  }

  @Test(arguments: ["csv", "tsv", "vcard"])
  func `find writes the formats of files`(format: String) throws {
    let sandbox = try sandbox()
    let found = try sandbox.run("find", "ann", "--format", format)
    #expect(found.code == 0)
    #expect(try sandbox.run("export", "-", "--format", format, "--where", "name=Ann") == found)
  }

  @Test func `mutt reads each address with its name`() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("find", "x.example", "--format", "mutt").output == """
        customers
        ann@x.example\tAnn\t
        a@home.example\tAnn\t
        bob@x.example\tBob\t

        """)
    #expect(try sandbox.run("find", "nobody", "--format", "mutt") == .done("customers"))
  }

  @Test func `cards of version 3 give the same list`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(
      try sandbox.run("edit", "1", "--other-contacts", "email work: w@x.example\nphone mobile: 1", "-q").code
        == 0)
    try #require(try sandbox.run("export", "old.vcf", "--vcard-version", "3", "-q") == .done())
    let text = try String(contentsOfFile: sandbox.folder + "/old.vcf", encoding: .utf8)
    let cards = text.components(separatedBy: "BEGIN:VCARD").dropFirst()
    #expect(cards.count == 10)
    for card in cards {
      #expect(card.contains("\r\nVERSION:3.0\r\n") && card.contains("\r\nN:") && card.contains("\r\nFN:"))
      #expect(!card.contains("PREF=") && !card.contains("data:"))
    }
    #expect(text.contains("TYPE=pref"))
    try #require(try sandbox.run("import", "old.vcf", "-q", "--db", "copy.sqlite") == .done())
    let digests = try ["customers.sqlite", "copy.sqlite"].map {
      try sandbox.run("export", "--format", "csv", "--db", $0).output
    }
    #expect(digests[0] == digests[1])
  }
}
