import CustomersTestSupport
import Testing

/// Files that are not quite what they should be: what is asked, refused, and noted.
@Suite(.onThreads) struct ImportShapeTests {
  @Test func `a first line that looks like a customer is imported as one only after a yes`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("Ann Lee,ann@x.example,555-010-0100\nBob Ray,bob@x.example,\n", to: "list.csv")
    let told = "the first line looks like a customer, not like the names of columns"
    try sandbox.expectUntouched { () throws in
      #expect(
        try sandbox.run("import", "list.csv")
          == .failed(
            4,
            """
            customers: list.csv: \(told)
            hint: to import it as a customer, add --no-header; if it names the columns, use --map COLUMN=FIELD
            """))
      let no = try sandbox.run(words: ["import", "list.csv"], answers: ["n"])
      #expect(no.code == 5 && no.errors.contains("list.csv: \(told). Import it as a customer? [y/N] "))
      let rehearsal = try sandbox.run("import", "list.csv", "-n")
      #expect(rehearsal.output.contains("Would add \"Ann Lee\" and \"Bob Ray\".\n"))
    }
    #expect(try sandbox.run(words: ["import", "list.csv"], answers: ["y"]).code == 0)
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("import", "list.csv", "--no-header", "-q") == .done())
    #expect(
      try sandbox.sqlite("SELECT first_name, last_name, email, phone FROM customers WHERE id > 6")
        == "Ann|Lee|ann@x.example|555-010-0100\nBob|Ray|bob@x.example|\n")
  }

  @Test func `rows without their last values are imported only after a yes`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("name,email,note\nAnn\nBob,bob@x.example\nEve,,x\n", to: "list.csv")
    let told = "line 2: expected 3 fields, found 1: Ann"
    try sandbox.expectUntouched { () throws in
      let refused = try sandbox.run("import", "list.csv")
      #expect(refused.code == 1 && refused.errors.contains("     \(told)\n"))
      #expect(refused.errors.contains("if their last values are empty, add --yes"))
      let no = try sandbox.run(words: ["import", "list.csv"], answers: ["n"])
      #expect(no.code == 5 && no.errors.contains("Are the last values of such rows empty? [y/N] "))
    }
    #expect(try sandbox.run(words: ["import", "list.csv"], answers: ["y"]).code == 0)
    #expect(try sandbox.run("undo", "-q").code == 0)
    let yes = try sandbox.run("import", "list.csv", "--yes")
    #expect(
      yes
        == .done(
          "Imported 3 customers; the list has 9 rows.",
          errors: "note: 2 rows had too few values, the first in line 2; the last ones are empty"))
    // A row with too many values is refused as ever.
    #expect(try sandbox.run("import", "-", "--yes", stdin: "name,note\nAnn\nBob,1,2\n").code == 1)
  }

  @Test func `lines before the names of the columns are skipped and named`() throws {
    let result = try CLISandbox().run(
      "import", "-", stdin: "Notes:\n\"Exported on Monday.\"\n\nFirst Name,Last Name,Company\nAnn,Lee,Acme\n")
    #expect(
      result
        == .done(
          "Imported 1 customer; the list has 1 row.",
          errors: "note: skipped before the names of the columns: \"Notes:\", \"Exported on Monday.\""))
  }

  @Test func `the same people from another program are noticed`() throws {
    let sandbox = try CLISandbox()
    try #require(
      try sandbox.run(
        "import", "-", "-q", stdin: "name,email,phone\nAnn Lee,ann@x.example,+32 470 99 98 88\nBob,,\n")
        == .done())
    let card = "BEGIN:VCARD\nVERSION:3.0\nN:Lee;Ann\nEMAIL;TYPE=WORK:ANN@x.example\nEND:VCARD\n"
    try sandbox.write(card, to: "ann.vcf")
    try sandbox.expectUntouched { () throws in
      let refused = try sandbox.run("import", "ann.vcf")
      #expect(
        refused.code == 4
          && refused.errors.hasPrefix(
            "customers: ann.vcf: \"Ann Lee\" is already in the list\nNothing was imported.\nhint: ")
      )
      let no = try sandbox.run(words: ["import", "ann.vcf"], answers: ["n"])
      #expect(
        no.code == 5 && no.errors.contains("\"Ann Lee\" is already in the list. Add them again? [y/N] "))
      #expect(try sandbox.run("import", "ann.vcf", "-n").errors.contains("note: \"Ann Lee\" is already in"))
      #expect(try sandbox.run("import", "ann.vcf", "--on-duplicate", "skip", "-q") == .done())
    }
    let phone = try sandbox.run("import", "-", stdin: "name,phone\nAnn Lee,0032470999888\n")
    #expect(phone.code == 4 && phone.errors.contains("\"Ann Lee\" is already in the list"))
    // Another person with the same address, and the same name with another address.
    let others = "name,email\nZoe,ann@x.example\nAnn Lee,other@x.example\n"
    #expect(try sandbox.run("import", "-", "-q", stdin: others) == .done())
    #expect(try sandbox.run("import", "ann.vcf", "-q", "--on-duplicate", "add") == .done())
  }

  @Test func `a dry run says who would be added, changed, and skipped`() throws {
    let sandbox = try CLISandbox()
    let file = "name,email,phone\nAnn,a@x.example,1\nBob,b@x.example,2\n"
    try #require(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    let update = "name,email,phone\nAnn,a@x.example,10\nBob,b@x.example,2\nCid,c@x.example,3\n"
    let result = try sandbox.run("import", "-", "-n", "--on-duplicate", "update", stdin: update)
    #expect(
      result.output.hasSuffix(
        """
        Would add "Cid".
        Would change "Ann": phone "1" → "10".
        Would skip "Bob".
        Would import 1 customer, update 1, skip 1; the list would have 3 rows.

        """))
  }
}
