import CustomersTestSupport
import Testing

/// An own column that has the name of a part of the address, and is joined with it as far as that goes.
@Suite(.onThreads) struct JoinedPartTests {
  private let sandbox: CLISandbox

  init() throws { sandbox = try CLISandbox() }

  /// Joins the column of customers who have these addresses and cities.
  private func join(_ rows: (address: String, city: String)...) throws -> ProcessResult {
    let members = rows.enumerated().map { index, row in
      #"{"first_name":"\#(["A", "B", "C", "D"][index])","address":"\#(row.address)","extra":{"City":"\#(row.city)"}}"#
    }
    try sandbox.write("[" + members.joined(separator: ",") + "]", to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
    return try sandbox.run("columns", "join", "City")
  }

  private func rows() throws -> String {
    try sandbox.sqlite(
      "SELECT address || '/' || address_parts || '/' || extra FROM customers ORDER BY id")
  }

  @Test func `a street gets the city`() throws {
    #expect(try join(("Weg 1", "Berlin")).code == 0)
    #expect(try rows() == "Weg 1\nBerlin/{\"street\":\"Weg 1\",\"city\":\"Berlin\"}/{}\n")
  }

  @Test(arguments: ["Ring 3, Kiel", "1010 Wien", "Weg 1\\nBonn", "Kiel"])
  func `what may have another city stays`(address: String) throws {
    let result = try join((address, "Ulm"))
    #expect(result.errors.contains("1 customer keeps"), "\(result)")
    #expect(try rows().hasSuffix("//{\"City\":\"Ulm\"}\n"))
  }

  @Test func `after a partial join, a city is shown, sorted, and counted wherever it is`() throws {
    _ = try join(("Weg 2\\nBonn", "Ulm"), ("", "Berlin"))
    #expect(
      try sandbox.run("list", "--format", "csv", "--no-header", "--fields", "City")
        == .done("Ulm\nBerlin"))
    #expect(
      try sandbox.run("list", "--sort", "City", "--template", "{first_name} {City}\\n")
        == .done("B Berlin\nA Ulm"))
    let counted = try sandbox.run("list", "--count-by", "City", "--json").output
    #expect(counted.contains("Berlin") && counted.contains("Ulm"), "\(counted)")
    #expect(try sandbox.run("list", "--count", "--where", "City=Berlin").output == "1\n")
  }

  @Test func `an edit of a city is one of the value that the row has`() throws {
    _ = try join(("Weg 2\\nBonn", "Ulm"), ("", "Berlin"))
    #expect(try sandbox.run("edit", "1", "--set", "City=Kiel", "-q").code == 0)
    #expect(try sandbox.run("edit", "2", "--set", "City=Hamburg", "-q").code == 0)
    #expect(try rows() == "Weg 2\nBonn//{\"City\":\"Kiel\"}\nHamburg/{\"city\":\"Hamburg\"}/{}\n")
  }

  @Test func `what can't be joined is not proposed`() throws {
    let joined = try join(("Weg 2\\nBonn", "Ulm"), ("", "Berlin"))
    #expect(joined.errors.contains("1 customer keeps"), "\(joined)")
    #expect(try sandbox.run("columns") == .done("City (1 customer)"))
    #expect(try !sandbox.run("check").errors.contains("join"))
    #expect(try sandbox.run("edit", "1", "--address", "", "-q").code == 0)
    #expect(try sandbox.run("columns").errors.contains("columns join City"))
  }
}
