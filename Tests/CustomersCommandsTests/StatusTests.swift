import CustomersTestSupport
import Foundation
import Testing

/// `customers status`, by its exit codes.
@Suite(.onThreads) struct StatusTests {
  @Test func `a list that is well`() throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.run("status")
    #expect(result.code == 0 && result.errors.isEmpty)
    #expect(result.output.hasPrefix("List:        OK, 6 rows in 2 sections\nFile:        \(sandbox.file)\n"))
    #expect(result.output.hasSuffix("\nCustomers:   6\n"))
    #expect(try sandbox.run("status", "-q") == .done())
    let json = try jsonObject(try sandbox.run("status", "--json").output)
    #expect(json["ok"] as? Bool == true && json["code"] as? Int == 0)
    #expect((json["list"] as? [String: Any])?["count"] as? Int == 6)
  }

  @Test func `each trouble has a code of its own`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("status", "--db", "nowhere").code == 3)
    try sandbox.write("no list", to: "text")
    #expect(try sandbox.run("status", "--db", "text").code == 10)
    _ = try sandbox.sqlite("PRAGMA user_version = 99")
    #expect(try sandbox.run("status").code == 10)
  }

  @Test func `a damaged list has code 8, also in JSON`() throws {
    let sandbox = try CLISandbox.withLetters()
    let file = try FileHandle(forUpdating: URL(filePath: sandbox.file))
    try file.seek(toOffset: 4096 * 5)
    try file.write(contentsOf: Data(repeating: 0, count: 40_960))
    try file.close()
    let result = try sandbox.run("status", "--json")
    #expect(result.code == 8, "\(result)")
    #expect(try jsonObject(result.output)["code"] as? Int == 8)
  }

  @Test func `the page is asked how it is`() throws {
    let sandbox = try CLISandbox.withLetters()
    let page = try RunningWeb(sandbox)
    let served = try jsonObject(try sandbox.run("status", "--json").output)
    #expect((served["page"] as? [String: Any])?["state"] as? String == "well", "\(served)")
    #expect(try page.end().code == 130)
    let result = try sandbox.run("status", "--json")
    let ended = try jsonObject(result.output)["page"] as? [String: Any]
    #expect(result.code == 0 && ended?["state"] as? String == "silent", "\(result)")
  }

  @Test func `a page that does not answer is a problem`() throws {
    let sandbox = try CLISandbox.withLetters()
    let page = try RunningWeb(sandbox)
    kill(page.process, SIGSTOP)
    let result = try sandbox.run("status", "--json")
    let hung = try jsonObject(result.output)["page"] as? [String: Any]
    #expect(result.code != 0 && hung?["state"] as? String == "hung", "\(result)")
    kill(page.process, SIGCONT)
    #expect(try page.end().code == 130)
  }
}
