import CustomersTestSupport
import Testing

/// `import --on-duplicate`: customers that the list has already.
@Suite(.onThreads) struct ImportDuplicatesTests {
  private static let file = """
    first_name,email,phone,Zip
    Anna, ANN@x.example ,1,99
    Bob,bob@x.example,2,
    Bobby,BOB@x.example,3,7
    Nobody,,4,
    Nobody,,4,

    """

  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    try #require(
      try sandbox.run(
        "import", "-", "-q", stdin: "name,email,note,Zip,Floor\nAnn Lee,ann@x.example,old,1,5\nEve,,,,\n")
        == .done())
    return sandbox
  }

  private func rows(_ sandbox: CLISandbox) throws -> String {
    try sandbox.sqlite(
      #"SELECT first_name, last_name, email, phone, note, extra FROM customers ORDER BY "order""#)
  }

  @Test func `with add, known customers are added again`() throws {
    for words in [[], ["--on-duplicate", "add"]] {
      let result = try self.sandbox().run(words: ["import", "-"] + words, stdin: ImportDuplicatesTests.file)
      #expect(result.output == "Imported 5 customers; the list has 7 rows.\n")
    }
  }

  @Test func `skip ignores customers that the list or the file already had`() throws {
    let sandbox = try self.sandbox()
    let result = try sandbox.run("import", "-", "--on-duplicate", "skip", stdin: ImportDuplicatesTests.file)
    #expect(result.output == "Imported 3 customers, skipped 2; the list has 5 rows.\n")
    #expect(
      try rows(sandbox) == """
        Ann|Lee|ann@x.example||old|{"Zip":"1","Floor":"5"}
        Eve|||||{}
        Bob||bob@x.example|2||{}
        Nobody|||4||{}
        Nobody|||4||{}

        """)
    try sandbox.expectSound()
  }

  @Test func `spaces around a value and the case of its letters do not count`() throws {
    let sandbox = try self.sandbox()
    _ = try sandbox.sqlite("UPDATE customers SET company = '  Lee & Sons ' WHERE id = 1")
    let result = try sandbox.run(
      "import", "-", "--on-duplicate", "skip", "--key", "company", stdin: "name,company\nAnna,lee & sons\n")
    #expect(result.output == "Imported 0 customers, skipped 1; the list has 2 rows.\n", "\(result)")
  }

  @Test func `update writes only the columns in the file`() throws {
    let sandbox = try self.sandbox()
    let words = ["import", "-", "--on-duplicate", "update"]
    let result = try sandbox.run(words: words, stdin: ImportDuplicatesTests.file)
    #expect(result.output == "Imported 3 customers, updated 2; the list has 5 rows.\n")
    let expected = """
      Anna|Lee|ANN@x.example|1|old|{"Zip":"99","Floor":"5"}
      Eve|||||{}
      Bobby||BOB@x.example|3||{"Zip":"7"}
      Nobody|||4||{}
      Nobody|||4||{}

      """
    #expect(try rows(sandbox) == expected)
    // Values that already match the file are not changes.
    let again = try sandbox.run(
      words: words,
      stdin: "email,phone\nann@x.example,1\n".replacing("ann@x.example", with: " ANN@x.example "))
    #expect(again == .done("Imported 0 customers, skipped 1; the list has 5 rows."))
    #expect(try sandbox.run("undo").code == 0)
    #expect(try rows(sandbox).hasPrefix("Ann|Lee|ann@x.example||old|"))
  }

  @Test func `a protected or ambiguous customer prevents the import`() throws {
    let sandbox = try self.sandbox()
    _ = try sandbox.sqlite("UPDATE customers SET can_edit = 0 WHERE id = 1")
    let words = ["import", "-", "--on-duplicate", "update"]
    try sandbox.expectUntouched { () throws in
      #expect(
        try sandbox.run(words: words, stdin: "name,email\nNew,new@x.example\nZoe,ann@x.example\n")
          == .failed(
            4,
            "customers: standard input:3: \"Ann Lee\" (@1) is protected\n"
              + "Nothing was imported.\n"
              + "hint: to allow editing: customers protect @1 --allow-edit")
      )
    }
    _ = try sandbox.sqlite("UPDATE customers SET email = 'ann@x.example' WHERE id = 2")
    try sandbox.expectUntouched { () throws in
      let result = try sandbox.run(words: words, stdin: "name,email\nZoe,ann@x.example\n")
      let told = "standard input:2: several customers in the list have the email \"ann@x.example\""
      #expect(result.code == 3 && result.errors.contains(told))
      let skipped = try sandbox.run(
        words: words.dropLast() + ["skip"], stdin: "name,email\nZoe,ann@x.example\n")
      #expect(skipped == .done("Imported 0 customers, skipped 1; the list has 2 rows."))
    }
  }

  @Test func `an id from list finds the customer, but not another one`() throws {
    let sandbox = try self.sandbox()
    let header = "id,order,position,first_name,last_name,email,note\n"
    let words = ["import", "-", "--on-duplicate", "update"]
    // The same name with another address, the same address with another name, and neither.
    #expect(
      try sandbox.run(words: words, stdin: header + "1,1,1,Ann,Lee,new@x.example,a\n")
        == .done("Imported 0 customers, updated 1; the list has 2 rows."))
    #expect(
      try sandbox.run(words: words, stdin: header + "1,1,1,Anna,Li,new@x.example,b\n")
        == .done("Imported 0 customers, updated 1; the list has 2 rows."))
    #expect(
      try sandbox.run(words: words, stdin: header + "1,1,1,Zoe,,zoe@x.example,c\n")
        == .done("Imported 1 customer; the list has 3 rows."))
    #expect(try sandbox.sqlite("SELECT id, first_name, note FROM customers") == "1|Anna|b\n2|Eve|\n3|Zoe|c\n")
    // An id that is not of a list is a column like others.
    #expect(
      try sandbox.run(words: words, stdin: "id,first_name,last_name\n1,Anna,Li\n").output.hasPrefix(
        "Imported 1")
    )
    #expect(try sandbox.sqlite("SELECT extra FROM customers WHERE id = 4") == "{\"id\":\"1\"}\n")
  }

  @Test func `a number of the list stays a number when a CSV file has it`() throws {
    let sandbox = try CLISandbox()
    let file = #"[{"name":"Ann","email":"a@x.example","n":1,"m":1.10,"t":"5"}]"#
    try #require(try sandbox.run("import", "-", "--format", "json", "-q", stdin: file) == .done())
    let before = try sandbox.run("history", "--json").output
    let same = "name,email,n,m,t\nAnn,a@x.example,1,1.10,5\n"
    #expect(try sandbox.run("import", "-", "-q", "--on-duplicate", "update", stdin: same).code == 0)
    #expect(try sandbox.run("history", "--json").output == before)
    let other = "name,email,n,m,t\nAnn,a@x.example,2,1e2,6\n"
    #expect(try sandbox.run("import", "-", "-q", "--on-duplicate", "update", stdin: other).code == 0)
    #expect(try sandbox.sqlite("SELECT extra FROM customers") == #"{"n":2,"m":1e2,"t":"6"}"# + "\n")
  }
}
