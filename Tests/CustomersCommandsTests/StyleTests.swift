@testable import CustomersCommands
import CustomerStore
import CustomersTestSupport
import Testing

/// Colored output, and when it is used.
@Suite(.onThreads) struct StyleTests {
  @Test func `a style is put around a string, and taken away again`() {
    for style in Style.allCases {
      let text = styled("a ★ b", style, if: true)
      #expect(text.hasPrefix("\u{1b}[") && text.hasSuffix("ma ★ b\u{1b}[0m"))
      #expect(withoutStyles("x" + text + "y" + text) == "xa ★ bya ★ b")
      #expect(styled("a", style, if: false) == "a" && styled("", style, if: true) == "")
    }
    #expect(styled("a", nil, if: true) == "a")
  }

  @Test func `only the sixteen colors of every terminal are used`() {
    for style in Style.allCases {
      let parameters = styled("x", style, if: true).dropFirst(2).prefix { $0 != "m" }.split(separator: ";")
      #expect(parameters.allSatisfy { ["1", "2"].contains($0) || (30...37).contains(Int($0) ?? 0) })
    }
  }

  @Test func `the first word of a message is colored`() {
    #expect(styledMessage("customers: no", if: true) == "\u{1b}[1;31mcustomers:\u{1b}[0m no")
    #expect(styledMessage("hint: add --yes", if: true) == "\u{1b}[36mhint:\u{1b}[0m add --yes")
    #expect(styledMessage("note: a", if: true) == "\u{1b}[33mnote:\u{1b}[0m a")
    for line in ["customersx: no", "     hint: no", "hint:", ""] {
      #expect(styledMessage(line, if: true) == line)
    }
    #expect(styledMessage("hint: a", if: false) == "hint: a")
  }

  @Test func `errors are colored on a terminal that wants colors`() throws {
    let sandbox = try CLISandbox.withLetters()
    let plain = try sandbox.run("shwo").errors
    let colored = try sandbox.run(words: ["shwo"], screen: Screen()).errors
    #expect(colored.hasPrefix("\u{1b}[1;31mcustomers:\u{1b}[0m unknown") && withoutStyles(colored) == plain)
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      #expect(try sandbox.run(words: ["shwo"], environment: environment, screen: Screen()).errors == plain)
    }
    #expect(try sandbox.run("shwo", "--color", "always").errors == plain, "not understood")
    #expect(try sandbox.run("show", "nobody", "--color", "always").errors.hasPrefix("\u{1b}[1;31m"))
    #expect(
      try !sandbox.run(words: ["show", "x1", "--color", "never"], screen: Screen()).errors.contains("\u{1b}"))
  }

  @Test(arguments: [
    (["ann"], "Joanne Lee", "Jo\u{1b}[1;31mann\u{1b}[0me Lee"),
    (["É"], "café é", "caf\u{1b}[1;31mé\u{1b}[0m \u{1b}[1;31mé\u{1b}[0m"),
    (["an", "na"], "Banana", "B\u{1b}[1;31manana\u{1b}[0m"), (["x"], "none", "none"), (["long"], "lo", "lo"),
    ([], "a", "a"), (["a"], "", ""),
  ])
  func `words are marked where they are`(words: [String], text: String, marked: String) {
    #expect(Highlight(search: TextSearch(words.joined(separator: " "))).marked(text, nil) == marked)
    #expect(
      withoutStyles(Highlight(search: TextSearch(words.joined(separator: " "))).marked(text, .detail)) == text
    )
  }

  @Test func `find highlights matches, on a terminal only`() throws {
    let sandbox = try CLISandbox.withDemo()
    let found = try sandbox.run(words: ["find", "MÜLL"], screen: Screen(columns: 200)).output
    #expect(
      found.contains("Zoë \u{1b}[1;31mMüll\u{1b}[0mer")
        && found.contains("\u{1b}[1;31mMüll\u{1b}[0mer & Töchter"))
    #expect(try !sandbox.run("find", "MÜLL").output.contains("\u{1b}"))
    #expect(
      try !sandbox.run(words: ["find", "MÜLL", "--color", "never"], screen: Screen()).output.contains(
        "\u{1b}"))
  }
}
