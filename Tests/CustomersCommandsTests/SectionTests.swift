import CustomersTestSupport
import Testing

/// `customers section`, whole outputs.
@Suite(.onThreads) struct SectionTests {
  @Test(arguments: try Transcript.sessions("Section"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `the list of ten sections is in columns`() throws {
    let sandbox = try CLISandbox.withDemo()
    for number in 4...10 { #expect(try sandbox.run("section", "add", "S\(number)", "-q") == .done()) }
    let lines = try sandbox.run("section").output.split(separator: "\n")
    #expect(lines[1] == "     1  @1   Customers     6" && lines.last == "    10  @10  S10           0")
  }
}
