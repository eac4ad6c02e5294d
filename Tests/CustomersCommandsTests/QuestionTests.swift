import CustomersTestSupport
import Foundation
import Testing

/// Every question that the program asks, and what each answer does.
@Suite(.onThreads) struct QuestionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var words: [String]
    var question: String
    /// The last message after the answer.
    var remedy = ""
    var testDescription: String { words.joined(separator: " ") }
    /// Whether there is an editor, which needs a real terminal.
    var opensEditor: Bool { words[0] == "arrange" }
  }

  private static let undoing = "To restore what was deleted: customers undo\n"

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
    Case(words: ["arrange"], question: "Would move \"B\" 2 → 1.\nApply these changes? [y/N] "),
    Case(
      words: ["history", "--forget"],
      question: "Erase the history? Deleted customers can't be restored afterward. [y/N] "),
    Case(words: ["export", "old"], question: "Replace \"old\"? [y/N] "),
    Case(words: ["backup", "old"], question: "Replace \"old\"? [y/N] "),
    Case(words: ["import", "bad.csv", "--rejects", "old"], question: "Replace \"old\"? [y/N] "),
  ]

  private static func desk(_ test: Case) throws -> (CLISandbox, [String: String]) {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("precious", to: "old")
    try sandbox.write("name,note\nEve,1\nBad\n", to: "bad.csv")
    let editor = try sandbox.editor("sed -i 's/^@1 /@0 /;s/^@2 /@1 /;s/^@0 /@2 /' \"$1\"")
    return (sandbox, test.opensEditor ? editor : [:])
  }

  /// What a user sees who gives an answer, or none.
  private func answer(_ answer: String?, _ test: Case, _ sandbox: CLISandbox, _ editor: [String: String])
    throws -> (output: String, errors: String, code: Int32)
  {
    guard test.opensEditor else {
      let result = try sandbox.run(words: test.words, answers: answer.map { [$0] } ?? [])
      return (result.output, result.errors, result.code)
    }
    let typing = answer.map { $0 + "\n" } ?? "\u{4}"
    let (screen, code) = try sandbox.onTerminal(words: test.words, typing: typing, environment: editor)
    let text = screen.replacing("\r\n", with: "\n").replacing("[y/N] y\n", with: "[y/N] ")
    return ("", text, code)
  }

  @Test(arguments: cases)
  func `end of file and all but yes mean no, and nothing is changed`(_ test: Case) throws {
    let (sandbox, editor) = try QuestionTests.desk(test)
    let names = try sandbox.names
    for answer in test.opensEditor ? [nil, "n"] : [nil, "n", "", "no", "yess", "delete"] {
      let (output, errors, code) = try sandbox.expectUntouched {
        try self.answer(answer, test, sandbox, editor)
      }
      #expect(errors.hasPrefix(test.question) && output.isEmpty && code == 5, "\(errors), \(code)")
      #expect(try sandbox.names == names && sandbox.leftovers.isEmpty)
      #expect(try String(contentsOfFile: sandbox.folder + "/old", encoding: .utf8) == "precious")
    }
  }

  @Test(arguments: cases)
  func `the interrupt key ends the program on a real terminal, and nothing is changed`(_ test: Case) throws {
    let (sandbox, editor) = try QuestionTests.desk(test)
    let names = try sandbox.names
    let (screen, code) = try sandbox.expectUntouched {
      try sandbox.onTerminal(words: test.words, typing: "\u{3}", environment: editor)
    }
    let question = test.question.replacing("\n", with: "\r\n")
    #expect(screen.hasPrefix(question) && code == 130, "\(screen.debugDescription), \(code)")
    #expect(try sandbox.names == names && sandbox.leftovers.isEmpty)
    #expect(try String(contentsOfFile: sandbox.folder + "/old", encoding: .utf8) == "precious")
  }

  @Test(arguments: cases)
  func `without a terminal, or with --no-input, it is refused`(_ test: Case) throws {
    let (sandbox, editor) = try QuestionTests.desk(test)
    try sandbox.expectUntouched { () throws in
      for words in [[], ["--no-input"]] {
        let result = try sandbox.run(words: test.words + words, stdin: "y\n", environment: editor)
        let reason = words.isEmpty ? "standard input is not a terminal" : "--no-input is set"
        #expect(result.code == 4 && result.output.isEmpty, "\(result)")
        let what = test.words.contains("old") ? "replacing \"old\"" : test.words[0]
        #expect(result.errors.hasPrefix("customers: \(what)"), "\(result)")
        #expect(result.errors.hasSuffix(" needs confirmation, but \(reason)\nhint: add --yes\n"), "\(result)")
      }
    }
    #expect(try String(contentsOfFile: sandbox.folder + "/old", encoding: .utf8) == "precious")
  }

  @Test(arguments: cases)
  func `yes does it, and --yes asks nothing`(_ test: Case) throws {
    let (sandbox, editor) = try QuestionTests.desk(test)
    let list = try #require(sandbox.bytes)
    for answer in test.opensEditor ? ["y"] : ["y", "Y", "yes", "YES"] {
      try sandbox.put(list)
      try sandbox.write("precious", to: "old")
      let yes = try self.answer(answer, test, sandbox, editor)
      try sandbox.put(list)
      try sandbox.write("precious", to: "old")
      let silent = try sandbox.run(words: test.words + ["--yes"], environment: editor)
      #expect(!(silent.output + silent.errors).contains("[y/N]") && silent.code == 0, "\(silent)")
      let told = test.opensEditor ? silent.output : silent.errors
      #expect(yes.code == 0 && yes.errors == test.question + told + test.remedy, "\(answer): \(yes)")
      if !test.opensEditor { #expect(yes.output == silent.output) }
    }
  }

  @Test func `on a real terminal, question, answer, and report are in this order`() throws {
    let sandbox = try CLISandbox.withLetters()
    let (screen, code) = try sandbox.onTerminal("delete", "2", "--color", "never", typing: "yes\n")
    let report = "Deleted \"B\", row 2.\nTo restore what was deleted: customers undo\n"
    #expect(screen == "Delete \"B\" (row 2)? [y/N] yes\n\(report)".replacing("\n", with: "\r\n") && code == 0)
    #expect(try sandbox.order == "A C D | X Y")
  }

  @Test func `the file is free while the question waits for an answer`() throws {
    let sandbox = try CLISandbox.withLetters()
    // The row that was asked about goes, not the one that has its number now.
    let result = try sandbox.run(
      words: ["delete", "2"], answers: ["y"],
      asked: {
        let added = try sandbox.run("add", "Ann", "--first")
        #expect(added == .done("Added \"Ann\" as row 1."))
      })
    #expect(result.output == "Deleted \"B\", row 3.\n" && result.code == 0, "\(result)")
    #expect(try sandbox.order == "Ann A C D | X Y")
  }
}
