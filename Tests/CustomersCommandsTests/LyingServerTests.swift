@testable import CustomersCommands
import Foundation
import CustomersTestSupport
import Testing

/// A machine of the list that lies: it reaches nothing here but what the command line gives it.
@Suite(.onThreads) struct LyingServerTests {
  private static let asking = [
    ["list"], ["show", "1"], ["find", "a"], ["history"], ["info"], ["watch"], ["check"], ["duplicates"],
    ["export"], ["export", "-"], ["expect", "count", "1"], ["__complete", "fish", "--", "show", ""],
    ["backup", "x", "-n"], ["delete", "1", "--no-input"],
  ]

  @Test(arguments: sampled(asking, oneIn: 9))
  func `a command that asks for nothing gives it no line`(words: [String]) throws {
    let sandbox = try CLISandbox()
    let environment = try sandbox.lyingMachine(
      """
      kinds = [ask(READ_LINE, b'')[0], ask(READ_LINE, b'terminal')[0], ask(OPEN)[0], ask(OPEN, b'copy')[0], ask(EDIT)[0]]
      say(EXIT, b'0' if kinds == [FAILURE] * 5 else b'1', b'')
      """)
    let piped = try sandbox.run(words: words, stdin: "secret\n", environment: environment)
    #expect(piped == .done(), "\(piped)")
    let (screen, code) = try sandbox.onTerminal(words: words, environment: environment)
    #expect(code == 0, "\(screen)")
  }

  @Test func `it gets the file that the command line names, and can name none`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("secret", to: "secret")
    try sandbox.write("name\nAnn\n", to: "in.csv")
    let environment = try sandbox.lyingMachine(
      """
      for kind, texts in [(CREATE, [b'in.csv']), (MAY_WRITE, [b'', b'', b'secret']), (MAY_WRITE, [b'', b'']), (EDIT, [])]:
          if ask(kind, *texts)[0] != FAILURE: sys.exit('not refused: %d' % kind)
      for texts in [], [b'secret']:
          if ask(OPEN, *texts) != (DATA, b'name\\nAnn\\n') or hear()[0] != END: sys.exit('not sent')
      say(EXIT, b'0', b'')
      """)
    #expect(try sandbox.run(words: ["import", "in.csv"], environment: environment) == .done())
    #expect(try sandbox.names == ["in.csv", "secret"])
  }

  @Test func `an existing file is replaced only after the question is answered here`() throws {
    let sandbox = try CLISandbox()
    let environment = try sandbox.lyingMachine(
      """
      first = ask(CREATE)[0]
      say(ERRORS, content=b'Do you like tea?\\n')
      answer = ask(MAY_WRITE, b'', b'')
      if ask(CREATE)[0] == REPLY:
          say(WRITE, content=b'new')
          ask(FINISH)
          say(EXIT, b'0', b'')
      else: say(EXIT, b'5' if first == FAILURE else b'1', b'')
      """)
    try sandbox.write("precious", to: "old")
    let words = ["export", "old", "--format", "csv"]
    let piped = try sandbox.run(words: words, environment: environment)
    #expect(piped.code == 5, "\(piped)")
    let (screen, code) = try sandbox.onTerminal(words: words, typing: "n\n", environment: environment)
    #expect(code == 5 && screen.contains("Replace \"old\"? [y/N]"), "\(screen)")
    #expect(try String(contentsOfFile: sandbox.folder + "/old", encoding: .utf8) == "precious")
    #expect(try sandbox.run(words: words + ["-y"], environment: environment).code == 0)
    #expect(try String(contentsOfFile: sandbox.folder + "/old", encoding: .utf8) == "new")
  }

  @Test(arguments: [
    "", "say(WRITE, content=b'no list')", "say(WRITE, content=open(sys.argv[0], 'rb').read() * 9)",
  ])
  func `an invalid backup is not kept`(writing: String) throws {
    let sandbox = try CLISandbox()
    let environment = try sandbox.lyingMachine(
      """
      ask(MAY_WRITE, b'', b'')
      ask(CREATE)
      \(writing)
      ask(FINISH)
      say(OUTPUT, content=b'Backed up 9 rows\\n')
      say(EXIT, b'0', b'done')
      """)
    let result = try sandbox.run(words: ["backup", "copy"], environment: environment)
    #expect(result.code == 1 && result.errors.contains("the other machine has sent no backup"), "\(result)")
    #expect(try sandbox.names.isEmpty)
  }

  @Test(arguments: [["backup", "copy"], ["export", "copy", "--format", "csv"]])
  func `a file that was not sent is missed`(words: [String]) throws {
    let sandbox = try CLISandbox()
    let environment = try sandbox.lyingMachine("say(EXIT, b'0', b'done')")
    let result = try sandbox.run(words: words, environment: environment)
    #expect(result == .failed(1, "customers: the other machine has not sent the file"))
  }

  @Test func `a damaged list in a backup is reported here`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.run("backup", "copy")
    _ = try sandbox.shell(
      "sqlite3 copy \"PRAGMA writable_schema = 1; UPDATE customer_record SET note = cast(x'ff' AS text) WHERE id = 1\""
    )
    let environment = try sandbox.lyingMachine(
      """
      ask(MAY_WRITE, b'', b'')
      ask(CREATE)
      say(WRITE, content=open('\(sandbox.folder)/copy', 'rb').read())
      ask(FINISH)
      say(EXIT, b'0', b'done')
      """)
    let result = try sandbox.run(words: ["backup", "sent"], environment: environment)
    #expect(
      result
        == .done(
          errors:
            "note: the list has texts that can't be read, and so has its copy; to see what is wrong: customers check"
        ))
    #expect(try sandbox.names == ["copy", "customers.sqlite", "sent"])
  }

  @Test func `nothing that it prints steers the terminal`() throws {
    let sandbox = try CLISandbox()
    let hostile =
      #"b'\x1b]0;title\x07\x1b[2J\x1b[8mA\x1b[31;5mB\x9b1m\xc2\x9bC\x08\r\rD\x1b[200~\xe2\x80\xae\x7f\x1b'"#
    let environment = try sandbox.lyingMachine(
      """
      for kind in (OUTPUT, ERRORS):
          for byte in \(hostile): say(kind, content=bytes([byte]))
          say(kind, content=\(hostile) + b'\\n\\x1b[1;31mred\\x1b[0m\\n')
      os.write(2, \(hostile))
      say(EXIT, b'0', b'')
      """)
    for words in [["list"], ["__complete", "fish", "--", "show", ""]] {
      let (screen, code) = try sandbox.onTerminal(
        words: words + (words.count == 1 ? ["--no-pager"] : []), environment: environment)
      #expect(code == 0 && screen.contains("\u{1b}[1;31mred\u{1b}[0m"))
      let rest = screen.replacing("\u{1b}[1;31m", with: "").replacing("\u{1b}[0m", with: "").replacing(
        "\r\n", with: "")
      #expect(
        rest.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) && $0.value != 0x202e
        }, "\(rest.debugDescription)")
    }
  }

  /// Command lines that print text, and those that print data.
  private static let printing = [
    ("list", true), ("show 1", true), ("export copy", true), ("add Ann", true), ("export - -n", true),
    ("info", true), ("add Ann --json", false), ("list --format csv", false), ("export", false),
    ("export -", false), ("list --json", false), ("find a --format ndjson", false),
  ]

  @Test(arguments: printing)
  func `text in a pipe can't steer the terminal that it may come to; data are passed unchanged`(
    line: String, isText: Bool
  ) throws {
    let sandbox = try CLISandbox()
    let title = "b'\\x1b]0;title\\x07'"
    let environment = try sandbox.lyingMachine(
      "for kind in (OUTPUT, ERRORS): say(kind, content=\(title))\nsay(EXIT, b'0', b'')")
    let piped = try sandbox.shell(
      "customers \(line) 2> errors | cat; cat errors >&2", environment: environment)
    let shown = "\\u{1B}]0;title\\u{7}"
    #expect(piped.output == (isText ? shown : "\u{1b}]0;title\u{7}"), "\(piped)")
    #expect(piped.errors.hasPrefix(shown), "\(piped)")
  }

  @Test(arguments: [
    ("Your list is fine\r[evil]\n", "Your list is fine\\u{D}[evil]\n"),
    ("Fine\u{1b}[K\r[evil]", "Fine\u{1b}[K\\u{D}[evil]"), ("Fine\r\u{1b}[K", "Fine\\u{D}\u{1b}[K"),
    ("[#...]\r\u{1b}[KFine\r[evil]", "[#...]\r\u{1b}[KFine\\u{D}[evil]"),
  ])
  func `a line is not overwritten`(text: String, shown: String) throws {
    let sink = TextSink()
    var remote = RemoteText(CustomersCommands.Stream(sink), isText: true)
    remote.write(Array(text.utf8))
    try remote.end()
    #expect(sink.text == shown)
  }

  @Test func `text of customers passes unchanged, wherever it is cut`() throws {
    let texts = [
      "Zoë 👩‍👩‍👧 山田\t1\r\n", "\r[####....] 50 %\r\u{1b}[K", "\u{1b}[1;36mLeads\u{1b}[0m\n", "\\u{1B}",
    ]
    let text = Array(texts.joined().utf8)
    for size in 1...9 {
      let sink = TextSink()
      var remote = RemoteText(CustomersCommands.Stream(sink), isText: true)
      for start in stride(from: 0, to: text.count, by: size) {
        remote.write(Array(text[start...].prefix(size)))
      }
      try remote.end()
      #expect(sink.text == texts.joined(), "\(size)")
    }
  }
}
