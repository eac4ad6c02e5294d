import CustomersTestSupport
import Testing

/// Outputs that are closed, full, or cut off.
@Suite(.onThreads) struct OutputTests {
  @Test(arguments: ["table", "csv", "json", "ndjson"])
  func `the program ends silently when its reader exits`(format: String) throws {
    let sandbox = try CLISandbox()
    let rows = "name,note\n" + String(repeating: "Ann,\(String(repeating: "x", count: 100))\n", count: 5000)
    #expect(try sandbox.run("import", "-", "-q", stdin: rows) == .done())
    let result = try sandbox.shell("(customers list --format \(format); echo $? > code) | head -1; cat code")
    #expect(result.code == 0 && result.errors.isEmpty)
    let lines = result.output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 2 && lines.last == "141")
  }

  @Test func `the interrupt key ends a long list`() throws {
    let sandbox = try CLISandbox()
    let rows = "name,note\n" + String(repeating: "Ann,\(String(repeating: "x", count: 500))\n", count: 5000)
    #expect(try sandbox.run("import", "-", "-q", stdin: rows) == .done())
    for words in [["list", "--no-pager", "--json"], ["find", "x", "--no-pager", "--format", "csv"]] {
      let (screen, code) = try sandbox.onTerminal(words: words, interrupting: true)
      #expect(code == 130 && screen.utf8.count < 1_000_000)
    }
    #expect(try sandbox.names == ["customers.sqlite"])
    #expect(try sandbox.run("add", "Ann", "-q") == .done())
  }

  @Test func `an output that takes nothing is an error`() throws {
    let sandbox = try CLISandbox.withLetters()
    let full = "customers: can't write the output: No space left on device"
    for words in ["--version", "--help", "help", "list --format csv", "list --format ndjson"] {
      #expect(try sandbox.shell("customers \(words) > /dev/full") == .failed(1, full), "\(words)")
      let closed = try sandbox.shell("customers \(words) >&-")
      #expect(closed == .failed(1, "customers: can't write the output: Bad file descriptor"), "\(words)")
    }
    try sandbox.expectSound()
  }

  @Test func `nothing is written into the list by mistake when the streams are closed`() throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.shell("customers add Ann <&- >&- 2>&-; customers show nobody <&- >&- 2>&-")
    #expect(result == .failed(3, ""))
    #expect(try sandbox.order == "A B C D Ann | X Y")
    try sandbox.expectSound()
    #expect(try sandbox.shell("customers import - <&-").code == 1)
  }
}
