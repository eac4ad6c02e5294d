import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Imported cards of customers who were edited since.
@Suite(.onThreads) struct VCardEditTests {
  private static let card = """
    BEGIN:VCARD
    VERSION:3.0
    N:Lee;Ann;;;
    FN:Ann Lee
    TEL;TYPE=home,voice,pref:1
    TEL;TYPE=work,voice:2
    item1.EMAIL;TYPE=internet:a@x
    item1.X-ABLabel:Hut
    CATEGORIES;LANGUAGE=en:old,vip
    CATEGORIES;LANGUAGE=de:neu
    X-SKYPE:ann
    END:VCARD

    """

  /// The lines of the card after a change of some columns.
  private func lines(_ changes: [String: String]) throws -> [String] {
    let record = try #require(try Reading.vcard(Self.card).records.first)
    let names = record.columns + changes.keys.filter { !record.columns.contains($0) }
    let columns = names.map { name in
      let known = record.columns.firstIndex(of: name).map { record.values[$0] }
      return (name: name, value: changes[name].map { Record.Value.text($0) } ?? known ?? .text(""))
    }
    return vCard(columns.filter { $0.value != .text("") }).replacing("\r\n ", with: "").split(
      separator: "\r\n"
    ).map(
      String.init)
  }

  @Test func `an unchanged card has its lines`() throws {
    #expect(
      try lines([:]) == [
        "BEGIN:VCARD", "VERSION:4.0", "FN:Ann Lee", "N:Lee;Ann;;;", "TEL;TYPE=home;TYPE=voice;PREF=1:1",
        "TEL;TYPE=work,voice:2", "item1.EMAIL;TYPE=internet:a@x", "CATEGORIES;LANGUAGE=en:old,vip",
        "CATEGORIES;LANGUAGE=de:neu", "item1.X-ABLabel:Hut", "X-SKYPE:ann", "END:VCARD",
      ])
  }

  @Test func `a number that is gone is written nowhere, and all else is kept`() throws {
    let edited = try lines(["phone": "3", "other_contacts": "phone home: 3\nphone work: 2\nemail Hut: a@x"])
    #expect(
      edited == [
        "BEGIN:VCARD", "VERSION:4.0", "FN:Ann Lee", "N:Lee;Ann;;;", "TEL;PREF=1;TYPE=home:3",
        "TEL;TYPE=work,voice:2", "item1.EMAIL;TYPE=internet:a@x", "CATEGORIES;LANGUAGE=en:old,vip",
        "CATEGORIES;LANGUAGE=de:neu", "item1.X-ABLabel:Hut", "X-SKYPE:ann", "END:VCARD",
      ])
  }

  @Test func `another main number is the preferred one`() throws {
    let edited = try lines(["phone": "2", "other_contacts": "phone home: 1\nphone work: 2\nemail Hut: a@x"])
    #expect(
      edited.contains("TEL;PREF=2;TYPE=home;TYPE=voice:1") && edited.contains("TEL;PREF=1;TYPE=work,voice:2"))
    #expect(!edited.contains { $0.hasPrefix("X-CUSTOMERS") })
  }

  @Test func `a label that is gone takes its line along`() throws {
    let edited = try lines(["email": "", "other_contacts": "phone home: 1\nphone work: 2"])
    #expect(!edited.contains { $0.contains("item1") || $0.hasPrefix("X-CUSTOMERS") })
  }

  @Test func `tags that are gone leave the others in their lines`() throws {
    let edited = try lines(["tags": "vip\nneu\nlead"])
    #expect(
      edited.filter { $0.hasPrefix("CATEGORIES") } == [
        "CATEGORIES;LANGUAGE=en:vip", "CATEGORIES;LANGUAGE=de:neu", "CATEGORIES:lead",
      ])
    #expect(!edited.contains { $0.hasPrefix("X-CUSTOMERS") })
  }

  @Test func `a card that says something twice keeps both lines`() throws {
    let twice = [
      "EMAIL:a@x", "EMAIL;TYPE=work:a@x", "EMAIL;PREF=7;PID=1.1:a@x", "EMAIL:a@x", "CATEGORIES:a,b",
      "CATEGORIES:b",
    ]
    let card = (["BEGIN:VCARD", "VERSION:4.0", "FN:Ann"] + twice + ["END:VCARD", ""]).joined(separator: "\n")
    let record = try #require(try Reading.vcard(card).records.first)
    let lines = vCard(zip(record.columns, record.values).map { (name: $0, value: $1) }).split(
      separator: "\r\n"
    ).map(String.init)
    #expect(lines.filter { $0.hasPrefix("EMAIL") || $0.hasPrefix("CATEGORIES") }.sorted() == twice.sorted())
  }

  @Test func `a number that is preferred as well as the main one stays second`() throws {
    let numbers = ["TEL;TYPE=cell;PID=1.1:2", "TEL;PREF=1;TYPE=cell:1", "TEL;PREF=1;TYPE=cell:2"]
    let card = (["BEGIN:VCARD", "VERSION:4.0", "FN:Ann"] + numbers + ["END:VCARD", ""]).joined(
      separator: "\n")
    let record = try #require(try Reading.vcard(card).records.first)
    let lines = vCard(zip(record.columns, record.values).map { (name: $0, value: $1) })
    #expect(lines.split(separator: "\r\n").filter { $0.hasPrefix("TEL") }.map(String.init) == numbers)
  }

  /// RFC 6350 allows one birthday.
  @Test func `a birthday in words beside a birthday is no second one`() throws {
    for lines in [["BDAY;VALUE=text:circa 1800"], ["BDAY;VALUE=text:circa 1800", "BDAY:18000203"]] {
      let card = (["BEGIN:VCARD", "VERSION:4.0", "FN:Ann"] + lines + ["END:VCARD", ""]).joined(
        separator: "\n")
      let record = try #require(try Reading.vcard(card).records.first)
      var columns = zip(record.columns, record.values).map { (name: $0, value: $1) }
      if lines.count == 1 { columns.append((name: "Birthday", value: .text("1800-02-03"))) }
      for text in [vCard(columns), vCard(columns, version: .version3)] {
        let written = text.split(separator: "\r\n").filter { $0.hasPrefix("BDAY") }
        #expect(written == [text.contains("VERSION:3.0") ? "BDAY:1800-02-03" : "BDAY:18000203"])
        let back = try #require(try Reading.vcard(text).records.first)
        for (name, value) in columns {
          let index = try #require(back.columns.firstIndex(of: name), "\(name) of \(text)")
          #expect(back.values[index] == value)
        }
      }
    }
  }

  @Test func `a comma of version 2.1 separates nothing`() throws {
    let card = "BEGIN:VCARD\nVERSION:2.1\nN:Lee, Jr.;Ann\nADR:;;Weg 1, left\\, up;Bonn\nEND:VCARD\n"
    let record = try #require(try Reading.vcard(card).records.first)
    let lines = vCard(zip(record.columns, record.values).map { (name: $0, value: $1) })
    #expect(lines.contains("\r\nN:Lee\\, Jr.;Ann") && lines.contains("ADR:;;Weg 1\\, left\\, up;Bonn"))
  }

  @Test func `each part of a name has its place`() {
    let names = ["first_name", "last_name", "additional_names", "name_prefix", "name_suffix"]
    let card = vCard(zip(names, ["Ann", "Lee", "Bea", "Dr.", "Jr."]).map { (name: $0, value: .text($1)) })
    #expect(card.contains("\r\nN:Lee;Ann;Bea;Dr.;Jr.\r\n"))
  }
}
