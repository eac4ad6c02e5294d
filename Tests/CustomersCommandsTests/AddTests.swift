import CustomersTestSupport
import Testing

/// `customers add`, whole outputs.
@Suite(.onThreads) struct AddTests {
  @Test(arguments: try Transcript.sessions("Add"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  /// A way to name a place, the reported position, and the first names after the command.
  struct Case: CustomTestStringConvertible, Sendable {
    var place: [String]
    var position: Int
    var order: String
    var testDescription: String { place.joined(separator: " ") }

    init(_ place: String..., position: Int, order: String) {
      (self.place, self.position, self.order) = (place, position, order)
    }
  }

  @Test(arguments: [
    Case(position: 5, order: "A B C D Ann | X Y"),
    Case("--at", "1", position: 1, order: "Ann A B C D | X Y"),
    Case("--at=3", position: 3, order: "A B Ann C D | X Y"),
    // At a border: the row goes to where the row shown there is.
    Case("--at", "5", position: 5, order: "A B C D | Ann X Y"),
    Case("--at", "6", position: 6, order: "A B C D | X Ann Y"),
    Case("--at", "7", position: 7, order: "A B C D | X Y Ann"),
    Case("--first", position: 1, order: "Ann A B C D | X Y"),
    Case("--last", position: 5, order: "A B C D Ann | X Y"),
    Case("--before", "X", position: 5, order: "A B C D | Ann X Y"),
    Case("--before", "1", position: 1, order: "Ann A B C D | X Y"),
    Case("--after", "@2", position: 3, order: "A B Ann C D | X Y"),
    Case("--after", "last", position: 7, order: "A B C D | X Y Ann"),
    Case("--section", "more", position: 7, order: "A B C D | X Y Ann"),
    Case("--section", "more", "--first", position: 5, order: "A B C D | Ann X Y"),
    Case("--section", "more", "--last", position: 7, order: "A B C D | X Y Ann"),
    Case("--section", "@2", "--at", "2", position: 6, order: "A B C D | X Ann Y"),
    Case("--section", "1", "--at", "5", position: 5, order: "A B C D Ann | X Y"),
  ])
  func `every place, reported and used`(_ test: Case) throws {
    let sandbox = try CLISandbox.withLetters()
    let words = ["add", "Ann"] + test.place
    let rehearsal = try sandbox.expectUntouched { try sandbox.run(words: words + ["-n"]) }
    #expect(rehearsal == .done("Would add \"Ann\" as row \(test.position)."))
    #expect(try sandbox.run(words: words) == .done("Added \"Ann\" as row \(test.position)."))
    #expect(try sandbox.order == test.order)
    try sandbox.expectSound()
  }
}
