import CustomersTestSupport
import Foundation
import Testing

/// Errors of a script are reported with their position, and nothing is done.
@Suite(.onThreads) struct ScriptMistakeTests {
  @Test(arguments: try Transcript.sessions("ScriptMistake"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `every syntax error is reported at once`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write(
      """
      add E --as e
      mvoe 3 1
      move $f 3
      move 3
      delete "unclosed
      add F --frist
      add G --as e
      \tmove "日本" --to 5x --before 3
      end
      list
      add H \\
        --nte x
      begin
      """, to: "edits")
    let result = try sandbox.expectUntouched { try sandbox.run("apply", "edits") }
    #expect(
      result
        == .failed(
          2,
          #"""
          edits:2: unknown command "mvoe"
              2 | mvoe 3 1
                  ^~~~
          hint: did you mean "move"?
          edits:3: $f is not defined
              3 | move $f 3
                       ^~
          hint: did you mean "$e"?
          edits:4: move needs a place
              4 | move 3
                  ^~~~~~
          hint: for example: move 5 2
          edits:5: this quote is not closed on its line
              5 | delete "unclosed
                         ^~~~~~~~~
          hint: for a line break write \n, as in $'first\nsecond'
          edits:6: unknown option "--frist" of add
              6 | add F --frist
                        ^~~~~~~
          hint: to set a column: --set frist=TEXT
          edits:7: there is already a row named e
              7 | add G --as e
                             ^
          edits:8: --to must be a place, not "5x"
              8 | \tmove "日本" --to 5x --before 3
                                     ^~
          hint: to see how places are named: customers help places
          edits:9: "end" without "begin"
              9 | end
                  ^~~
          edits:10: list is not allowed in a script
             10 | list
                  ^~~~
          hint: to list the commands of a script: customers help scripts
          edits:12: unknown option "--nte" of add
             12 |   --nte x
                    ^~~~~
          hint: did you mean "--note"?
          edits:13: "begin" without "end"
             13 | begin
                  ^~~~~
          customers: 11 errors; nothing was changed
          """#))
    let checked = try sandbox.expectUntouched { try sandbox.run("apply", "--check", "edits") }
    #expect(checked == result)
  }

  /// A line that fails, its exit code, and the part of it that is marked.
  @Test(arguments: [
    ("delete 9", 3, "9"), ("delete @17", 3, "@17"), ("move A --to 9", 3, "move A --to 9"),
    ("move A --section Nowhere", 3, "Nowhere"), ("add E --before Z", 3, "Z"),
    ("section move More 5", 3, "section move More 5"), ("section delete More", 4, "section delete More"),
    ("expect count 5", 4, "5"), ("expect 1 --name B", 4, "B"), ("expect 1 --at 2", 4, "2"),
    ("expect A --favorite", 4, "--favorite"), ("expect A --section More", 4, "More"),
    ("expect A --note=x", 4, "--note=x"), ("delete 1,1", 2, "1,1"), ("delete 1 @1", 2, "@1"),
  ])
  func `the exit code is that of the line`(line: String, code: Int32, marked: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.expectUntouched {
      try sandbox.run("apply", "-", stdin: "  # first\n\(line)   # wrong")
    }
    #expect(result.code == code, "\(result)")
    let lines = result.errors.split(separator: "\n")
    let excerpt = try #require(lines.firstIndex { $0.hasPrefix("    2 | \(line)") })
    let start = try #require(lines[excerpt].range(of: marked, options: .backwards)).lowerBound
    let blanks = lines[excerpt].distance(from: lines[excerpt].startIndex, to: start)
    let whole = marked == line ? "^" + String(repeating: "~", count: "\(line)   # wrong".count - 1) : nil
    let mark = whole ?? "^" + String(repeating: "~", count: marked.count - 1)
    #expect(lines[excerpt + 1] == String(repeating: " ", count: blanks) + mark, "\(result.errors)")
    #expect(lines.last == "customers: nothing was changed")
  }

  @Test func `a failing line leaves the file unchanged, wherever it is`() throws {
    let sandbox = try CLISandbox.withLetters()
    let lines = [
      "add E --as e", "move 4 1", "delete 2", "section add S", "move $e --section S", "begin", "delete 1",
      "add F --first", "end", "section rename S T", "move 1 --last",
    ]
    for index in 0...lines.count where !(6...8).contains(index) {
      let script = lines[..<index] + ["delete 99"] + lines[index...]
      let result = try sandbox.expectUntouched {
        try sandbox.run("apply", "-", stdin: script.joined(separator: "\n"))
      }
      #expect(result.code == 3 && result.errors.contains("standard input:\(index + 1):"), "\(result)")
    }
    #expect(try sandbox.run("apply", "-q", "-", stdin: lines.joined(separator: "\n")) == .done())
  }

  @Test func `invalid text is reported with its line`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write(
      Array("delete A\nadd \"\u{0}".utf8) + [0x0a, 0xff, 0x0a] + Array("delete 99999\n".utf8), to: "edits")
    let result = try sandbox.expectUntouched { try sandbox.run("apply", "edits") }
    #expect(result.code == 2)
    #expect(result.errors.contains("edits:2: the line has a NUL character"))
    #expect(result.errors.contains("edits:3: the line is not UTF-8"))
    #expect(result.errors.hasSuffix("customers: 2 errors; nothing was changed\n"))
  }

  @Test func `names of rows are for scripts`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("add", "E", "--as", "e") == .failed(2, "customers: --as only works in a script"))
    let result = try sandbox.expectUntouched {
      try sandbox.run("apply", "-", stdin: "add E --as 1x\nadd F --note $\ndelete $a,1")
    }
    #expect(result.code == 2 && result.errors.contains("3 errors"), "\(result)")
  }

  @Test func `a string that is too long is reported with its line, and little of it is shown`() throws {
    let sandbox = try CLISandbox.withLetters()
    let text = String(repeating: "x", count: 16_000_001)
    try sandbox.write("delete A\nadd E --note \(text)\n", to: "edits")
    let result = try sandbox.expectUntouched { try sandbox.run("apply", "edits") }
    #expect(result.code == 1)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("edits:2: ") == true)
    #expect(
      lines.first?.hasSuffix("a value, or a customer with all values, is longer than 16,000,000 bytes")
        == true)
    #expect(lines.last == "customers: nothing was changed (1 edit rolled back)")
    #expect(
      lines.allSatisfy { $0.replacing(sandbox.folder, with: "").count < 140 } && lines.count == 4,
      "\(lines.map(\.count))")
  }
}
