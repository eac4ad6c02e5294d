import CustomersTestSupport
import Foundation
import Testing

/// `customers export` of some rows and columns, and the formats of other programs.
@Suite(.onThreads) struct ExportRowsTests {
  @Test(arguments: try Transcript.sessions("ExportRows"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let file = """
      name,email,E-mail 2,Club,section
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
      ["--fields", "club,name,section_title,position"], ["--where", "Club=Bonn", "--fields", "name"],
      ["--sort", "Club", "--reverse", "--fields", "name"], ["--section", "leads"],
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
        == "customers: --fields only works with csv, tsv, xlsx, json, ndjson, and markdown\n")
    #expect(
      try sandbox.run("export", "x.csv", "--vcard-version", "3").errors
        == "customers: --style vcard3 only works with vcard\n")
    #expect(try sandbox.names.contains("x.csv") == false)
  }

  @Test(arguments: ["csv", "tsv", "vcard"])
  func `find writes the formats of files`(format: String) throws {
    let sandbox = try sandbox()
    let found = try sandbox.run("find", "ann", "--format", format)
    #expect(found.code == 0)
    #expect(try sandbox.run("export", "-", "--format", format, "--where", "name=Ann") == found)
  }
}
