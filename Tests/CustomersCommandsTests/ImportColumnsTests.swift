import CustomersTestSupport
import Testing

/// Which column of an imported file goes to which field.
@Suite(.onThreads) struct ImportColumnsTests {
  /// Returns what the columns become, as JSON has it.
  private func columns(_ header: String, map: String? = nil) throws -> [String] {
    let words = ["import", "-", "-n", "--json"] + (map.map { ["--map", $0] } ?? [])
    let row = header.split(separator: ",", omittingEmptySubsequences: false).map { _ in "1" }
    let result = try CLISandbox().run(words: words, stdin: header + "\n" + row.joined(separator: ",") + "\n")
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
    return try #require(try jsonObject(result.output)["columns"] as? [[String: String]])
      .compactMap { $0["goes_to"] }
  }

  @Test func `names of fields, in any case, with blanks, signs, and the usual synonyms`() throws {
    let english = try columns(
      "FIRST NAME,last-name,Company Name,E-mail Address,Phone Number,Street,Comments,Favourite")
    #expect(
      english == ["first_name", "last_name", "company", "email", "phone", "address", "note", "is_favorite"])
    let german = try columns("Vorname,Nachname,Firma,Mail,Telefon,Anschrift,Notiz")
    #expect(german == ["first_name", "last_name", "company", "email", "phone", "address", "note"])
    let exported = try columns(
      "Given Name,Family Name,Organization,E-mail 1 - Value,Phone 1 - Value,Notes,Labels")
    #expect(exported == ["first_name", "last_name", "company", "email", "phone", "note", "tags"])
    #expect(
      try columns("Contact Name,Fax,") == [
        "name", "other_contacts", "extra",
      ])
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

  @Test func `kept columns, and missing keys, are noted`() throws {
    let sandbox = try CLISandbox()
    let kept = try sandbox.run("import", "-", "--map", "Wer=name", stdin: "Wer,Was\nAnn,1\n")
    #expect(
      kept
        == .done(
          "Imported 1 customer; the list has 1 row.",
          errors: "note: columns without a field, kept as extra columns: Was"))
    let unknown = try sandbox.run("import", "-", "--on-duplicate", "skip", stdin: "name\nAnn\n")
    let note =
      "note: the file has no e-mail column, so duplicates could not be recognized; use --key for another column"
    #expect(unknown.errors == note + "\n")
    #expect(try sandbox.run("import", "-", "--on-duplicate", "skip", stdin: "email\na@b\n").errors.isEmpty)
  }

  @Test func `map sets the target of a column, and a minus drops it`() throws {
    #expect(
      try columns("Who,Ring,X=Y,Fax", map: "Who=name,Ring=phone,X=Y=note,Fax=-") == [
        "name", "phone", "note", "-",
      ])
    #expect(try columns("name,fax", map: "name=company,fax=is_favorite") == ["company", "is_favorite"])
    let sandbox = try CLISandbox()
    let columns =
      #""columns":[{"name":"name","goes_to":"name"},{"name":"a","goes_to":"-"},{"name":"b","goes_to":"extra"}]"#
    let json =
      #"{"op":"import","imported":1,"updated":0,"skipped":0,"rejected":0,"count":1,\#(columns),"kept_columns":["b"]}"#
    let result = try sandbox.run("import", "-", "--map", "a=-", "--json", stdin: "name,a,b\nAnn,1,2\n")
    #expect(result.withoutStep == .done(json))
    #expect(try sandbox.sqlite("SELECT extra FROM customers") == "{\"b\":\"2\"}\n")
  }

  @Test(arguments: [
    ("Whoo=name", "the file has no column \"Whoo\"\nhint: did you mean \"Who\"?"),
    ("Elsewhere=name", "the file has no column \"Elsewhere\""),
    ("Who=nmae", "there is no field \"nmae\"\nhint: did you mean \"name\"?"),
    (
      "Who=birthday",
      "there is no field \"birthday\"\nhint: the fields are first_name, last_name, company, email, phone, address, note, other_contacts, tags, name, is_favorite, section, extra, -; to keep it as an extra column: extra.NAME"
    ),
    ("Who=", "there is no field \"\"\nhint: did you mean \"-\"?"),
    (
      "Who=id",
      "there is no field \"id\"\nhint: the fields are first_name, last_name, company, email, phone, address, note, other_contacts, tags, name, is_favorite, section, extra, -; to keep it as an extra column: extra.NAME"
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
