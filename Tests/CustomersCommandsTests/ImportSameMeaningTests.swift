import CustomersTestSupport
import Testing

/// Columns of a file that mean the same: no value is lost.
@Suite(.onThreads) struct ImportSameMeaningTests {
  private let sandbox: CLISandbox

  init() throws { sandbox = try CLISandbox() }

  /// What the list has in some columns after an import.
  private func imported(_ file: String, _ fields: String) throws -> String {
    try sandbox.write(file, to: "a.csv")
    let result = try sandbox.run("import", "a.csv", "-q")
    #expect(result.code == 0, "\(result)")
    return try sandbox.run("list", "--format", "csv", "--no-header", "--fields", fields).output
  }

  @Test func `an empty column for the same part of the address changes nothing`() throws {
    #expect(
      try imported("name,City,Ort\nAnn,Berlin,\nBob,,Bonn\nCid,Ulm,ulm\n", "address")
        == "Berlin\nBonn\nUlm\n")
    #expect(try sandbox.run("columns").output == "")
  }

  @Test func `another value of a part is kept as an extra column`() throws {
    #expect(try imported("name,City,Town\nAnn,Berlin,Bonn\n", "address,Town") == "Berlin,Bonn\n")
  }

  @Test func `so it is for codes, countries, and columns of one name`() throws {
    #expect(
      try imported(
        "name,Zip,Postal code,Country,Land,City,City\nAnn,1,,,Peru,Lima,\nBob,2,3,DE,FR,Ulm,Bonn\n",
        "address,extra")
          == """
          "1 Lima
          Peru",{}
          "2 Ulm
          DE","{""Postal code"":""3"",""Land"":""FR"",""City:2"":""Bonn""}"

          """)
  }

  @Test(arguments: [
    ("City,State,Zip,County", "Austin,TX,78701,Travis"), ("County,City,State,Zip", "Travis,Austin,TX,78701"),
  ])
  func `a county is no state`(header: String, row: String) throws {
    #expect(
      try imported("name,\(header)\nAnn,\(row)\n", "address,County") == "\"Austin, TX 78701\",Travis\n")
    #expect(try sandbox.run("list", "--count", "--where", "State=TX") == .done("1"))
  }

  @Test func `a county alone is the region`() throws {
    #expect(
      try imported("name,City,Zip,County\nAnn,Austin,78701,Travis\n", "address")
        == "\"Austin, Travis 78701\"\n")
    #expect(try sandbox.run("list", "--count", "--where", "Region=Travis") == .done("1"))
  }

  @Test(arguments: [
    ("Birthday,Birth Year,Birth Month,Birth Day", ["03.02.1980,1980,2,3", ",1981,3,4", "25.05.1990,,,"]),
    ("Birth Year,Birth Month,Birth Day,Birthday", ["1980,2,3,03.02.1980", "1981,3,4,", ",,,25.05.1990"]),
  ])
  func `a birthday is whole or in parts`(header: String, rows: [String]) throws {
    let file = "name,\(header)\n" + rows.map { "Ann,\($0)\n" }.joined()
    #expect(try imported(file, "Birthday") == "1980-02-03\n1981-03-04\n1990-05-25\n")
    #expect(try sandbox.run("columns").output == "Birthday (3 customers): date\n")
  }

  @Test func `a birthday in parts that differs from the whole one is kept, too`() throws {
    #expect(
      try imported(
        "name,Birth Year,Birth Month,Birth Day,Birthday\nAnn,1991,1,1,1990-05-05\n", "Birthday,Birthday 2")
        == "1990-05-05,1991-01-01\n")
  }

  @Test func `a contact is one before an activity is`() throws {
    #expect(
      try imported(
        "name,Last Activity Date,Last Contacted\nAnn,2026-01-01,2026-02-02\n",
        "Last contact,Last Activity Date")
        == "2026-02-02,2026-01-01\n")
  }

  @Test func `a day of Google's is in the column of its label`() throws {
    let file = """
      First Name,Birthday,Event 1 - Label,Event 1 - Value,Event 2 - Label,Event 2 - Value
      Ann,1980-02-03,Anniversary,2001-05-06,First met,1999-07-08
      Bob,,,2002-05-06,,
      Cid,,Phone,2003-05-06,anniversary,2004-05-06

      """
    #expect(
      try imported(file, "Birthday,Anniversary,First met,Event 1 - Value")
        == "1980-02-03,2001-05-06,1999-07-08,\n,,,2002-05-06\n,2004-05-06,,2003-05-06\n")
    #expect(try sandbox.run("list", "--count", "--where", "Anniversary<2002-01-01") == .done("1"))
  }

  @Test func `a preview shows the main address once, on lines`() throws {
    try sandbox.write(
      "First Name,Home Street,Home City,Work Street,Work City\nAnn,Str 2,Berlin,Str 3,Ulm\n", to: "a.csv")
    #expect(
      try sandbox.run("import", "a.csv", "-n").output.contains(
        """
        The first customer:
          First name:     Ann
          Address (home): Str 2
                          Berlin
          Other contacts: address work: Str 3
                          Ulm

        """))
  }
}
