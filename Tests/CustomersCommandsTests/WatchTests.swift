import Foundation
import CustomersTestSupport
import Testing

/// `customers watch`, whole outputs.
@Suite(.onThreads) struct WatchTests {
  /// Runs `watch`, and `edits` when it has shown the list.
  private func watch(
    _ sandbox: CLISandbox, _ words: String, _ edits: String, environment: [String: String] = [:]
  ) throws -> ProcessResult {
    try sandbox.shell(
      """
      timeout 60 "$CUSTOMERS" watch \(words) > ../out &
      until [ -s ../out ]; do sleep 0.02; done
      \(edits)
      wait $! || echo "ended with $?"
      cat ../out; rm ../out
      """, environment: environment)
  }

  @Test func `watch starts with the list and shows the edits of every program`() throws {
    let sandbox = try CLISandbox.withLetters()
    let seen = try watch(
      sandbox, "--limit 11",
      """
      customers move 4 1 -q
      customers undo -q
      sqlite3 "$CUSTOMERS_DB" 'UPDATE customers SET note = 1 WHERE id IN (1, 2)'
      customers delete 5 -y -q
      printf 'name\\nI\\nJ\\n' | customers import - -q --at 1
      customers undo -q
      customers section rename More Less -q
      customers section move Less 1 -q
      customers section add New -q
      sqlite3 "$CUSTOMERS_DB" 'DELETE FROM sections WHERE count = 0'
      customers add Z -q
      """)
    #expect(
      seen
        == .done(
          """
          Row  Id  Name
          Customers
            1  @1  A
            2  @2  B
            3  @3  C
            4  @4  D
          More
            5  @5  X
            6  @6  Y
          Moved "D" 4 → 1.
          Moved "D" 1 → 4.
          Edited "A", row 1: note.
          Edited "B", row 2: note.
          Deleted "X", row 5.
          Added "I" as row 1.
          Added "J" as row 2.
          Deleted "I", row 1.
          Deleted "J", row 2.
          Renamed section "More" → "Less".
          Moved section "Less" 2 → 1.
          Added section "New" as number 3.
          Deleted section "New".
          Added "Z" as row 2.
          """))
  }

  @Test(arguments: ["mv", "cp"])
  func `a file that takes the place of the list is printed, and followed`(_ command: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let seen = try watch(
      sandbox, "--limit 2",
      """
      cp "$CUSTOMERS_DB" ../other
      # Its edits have the numbers of those that the watch knows, and go on.
      customers --db ../other add O --first -q
      customers --db ../other add P --first -q
      customers delete 1 -y -q
      until grep -q Deleted ../out; do sleep 0.02; done
      \(command) ../other "$CUSTOMERS_DB"
      until grep -q P ../out; do sleep 0.02; done
      customers delete 1 -y -q
      """)
    #expect(
      seen
        == .done(
          """
          Row  Id  Name
          Customers
            1  @1  A
            2  @2  B
            3  @3  C
            4  @4  D
          More
            5  @5  X
            6  @6  Y
          Deleted "A", row 1.
          Row  Id  Name
          Customers
            1  @8  P
            2  @7  O
            3  @1  A
            4  @2  B
            5  @3  C
            6  @4  D
          More
            7  @5  X
            8  @6  Y
          Deleted "P", row 1.
          """,
          errors: "note: the list was restored or replaced, or its history erased; this is the list now"))
  }

  @Test func `a deletion that is undone is called a restoration`() throws {
    let sandbox = try CLISandbox.withLetters()
    let seen = try watch(
      sandbox, "--limit 4",
      """
      customers section delete More --with-customers -y -q
      customers undo -q
      customers delete 2 -y -q
      customers undo -q
      """)
    let shown = try #require(seen.output.split(separator: "Y\n").last)
    #expect(
      shown == """
        Deleted section "More" with 2 rows.
        Restored section "More" with 2 rows as number 2.
        Deleted "B", row 2.
        Restored "B" as row 2.

        """)
  }

  @Test func `a file that stays missing is missed and waited for`() throws {
    let sandbox = try CLISandbox.withLetters()
    let seen = try watch(
      sandbox, "--limit 1 2> ../errors",
      """
      mv "$CUSTOMERS_DB" ../away
      for _ in $(seq 300); do [ -s ../errors ] || sleep 0.1; done
      mv ../away "$CUSTOMERS_DB"
      customers delete 1 -y -q
      """)
    #expect(seen.output.hasSuffix("Deleted \"A\", row 1.\n") && seen.code == 0, "\(seen)")
    let note = "note: \(sandbox.file) is no longer there; waiting for a file of this name"
    #expect(try sandbox.shell("cat ../errors") == .done(note))
  }

  @Test func `in json a line is an object, the first one the list, then the steps`() throws {
    let sandbox = try CLISandbox.withLetters()
    let list = try sandbox.run("list", "--json").output.replacing("\n", with: "")
    let sections = try sandbox.run("section", "list", "--json").output.trimmingCharacters(in: .newlines)
    let seen = try watch(
      sandbox, "--limit 3 --json",
      """
      sqlite3 "$CUSTOMERS_DB" 'UPDATE customers SET "order" = 1 WHERE id = 4'
      customers delete 1 -y -q
      customers undo -q
      """)
    let lines = seen.output.split(separator: "\n").map(String.init)
    #expect(lines.first == #"{"op":"list","sections":\#(sections),"customers":\#(list)}"#)
    // As the history has them.
    let history = try jsonArray(sandbox.run("history", "--limit", "3", "--json").output)
    let steps = try lines.dropFirst().map(jsonObject)
    #expect(steps.count == 3 && seen.code == 0)
    for (step, known) in zip(steps, history.reversed()) {
      #expect(step["step"] as? Int == known["step"] as? Int)
      #expect(step["changes"] as? NSArray == known["changes"] as? NSArray)
    }
  }

  @Test func `watch ends when its reader exits, even if nothing happens`() throws {
    let sandbox = try CLISandbox.withLetters()
    let ended = try sandbox.shell(
      #"{ timeout 60 "$CUSTOMERS" watch; echo $? > ../code; } | head -1; cat ../code; rm ../code"#)
    #expect(ended == .done("Row  Id  Name\n141"))
  }

  @Test func `a missing file in the usual place is waited for and followed, a named one is an error`() throws
  {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("watch") == .failed(3, "customers: can't open \"\(sandbox.file)\": no such file"))
    // No file exists, as `ls` shows, until something is added.
    let seen = try watch(
      sandbox, "--limit 1 --json", "ls -A; customers add A -q", environment: CLISandbox.usualPlace)
    #expect(seen.code == 0)
    let lines = try seen.output.split(separator: "\n").map { try jsonObject(String($0)) }
    #expect(lines.map { $0["op"] as? String ?? $0["action"] as? String } == ["list", "add"])
    #expect((lines.first?["customers"] as? [Any])?.count == 0)
    #expect(try sandbox.names == [".local"])
  }

  @Test func `a limit of zero steps shows only the list`() throws {
    let sandbox = try CLISandbox.withLetters()
    let list = try sandbox.run("list")
    #expect(try sandbox.expectUntouched { try sandbox.run("watch", "--limit", "0") } == list)
  }

  @Test func `Ctrl-C ends the watch and leaves nothing running`() throws {
    let sandbox = try CLISandbox.withLetters()
    let started = try sandbox.start([CLISandbox.program, "watch"])
    let process = try started.spawn.start()
    try waitUntil("watch prints the list") { try !started.outcome(code: 0).output.isEmpty }
    kill(process, SIGINT)
    let outcome = try started.outcome(code: Spawn.wait(process))
    #expect(outcome.code == 130)
    #expect(outcome.errors == "")
    #expect(try outcome.output == sandbox.run("list").output)
    #expect(try sandbox.names == ["customers.sqlite"])
    try sandbox.expectSound()
  }
}
