import Testing

/// Which column of an imported file goes to which field.
@Suite struct ImportColumnsTests {
  /// What a dry run says about the columns.
  private func columns(_ header: String, map: String? = nil) throws -> [Substring] {
    let words = ["import", "-", "-n"] + (map.map { ["--map", $0] } ?? [])
    let row = header.split(separator: ",", omittingEmptySubsequences: false).map { _ in "" }
    let result = try CLISandbox().run(words: words, stdin: header + "\n" + row.joined(separator: ",") + "\n")
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
    return result.output.split(separator: "\n").dropLast().map {
      $0.split(separator: " → ").last ?? ""
    }
  }

  @Test func `names of fields, in any case, with blanks, signs and the usual synonyms`() throws {
    let english = try columns(
      "FIRST NAME,last-name,Company Name,E-mail Address,Phone Number,Street,Comments,Favourite")
    #expect(
      english == ["first_name", "last_name", "company", "email", "phone", "address", "note", "is_favorite"])
    let german = try columns("Vorname,Nachname,Firma,Mail,Telefon,Anschrift,Notiz")
    #expect(german == ["first_name", "last_name", "company", "email", "phone", "address", "note"])
    let exported = try columns(
      "Given Name,Family Name,Organization,E-mail 1 - Value,Phone 1 - Value,Notes,Labels")
    #expect(exported == ["first_name", "last_name", "company", "email", "phone", "note", "kept"])
    #expect(
      try columns("Contact Name,Fax,").map(String.init) == ["first_name and last_name", "kept", "kept"])
  }

  @Test func `of two columns that mean one field the other is kept`() throws {
    #expect(try columns("phone,mobile,tel") == ["phone", "kept", "kept"])
    #expect(try columns("name,first,last") == ["kept", "first_name", "last_name"])
    #expect(try columns("first,name") == ["first_name", "kept"])
    #expect(try columns("note,Remarks2", map: "Remarks2=note") == ["kept", "note"])
    #expect(try columns("first,Who", map: "Who=name") == ["kept", "first_name and last_name"])
    let sandbox = try CLISandbox()
    let twice = try sandbox.run("import", "-", "-q", "--map", "b=note", stdin: "note,b,mobile,tel\nN,B,1,2\n")
    #expect(twice == .done())
    #expect(
      try sandbox.run("show", "1").output.split(separator: "\n").dropFirst(2) == [
        "Phone:       1", "Note:        B", "note:        N", "tel:         2",
      ])
  }

  @Test func `a file whose columns are none of the fields is taken, with a note`() throws {
    let sandbox = try CLISandbox()
    let odd = try sandbox.run("import", "-", stdin: "Wer,Was\nAnn,1\n")
    let note = "note: no column fits a field, all are kept beside; --map COLUMN=FIELD says where one goes\n"
    #expect(odd.output == "Imported 1 customer; the list has 1 row.\n" && odd.errors == note)
    #expect(try sandbox.run("import", "-", "-q", stdin: "Wer,Was\nAnn,1\n") == .done())
    let told = try sandbox.run("import", "-", "--map", "Wer=name", stdin: "Wer,Was\nAnn,1\n")
    #expect(told == .done("Imported 1 customer; the list has 3 rows."))
    let unknown = try sandbox.run("import", "-", "--on-duplicate", "skip", stdin: "name\nAnn\n")
    #expect(unknown.errors == "note: no column is the e-mail address, so no customer was known\n")
    #expect(try sandbox.run("import", "-", "--on-duplicate", "skip", stdin: "email\na@b\n").errors.isEmpty)
  }

  @Test func `map says where a column goes, and a minus leaves it out`() throws {
    #expect(
      try columns("Who,Ring,X=Y,Fax", map: "Who=name,Ring=phone,X=Y=note,Fax=-") == [
        "first_name and last_name", "phone", "note", "left out",
      ])
    #expect(try columns("name,fax", map: "name=company,fax=is_favorite") == ["company", "is_favorite"])
    let sandbox = try CLISandbox()
    let columns =
      #""columns":[{"name":"name","goes_to":"first_name and last_name"},{"name":"a","goes_to":"left out"},{"name":"b","goes_to":"kept"}]"#
    let json =
      #"{"op":"import","imported":1,"updated":0,"skipped":0,"rejected":0,"count":1,\#(columns),"kept_columns":["b"]}"#
    let result = try sandbox.run("import", "-", "--map", "a=-", "--json", stdin: "name,a,b\nAnn,1,2\n")
    #expect(result.withoutStep == .done(json))
    #expect(try sandbox.sqlite("SELECT extra FROM customers") == "{\"b\":\"2\"}\n")
  }

  @Test(arguments: [
    ("Whoo=name", "the file has no column \"Whoo\"\nhint: close: \"Who\""),
    ("who=name", "the file has no column \"who\"\nhint: close: \"Who\""),
    ("Elsewhere=name", "the file has no column \"Elsewhere\""),
    ("Who=nmae", "there is no field \"nmae\"\nhint: did you mean 'name'?"),
    (
      "Who=birthday",
      "there is no field \"birthday\"\nhint: the fields are first_name, last_name, company, email, phone, address, note, name, is_favorite, section, extra, -"
    ),
    ("Who=", "there is no field \"\"\nhint: did you mean '-'?"),
    (
      "Who=id",
      "there is no field \"id\"\nhint: the fields are first_name, last_name, company, email, phone, address, note, name, is_favorite, section, extra, -"
    ),
    ("Who=note,Fax=note", "two columns go to note"),
    ("Who=name,Fax=last_name", "two columns go to last_name"),
    ("Who=note,Who=phone", "\"Who\" is given twice"),
  ])
  func `a mistake in the map is named`(map: String, message: String) throws {
    let sandbox = try CLISandbox()
    let result = try sandbox.run("import", "-", "--map", map, stdin: "Who,Fax\nAnn,1\n")
    #expect(result == .failed(2, "customers: --map: " + message))
    let noPair = try sandbox.run("import", "-", "--map", "Who", stdin: "Who\nAnn\n")
    #expect(noPair == .failed(2, "customers: --map takes COLUMN=FIELD, not \"Who\""))
    #expect(try sandbox.names.isEmpty)
  }
}
