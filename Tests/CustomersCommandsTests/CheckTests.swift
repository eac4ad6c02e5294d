import Foundation
import CustomersTestSupport
import Testing

/// `customers check`, whole outputs.
@Suite(.onThreads) struct CheckTests {
  @Test(arguments: try Transcript.sessions("Check"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a repair of an intact file changes no row`() throws {
    let sandbox = try CLISandbox.withDemo()
    let rows = try sandbox.run("list", "--json")
    let repair = try sandbox.run("check", "--repair")
    #expect(repair == .done("OK: 10 rows in 3 sections, numbered 1…n."))
    #expect(try sandbox.run("list", "--json") == rows)
  }

  @Test(arguments: [[], ["--repair"], ["--repair", "-n"], ["--json"]])
  func `a missing or empty file is not a list, and is left unchanged`(words: [String]) throws {
    let sandbox = try CLISandbox()
    let missing = try sandbox.run(words: ["check"] + words)
    #expect(missing.code == 3 && missing.errors.contains("no such file"), "\(missing)")
    #expect(try sandbox.names.isEmpty)
    try sandbox.write("", to: "customers.sqlite")
    var empty = missing
    empty.errors.replace("no such file", with: "the file is empty")
    #expect(try sandbox.run(words: ["check"] + words) == empty)
    #expect(sandbox.bytes?.isEmpty == true)
  }

  @Test func `a damaged number is reported, and repaired without losing the order`() throws {
    let sandbox = try CLISandbox.withLetters()
    // By force, past the triggers.
    _ = try sandbox.sqlite("UPDATE place SET slot = slot + 4 WHERE customer = 3")
    let findings = """
      section 1, order 4, customer 4: the place is not the row's rank in its block
      section 1, order 7, customer 3: the place is not the row's rank in its block

      """
    let advice = """
      customers: found 2 problems
      hint: to keep the file and repair the list: customers check --repair
      """
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run("check") == ProcessResult(output: findings, errors: advice + "\n", code: 1))
      let json = try jsonObject(sandbox.run("check", "--json").output)
      #expect(json["ok"] as? Bool == false)
      #expect((json["violations"] as? [[String: Any]])?.first?["customer"] as? Int == 4)
      let rehearsal =
        "Would move \"D\" Customers/4 → Customers/3.\nWould move \"C\" Customers/7 → Customers/4.\n"
      #expect(
        try sandbox.run("check", "--repair", "-n")
          == ProcessResult(output: rehearsal + findings, errors: advice + "\n", code: 1))
    }
    let repaired =
      "Moved \"D\" Customers/4 → Customers/3.\nMoved \"C\" Customers/7 → Customers/4.\nOK: 6 rows in 2 sections, numbered 1…n."
    let before = sandbox.bytes
    let note = "note: copied the damaged file to \"\(sandbox.file).before-repair\""
    #expect(try sandbox.run("check", "--repair") == .done(repaired, errors: note))
    #expect(try sandbox.order == "A B D C | X Y")
    try sandbox.expectSound()
    // Nothing was undone.
    let history = try sandbox.run("history", "--limit", "1").output
    #expect(history.contains("customers repair  Repaired the numbering.\n"), "\(history)")
    #expect(FileManager.default.contents(atPath: "\(sandbox.file).before-repair") == before)
    // The next one has a name of its own.
    _ = try sandbox.sqlite("UPDATE place SET slot = slot + 6 WHERE customer = 3")
    #expect(try sandbox.run("check", "--repair", "-q").code == 0)
    #expect(try sandbox.names.contains("customers.sqlite.before-repair-2"))
  }

  @Test func `a write-ahead log that another program keeps is reported`() throws {
    let sandbox = try CLISandbox.withDemo()
    let seen = try sandbox.shell(
      """
      mkfifo ../words
      sqlite3 -batch "$CUSTOMERS_DB" < ../words > ../out &
      exec 3> ../words
      echo 'PRAGMA journal_mode = WAL; SELECT count(*) FROM customers;' >&3
      until [ -e "$CUSTOMERS_DB-wal" ]; do sleep 0.02; done
      customers check && customers check -q && customers check --json
      exec 3>&-
      wait
      customers check
      """)
    #expect(
      seen
        == .done(
          """
          OK: 10 rows in 3 sections, numbered 1…n.
          {"op":"check","ok":true,"count":10,"journal":"wal","violations":[],\
          "misfits":[],"notes":["another program keeps the file in write-ahead-log mode; copy its -wal file too"]}
          OK: 10 rows in 3 sections, numbered 1…n.
          """,
          errors: "note: another program keeps the file in write-ahead-log mode; copy its -wal file too"))
    #expect(try sandbox.names == ["customers.sqlite"])
  }

  @Test func `an intact list is read once, even with --repair`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox()
    // Longer than what SQLite keeps in memory.
    let rows = (1...3000).map { "Ann \($0),\(String(repeating: "x", count: 1000))\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: "name,note\n" + rows) == .done())
    let reads = try ["", "--repair"].map { option in
      let traced = try sandbox.shell(
        "strace -f -o ../trace -e trace=pread64 \"$CUSTOMERS\" check \(option) -q; grep -c pread64 ../trace")
      return try #require(Int(traced.output.trimmingCharacters(in: .newlines)))
    }
    #expect(reads[0] > 500 && reads[1] < reads[0] * 5 / 4, "\(reads)")
  }
}
