import CustomersTestSupport
import Testing

/// `customers list --template` and `--count-by`.
@Suite(.onThreads) struct TemplateTests {
  @Test(arguments: try Transcript.sessions("Template") + Transcript.sessions("CountBy"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a terminal gets no control characters of a value, and a pipe all`() throws {
    let sandbox = try CLISandbox()
    try #require(try sandbox.run("add", "--first-name", "A\u{1b}[31mB", "--note", "1\n2").code == 0)
    for words in [["--template", "{name}\\t{note}\\n"], ["--count-by", "name", "--format", "csv"]] {
      #expect(try sandbox.run(words: ["list"] + words).output.contains("A\u{1b}[31mB"))
      let screen = try sandbox.onTerminal(words: ["list"] + words).screen
      #expect(screen.contains("A\\u{1B}[31mB") && !screen.contains("\u{1b}[31m"), "\(words)")
    }
    #expect(try sandbox.run("list", "--template", "{name}\\t{note}\\n").output == "A\u{1b}[31mB\t1\n2\n")
  }
}
