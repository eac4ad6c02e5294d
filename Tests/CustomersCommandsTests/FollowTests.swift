import Foundation
import CustomersTestSupport
import Testing

/// A follower of `watch --json` while four processes write.
@Suite(.serialized, .onThreads) struct FollowTests {
  /// Statements of another client that are never refused, whoever writes beside them: what they pick,
  /// they pick inside.
  ///
  /// `:n` is a number by chance. Not `random()`: SQLite asks twice which rows of a view are meant.
  private static let statements = [
    """
    INSERT INTO customers (section, "order", first_name)
    SELECT id, 1 + :n % (count + 1), 'New' FROM sections ORDER BY id * :n % 10007 LIMIT 1;
    """,
    "DELETE FROM customers WHERE id = (SELECT id FROM customers ORDER BY id * :n % 10007 LIMIT 1);",
    """
    UPDATE customers SET "order" = 1 + :n % (SELECT count FROM sections WHERE id = section)
    WHERE id = (SELECT id FROM customers ORDER BY id * :n % 10007 LIMIT 1);
    """,
    """
    UPDATE customers SET (section, "order") =
      (SELECT id, 1 + :n % max(count, 1) FROM sections ORDER BY id * :n % 10007 LIMIT 1)
    WHERE id = (SELECT id FROM customers ORDER BY id * :n % 10007 LIMIT 1);
    """,
    """
    UPDATE customers SET note = note || :n
    WHERE id = (SELECT id FROM customers ORDER BY id * :n % 10007 LIMIT 1);
    """,
    """
    INSERT INTO sections (title, "order")
    SELECT 'new ' || seq, 1 + :n % (count + 1) FROM sqlite_sequence JOIN (SELECT count(*) AS count FROM sections)
    WHERE name = 'section_record' AND count < 6;
    """,
    """
    UPDATE sections SET title = id || '-' || :n, "order" = 1 + :n % (SELECT count(*) FROM sections)
    WHERE id = (SELECT id FROM sections ORDER BY id * :n % 10007 LIMIT 1);
    """,
    "DELETE FROM sections WHERE count = 0 AND id <> 1;",
  ]

  /// Commands of our own program, each also right whoever writes beside them.
  private static let commands = """
    customers add Ann --first -q
    customers undo -qy
    customers sort --by note -qy
    printf 'name\\nI\\nJ\\nK\\n' | customers import - -q -y
    customers undo -qy
    """

  @Test func `a follower gets each change of four writers once, and its copy equals the list`() throws {
    let sandbox = try CLISandbox()
    let names = "name\n" + (1...200).map { "Row\($0)\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: names) == .done())
    // So that the history keeps the time of each.
    _ = try sandbox.sqlite("UPDATE history_limit SET steps = 100000")
    let first = try lastEdit(sandbox)
    var follower = try Follower(sandbox)
    // About one in ten finds nothing to do.
    let edits = isLong ? 11_600 : 60
    let writers = try startWriters(sandbox, edits: edits / 4)
    try follower.follow(toInsertOf: "The last one")
    let outcome = try writers.started.outcome(code: Spawn.wait(writers.process))
    #expect(outcome == .done())
    try follower.end()

    let changes = follower.arrivals.count
    #expect(changes == (try lastEdit(sandbox)) - first)
    #expect(changes >= edits / 2, "too few for a test: \(changes)")
    let list = try jsonArray(sandbox.run("list", "--json").output)
    #expect(
      try follower.copy == ListCopy(jsonArray(sandbox.run("section", "list", "--json").output), list))
    try sandbox.expectSound()
    try printDelays(sandbox, follower.arrivals, after: first)
  }

  /// Starts four processes that make `edits` edits each, and then a last customer.
  private func startWriters(_ sandbox: CLISandbox, edits: Int) throws -> (started: Started, process: pid_t) {
    for writer in 1...3 {
      let script = (0..<edits).map { number in
        Self.statements[(number * 7 + writer) % Self.statements.count]
          .replacing(":n", with: "\(Int.random(in: 1...10006))")
      }
      try sandbox.write(script.joined(separator: "\n"), to: "\(writer).sql")
    }
    let script = """
      customers() { "$CUSTOMERS" "$@"; }
      for writer in 1 2 3; do
        sqlite3 -batch -bail -cmd '.timeout 60000' "$CUSTOMERS_DB" < $writer.sql &
      done
      for round in $(seq \(edits / 4)); do
      \(Self.commands)
      done &
      wait
      customers add 'The last one' -q
      """
    let started = try sandbox.start(["/bin/sh", "-c", script])
    return (started, try started.spawn.start())
  }

  private func lastEdit(_ sandbox: CLISandbox) throws -> Int {
    let text = try sandbox.sqlite("SELECT max(id) FROM history_edit").trimmingCharacters(in: .newlines)
    return try #require(Int(text))
  }

  /// Says how long the changes took to arrive.
  ///
  /// They are counted from the time in the history, which is taken inside the transaction: the commit
  /// itself, with its waiting for the disk, is part of the delay.
  private func printDelays(_ sandbox: CLISandbox, _ arrivals: [Date], after first: Int) throws {
    let times = try sandbox.sqlite(
      """
      SELECT (julianday(step.at) - 2440587.5) * 86400 FROM history_edit AS edit
      JOIN history_step AS step ON step.id = edit.step
      WHERE edit.id > \(first) ORDER BY edit.id
      """
    ).split(separator: "\n").compactMap { Double($0) }
    let delays = zip(arrivals, times).map { $0.timeIntervalSince1970 - $1 }.sorted()
    let median = try Int(#require(delays.dropFirst(delays.count / 2).first) * 1000)
    let longest = try Int(#require(delays.last) * 1000)
    print("\(delays.count) changes of 4 writers: told after \(median) ms (median), \(longest) ms (longest)")
  }
}
