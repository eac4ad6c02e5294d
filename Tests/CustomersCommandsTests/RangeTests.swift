import CustomersTestSupport
import Testing

/// Ranges of rows, and moves that go as far as they can.
@Suite(.onThreads) struct RangeTests {
  @Test(arguments: [
    (["move", "2", "--before", "2"], "A B C D | X Y"), (["move", "2", "--after", "B"], "A B C D | X Y"),
    (["move", "1", "--up"], "A B C D | X Y"), (["move", "4", "--down"], "A B C D | X Y"),
    (["move", "3", "--up", "9"], "C A B D | X Y"), (["move", "1-2", "--down", "9"], "C D A B | X Y"),
    (["move", "more/1-2", "--section", "customers", "--first"], "X Y A B C D | "),
    (["move", "5-", "--section", "1", "--last"], "A B C D X Y | "),
    (["move", "#1", "--last"], "B C D A | X Y"),
    (["delete", "more/1-", "-y"], "A B C D | "), (["delete", "more/last,1", "-y"], "A B C D | "),
    (["section", "move", "More", "--to", "1"], "X Y | A B C D"),
  ])
  func `a move beyond the end stops at the end`(words: [String], order: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.run(words: words)
    #expect(result.code == 0, "\(result)")
    #expect(try sandbox.order == order)
  }

  @Test(arguments: [
    (["move", "2-4", "--before", "3"], "row 3 (\"C\") is one of the rows that move"),
    (["move", "1", "6", "--last"], "these rows are in several sections"),
    (["move", "1", "6", "--up"], "these rows are in several sections"),
    (["move", "2", "--section", "more", "--after", "5"], "after 5 and --section can't be combined"),
    (["remove", "1"], "unknown command \"remove\"\nhint: did you mean \"delete\"?"),
    (["search", "1"], "unknown command \"search\"\nhint: customers list TEXT"),
    (
      ["edit", "2", "--section", "2"],
      "unknown option \"--section\" of edit\nhint: to move a row to a section: "
    ),
    (
      ["edit", "1", "--is-favorite"],
      "unknown option \"--is-favorite\" of edit\nhint: did you mean \"--favorite\"?"
    ),
    (["add", "X", "-e", "a@b"], "unknown option \"-e\" of add\nhint: did you mean \"--email\"?"),
  ])
  func `the error is reported with a remedy`(words: [String], message: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
    #expect(result.code == 2 && result.errors.hasPrefix("customers: " + message), "\(result)")
  }
}
