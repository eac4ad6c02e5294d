import Testing

/// `customers check`, whole outputs.
@Suite struct CheckTests {
  @Test func `all is well`() throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.expectUntouched { () throws in
      let well = "All is well: 10 rows in 3 sections, numbered 1…n."
      #expect(try sandbox.run("check") == .done(well))
      #expect(try sandbox.run("check", "-q") == .done())
      let json = #"{"op":"check","ok":true,"count":10,"journal":"delete","violations":[]}"#
      #expect(try sandbox.run("check", "--json") == .done(json))
      #expect(try sandbox.run("check", "--repair", "-n") == .done(well))
    }
  }

  @Test func `a repair of what is whole changes no row`() throws {
    let sandbox = try CLISandbox.withDemo()
    let rows = try sandbox.run("list", "--json")
    let repair = try sandbox.run("check", "--repair")
    #expect(repair == .done("All is well: 10 rows in 3 sections, numbered 1…n."))
    #expect(try sandbox.run("list", "--json") == rows)
  }

  @Test func `a missing file is well, and stays missing`() throws {
    let sandbox = try CLISandbox()
    let well = ProcessResult.done("All is well: 0 rows in 1 section, numbered 1…n.")
    #expect(try sandbox.run("check") == well)
    #expect(try sandbox.run("check", "--repair") == well)
    #expect(try sandbox.names.isEmpty)
  }

  @Test func `a broken number is named, and repaired without losing the order`() throws {
    let sandbox = try CLISandbox.withLetters()
    // By force, behind the back of the triggers.
    _ = try sandbox.sqlite(#"UPDATE place SET "order" = 7 WHERE customer = 3"#)
    let findings = """
      section 1, order 4, customer 4: the place is not the row's rank in its block
      section 1, order 7, customer 3: the place is not the row's rank in its block

      """
    let advice = """
      customers: 2 things are not as promised
      hint: customers check --repair numbers anew and loses no customer
      """
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run("check") == ProcessResult(output: findings, errors: advice + "\n", code: 1))
      let json = try jsonObject(sandbox.run("check", "--json").output)
      #expect(json["ok"] as? Bool == false)
      #expect((json["violations"] as? [[String: Any]])?.first?["customer"] as? Int == 4)
      let rehearsal = "Not done: @4: 1/4 → 1/3\nNot done: @3: 1/7 → 1/4\n"
      #expect(
        try sandbox.run("check", "--repair", "-n")
          == ProcessResult(output: rehearsal + findings, errors: advice + "\n", code: 1))
    }
    let repaired = "@4: 1/4 → 1/3\n@3: 1/7 → 1/4\nAll is well: 6 rows in 2 sections, numbered 1…n."
    #expect(try sandbox.run("check", "--repair") == .done(repaired))
    #expect(try sandbox.order == "A B D C | X Y")
    try sandbox.expectSound()
  }

  @Test func `the rows that a repair put elsewhere are told in json too`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite(#"UPDATE place SET "order" = 7 WHERE customer = 3"#)
    let json = """
      {"op":"check","ok":true,"count":6,"journal":"delete","violations":[],"repaired":[\
      {"id":4,"from":{"section":1,"order":4},"to":{"section":1,"order":3}},\
      {"id":3,"from":{"section":1,"order":7},"to":{"section":1,"order":4}}]}
      """
    #expect(try sandbox.run("check", "--repair", "--json") == .done(json))
    try sandbox.expectSound()
  }

  @Test func `a write-ahead log that another program keeps is told`() throws {
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
          All is well: 10 rows in 3 sections, numbered 1…n.
          {"op":"check","ok":true,"count":10,"journal":"wal","violations":[]}
          All is well: 10 rows in 3 sections, numbered 1…n.
          """,
          errors: "note: another program keeps the file in write-ahead-log mode; copy its -wal file too"))
    #expect(try sandbox.names == ["customers.sqlite"])
  }
}
