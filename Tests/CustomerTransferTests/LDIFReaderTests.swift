import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Address books in LDIF.
@Suite(.onThreads) struct LDIFReaderTests {
  private func read(_ text: String, piece: Int = .max) throws -> Reading {
    try Reading(LDIFReader(readChunk: Reading.pieces(Array(text.utf8), piece)))
  }

  @Test(arguments: [
    ("cn: Ann Lee\nmail: a@x\nmail: b@x", "name=Ann Lee|email=a@x|other_contacts=email: b@x"),
    ("givenName: Ann\nsn: Lee\ncn: Ann Lee\ndisplayName: Ann Lee", "first_name=Ann|last_name=Lee"),
    ("cn: Jörg Müller\nsn: Müller", "first_name=Jörg|last_name=Müller"),
    ("sn: Lee\ncn: Lee, Ann Mary", "first_name=Ann Mary|last_name=Lee"),
    ("cn: Lee\nsn: Lee", "last_name=Lee"),
    ("cn: Ann Lee\ngivenName: Ann", "first_name=Ann|last_name=Lee"),
    ("cn:: w4ViZQ==", "name=Åbe"), ("cn;lang-de: Ann", "name=Ann"), ("cn: A\n nn", "name=Ann"),
    ("# a remark\ncn: Ann\nobjectclass: person\ndn: cn=Ann", "name=Ann"),
    (
      "cn: Ann\nmobile: 1\nfax: 2\npager: 3",
      "name=Ann|phone=1|other_contacts=phone mobile:\nfax: 2\npager: 3"
    ),
    (
      "o: Acme\nou: Sales\nstreet: Weg 1\nl: Ulm\npostalCode: 89073\nc: DE",
      "company=Acme|department=Sales|address=Weg 1\n89073 Ulm\nDE|"
        + "other_contacts=address work:|"
        + #"address_parts:{"street":"Weg 1","city":"Ulm","postal_code":"89073","country":"DE"}"#
    ),
    (
      "cn: Ann\npostalAddress: Weg 1$89073 Ulm",
      "name=Ann|address=Weg 1\n89073 Ulm|"
        + "other_contacts=address work:"
    ),
    (
      "cn: Ann\ntitle: Head\nroomNumber: 7\nroomNumber: 8",
      "name=Ann|Job title=Head|roomNumber=7|roomNumber:2=8"
    ),
    (
      "cn: Ann\nbirthday: 3\nbirthmonth: 2\nbirthyear: 1980\nhomeurl: a.example\nworkurl: b.example",
      "name=Ann|Website=a.example|workurl=b.example|Birthday=1980-02-03"
    ),
    ("cn: Ann\njpegPhoto:: /9j/", "name=Ann|vcard=PHOTO;ENCODING=b;TYPE=JPEG:/9j/"),
  ])
  func `an entry gives the same columns in any chunks`(entry: String, expected: String) throws {
    for text in ["version: 1\n\ndn: x\n\(entry)\n", "dn: x\r\n" + entry.replacing("\n", with: "\r\n")] {
      for size in [1, 2, 7, 1000] {
        let reading = try read(text, piece: size)
        #expect(reading.problem == nil && reading.lines == [expected], "\(text.debugDescription), \(size)")
      }
    }
  }

  @Test func `entries are separated by empty lines, and have their line`() throws {
    let reading = try read("version: 1\n\ndn: a\ncn: Ann\n\n\ndn: b\ncn: Bob")
    #expect(reading.lines == ["name=Ann", "name=Bob"] && reading.records.map(\.line) == [3, 7])
    #expect(try read("dn: a\nno colon\n").problem?.line == 2)
    #expect(try read("").records.isEmpty)
  }
}
