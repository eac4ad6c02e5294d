import CustomersTestSupport
import Foundation
import Testing

/// `customers arrange`, with scripts as editors.
@Suite(.onThreads) struct ArrangeTests {
  @Test func `the text has one line per customer, and its rules`() throws {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.editor("cp \"$1\" seen; stat -c %a \"$1\" > mode")
    let result = try sandbox.expectUntouched { try sandbox.run("arrange", "-y", environment: environment) }
    #expect(result == .done(errors: "Nothing was changed."))
    let seen = try String(contentsOfFile: sandbox.folder + "/seen", encoding: .utf8)
    #expect(
      seen.hasPrefix(
        """
        # Reorder the lines. To delete a customer, put "d" in front of its line; simply
        # removing a line is an error. Text after the @id is ignored.
        # Lines may move between sections; leave the == lines where they are.
        # To cancel, quit without changes or save an empty file.

        == @1 Customers
        @1 Elizabeth Bennet · Longbourn Books · lizzy@longbourn.example
        @2 Sherlock Holmes · sherlock@bakerstreet.example
        """))
    #expect(seen.hasSuffix("\n== @3 Archive\n@10 Miss Havisham · Satis House\n"))
    #expect(try String(contentsOfFile: sandbox.folder + "/mode", encoding: .utf8) == "600\n")
    _ = try sandbox.run("arrange", "-y", "--section", "archive", environment: environment)
    let part = try String(contentsOfFile: sandbox.folder + "/seen", encoding: .utf8)
    #expect(part.hasSuffix("an empty file.\n\n@10 Miss Havisham · Satis House\n") && !part.contains("=="))
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test func `rows are moved, even to other sections, and deleted in one step`() throws {
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

  @Test func `JSON lists the moved and deleted rows`() throws {
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

  @Test func `missing, repeated, and unknown lines are all reported, and nothing is guessed`() throws {
    let sandbox = try CLISandbox.withLetters()
    let cases: [([String], String)] = [
      (
        [
          "@1", "== @1", "@1", "d @2", "@2", "@99", "== @1", "== @9", "bob", "@", "@+1", "@-1", "d",
          "d == @2", "pick @3",
        ],
        """
        customers: 18 errors in the edited text; nothing was changed
             line 1: @1 is in no section
             line 3: @1 is listed twice (also on line 1)
             line 5: @2 is listed twice (also on line 4)
             line 6: @99 is not in the list
             line 7: @1 is listed twice (also on line 2)
             line 8: there is no section @9
             line 9: a line must start with the @id of a row, or with d and the @id
             line 10: a line must start with the @id of a row, or with d and the @id
             line 11: a line must start with the @id of a row, or with d and the @id
             line 12: a line must start with the @id of a row, or with d and the @id
             line 13: a line must start with the @id of a row, or with d and the @id
             line 14: a line must start with the @id of a row, or with d and the @id
             line 15: a line must start with the @id of a row, or with d and the @id
             missing: == @2 More
             missing: @3 C
             missing: @4 D
             missing: @5 X
             missing: @6 Y
        """
      ),
      (
        ["== @2", "@5", "@6", "== @1", "@1", "@2", "@3", "@4"],
        """
        customers: 1 error in the edited text; nothing was changed
             the == lines must keep their order; to move a section: customers section move
        """
      ),
      (
        ["== @1", "@1", "@2", "@3", "== @2", "@5", "@6", "@99999999999999999999"],
        """
        customers: 2 errors in the edited text; nothing was changed
             line 8: @99999999999999999999 is not in the list
             missing: @4 D
        """
      ),
    ]
    for (lines, message) in cases {
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
    #expect(result == .done(errors: "Nothing was changed."))
  }

  @Test func `a protected row shifts, but is not moved or deleted`() throws {
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
            customers: "C" (row 2) is protected against moving
            hint: to allow moving: customers edit 2 --allow move
            """))
      let gone = try sandbox.editor(saving: ["== @1", "@4", "d @3", "@1", "@2", "== @2", "@5", "@6"])
      #expect(
        try sandbox.run("arrange", "-y", environment: gone)
          == .failed(
            4,
            """
            customers: "C" (row 2) is protected against editing and deleting
            hint: to allow editing: customers edit 2 --allow edit
            """))
    }
  }
}

extension ProcessResult {
  fileprivate var lines: [String] { output.split(separator: "\n").map(String.init) }
}
