import CustomersTestSupport
import Testing

/// `customers check --digest`: one short text that says whether two lists are the same.
@Suite(.onThreads) struct DigestTests {
  private func digest(_ sandbox: CLISandbox) throws -> String {
    let object = try jsonObject(sandbox.run("check", "--digest", "--json").output)
    return try #require(object["digest"] as? String)
  }

  @Test func `it is the SHA-256 of each section and its customers as JSON`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann Lee", "--phone", "1", "-q") == .done())
    #expect(try sandbox.run("section", "add", "More", "--footer", "f", "-q") == .done())
    let text = """
      {"section":"Customers","footer":""}
      {"first_name":"Ann","last_name":"Lee","company":"","email":"","phone":"1","address":"","note":"",\
      "is_favorite":false,"can_edit":true,"can_move":true,"section":"Customers","extra":{}}
      {"section":"More","footer":"f"}

      """
    try sandbox.write(text, to: "lines")
    let hashed = try sandbox.shell("sha256sum < lines | cut -d' ' -f1")
    #expect(try hashed == .done(digest(sandbox)))
    let said = try sandbox.run("check", "--digest").output
    #expect(try said.hasSuffix("SHA-256: \(digest(sandbox))\n"))
  }

  @Test func `ids do not count; order, strings, protection, titles, and footers do`() throws {
    let sandbox = try CLISandbox.withLetters()
    let before = try digest(sandbox)
    // The same again, with another id.
    #expect(try sandbox.run("delete", "2", "-y", "-q") == .done())
    #expect(try sandbox.run("add", "B", "--at", "2", "-q") == .done())
    #expect(try digest(sandbox) == before)
    for words in [
      ["move", "1", "2"], ["edit", "1", "--note", "x"], ["protect", "1", "--no-edit"],
      ["section", "rename", "More", "Less"],
      ["section", "move", "More", "1"], ["section", "rename", "More", "--footer", "f"],
      ["delete", "3", "-y"],
    ] {
      #expect(try sandbox.run(words: words).code == 0, "\(words)")
      #expect(try digest(sandbox) != before, "\(words)")
      #expect(try sandbox.run("undo", "-q") == .done())
      #expect(try digest(sandbox) == before, "\(words)")
    }
  }
}
