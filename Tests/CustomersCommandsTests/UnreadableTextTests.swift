@testable import CustomersCommands
import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// Strings that another client has put in, and that can't be read as they are.
@Suite(.onThreads) struct UnreadableTextTests {
  /// Texts that are longer than 16 million bytes, or not valid.
  private static let texts = [
    (CustomerField.note, "CAST(zeroblob(17000000) AS TEXT)"), (.note, "CAST(x'61ff62' AS TEXT)"),
    (.note, "printf('%.17000000c', 'y')"), (.otherContacts, "CAST(x'61ff620a00' AS TEXT)"),
    (.tags, "printf('%.17000000c', 'y')"),
  ]

  @Test(arguments: sampled(texts, oneIn: 15))
  func `the row is listed, moved, edited, deleted, and all of it undone`(
    field: CustomerField, text: String
  ) throws {
    let sandbox = try CLISandbox.withLetters()
    let column = field.column
    _ = try sandbox.sqlite("UPDATE customers SET \(column) = \(text) WHERE id = 2")
    let stored =
      "SELECT hex(substr(CAST(\(column) AS BLOB), 1, 9)), length(CAST(\(column) AS BLOB)), first_name, \"order\" FROM customers WHERE id = 2"
    let before = try sandbox.sqlite(stored)
    let list = try sandbox.run("list")
    #expect(list.code == 0 && list.output.contains("@2   B") || list.output.contains("@2  B"), "\(list.code)")
    #expect(list.output.utf8.count < 10_000)
    for words in [
      ["show", "2"], ["list", "--json"], ["find", "B"], ["history"], ["list", "--format", "csv"],
    ] {
      let result = try sandbox.run(words: words)
      #expect(result.code == 0, "\(words): \(result.errors)")
    }
    for words in [
      ["move", "2", "4"], ["edit", "B", "--phone", "1"], ["protect", "B", "--no-move"],
      ["delete", "B", "-y"],
    ] {
      let result = try sandbox.run(words: words)
      #expect(result.code == 0, "\(words): \(result.errors)")
      #expect(try sandbox.run("undo").code == 0, "\(words)")
      #expect(try sandbox.sqlite(stored) == before, "\(words)")
    }
    let check = try sandbox.run("check")
    let finding =
      "section 1, order 2, customer 2: the \(field.nameInSentence) is not valid UTF-8 or is too long\n"
    #expect(check.output == finding)
    // A repair does not know the text either.
    for words in [["check"], ["check", "--repair", "-y"]] {
      #expect(try sandbox.run(words: words).errors.contains("again: customers edit @2\n"), "\(words)")
    }
    #expect(try sandbox.run("edit", "B", field.option, "new").code == 0)
    try sandbox.expectSound()
  }
}
