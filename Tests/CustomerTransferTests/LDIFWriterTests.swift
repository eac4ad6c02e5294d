import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Entries of LDIF, as they are written.
@Suite(.onThreads) struct LDIFWriterTests {
  private static let columns: [(name: String, value: String)] = [
    ("first_name", "Zoë"), ("last_name", "Müller"), ("company", "Müller, Töchter"),
    ("email", "zoe@m.example"),
    ("phone", "+49 1"), ("address", "Gasse 1\n10115 Berlin"), ("note", " begins with a space"),
    ("other_contacts", "email: z@home.example\nphone home: 2\nphone mobile: 3\nfax: 4\npager: 5"),
    ("tags", "vip\nfriend"), ("Status", String(repeating: "long ", count: 40) + "end"),
    ("not an attribute", "x"),
  ]

  @Test func `an entry is read as it was written`() throws {
    let text = ldifEntry(Self.columns, name: "Zoë Müller")
    #expect(text.hasPrefix("dn:: ") && text.hasSuffix("\n\n"))
    for line in text.split(separator: "\n") {
      #expect(line.utf8.count <= 76 && line.utf8.allSatisfy { $0 < 0x80 })
    }
    var pieces = [Array(text.utf8)]
    var reader = LDIFReader { pieces.popLast() ?? [] }
    let record = try #require(try reader.next())
    #expect(try reader.next() == nil)
    func value(_ name: String) -> String? {
      guard let index = record.columns.firstIndex(of: name), case .text(let text) = record.values[index]
      else { return nil }
      return text
    }
    for (name, text) in Self.columns where !["other_contacts", "not an attribute"].contains(name) {
      #expect(value(name) == text, "\(name)")
    }
    let others = Set((value("other_contacts") ?? "").split(separator: "\n").map(String.init))
    #expect(
      others.isSuperset(of: [
        "email: z@home.example", "phone home: 2", "phone mobile: 3", "fax: 4", "pager: 5",
      ]))
    #expect(value("not an attribute") == nil)
  }

  @Test(arguments: [" begins", "ends ", ":b", "<b"])
  func `a value that another program would read as another one is encoded`(note: String) {
    #expect(ldifEntry([("note", note)], name: "A").contains("\ndescription:: "))
    #expect(ldifEntry([("note", "a\(note)b")], name: "A").contains("\ndescription: a\(note)b\n"))
  }

  @Test func `special characters of a name are escaped in the distinguished name`() {
    let text = ldifEntry([("first_name", "A"), ("email", "a@x.example")], name: "# A, \"B\" + C ")
    #expect(text.hasPrefix("dn: cn=\\# A\\, \\\"B\\\" \\+ C\\ ,mail=a@x.example\n"))
  }
}
