import Testing

/// Outputs that are closed, full or cut off.
@Suite struct OutputTests {
  @Test(arguments: ["table", "csv", "json", "ndjson"])
  func `a reader that has seen enough ends the program without a word`(format: String) throws {
    let desk = try Desk()
    let rows = "name,note\n" + String(repeating: "Ann,\(String(repeating: "x", count: 100))\n", count: 5000)
    #expect(try desk.run("import", "-", "-q", stdin: rows) == .done())
    let result = try desk.shell("(customers list --format \(format); echo $? > code) | head -1; cat code")
    #expect(result.code == 0 && result.errors.isEmpty)
    let lines = result.output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 2 && lines.last == "141")
  }

  @Test func `the interrupt key ends a long list`() throws {
    let desk = try Desk()
    let rows = "name,note\n" + String(repeating: "Ann,\(String(repeating: "x", count: 500))\n", count: 5000)
    #expect(try desk.run("import", "-", "-q", stdin: rows) == .done())
    for words in [["list", "--no-pager", "--json"], ["find", "x", "--no-pager", "--format", "csv"]] {
      let (screen, code) = try desk.onTerminal(words: words, interrupting: true)
      #expect(code == 130 && screen.utf8.count < 1_000_000)
    }
    #expect(try desk.names == ["customers.sqlite"])
    #expect(try desk.run("add", "Ann", "-q") == .done())
  }

  @Test func `an output that takes nothing is an error`() throws {
    let desk = try Desk.withLetters()
    let full = "customers: can't write the output: No space left on device"
    for words in ["--version", "--help", "help", "list --format csv", "list --format ndjson"] {
      #expect(try desk.shell("customers \(words) > /dev/full") == .failed(1, full), "\(words)")
      let closed = try desk.shell("customers \(words) >&-")
      #expect(closed == .failed(1, "customers: can't write the output: Bad file descriptor"), "\(words)")
    }
    try desk.expectSound()
  }

  @Test func `nothing is written into the list by mistake when the streams are closed`() throws {
    let desk = try Desk.withLetters()
    let result = try desk.shell("customers add Ann <&- >&- 2>&-; customers show nobody <&- >&- 2>&-")
    #expect(result == .failed(3, ""))
    #expect(try desk.order == "A B C D Ann | X Y")
    try desk.expectSound()
    #expect(try desk.shell("customers import - <&-").code == 1)
  }
}
