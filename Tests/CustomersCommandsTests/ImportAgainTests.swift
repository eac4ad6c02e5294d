import CustomersTestSupport
import Foundation
import Testing

/// A file that was imported before is noticed by its bytes, whatever it is called.
@Suite(.onThreads) struct ImportAgainTests {
  @Test(arguments: try Transcript.sessions("ImportAgain"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a second import asks, or is refused without a terminal to ask on`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("name\nAnn\nBob\n", to: "list.csv")
    try sandbox.write("name\nAnn\nBob\n", to: "copy.csv")
    try #require(try sandbox.run("import", "list.csv", "-q") == .done())
    let sum = try sandbox.shell("sha256sum list.csv").output.prefix(64)
    #expect(try sandbox.sqlite("SELECT digest FROM history_step WHERE digest IS NOT NULL") == sum + "\n")
    let refused = """
      customers: "copy.csv" was already imported (step 1)
      hint: to import it again, add --yes
      """
    #expect(try sandbox.run("import", "copy.csv") == .failed(4, refused))
    #expect(try sandbox.shell("customers import - < copy.csv").code == 4)
    let note = try sandbox.run("import", "copy.csv", "-n")
    #expect(note.code == 0 && note.errors.hasPrefix("note: \"copy.csv\" was already imported (step "))
    let no = try sandbox.run(words: ["import", "copy.csv"], answers: ["n"])
    #expect(no.code == 5 && no.errors.contains("Import it again? [y/N] "))
    #expect(try sandbox.order == "Ann Bob")
    #expect(try sandbox.run(words: ["import", "copy.csv"], answers: ["y"]).code == 0)
    #expect(try sandbox.run("import", "copy.csv", "-y", "-q") == .done())
    #expect(try sandbox.order == "Ann Bob Ann Bob Ann Bob")
  }

  @Test(arguments: [
    ["Room=-", "Guild=extra.Club"], ["room=-,GUILD=extra.Club"], ["r_oo-m=-", " guild =extra.Club"],
  ])
  func `a mapping can be given in parts and in any spelling, and can rename extra columns`(maps: [String])
    throws
  {
    let sandbox = try CLISandbox()
    let words = ["import", "-", "-q"] + maps.flatMap { ["--map", $0] }
    #expect(try sandbox.run(words: words, stdin: "name,Room,Guild\nAnn,1,Bonn\n") == .done())
    #expect(try sandbox.sqlite("SELECT extra FROM customers") == "{\"Club\":\"Bonn\"}\n")
  }
}
