import Foundation
import Testing

/// `customers arrange`, with scripts as editors.
@Suite struct ArrangeTests {
  @Test func `the text has a line a customer, and its rules`() throws {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.editor("cp \"$1\" seen; stat -c %a \"$1\" > mode")
    let result = try sandbox.expectUntouched { try sandbox.run("arrange", "-y", environment: environment) }
    #expect(result == .done(errors: "Nothing changed."))
    let seen = try String(contentsOfFile: sandbox.folder + "/seen", encoding: .utf8)
    #expect(
      seen.hasPrefix(
        """
        # Put the lines in the order you want. To delete a customer put d before its @number; a line that is
        # merely gone is a mistake. What is behind the @number does not matter.
        # A line may go from one section to another; the lines with == stay.
        # Save without a change, or an empty file, to change nothing.

        == @1 Customers
        @1 Elizabeth Bennet · Longbourn Books · lizzy@longbourn.example
        @2 Sherlock Holmes · sherlock@bakerstreet.example
        """))
    #expect(seen.hasSuffix("\n== @3 Archive\n@10 Miss Havisham · Satis House\n"))
    #expect(try String(contentsOfFile: sandbox.folder + "/mode", encoding: .utf8) == "600\n")
    _ = try sandbox.run("arrange", "-y", "--section", "archive", environment: environment)
    let part = try String(contentsOfFile: sandbox.folder + "/seen", encoding: .utf8)
    #expect(part.hasSuffix("to change nothing.\n\n@10 Miss Havisham · Satis House\n") && !part.contains("=="))
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test func `rows are moved, also to other sections, and deleted, in one step`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.editor(
      saving: ["== @1", "@4 D", "@6", "d @1", "@2", "@3", "== @2", "  @5 \t X", "# @1"])
    let done = "Deleted \"A\", row 1.\nMoved \"D\" 4 → 1.\nMoved \"Y\" More/2 → Customers/2."
    let tried = try sandbox.expectUntouched { try sandbox.run("arrange", "-n", environment: environment) }
    #expect(
      tried == .done(done.replacing("Deleted", with: "Would delete").replacing("Moved", with: "Would move")))
    #expect(try sandbox.run("arrange", "-y", environment: environment) == .done(done))
    #expect(try sandbox.order == "D Y B C | X")
    try sandbox.expectSound()
    #expect(try sandbox.run("undo").code == 0)
    #expect(try sandbox.order == "A B C D | X Y")
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test func `a program is told what was moved and deleted`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.editor(saving: ["@6", "delete @5"])
    let wrong = try sandbox.run("arrange", "-y", "--section", "2", environment: environment)
    #expect(wrong.code == 2)
    let answer = try sandbox.run(
      "arrange", "-y", "--section", "2", "--json", environment: sandbox.editor(saving: ["@6", "d @5"]))
    let object = try jsonObject(answer.withoutStep.output)
    #expect(object["op"] as? String == "arrange" && (object["changes"] as? [Any])?.count == 1)
    let changes = try #require(object["changes"] as? [[String: Any]])
    #expect(changes.map { [$0["op"], $0["name"]] as? [String] } == [["delete", "X"]])
    #expect(try sandbox.order == "A B C D | Y")
  }

  @Test func `lost, doubled and unknown lines are all told, and nothing is guessed`() throws {
    let sandbox = try CLISandbox.withLetters()
    let cases: [([String], String)] = [
      (
        [
          "@1", "== @1", "@1", "d @2", "@2", "@99", "== @1", "== @9", "bob", "@", "@+1", "@-1", "d",
          "d == @2", "pick @3",
        ],
        """
        customers: the text has 15 mistakes
             line 1: @1 is in no section
             line 3: @1 is there already, in line 1
             line 5: @2 is there already, in line 4
             line 6: there was no row @99
             line 7: @1 is there already, in line 2
             line 8: there is no section @9
             line 9: a line begins with the @number of a row, or with d and that
             line 10: a line begins with the @number of a row, or with d and that
             line 11: a line begins with the @number of a row, or with d and that
             line 12: a line begins with the @number of a row, or with d and that
             line 13: a line begins with the @number of a row, or with d and that
             line 14: a line begins with the @number of a row, or with d and that
             line 15: a line begins with the @number of a row, or with d and that
             lost: == @2 More
             lost: @3 C
             lost: @4 D
             lost: @5 X
             lost: @6 Y
        hint: nothing was changed
        """
      ),
      (
        ["== @2", "@5", "@6", "== @1", "@1", "@2", "@3", "@4"],
        """
        customers: the text has a mistake
             the lines with == stay in their order; customers section move moves sections
        hint: nothing was changed
        """
      ),
      (
        ["== @1", "@1", "@2", "@3", "== @2", "@5", "@6", "@99999999999999999999"],
        """
        customers: the text has 2 mistakes
             line 8: there was no row @99999999999999999999
             lost: @4 D
        hint: nothing was changed
        """
      ),
    ]
    for (lines, message) in cases {
      let message = message.replacing("15 mistakes", with: "18 mistakes")
      let result = try sandbox.expectUntouched {
        try sandbox.run("arrange", "-y", environment: sandbox.editor(saving: lines))
      }
      #expect(result == .failed(2, message))
    }
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test(arguments: [": > \"$1\"", "rm \"$1\"", "sed -i '/^[^#]/d' \"$1\""])
  func `an empty file changes nothing`(script: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.expectUntouched {
      try sandbox.run("arrange", "-y", environment: sandbox.editor(script))
    }
    #expect(result == .done(errors: "Nothing changed."))
  }

  @Test func `a protected row slides, but is not passed by and not deleted`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("protect", "c", "--no-move", "--no-edit", "-q") == .done())
    #expect(
      try sandbox.run(
        "arrange", "-y",
        environment: sandbox.editor(saving: ["== @1", "@4", "@3", "@1", "@2", "== @2", "@5", "@6"])
      )
      .lines == ["Moved \"D\" 4 → 1.", "Moved \"A\" 1 → 3.", "Moved \"B\" 2 → 4."])
    #expect(try sandbox.order == "D C A B | X Y")
    try sandbox.expectUntouched { () throws in
      let away = try sandbox.editor(saving: ["== @1", "@4", "@1", "@2", "== @2", "@3", "@5", "@6"])
      #expect(
        try sandbox.run("arrange", "-y", environment: away)
          == .failed(
            4,
            """
            customers: customer @3 is protected against moving
            hint: customers protect @3 --allow-move allows it
            """))
      let gone = try sandbox.editor(saving: ["== @1", "@4", "d @3", "@1", "@2", "== @2", "@5", "@6"])
      #expect(
        try sandbox.run("arrange", "-y", environment: gone)
          == .failed(
            4,
            """
            customers: customer @3 is protected against editing and deleting
            hint: customers protect @3 --allow-edit allows it
            """))
    }
  }
}

extension ProcessResult {
  fileprivate var lines: [String] { output.split(separator: "\n").map(String.init) }
}
