import Foundation
import Testing

/// `customers arrange`, with scripts as editors.
@Suite struct ArrangeTests {
  /// The text of `withLetters`, and an editor that saves another one.
  private func editor(_ desk: Desk, _ lines: [String]) throws -> [String: String] {
    try desk.editor("cat > \"$1\" <<'END'\n\(lines.joined(separator: "\n"))\nEND")
  }

  @Test func `the text has a line a customer, and its rules`() throws {
    let desk = try Desk.withDemo()
    let environment = try desk.editor("cp \"$1\" seen; stat -c %a \"$1\" > mode")
    let result = try desk.expectUntouched { try desk.run("arrange", "-y", environment: environment) }
    #expect(result == .done(errors: "Nothing changed."))
    let seen = try String(contentsOfFile: desk.folder + "/seen", encoding: .utf8)
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
    #expect(try String(contentsOfFile: desk.folder + "/mode", encoding: .utf8) == "600\n")
    _ = try desk.run("arrange", "-y", "--section", "archive", environment: environment)
    let part = try String(contentsOfFile: desk.folder + "/seen", encoding: .utf8)
    #expect(part.hasSuffix("to change nothing.\n\n@10 Miss Havisham · Satis House\n") && !part.contains("=="))
    #expect(try desk.leftovers.isEmpty)
  }

  @Test func `rows are moved, also to other sections, and deleted, in one step`() throws {
    let desk = try Desk.withLetters()
    let environment = try editor(
      desk, ["== @1", "@4 D", "@6", "d @1", "@2", "@3", "== @2", "  @5 \t X", "# @1"])
    let done = "Deleted \"A\", row 1.\nMoved \"D\" 4 → 1.\nMoved \"Y\" 6 → 2."
    let tried = try desk.expectUntouched { try desk.run("arrange", "-n", environment: environment) }
    #expect(tried == .done("Not done: " + done.replacing("\n", with: "\nNot done: ")))
    #expect(try desk.run("arrange", "-y", environment: environment) == .done(done))
    #expect(try desk.order == "D Y B C | X")
    try desk.expectSound()
    #expect(try desk.run("undo").code == 0)
    #expect(try desk.order == "A B C D | X Y")
    #expect(try desk.leftovers.isEmpty)
  }

  @Test func `a program is told what was moved and deleted`() throws {
    let desk = try Desk.withLetters()
    let environment = try editor(desk, ["@6", "delete @5"])
    let wrong = try desk.run("arrange", "-y", "--section", "2", environment: environment)
    #expect(wrong.code == 2)
    let answer = try desk.run(
      "arrange", "-y", "--section", "2", "--json", environment: editor(desk, ["@6", "d @5"]))
    let object = try jsonObject(answer.withoutStep.output)
    #expect(object["op"] as? String == "arrange" && (object["moved"] as? [Any])?.isEmpty == true)
    #expect((object["deleted"] as? [[String: Any]])?.map { $0["name"] as? String } == ["X"])
    #expect(try desk.order == "A B C D | Y")
  }

  @Test func `lost, doubled and unknown lines are all told, and nothing is guessed`() throws {
    let desk = try Desk.withLetters()
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
      let result = try desk.expectUntouched {
        try desk.run("arrange", "-y", environment: editor(desk, lines))
      }
      #expect(result == .failed(2, message))
    }
    #expect(try desk.leftovers.isEmpty)
  }

  @Test(arguments: [": > \"$1\"", "rm \"$1\"", "sed -i '/^[^#]/d' \"$1\""])
  func `an empty file changes nothing`(script: String) throws {
    let desk = try Desk.withLetters()
    let result = try desk.expectUntouched { try desk.run("arrange", "-y", environment: desk.editor(script)) }
    #expect(result == .done(errors: "Nothing changed."))
  }

  @Test func `as few rows as can be are moved`() throws {
    let orders = permutations([1, 2, 3, 4])
    #expect(orders.count == 24)
    let desk = try Desk.withLetters()
    for order in orders {
      let lines = order.map { "@\($0)" }
      let result = try desk.run("arrange", "-y", "--section", "1", environment: editor(desk, lines))
      #expect(result.code == 0)
      let stay = (1..<16).map { set in order.filter { set & 1 << ($0 - 1) != 0 } }.filter {
        $0 == $0.sorted()
      }
      let moved = 4 - (stay.map(\.count).max() ?? 0)
      #expect(result.output.split(separator: "\n").count == moved, "\(order)")
      #expect(try desk.order == order.map { ["A", "B", "C", "D"][$0 - 1] }.joined(separator: " ") + " | X Y")
      if moved > 0 { #expect(try desk.run("undo", "-q") == .done()) }
    }
    try desk.expectSound()
  }

  private func permutations(_ rows: [Int]) -> [[Int]] {
    guard !rows.isEmpty else { return [[]] }
    return rows.flatMap { row in permutations(rows.filter { $0 != row }).map { [row] + $0 } }
  }

  /// An editor that shuffles lines within and between sections, and deletes some.
  private static let shuffling = """
    import random, re, sys
    random.seed(int(sys.argv[2]))
    heads, rows = [], []
    for line in open(sys.argv[1]):
      if line.startswith('=='): heads.append(line)
      elif line.startswith('@'): rows.append(line)
    for _ in range(random.randrange(6)):
      rows.insert(random.randrange(len(rows)), rows.pop(random.randrange(len(rows))))
    if random.random() < .3: random.shuffle(rows)
    cuts = sorted(random.randrange(len(rows) + 1) for _ in heads[1:])
    parts = [rows[a:b] for a, b in zip([0] + cuts, cuts + [len(rows)])]
    gone = set(random.sample(rows, random.randrange(4)))
    open(sys.argv[1], 'w').write(''.join(
      head + ''.join('d ' + row if row in gone else row for row in part) for head, part in zip(heads, parts)))
    number = lambda row: re.match('@([0-9]+)', row)[1]
    open('wanted', 'w').write('|'.join(
      ' '.join(number(row) for row in part if row not in gone) for part in parts) + chr(10))
    """

  @Test(arguments: 1...8) func `what was saved comes true, whatever it is`(seed: Int) throws {
    let desk = try Desk()
    let rows = "name\n" + (1...30).map { "C\($0)\n" }.joined()
    let made = try desk.shell(
      "customers section add -q B && customers section add -q C && printf '\(rows.replacing("\n", with: "\\n"))' | customers import -q -"
    )
    #expect(made == .done())
    try desk.write(ArrangeTests.shuffling, to: "shuffling.py")
    var environment = try desk.editor("")
    for round in 0..<3 {
      environment["EDITOR"] = "sh -c 'python3 shuffling.py \"$0\" \(seed * 10 + round)'"
      let result = try desk.run("arrange", "-y", "-q", environment: environment)
      #expect(result.code == 0 && result.output.isEmpty, "\(result)")
      let found = try desk.sqlite(
        """
        SELECT group_concat(rows, '|') FROM (SELECT coalesce((SELECT group_concat(id, ' ') FROM (
          SELECT id FROM customers WHERE section = sections.id ORDER BY "order")), '') AS rows
          FROM sections ORDER BY "order")
        """)
      #expect(
        try found == String(contentsOfFile: desk.folder + "/wanted", encoding: .utf8),
        "seed \(seed), \(round)")
    }
    try desk.expectSound()
    #expect(try desk.leftovers.isEmpty)
  }

  @Test func `a protected row slides, but is not passed by and not deleted`() throws {
    let desk = try Desk.withLetters()
    #expect(try desk.run("protect", "c", "--no-move", "--no-edit", "-q") == .done())
    #expect(
      try desk.run(
        "arrange", "-y", environment: editor(desk, ["== @1", "@4", "@3", "@1", "@2", "== @2", "@5", "@6"])
      )
      .lines == ["Moved \"D\" 4 → 1.", "Moved \"A\" 1 → 3.", "Moved \"B\" 2 → 4."])
    #expect(try desk.order == "D C A B | X Y")
    try desk.expectUntouched { () throws in
      let away = try editor(desk, ["== @1", "@4", "@1", "@2", "== @2", "@3", "@5", "@6"])
      #expect(
        try desk.run("arrange", "-y", environment: away)
          == .failed(4, "customers: customer @3 is protected against moving"))
      let gone = try editor(desk, ["== @1", "@4", "d @3", "@1", "@2", "== @2", "@5", "@6"])
      #expect(
        try desk.run("arrange", "-y", environment: gone)
          == .failed(4, "customers: customer @3 is protected against edit and delete"))
    }
  }
}

extension Outcome {
  fileprivate var lines: [String] { output.split(separator: "\n").map(String.init) }
}
