import CustomersTestSupport
import Testing

/// A list that does not exist.
@Suite(.onThreads) struct MissingFileTests {
  @Test func `reading creates nothing`() throws {
    let sandbox = try CLISandbox()
    let missing = sandbox.folder + "/typo"
    for words in [
      ["list"], ["find", "x"], ["show", "1"], ["info"], ["history"], ["section"], ["columns"],
      ["export"],
      ["expect", "count", "0"], ["delete", "1", "-y"], ["undo"],
      ["move", "1", "--up"],
    ] {
      let result = try sandbox.run(words: words + ["--db", missing])
      #expect(result.code == 3 && result.errors.contains("no such file"), "\(words): \(result)")
    }
    // The code 3 says that no one is due.
    let due = try sandbox.run("list", "--due", "--count", "--exit-code", "--db", missing)
    #expect(due.code == 10 && due.errors.contains("no such file"), "\(due)")
    #expect(try sandbox.run("add", "x", "--db", sandbox.folder + "/a/b/c").code == 1)
    #expect(try sandbox.names.isEmpty)
    let usual = CLISandbox.usualPlace
    for words in [["list"], ["history"], ["columns"], ["export"]] {
      #expect(try sandbox.run(words: words, environment: usual).code == 0, "\(words)")
    }
    // There is nothing to check, wherever it is missing.
    for place in [[:], usual] {
      let result = try sandbox.run("check", environment: place)
      #expect(
        result.code == 3
          && result.errors.contains(
            "to create the list: customers add NAME; to bring it back: customers restore FILE"),
        "\(result)")
    }
    #expect(try sandbox.names.isEmpty)
    #expect(try sandbox.run(words: ["add", "x", "-q"], environment: usual) == .done())
    #expect(try sandbox.names == [".local"])
  }
}
