import CustomerFixtures
import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Files are read back exactly as written.
@Suite(.onThreads) struct RoundTripTests {
  /// Pieces of text that are awkward in one format or another.
  private static let pieces = [
    "a", "Zoë", " ", "  ", "\n", "\r\n", "\r", "\t", "\0", "\u{1b}", "\u{7f}", "\u{85}", "\u{2028}",
    "\u{202e}",
    "\u{feff}", "e\u{301}", "\u{301}", "👩‍👩‍👧", "\u{10ffff}", "\"", "\\", "\\n", ",", ";", ":", "=", "^n",
    "END:VCARD",
    "BEGIN:VCARD\n", "\nEND:VCARD\n", "tel:", "{", "}", "\\u0000", "日本語日本語日本語日本語日本語日本語日本語",
    "0123456789012345678901234567890123456789012345678901234567890123456789",
    "2001-02-03", "20010203",
  ]
  private static let names = [
    "Fax", "a b", "N", "FN", "TEL", "TEL;TYPE=work", "TEL;PREF=1", "URL", "URL:2", "X-A", "x-b;c=\"d:e\"",
    "BDAY", "Birthday", "Anniversary", "Job title", "Website", "TITLE", "NICKNAME", "Nickname",
    "VERSION", "BEGIN", "END", "item1.EMAIL", "X-CUSTOMERS-EXTRA", "X-CUSTOMERS-FAVORITE", "id", "Name",
    "tel", "A:2",
    "PHOTO;ENCODING=b", "NOTE;ENCODING=QUOTED-PRINTABLE", "", ":2", "é", "e\u{301}",
  ]
  private static let fields = [
    "first_name", "last_name", "company", "department", "email", "phone", "address", "note",
  ]

  private static func text(_ random: inout SplitMix64) -> String {
    (0..<random.below(8)).map { _ in pieces[random.below(pieces.count)] }.joined()
  }

  private static func members(_ random: inout SplitMix64) -> [(name: String, value: Record.Value)] {
    var members: [(name: String, value: Record.Value)] = []
    for field in fields where random.oneIn(2) {
      let text = text(&random)
      if !text.isEmpty { members.append((field, .text(text))) }
    }
    if random.oneIn(3) { members.append(("is_favorite", .json("true"))) }
    var used: Set<[UInt8]> = []
    for _ in 0..<random.below(6) {
      let name = random.oneIn(3) ? text(&random) : names[random.below(names.count)]
      guard !fields.contains(name), used.insert(Array(name.utf8)).inserted else { continue }
      let values: [Record.Value] = [.text(text(&random)), .json("1.50"), .json("[true,null]"), .text("x")]
      members.append((name, values[random.below(values.count)]))
    }
    return members
  }

  private static func bytes(_ members: [(name: String, value: Record.Value)]) -> [[UInt8]] {
    members.flatMap { [Array($0.name.utf8), Array(String(describing: $0.value).utf8)] }
  }

  @Test(arguments: [1, 2, 3])
  func `any customer survives a round trip through cards and JSON, in order`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<700 {
      let members = RoundTripTests.members(&random)
      let card = vCard(members)
      let json = JSON.object(members.map { ($0.name, $0.value.json) }).text
      for reading in [try Reading.vcard(card), try Reading.json(json)] {
        #expect(reading.problem == nil && reading.records.count == 1)
        let record = try #require(reading.records.first)
        let back = Array(zip(record.columns, record.values)).map { (name: $0, value: $1) }
        #expect(
          RoundTripTests.bytes(back) == RoundTripTests.bytes(members), "seed \(seed), round \(round): \(card)"
        )
      }
      RoundTripTests.expectLegal(card)
    }
  }

  /// Checks the requirements of RFC 6350 for every card: lines of at most 75 bytes in whole characters, no controls.
  private static func expectLegal(_ card: String) {
    let bytes = Array(card.utf8)
    #expect(bytes.starts(with: "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:".utf8))
    #expect(bytes.reversed().starts(with: "\r\nEND:VCARD\r\n".utf8.reversed()))
    var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    #expect(lines.removeLast().isEmpty)
    for line in lines {
      #expect(line.last == 0x0d && line.count <= 76)
      #expect(String(validating: line, as: UTF8.self) != nil)
      #expect(!line.dropLast().contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f })
    }
  }

  @Test func `a card has the form that other programs expect`() {
    let card = vCard([
      ("first_name", .text("Zoë")), ("last_name", .text("Müller")), ("company", .text("Müller, Söhne")),
      ("email", .text("zoe@mueller.example")), ("phone", .text("+49 1;2")),
      ("address", .text("Weg 1\r\n50667 Köln")),
      ("note", .text("")), ("is_favorite", .json("true")),
      ("other_contacts", .text("phone work: 2\nphone Ski Hut: 3\nemail home: zoe@mueller.example\ncall Ann")),
      ("tags", .text("a, b\nc")), ("Job title", .text("Head, Sales")), ("TEL;TYPE=work", .text("3")),
      ("Fax", .text("4, 5")), ("Age", .json("42")),
    ])
    let lines = [
      "BEGIN:VCARD", "VERSION:4.0", "FN:Zoë Müller", "N:Müller;Zoë;;;", "ORG:Müller\\, Söhne",
      "TEL;PREF=1:+49 1\\;2", "ADR:;;Weg 1\\n50667 Köln;;;;", "TEL;TYPE=work:2", "customers1.TEL:3",
      "customers1.X-ABLabel:Ski Hut", "EMAIL;TYPE=home:zoe@mueller.example", "CATEGORIES:a\\, b,c",
      "TITLE:Head\\, Sales", "X-CUSTOMERS-FAVORITE:1",
      #"X-CUSTOMERS-EXTRA:{"address":"Weg 1\\r\\n50667 Köln"}"#, "TEL;TYPE=work:3",
      #"X-CUSTOMERS-EXTRA:{"TEL\;TYPE=work":"3"}"#, #"X-CUSTOMERS-EXTRA:{"Fax":"4\, 5"}"#,
      #"X-CUSTOMERS-EXTRA:{"Age":42}"#,
      #"X-CUSTOMERS-EXTRA:{"other_contacts":"phone work: 2\\nphone Ski Hut: 3\\nemail home: zoe@mueller.example\\ncall Ann"}"#,
      "END:VCARD", "",
    ]
    // The one long line is folded.
    #expect(card.replacing("\r\n ", with: "") == lines.joined(separator: "\r\n"))
  }
}
