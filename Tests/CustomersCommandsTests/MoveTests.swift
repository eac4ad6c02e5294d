import CustomersTestSupport
import Testing

/// `customers move`, whole outputs.
@Suite(.onThreads) struct MoveTests {
  @Test(arguments: try Transcript.sessions("Move"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  /// The arguments of `move`, its output, and the first names afterward.
  struct Case: CustomTestStringConvertible, Sendable {
    var words: [String]
    var answer: String
    var order: String
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., says answer: String, order: String) {
      (self.words, self.answer, self.order) = (words, answer, order)
    }
  }

  /// The answer's lines, from `NAME OLD NEW` or `NAME PLACE` of each row.
  private static func lines(_ moves: String) -> [String] {
    moves.split(separator: ",").map { move in
      let parts = move.split(separator: " ")
      return parts.count == 2
        ? "\"\(parts[0])\" is already at \(parts[1])."
        : "Moved \"\(parts[0])\" \(parts[1]) → \(parts[2])."
    }
  }

  @Test(arguments: [
    Case("4", "2", says: "D 4 2", order: "A D B C | X Y"),
    Case("2", "4", says: "B 2 4", order: "A C D B | X Y"),
    Case("4", "--to", "2", says: "D 4 2", order: "A D B C | X Y"),
    Case("2", "2", says: "B 2", order: "A B C D | X Y"),
    Case("D", "1", says: "D 4 1", order: "D A B C | X Y"),
    Case("@1", "--to=4", says: "A 1 4", order: "B C D A | X Y"),
    Case("1", "3", "--to", "2", says: "A 1 2,C 3", order: "B A C D | X Y"),
    Case("3,1", "--to", "3", says: "A 1 3,C 3 4", order: "B D A C | X Y"),
    Case("1-2", "--last", says: "A 1 3,B 2 4", order: "C D A B | X Y"),
    Case("3", "4", "--first", says: "C 3 1,D 4 2", order: "C D A B | X Y"),
    Case("4", "--before", "2", says: "D 4 2", order: "A D B C | X Y"),
    Case("1", "--after", "C", says: "A 1 3", order: "B C A D | X Y"),
    Case("3", "--up", says: "C 3 2", order: "A C B D | X Y"),
    Case("3", "--up", "2", says: "C 3 1", order: "C A B D | X Y"),
    Case("--down", "2", "1", says: "A 1 3", order: "B C A D | X Y"),
    Case("1", "3", "--down", says: "A 1 2,C 3", order: "B A C D | X Y"),
    Case("last", "--up", says: "Y 6 5", order: "A B C D | Y X"),
    // Across the border of two sections.
    Case("1", "6", says: "A Customers/1 More/3", order: "B C D | X Y A"),
    Case("1", "5", says: "A Customers/1 More/2", order: "B C D | X A Y"),
    Case("1", "4", says: "A 1 4", order: "B C D A | X Y"),
    Case("5", "5", says: "X 5", order: "A B C D | X Y"),
    Case("6", "1", says: "Y More/2 Customers/1", order: "Y A B C D | X"),
    Case("5", "4", says: "X More/1 Customers/4", order: "A B C X D | Y"),
    Case("1", "--section", "more", says: "A Customers/1 More/3", order: "B C D | X Y A"),
    Case(
      "1-2", "--section", "more", "--first", says: "A Customers/1 More/1,B Customers/2 More/2",
      order: "C D | A B X Y"),
    Case("1", "--section", "more", "--to", "2", says: "A Customers/1 More/2", order: "B C D | X A Y"),
    Case("1", "5", "--after", "6", says: "A Customers/1 More/2,X 5 6", order: "B C D | Y A X"),
    Case(
      "1-4", "--section", "more",
      says: "A Customers/1 More/3,B Customers/2 More/4,C Customers/3 More/5,D Customers/4 More/6",
      order: " | X Y A B C D"),
    Case("more/1", "--before", "first", says: "X More/1 Customers/1", order: "X A B C D | Y"),
  ])
  func `every form, reported and done`(_ test: Case) throws {
    let sandbox = try CLISandbox.withLetters()
    let words = ["move"] + test.words
    let lines = MoveTests.lines(test.answer)
    let rehearsal = try sandbox.expectUntouched { try sandbox.run(words: words + ["--dry-run"]) }
    #expect(
      rehearsal == .done(lines.map { $0.replacing("Moved", with: "Would move") }.joined(separator: "\n")))
    #expect(try sandbox.run(words: words) == .done(lines.joined(separator: "\n")))
    #expect(try sandbox.order == test.order)
    try sandbox.expectSound()
  }
}
