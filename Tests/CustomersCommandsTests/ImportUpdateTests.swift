import CustomersTestSupport
import Testing

/// `import --on-duplicate update`: what the file states is changed, and nothing else.
@Suite(.onThreads) struct ImportUpdateTests {
  @Test(arguments: try Transcript.sessions("ImportUpdate"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a malformed id is refused, and without a version each difference is a conflict`() throws {
    let sandbox = try CLISandbox()
    try #require(try sandbox.run("import", "-", "-q", stdin: "name,phone\nAnn,1\nBob,2\n") == .done())
    let file = try sandbox.run("export", "-", "--ids").output
    let words = ["import", "-", "--on-duplicate", "update", "--key", "id"]
    try sandbox.expectUntouched { () throws in
      let wrong = try sandbox.run(words: words, stdin: file.replacing("\n2,", with: "\nB2,"))
      #expect(
        wrong.code == 1 && wrong.errors.contains("line 3: column 1 is not the id of a customer; restore it"))
      let version = file.split(separator: "\n")[1].split(separator: ",")[1]
      let without = file.replacing("id,version,", with: "id,").replacing(",\(version),", with: ",")
      let changed = without.replacing("Bob,,,,2", with: "Bob,,,,3")
      try #require(changed != without)
      let result = try sandbox.run(words: words, stdin: changed)
      #expect(
        result.code == 4 && result.errors.contains("1 conflict between the list and the file"), "\(result)")
    }
  }

  @Test func `a cell with only blanks changes nothing, as an empty one`() throws {
    let sandbox = try CLISandbox()
    let header = "E-mail,Phone,Company,Amount,Due\n"
    let row = "a@x.example,0301,Acme,5,2026-11-20\n"
    let kinds = ["--kind", "Amount=number", "--kind", "Due=date"]
    #expect(try sandbox.run(words: ["import", "-", "-q"] + kinds, stdin: header + row) == .done())
    let blank = header + "a@x.example, ,\u{A0},\t, \n"
    let updated = try sandbox.run("import", "-", "--on-duplicate", "update", "-y", stdin: blank)
    #expect(updated.code == 0 && updated.output.contains("skipped 1"), "\(updated)")
    let shown = ["list", "--format", "csv", "--no-header", "--fields", "email,phone,company,Amount,Due"]
    #expect(try sandbox.run(words: shown).output == row)
  }

  private static let card = """
    BEGIN:VCARD
    VERSION:3.0
    N:Lee;Ann;;;
    EMAIL;TYPE=work:a@x.example
    EMAIL;TYPE=home:h@x.example
    TEL;TYPE=CELL:111
    TEL;TYPE=HOME:222
    NOTE:old
    END:VCARD

    """

  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    try #require(
      try sandbox.run("import", "-", "--format", "vcard", "-q", stdin: ImportUpdateTests.card) == .done())
    return sandbox
  }

  private func contacts(_ sandbox: CLISandbox) throws -> String {
    try sandbox.sqlite(
      "SELECT email || '|' || phone || '|' || note || '|' || replace(other_contacts, char(10), '|') FROM customers"
    )
  }

  @Test(arguments: [
    // A labeled column replaces the value with that label.
    (
      "E-mail Address,Home Phone\na@x.example,333\n",
      "a@x.example|111|old|email work:|email home: h@x.example|phone mobile:|phone home: 333"
    ),
    (
      "E-mail Address,Mobile Phone\na@x.example,333\n",
      "a@x.example|333|old|email work:|email home: h@x.example|phone mobile:|phone home: 222"
    ),
    // A further column adds.
    (
      "E-mail Address,E-mail 2 Address\na@x.example,n@x.example\n",
      "a@x.example|111|old|email work:|email home: h@x.example|phone mobile:|phone home: 222"
        + "|email: n@x.example"
    ),
    // The only column is the main value, which keeps its label.
    (
      "Email,Phone\na@x.example,999\n",
      "a@x.example|999|old|email work:|email home: h@x.example|phone mobile:|phone home: 222"
    ),
    // A value that the customer has already changes nothing, and neither does an empty one.
    (
      "Email,Phone,Note,Work Phone\nh@x.example,222,,\n",
      "a@x.example|111|old|email work:|email home: h@x.example|phone mobile:|phone home: 222"
    ),
  ])
  func `a value replaces the one with its label, and the others stay`(file: String, expected: String) throws {
    let sandbox = try self.sandbox()
    #expect(try sandbox.run("import", "-", "-q", "--on-duplicate", "update", stdin: file) == .done())
    #expect(try contacts(sandbox) == expected + "\n")
  }

  @Test func `a phone number in another spelling is that of a known person`() throws {
    let sandbox = try CLISandbox()
    try #require(
      try sandbox.run("add", "Bob Example", "--phone", "+32 470 99 98 88", "-q") == .done())
    for phone in ["+32470999888", "0032 470 999 888", "tel:+32-470-999888"] {
      let result = try sandbox.run("import", "-", stdin: "name,phone\nBob Example,\(phone)\n")
      #expect(result.code == 4 && result.errors.contains("\"Bob Example\" is already in the list"))
    }
  }

  @Test(arguments: [
    ("ID,Version,Name,Phone", "1", "Imported 0 customers, updated 1, skipped 1"),
    ("id,version,name,phone", "1.0", "Imported 0 customers, updated 1, skipped 1"),
    ("id,version,name,phone", "\"1,0\"", "Imported 0 customers, updated 1, skipped 1"),
    ("id,version,name,phone", "@1", "Imported 0 customers, updated 1, skipped 1"),
  ])
  func `a spreadsheet may change the names of the columns and the form of the ids`(
    header: String, id: String, told: String
  ) throws {
    let sandbox = try CLISandbox()
    try #require(try sandbox.run("import", "-", "-q", stdin: "name,phone\nAnn,1\nBob,2\n") == .done())
    let file = try sandbox.run("export", "-", "--ids", "--fields", "name,phone").output
    let changed = file.replacing("id,version,name,phone", with: header).replacing("\n1,", with: "\n\(id),")
      .replacing("Ann,1", with: "Ann,9")
    let result = try sandbox.run("import", "-", "--on-duplicate", "update", "--key", "id", stdin: changed)
    #expect(result.output.hasPrefix(told), "\(result)")
    #expect(try sandbox.sqlite("SELECT group_concat(phone) FROM customers") == "9,2\n")
  }
}

/// Postal addresses whose parts are in extra columns.
@Suite(.onThreads) struct AddressPartsTests {
  @Test(arguments: try Transcript.sessions("AddressParts"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private func sandbox(_ file: String) throws -> CLISandbox {
    let sandbox = try CLISandbox()
    try #require(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    return sandbox
  }

  @Test(arguments: [
    (
      "name,Home Street,Home City,Home Postal Code\nAnn,Weg 1,Ulm,89073\n",
      "ADR;TYPE=home:;;Weg 1;Ulm;;89073;"
    ),
    ("name,Address,City,State,Zip\nAnn,1 Main St,Austin,TX,78701\n", "ADR:;;1 Main St;Austin;TX;78701;"),
  ])
  func `a card has the parts, until the address is changed`(file: String, line: String) throws {
    let sandbox = try self.sandbox(file)
    let card = try sandbox.run("export", "-", "--format", "vcard").output
    #expect(card.contains("\r\n\(line)\r\n"), "\(card)")
    let copy = try CLISandbox()
    try #require(try copy.run("import", "-", "--format", "vcard", "-q", stdin: card) == .done())
    let words = ["list", "--format", "csv", "--fields", "name,address,other_contacts,extra"]
    #expect(try copy.run(words: words).output == sandbox.run(words: words).output)
    // They come back with the card, and stay with the address whose parts they are.
    let parts = ["list", "--format", "csv", "--fields", "street,city,postal_code,region"]
    #expect(try copy.run(words: parts).output == sandbox.run(words: parts).output)
    let city = line.split(separator: ";").contains("Ulm") ? "Ulm" : "Austin"
    #expect(try copy.run("list", "--count", "--where", "City=\(city)") == .done("1"))
    let other = try CLISandbox()
    try #require(try other.run("add", "Ann", "--set", "City=Bonn", "-q") == .done())
    try #require(
      try other.run(
        "import", "-", "--format", "vcard", "--on-duplicate", "update", "--key", "name", "-q", stdin: card)
        == .done())
    for city in [city, "Bonn"] {
      #expect(try other.run("list", "--count", "--where", "City=\(city)") == .done("1"))
    }
    try #require(try sandbox.run("edit", "Ann", "--address", "New 7", "-q") == .done())
    #expect(try sandbox.run("export", "-", "--format", "vcard").output.contains(":;;New 7;;;;\r\n"))
  }

  @Test func `a card that is imported again keeps what the new one does not have at all, of a group, too`()
    throws
  {
    let sandbox = try CLISandbox()
    func importCard(_ lines: String) throws {
      let card = "BEGIN:VCARD\nVERSION:3.0\nUID:u1\nFN:Ann\n\(lines)\nEND:VCARD\n"
      let words = ["import", "-", "--format", "vcard", "--on-duplicate", "update", "-q"]
      #expect(try sandbox.run(words: words, stdin: card) == .done())
    }
    try importCard("item1.X-SOC:a\nitem1.X-FOO:keep\nitem1.X-ABLABEL:l\nitem2.X-SOC:b\nitem2.X-ABLABEL:m")
    try importCard("X-SOC:c")
    #expect(
      try sandbox.run("list", "--template", "{vcard}").output
        == "X-SOC:c\nUID:u1\nitem1.X-FOO:keep\nitem1.X-ABLABEL:l")
  }
}
