import CustomersTestSupport
import Foundation
import Testing

/// Every question that the program asks, on a real terminal.
@Suite(.onThreads) struct QuestionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var words: [String]
    var question: String
    /// The last message after the answer.
    var remedy = ""
    var testDescription: String { words.joined(separator: " ") }
  }

  private static let undoing = "To restore what was deleted: customers undo\r\n"

  private static let cases = [
    Case(words: ["delete", "2"], question: "Delete \"B\" (row 2)? [y/N] ", remedy: undoing),
    Case(
      words: ["delete", "2-4"], question: "Delete 3 customers: \"B\", \"C\", \"D\"? [y/N] ",
      remedy: undoing),
    Case(
      words: ["section", "delete", "more", "--with-customers"],
      question: "Delete section \"More\" with 2 rows? [y/N] ", remedy: undoing),
    Case(
      words: ["sort", "--by", "name", "--descending"],
      question: "Sort the list? 6 rows will move. [y/N] "),
    Case(words: ["arrange"], question: "Would move \"B\" 2 → 1.\r\nApply these changes? [y/N] "),
    Case(
      words: ["history", "--forget"],
      question: "Erase the history? Deleted customers can't be restored afterward. [y/N] "),
    Case(words: ["export", "old"], question: "Replace \"old\"? [y/N] "),
    Case(words: ["backup", "old"], question: "Replace \"old\"? [y/N] "),
    Case(words: ["import", "bad.csv", "--rejects", "old"], question: "Replace \"old\"? [y/N] "),
  ]

  private static func desk() throws -> (CLISandbox, [String: String]) {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("precious", to: "old")
    try sandbox.write("name,note\nEve,1\nBad\n", to: "bad.csv")
    return (sandbox, try sandbox.editor("sed -i 's/^@1 /@0 /;s/^@2 /@1 /;s/^@0 /@2 /' \"$1\""))
  }

  @Test(arguments: cases)
  func `end of file means no, Ctrl-C ends the program, and nothing is changed`(_ test: Case) throws {
    let (sandbox, editor) = try QuestionTests.desk()
    let names = try sandbox.names
    for (typing, ending) in [("\u{4}", 5), ("n\n", 5), ("\n", 5), ("\u{3}", 130)] as [(String, Int32)] {
      let (screen, code) = try sandbox.expectUntouched {
        try sandbox.onTerminal(words: test.words, typing: typing, environment: editor)
      }
      #expect(screen.hasPrefix(test.question) && code == ending, "\(screen.debugDescription), \(code)")
      #expect(try sandbox.names == names && sandbox.leftovers.isEmpty)
      #expect(try String(contentsOfFile: sandbox.folder + "/old", encoding: .utf8) == "precious")
    }
  }

  @Test(arguments: cases)
  func `without a terminal, or with --no-input, it is refused`(_ test: Case) throws {
    let (sandbox, editor) = try QuestionTests.desk()
    try sandbox.expectUntouched { () throws in
      for words in [[], ["--no-input"]] {
        let result = try sandbox.run(words: test.words + words, stdin: "y\n", environment: editor)
        let reason = words.isEmpty ? "standard input is not a terminal" : "--no-input is set"
        #expect(result.code == 4 && result.output.isEmpty, "\(result)")
        #expect(result.errors.hasSuffix(" needs confirmation, but \(reason)\nhint: add --yes\n"), "\(result)")
      }
    }
    #expect(try String(contentsOfFile: sandbox.folder + "/old", encoding: .utf8) == "precious")
  }

  @Test(arguments: cases)
  func `yes does it, and --yes asks nothing`(_ test: Case) throws {
    let (sandbox, editor) = try QuestionTests.desk()
    let list = try #require(sandbox.bytes)
    let yes = try sandbox.onTerminal(words: test.words, typing: "y\n", environment: editor)
    #expect(yes.screen.hasPrefix(test.question) && yes.code == 0, "\(yes.screen.debugDescription)")
    try sandbox.put(list)
    try sandbox.write("precious", to: "old")
    let silent = try sandbox.onTerminal(words: test.words + ["--yes"], environment: editor)
    #expect(!silent.screen.contains("[y/N]") && silent.code == 0, "\(silent.screen.debugDescription)")
    #expect(yes.screen.hasSuffix(silent.screen + test.remedy))
  }
}
