import CustomersTestSupport
import Testing

/// Which column of an imported file goes to which field.
@Suite(.onThreads) struct ImportColumnsTests {
  @Test(arguments: try Transcript.sessions("ImportColumns"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  /// Returns what the columns become, as JSON has it.
  private func columns(_ header: String, map: String? = nil) throws -> [String] {
    let words = ["import", "-", "-n", "--json"] + (map.map { ["--map", $0] } ?? [])
    let row = header.split(separator: ",", omittingEmptySubsequences: false).map { _ in "1" }
    let result = try CLISandbox().run(words: words, stdin: header + "\n" + row.joined(separator: ",") + "\n")
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
    return try #require(try jsonObject(result.output)["columns"] as? [[String: String]])
      .compactMap { $0["goes_to"] }
  }

  @Test func `of two columns for the same field, the second is kept`() throws {
    #expect(try columns("company,firma") == ["company", "extra"])
    #expect(try columns("name,first,last") == ["extra", "first_name", "last_name"])
    #expect(try columns("first,full name") == ["first_name", "extra"])
    #expect(try columns("note,Remarks2", map: "Remarks2=note") == ["extra", "note"])
    #expect(try columns("first,Who", map: "Who=name") == ["extra", "name"])
    let sandbox = try CLISandbox()
    let twice = try sandbox.run("import", "-", "-q", "--map", "b=note", stdin: "note,b,mobile,tel\nN,B,1,2\n")
    #expect(twice == .done())
    #expect(
      try sandbox.run("show", "1").output.split(separator: "\n").dropFirst(2) == [
        "Phone (mobile): 1", "Phone:          2", "Note:           B", "note:           N",
      ])
  }

  @Test func `a place alone is a phone number beside another one, in several languages`() throws {
    for (work, home) in [("Office", "Home"), ("Büro", "Privat"), ("Bureau", "Domicile"), ("Oficina", "Casa")]
    {
      #expect(try columns("Name,\(work),\(home)").dropFirst() == ["phone", "phone"], "\(work)")
      #expect(try columns("Name,\(work)").dropFirst() == ["extra"], "\(work)")
    }
    // The Büro of a German Outlook is no number, and its Privat says yes or no.
    #expect(try columns("Name,E-Mail: Angezeigter Name,Büro,Privat").last == "-")
  }

  @Test func `names of HubSpot, Outlook, a German address book, and a Yealink phone are known`() throws {
    #expect(try columns("First Name,Primary Company") == ["first_name", "company"])
    #expect(
      try columns("Vollständiger Name,Geschäftliche E-Mail,Private E-Mail") == ["name", "email", "email"])
    #expect(
      try columns("Nom,Titre de fonction,Anniversaire de mariage ou fête").dropFirst() == [
        "extra.Job title", "extra.Anniversary",
      ])
    #expect(
      try columns("display_name,office_number,mobile_number,other_number,line").dropFirst() == [
        "phone", "phone", "phone", "extra",
      ])
    #expect(try columns("Name,Office number,Mobile number") == ["name", "extra", "phone"])
  }

  @Test func `an import says that no customer has a name, if a column may have it`() throws {
    let sandbox = try CLISandbox()
    let note = "note: no customer has a name; if a column has it: --map COLUMN=name\n"
    for words in [["-n"], ["-y"]] {
      let result = try sandbox.run(words: ["import", "-"] + words, stdin: "Wer,E-Mail\nAnn,a@x.example\n")
      #expect(result.errors.contains(note), "\(result)")
    }
    for file in ["E-Mail\na@x.example\n", "Wer,E-Mail,Firma\nAnn,a@x.example,X\n"] {
      #expect(try !sandbox.run("import", "-", "-n", stdin: file).errors.contains("no customer has"))
    }
  }

  @Test func `Salesforce's names in capitals are those of an address`() throws {
    let header =
      "LASTNAME,MAILINGSTREET,MAILINGCITY,MAILINGPOSTALCODE,MAILINGCOUNTRY,BILLINGCITY,SHIPPINGCITY"
    #expect(try columns(header).dropFirst().allSatisfy { $0 != "extra" })
  }

  @Test func `a known column is a field of the map`() throws {
    let sandbox = try CLISandbox()
    let born = try sandbox.run(
      "import", "-", "-q", "--map", "Born=birthday", stdin: "Name,Born\nAnn,1990-03-01\n")
    #expect(born == .done())
    #expect(try sandbox.run("list", "Birthday=1990-03-01").output.contains("Ann"))
  }

  @Test(arguments: [
    ("Whoo=name", "the file has no column \"Whoo\"\nhint: did you mean \"Who\"?"),
    ("Elsewhere=name", "the file has no column \"Elsewhere\""),
    ("Who=nmae", "there is no field \"nmae\"\nhint: did you mean \"name\"?"),
    (
      "Who=Guild",
      "there is no field \"Guild\"\nhint: the fields are first_name, last_name, company, email, phone, address, note, other_contacts, tags, name, is_favorite, next, section, extra, -; as a column of the list: extra.Guild"
    ),
    ("Who=", "there is no field \"\"\nhint: did you mean \"-\"?"),
    (
      "Who=id",
      "there is no field \"id\"\nhint: the fields are first_name, last_name, company, email, phone, address, note, other_contacts, tags, name, is_favorite, next, section, extra, -; as a column of the list: extra.id"
    ),
    ("Who=note,Fax=note", "two columns are imported as note"),
    ("Who=name,Fax=last_name", "two columns are imported as last_name"),
    ("Who=note,Who=phone", "\"Who\" was given twice"),
  ])
  func `an error in the map is reported`(map: String, message: String) throws {
    let sandbox = try CLISandbox()
    let result = try sandbox.run("import", "-", "--map", map, stdin: "Who,Fax\nAnn,1\n")
    #expect(result == .failed(2, "customers: --map: " + message))
    let noPair = try sandbox.run("import", "-", "--map", "Who", stdin: "Who\nAnn\n")
    #expect(noPair == .failed(2, "customers: --map must be COLUMN=FIELD, not \"Who\""))
    #expect(try sandbox.names.isEmpty)
  }
}
