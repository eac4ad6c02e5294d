import CustomerFixtures
import CustomerStore
import CustomerTransfer
import CustomersTestSupport
import Testing

/// What becomes of files that are written in unusual ways.
@Suite(.onThreads) struct StrangeFilesTests {
  /// Imports a file and returns the customers: names, company, e-mail address, phone, address, and other contacts.
  private func people(_ text: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws -> [String] {
    var pieces = [Array(text.utf8)]
    var options = ImportOptions()
    options.acceptsUnmatchedColumns = true
    change(&options)
    let importer = try CustomerImporter(options, receiving: { pieces.popLast() ?? [] })
    let store = try CustomerStore.inMemory("")
    try store.write { try $0.importCustomers(from: importer) }
    var people: [String] = []
    try store.read { list in
      try list.forEach { customer in
        let fields = customer.fields
        let texts = [
          fields.firstName, fields.lastName, fields.company, fields.email, fields.phone, fields.address,
          fields.otherContacts,
        ]
        people.append(texts.joined(separator: "|").replacing("\n", with: "/"))
        return true
      }
    }
    return people
  }

  @Test(arguments: [
    (
      "Ann Lee;ann@x.example;030 123456\nBob Ray;bob@x.example;030 654321\n",
      "Ann|Lee||ann@x.example|030 123456||"
    ),
    ("Ann Lee\tann@x.example\nBob Ray\tbob@x.example\n", "Ann|Lee||ann@x.example|||"),
    (
      "Lee,Ann,ann@x.example,030 123456,Acme GmbH\nRay,Bob,bob@x.example,030 654321,Foo AG\n",
      "Ann|Lee|Acme GmbH|ann@x.example|030 123456||"
    ),
    ("Acme GmbH;Ann;Lee;ann@x.example\nFoo AG;Bob;Ray;bob@x.example\n", "Ann|Lee|Acme GmbH|ann@x.example|||"),
    ("John Smith,1985-03-04,New York\nJane Doe,1990-05-06,Boston\n", "John|Smith|||||"),
    ("Müller GmbH;Weg 5;Germany\nMeier AG;Weg 6;Germany\n", "||Müller GmbH||||"),
    ("a@x.example,Ann,Lee,Fax 1\nb@x.example,Bob,Ray,Fax 2\n", "Ann|Lee||a@x.example|||"),
    ("Ann2,Lee2,4\nBob3,Ray3,5\n", "Ann2|Lee2|||||"), ("Ann 2,Ulm 9\nBob 3,Ulm 8\n", "Ann|2|||||"),
  ])
  func `columns without names are recognized by what is in them`(text: String, first: String) throws {
    let people = try people(text) { $0.hasHeader = false }
    #expect(people.count == 2 && people.first == first)
  }

  @Test(arguments: ["Ann Lee,Berlin\nBob Ray,Bonn\n", "Lee,Ann\nRay,Bob\n", "Ann Lee\nBob Ray\n"])
  func `a first line of which nothing is known is not taken for names of columns`(text: String) throws {
    #expect(throws: TransferError.self) { try people(text) }
    #expect(try people(text) { $0.hasHeader = false }.count == 2)
  }

  @Test(arguments: [
    ("name\n\"Doe, Jane\"\n", "Jane|Doe|||||"), ("name,x\n\"Acme, Inc.\",1\n", "Acme,|Inc.|||||"),
    ("name,x\n\"Ann Lee, MD\",1\n", "Ann Lee,|MD|||||"),
    ("name,email\nAnn,Ann Lee <a@x.example>\n", "Ann|||a@x.example|||"),
    ("name,email\nAnn,mailto:a@x.example\n", "Ann|||a@x.example|||"),
    ("name,email,phone\nAnn, a@x.example ,tel:+1\n", "Ann|||a@x.example|+1||"),
    ("name,emails\nAnn,\"a@x.example, b@x.example\"\n", "Ann|||a@x.example|||email: b@x.example"),
    (
      "name,PhoneNumbers\nAnn,\"+1 555 0100,+1 555 0101\"\n", "Ann||||+1 555 0100||phone: +1 555 0101"
    ),
    ("name;phone\nBob;=\"0301\"\n", "Bob||||0301||"),
    ("name,company\nBob,'+1 vote' he said\n", "Bob||'+1 vote' he said||||"),
    ("name,phone,mobile phone\nBob,'+49 1,=\"02\"\n", "Bob||||+49 1||phone mobile: 02"),
    (
      "name,phone 1 - label,phone 1 - value,phone 2 - label,phone 2 - value\n"
        + "Ann,Fax (geschäftlich),+49 1,* Mobil,+49 2\n", "Ann||||+49 2||fax work: +49 1/phone mobile:"
    ),
    ("name;Straße Hausnr.;PLZ;Ort\nAnn;Weg 5;10115;Berlin\n", "Ann|||||Weg 5/10115 Berlin|"),
    ("name,City,Country\nAnn,Berlin,Germany\n", "Ann|||||Berlin/Germany|"),
    ("name,Country\nAnn,Germany\n", "Ann|||||Germany|"),
    ("Name;Straße;Hausnummer;PLZ;Ort\nAnn;Weg;5a;10115;Berlin\n", "Ann|||||Weg 5a/10115 Berlin|"),
    (
      "name,homeStreet,homeCity\nAnn,Weg 1,Ulm\n", "Ann|||||Weg 1/Ulm|address home:"
    ),
    ("Nachname, Vorname;E-Mail\n\"Doe, Jane\";j@x.example\n", "Jane|Doe||j@x.example|||"),
    ("Lead Name,Email\nAnn Lee,a@x.example\n", "Ann|Lee||a@x.example|||"),
    (
      "Person - Name,Person - First name,Person - Last name,Person - Organization,Person - Email - Work\n"
        + "Ann Lee,Ann,Lee,Acme,a@x.example\n", "Ann|Lee|Acme|a@x.example|||email work:"
    ),
    (
      "*ContactName,FirstName,LastName,POAddressLine1,POCity,POPostalCode\nAcme Pty Ltd,Ann,Lee,Weg 1,Ulm,89073\n",
      "Ann|Lee|Acme Pty Ltd|||Weg 1/89073 Ulm|address mailing:"
    ),
    ("FirstName,Companies\nAnn,Acme\n", "Ann||Acme||||"),
  ])
  func `values and names of other programs are understood`(text: String, expected: String) throws {
    #expect(try people(text) == [expected])
  }

  @Test(arguments: [
    ("EMAIL:mailto:a@x.example", "Ann|||a@x.example|||"),
    ("EMAIL:Ann Lee <a@x.example>", "Ann|||a@x.example|||"),
    ("EMAIL;TYPE=work: a@x.example ", "Ann|||a@x.example|||email work:"),
    ("TEL:tel:+49-30", "Ann||||+49-30||"), ("EMAIL:<nothing>", "Ann|||<nothing>|||"),
  ])
  func `an address and a number of a card are read without what is around them`(
    line: String, expected: String
  ) throws {
    let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Ann\n\(line)\nEND:VCARD\n"
    #expect(try people(card) { $0.format = .vcard } == [expected])
  }

  @Test func `several values may mean that there is no value`() throws {
    let people = try people("name,email,phone\nAnn,NULL,N/A\n") { $0.nullTexts = ["NULL", "N/A"] }
    #expect(people == ["Ann||||||"])
  }
}
