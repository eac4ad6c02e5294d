import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Testing

/// vCards of other programs.
@Suite(.onThreads) struct VCardReaderTests {

  /// Lines of a card, and the columns that it gives.
  @Test(arguments: [
    (["N:Müller;Zoë;;;", "FN:Zoë Müller"], "first_name=Zoë|last_name=Müller"),
    (["n:Lee;Ann", "fn:Ann Lee"], "first_name=Ann|last_name=Lee"),
    (
      ["N:King;Martin;Luther,\\nx;Dr.;Jr.,M.D.;;", "FN:Dr. Martin Luther King"],
      "first_name=Martin|last_name=King|additional_names=Luther,\nx|name_prefix=Dr.|name_suffix=Jr.,M.D."
        + "|FN=Dr. Martin Luther King|vcard=N:King;Martin;Luther,\\nx;Dr.;Jr.,M.D.;;"
    ),
    (["FN:Ann Lee"], "name=Ann Lee"), (["N:;;;;", "FN:Acme", "ORG:Acme"], "company=Acme"), ([], ""),
    (["FN:a@b", "EMAIL:a@b"], "email=a@b"),
    (
      ["ORG:Müller\\, Söhne\\; Co;Sales;EMEA", "TITLE:Head\\, Sales"],
      "company=Müller, Söhne; Co|department=Sales;EMEA|Job title=Head, Sales"
    ),
    (
      ["EMAIL:1", "EMAIL;PREF=2:2", "EMAIL;PREF=1:3"],
      "email=3|other_contacts=email: 1\nemail: 2|vcard=EMAIL;PREF=2:2"
    ),
    (
      ["TEL;type=CELL;type=pref:1", "TEL:2", "TEL:3", "TEL:4"],
      "phone=1|other_contacts=phone mobile:\nphone: 2\nphone: 3\nphone: 4"
    ),
    (
      ["tel;HOME:1", "item1.tel;type=\"work,pref\":2"],
      "phone=2|other_contacts=phone home: 1\nphone work:|vcard=item1.TEL;type=\"work,pref\":2"
    ),
    (["TEL;HOME;PREF:1", "TEL:0"], "phone=1|other_contacts=phone home:\nphone: 0"),
    (["TEL;VALUE=uri:tel:+1-555;ext=5"], "phone=+1-555;ext=5|vcard=TEL;VALUE=uri:tel:+1-555;ext=5"),
    (["TEL:tel:5"], "phone=tel:5"),
    (
      ["ADR;TYPE=home:;;1 Main St;Town;OH;45000;USA"],
      "address=1 Main St\nTown, OH 45000\nUSA|other_contacts=address home:|"
        + "vcard=ADR;TYPE=home:;;1 Main St;Town;OH;45000;USA"
    ),
    (
      ["ADR:PO 1;Back;Weg 2\\nHof;Köln;;50667;"],
      "address=PO 1\nBack\nWeg 2\nHof\n50667 Köln|vcard=ADR:PO 1;Back;Weg 2\\nHof;Köln;;50667;"
    ),
    (["ADR:;;a\\n\\nb\\n;;;;"], "address=a\n\nb\n"),
    (["ADR;LABEL=\"x:y;z\":;;s"], "address=s|vcard=ADR;LABEL=\"x:y;z\":;;s"),
    (["NOTE:a\\nb\\Nc\\,\\;\\\\\\:\\x\\"], "note=a\nb\nc,;\\:\\x\\|vcard=NOTE:a\\nb\\Nc\\,\\;\\\\\\:\\x\\"),
    (["NOTE:1", "NOTE:2", "NOTE:3"], "note=1|NOTE:2=2|NOTE:3=3"),
    (["NOTE:fol", " ded\r\n\t line", "  here"], "note=folded line here"),
    (
      ["BDAY:19800101", "categories:a,b", "X-Foo;A=\"b;c:d\";E=^n^^:v:w"],
      "tags=a\nb|Birthday=1980-01-01|vcard=X-Foo;A=\"b;c:d\";E=^n^^:v:w"
    ),
    (
      ["item1.X-ABLabel:x", "item2.X-ABLabel:y", "TITLE:", "ADR:;;;;;;"],
      "vcard=item1.X-ABLabel:x\nitem2.X-ABLabel:y"
    ),
    (
      ["X-CUSTOMERS-FAVORITE:1", "X-CUSTOMERS-EXTRA:{\"Fax\":\"1\\, 2\"\\,\"Age\":42}"],
      "is_favorite:true|Fax=1, 2|Age:42"
    ),
    (
      ["X-CUSTOMERS-FAVORITE:maybe", "X-CUSTOMERS-EXTRA:{"],
      "vcard=X-CUSTOMERS-FAVORITE:maybe\nX-CUSTOMERS-EXTRA:{"
    ),
  ])
  func `a card gives the same columns in any chunks`(lines: [String], expected: String) throws {
    let text = (["BEGIN:VCARD", "VERSION:4.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    for text in [text, text.replacing("\r\n", with: "\n"), "\u{feff}\n" + text + "\r\n\r\n"] {
      for size in 1...text.utf8.count {
        let reading = try Reading.vcard(text, piece: size)
        #expect(reading.problem == nil)
        #expect(reading.lines == [expected], "pieces of \(size)")
      }
    }
  }

  /// Lines of a card of vCard 2.1, and the columns that it gives.
  @Test(arguments: [
    ("N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Zo=C3=AB", "first_name=Zoë|last_name=Müller"),
    ("FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:Zo=EB", "name=Zoë"),
    ("FN;ENCODING=QUOTED-PRINTABLE:Zo=EB", "name=Zoë"),
    ("FN;ENCODING=QUOTED-PRINTABLE:a=\n b=\nc", "name=a bc"),
    ("NOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab=3", "note=a\nb=3"),
    (
      "TEL;CELL;VOICE:1\nTEL;WORK;FAX:2",
      "phone=1|other_contacts=phone mobile:\nfax work: 2|"
        + "vcard=TEL;TYPE=cell;TYPE=voice:1"
    ),
    (
      "PHOTO;ENCODING=BASE64;TYPE=GIF:R0lG\n AAAA\nBBBB==\n\nFN:Ann",
      "name=Ann|vcard=PHOTO:data:image/gif;base64,R0lGAAAABBBB=="
    ),
    (
      "FN:Ann\nAGENT:\nBEGIN:VCARD\nFN:Bob\nEND:VCARD",
      "name=Ann|vcard=AGENT:BEGIN:VCARD\\nFN:Bob\\nEND:VCARD\\n"
    ),
  ])
  func `a card of an old phone gives the same columns with every line end`(lines: String, expected: String)
    throws
  {
    let text = "BEGIN:VCARD\nVERSION:2.1\n\(lines)\nEND:VCARD\n"
    for end in ["\n", "\r\n", "\r", "\r\r\n"] {
      let reading = try Reading.vcard(text.replacing("\n", with: end), piece: 7)
      #expect(reading.problem == nil && reading.lines == [expected], "\(end.debugDescription)")
    }
  }

  @Test func `a card keeps its lines, and an edited field wins over them`() throws {
    let text = """
      BEGIN:VCARD
      VERSION:3.0
      N:Lee;Ann
      item1.TEL;TYPE=WORK,VOICE;X-A=1:1
      item1.X-ABADR:us
      item2.TEL:2
      item2.X-ABLabel:Ski Hut
      PHOTO;ENCODING=b;TYPE=PNG:AAAA
      END:VCARD

      """
    let record = try #require(try Reading.vcard(text).records.first)
    var columns = Array(zip(record.columns, record.values)).map { (name: $0, value: $1) }
    #expect(vCard(columns).contains("item1.TEL;TYPE=WORK,VOICE;X-A=1:1\r\n"))
    columns = columns.map { name, value in
      switch name {
      case "phone": (name, .text("9"))
      case "other_contacts": (name, .text("phone Ski Hut: 2"))
      default: (name, value)
      }
    }
    let lines = vCard(columns).split(separator: "\r\n").map(String.init)
    #expect(lines.contains("TEL;PREF=1:9") && lines.contains("item2.X-ABLabel:Ski Hut"))
    #expect(lines.contains("PHOTO:data:image/png;base64,AAAA"))
    #expect(!lines.contains { $0.hasPrefix("item1.") })
  }

  @Test func `a fold may be inside a character`() throws {
    let bytes = Array("BEGIN:VCARD\r\nNOTE:\u{c9}\u{1f600}\r\nEND:VCARD".utf8)
    for place in 18..<24 {
      let folded = bytes[..<place] + [0x0d, 0x0a, 0x20] + bytes[place...]
      #expect(try Reading.vcard(Array(folded)).lines == ["note=É😀"], "\(place)")
    }
  }

  @Test func `cards are read one by one, with their line numbers`() throws {
    let text = "BEGIN:VCARD\nFN:a\nEND:VCARD\n\nbegin:vcard\nFN:b\n c\nend:vcard\nBEGIN:VCARD \nEND:VCARD"
    let reading = try Reading.vcard(text)
    #expect(reading.lines == ["name=a", "name=bc", ""] && reading.records.map(\.line) == [1, 5, 9])
    #expect(try Reading.vcard("") == Reading.vcard("\n\n"))
    #expect(try Reading.vcard("").records.isEmpty && Reading.vcard("").problem == nil)
  }

  /// A string, the line of its error, and a part of the message.
  @Test(arguments: [
    ("x", 1, "expected BEGIN:VCARD"), ("name,note\n", 1, "expected BEGIN"),
    ("\n\nEND:VCARD", 3, "expected BEGIN"),
    ("BEGIN:VCALENDAR\nEND:VCALENDAR", 1, "expected BEGIN"), (" BEGIN:VCARD", 1, "expected BEGIN"),
    ("BEGIN:VCARD\nFN:a\n", 1, "never ends"), ("BEGIN:VCARD\nEND:VCARD\nBEGIN:VCARD", 3, "never ends"),
    ("BEGIN:VCARD\nFN:a\nBEGIN:VCARD\nEND:VCARD\nEND:VCARD", 3, "BEGIN inside"),
    ("BEGIN:VCARD\nEND:VCALENDAR", 2, "expected END:VCARD"), ("BEGIN:VCARD\nFN\nEND:VCARD", 2, "colon"),
    ("BEGIN:VCARD\n:x\nEND:VCARD", 2, "name"), ("BEGIN:VCARD\nA B:x\nEND:VCARD", 2, "name"),
    ("BEGIN:VCARD\n.FN:x\nEND:VCARD", 2, "name"), ("BEGIN:VCARD\nTEL;A=\"b:c\nEND:VCARD", 2, "colon"),
    ("BEGIN:VCARD\nVERSION:1.0\nEND:VCARD", 2, "save it as one"),
  ])
  func `an invalid card is reported with its line, whatever the chunks`(text: String, line: Int, part: String)
    throws
  {
    for size in 1...text.utf8.count {
      let problem = try Reading.vcard(text, piece: size).problem
      #expect(problem?.line == line && problem?.message.contains(part) == true, "\(text): \(problem as Any)")
    }
  }

  @Test func `invalid UTF-8 in a card is reported with its position`() throws {
    let start = Array("BEGIN:VCARD\nNOTE:a\n b".utf8)
    for (bytes, line, column) in [([0xff], 3, 3), ([0xc3, 0x0a, 0x20, 0x41], 4, 2)] as [([UInt8], Int, Int)] {
      let problem = try Reading.vcard(start + bytes + Array("\nEND:VCARD".utf8)).problem
      #expect(problem == ParseError(line: line, column: column, message: "not UTF-8"))
    }
    let half = try Reading.vcard(start + [0xc3, 0x0a] + Array("END:VCARD".utf8)).problem
    #expect(half == ParseError(line: 2, message: "not UTF-8"))
  }

  @Test(arguments: [
    ("NOTE:", "x", "a card has more than 16000000 bytes"),
    ("", "X-A:1\n", "a card has more than 20000 properties"),
  ])
  func `an endless card does not fill the memory`(start: String, more: String, told: String) throws {
    var piece = Array("BEGIN:VCARD\n\(start)".utf8)
    var count = 0
    let reading = try Reading(
      VCardReader {
        defer { piece = Array(String(repeating: more, count: 1 << 15).utf8) }
        count += piece.count
        return piece
      })
    #expect(reading.problem?.message == told)
    #expect(count < 16_200_000)
  }
}
