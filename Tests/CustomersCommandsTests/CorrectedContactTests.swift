import CustomersTestSupport
import Foundation
import Testing

/// A contact that is corrected where people see it: as a line with its label, or as a whole address.
@Suite(.onThreads) struct CorrectedContactTests {
  private let sandbox: CLISandbox

  init() throws { sandbox = try CLISandbox() }

  private func addOld() throws {
    try sandbox.write(
      #"[{"name":"Old","phone":"030-1","other_contacts":"phone home: 030-1\nphone mobile: 0170"}]"#,
      to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
  }

  private func phones() throws -> String {
    try sandbox.sqlite("SELECT phone || '/' || other_contacts FROM customers")
  }

  @Test func `a corrected line of the main number corrects the number`() throws {
    try addOld()
    #expect(
      try sandbox.run("edit", "1", "--other-contacts", "phone home: 030-2\nphone mobile: 0170", "-q").code
        == 0)
    #expect(try phones() == "030-2/phone home:\nphone mobile: 0170\n")
    // With the label in its own place, too.
    #expect(
      try sandbox.run("edit", "1", "--other-contacts", "phone mobile: 0170\nphone home: 030-3", "-q").code
        == 0)
    #expect(try phones() == "030-3/phone mobile: 0170\nphone home:\n")
  }

  @Test func `so it does in a file that comes back`() throws {
    try addOld()
    #expect(try sandbox.run("export", "s.csv", "--ids", "-q").code == 0)
    try sandbox.write(
      try String(contentsOf: URL(filePath: sandbox.folder + "/s.csv"), encoding: .utf8).replacing(
        "phone home: 030-1", with: "phone home: 030-2"), to: "s.csv")
    #expect(try sandbox.run("take", "s.csv", "-q").code == 0)
    #expect(try phones() == "030-2/phone home:\nphone mobile: 0170\n")
  }

  @Test(arguments: [
    ("phone home: 030-1\nphone home: 030-2", "030-1/phone home:\nphone home: 030-2\n"),
    ("phone work: 030-2", "030-1/phone work: 030-2\n"),
    ("phone home: 030-2\nphone home: 030-3", "030-1/phone home: 030-2\nphone home: 030-3\n"),
  ])
  func `a line that is not in its place changes nothing else`(lines: String, after: String) throws {
    try addOld()
    #expect(try sandbox.run("edit", "1", "--other-contacts", lines, "-q").code == 0)
    #expect(try phones() == after)
  }

  private func addAnn() throws {
    #expect(
      try sandbox.run(
        "add", "Ann", "--set", "Street=Weg 1", "--set", "City=Berlin", "--set", "Postal code=10115", "-q"
      ).code == 0)
  }

  private func count(_ question: String) throws -> ProcessResult {
    try sandbox.run("list", "--count", "--where", question)
  }

  @Test func `an address with another street is still known in parts`() throws {
    try addAnn()
    #expect(try sandbox.run("edit", "1", "--address", "Weg 9\n10115 Berlin", "-q").code == 0)
    #expect(try count("City=Berlin and Street=\"Weg 9\"") == .done("1"))
    #expect(try sandbox.run("edit", "1", "--set", "City=Ulm", "-q").code == 0)
    #expect(try sandbox.sqlite("SELECT address FROM customers") == "Weg 9\n10115 Ulm\n")
    #expect(try sandbox.run("edit", "1", "--address", "10115 Ulm", "-q").code == 0)
    #expect(try count("City=Ulm and Street=") == .done("1"))
    #expect(try sandbox.run("edit", "1", "--address", "c/o Bob\nWeg 7\n10115 Ulm", "-q").code == 0)
    #expect(try count("City=Ulm and Street~\"weg 7\"") == .done("1"))
  }

  @Test func `so is one of which the place is written in another way`() throws {
    try sandbox.write(
      #"[{"name":"Ann","address":"Weg 1, Berlin","address_parts":{"street":"Weg 1","city":"Berlin"}}]"#,
      to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
    #expect(try count("City=Berlin") == .done("1"))
    #expect(try sandbox.run("edit", "1", "--address", "Weg 9, Berlin", "-q").code == 0)
    #expect(try count("City=Berlin and Street=\"Weg 9\"") == .done("1"))
  }

  @Test func `an address with another city is not known in parts`() throws {
    try addAnn()
    #expect(try sandbox.run("edit", "1", "--address", "Weg 1\n10115 Bonn", "-q").code == 0)
    #expect(try count("City=Berlin").output == "0\n")
    #expect(try sandbox.sqlite("SELECT address_parts FROM customers") == "\n")
  }

  @Test func `an address beside a part of it is the street`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--address", "Weg 1", "--set", "City=Bonn", "-q") == .done())
    let address = "SELECT address FROM customers"
    #expect(try sandbox.sqlite(address) == "Weg 1\nBonn\n")
    for (text, city, wanted) in [
      ("Weg 3", "Ulm", "Weg 3\nUlm\n"), ("Weg 4\nKiel", "Kiel", "Weg 4\nKiel\n"), ("Weg 5", "", "Weg 5\n"),
    ] {
      #expect(try sandbox.run("edit", "1", "--set", "Postal code=10115", "-q").code != 1)
      #expect(try sandbox.run("edit", "1", "--address", text, "--set", "City=\(city)", "-q") == .done())
      #expect(try sandbox.sqlite(address) == wanted)
    }
    #expect(try sandbox.run("edit", "1", "--address", "", "--set", "City=Bonn", "-q") == .done())
    #expect(try sandbox.sqlite(address) == "Bonn\n")
  }
}
