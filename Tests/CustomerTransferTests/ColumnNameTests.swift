import CustomerStore
import CustomerTransfer
import CustomersTestSupport
import Testing

/// What the names of columns mean.
@Suite(.onThreads) struct ColumnNameTests {
  /// What each column of a file becomes.
  private func targets(_ header: String) throws -> String {
    let count = header.split(separator: ",", omittingEmptySubsequences: false).count
    var pieces = [Array("\(header)\n\(Array(repeating: "1", count: count).joined(separator: ","))\n".utf8)]
    var options = ImportOptions()
    options.acceptsUnmatchedColumns = true
    let importer = try CustomerImporter(options, receiving: { pieces.popLast() ?? [] })
    return try importer.columns().map { "\($0.target)" }.joined(separator: ", ")
  }

  @Test(arguments: [
    ("name", "first_name and last_name"), ("Nom,Prénom", "last_name, first_name"),
    ("Vorname,Name", "first_name, last_name"), ("Nombre,Apellidos", "first_name, last_name"),
    ("Nome,Cognome", "first_name, last_name"), ("Nom", "first_name and last_name"),
    ("Display Name,First,Last", "extra column, first_name, last_name"),
    ("Last,Name", "last_name, first_name"), ("First Name,Full Name", "first_name, extra column"),
  ])
  func `names of people`(header: String, expected: String) throws {
    #expect(try targets(header) == expected)
  }

  @Test(arguments: [
    ("Phone", "phone"), ("phone,mobile", "phone, phone (mobile)"), ("Mobile", "phone (mobile)"),
    ("Work Email,Personal E-Mail", "email (work), email (home)"),
    ("Fax", "other_contacts (fax)"), ("Home Fax", "other_contacts (fax home)"),
    ("Pager", "other_contacts (pager)"), ("Assistant's Phone", "phone (assistant)"),
    ("Company Main Phone", "phone (company)"), ("E-mail 1 - Label,E-mail 1 - Value", "its label, email"),
    ("Customer Phone", "phone"), ("Phone Type", "extra column"),
    ("First,Email Opt-In", "first_name, extra column"),
    ("First,Email Status", "first_name, extra column"), ("First,IP Address", "first_name, extra column"),
    ("Home,Work", "phone (home), phone (work)"),
    ("First,Home", "first_name, extra column"), ("First,Web Address", "first_name, extra column"),
    ("First,Contact Owner", "first_name, extra column \"Owner\""),
  ])
  func `ways to reach a customer`(header: String, expected: String) throws {
    #expect(try targets(header) == expected)
  }

  @Test(arguments: [
    ("Street,City,Zip", Array(repeating: "part of the address", count: 3)),
    ("Address,City", ["address", "part of the address"]),
    ("Address 1,Address 2,Postcode", ["address", "address", "part of the address"]),
    ("Home Address,Home City", ["address (home)", "part of the address"]),
    ("Street", ["address"]),
    ("City,Country", Array(repeating: "part of the address", count: 2)),
    ("Address,Region", ["address", "part of the address"]), ("State", ["extra column"]),
  ])
  func `parts of an address`(header: String, expected: [String]) throws {
    #expect(try targets(header) == expected.joined(separator: ", "))
  }

  @Test func `of two columns with the same name, the second is kept under another one`() throws {
    #expect(try targets("Titre,Nom,Titre") == "extra column, first_name and last_name, extra column")
  }
}
