import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Cards, entries, and objects that are not quite what they should be.
@Suite(.onThreads) struct OddFilesTests {
  private func card(_ lines: String...) -> String {
    (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\n")
  }

  @Test func `a card of a group is skipped and counted, unless it is from a list`() throws {
    let groups =
      card("KIND:group", "FN:Friends", "MEMBER:urn:uuid:1") + card("X-ADDRESSBOOKSERVER-KIND:group", "FN:A")
    var pieces = [Array((groups + card("FN:Ann", "KIND:org")).utf8)]
    var reader = VCardReader { pieces.popLast() ?? [] }
    #expect(try reader.next()?.values.first == .text("Ann"))
    #expect(try reader.next() == nil && reader.skippedGroups == 2)
    let own = card("KIND:group", "FN:Friends", "X-CUSTOMERS-EXTRA:{\"section\":\"A\"}")
    #expect(try Reading.vcard(own).records.count == 1)
  }

  @Test func `an entry of a group is skipped and counted`() throws {
    let text = "dn: a\ncn: Friends\nobjectclass: groupOfNames\n\ndn: b\ncn: Ann\nobjectclass: person\n"
    var pieces = [Array(text.utf8)]
    var reader = LDIFReader { pieces.popLast() ?? [] }
    #expect(try reader.next()?.values == [.text("Ann")])
    #expect(try reader.next() == nil && reader.skippedGroups == 1)
  }

  @Test func `after a bad card, the next one is read`() throws {
    let bad = "BEGIN:VCARD\nFN:Bob\nno colon\nTEL:1\nEND:VCARD\n"
    let invalid = Array("BEGIN:VCARD\nFN:B".utf8) + [0xff] + Array("\nTEL:2\nEND:VCARD\n".utf8)
    let end = "BEGIN:VCARD\nFN:Eve\n"
    let file = Array((card("FN:Ann") + bad).utf8) + invalid + Array((card("FN:Cid") + end).utf8)
    for size in [1, 7, 1000] {
      var reader = VCardReader(readChunk: Reading.pieces(file, size))
      #expect(try reader.next()?.values == [.text("Ann")])
      var rows: [MalformedRow] = []
      var names: [Record.Value] = []
      while true {
        do {
          guard let record = try reader.next() else { break }
          names += record.values
        } catch let row as MalformedRow { rows.append(row) }
      }
      #expect(names == [.text("Cid")])
      #expect(rows.map(\.bytes) == [Array(bad.utf8), invalid, Array(end.utf8)])
      #expect(rows.map(\.problem.line) == [7, 11, 18])
    }
  }

  @Test func `after a bad entry, the next one is read`() throws {
    let bad = "dn: b\nno colon\ncn: Bob\n\n"
    var pieces = [Array(("dn: a\ncn: Ann\n\n" + bad + "dn: c\ncn: Cid\n").utf8)]
    var reader = LDIFReader { pieces.popLast() ?? [] }
    #expect(try reader.next()?.values == [.text("Ann")])
    let row = #expect(throws: MalformedRow.self) { try reader.next() }
    #expect(row?.bytes == Array(bad.utf8) && row?.problem.line == 5)
    #expect(try reader.next()?.values == [.text("Cid")])
  }

  @Test func `a name with other signs is kept as it is, and a version may be short`() throws {
    let text = "BEGIN:VCARD\nVERSION:4\nFN:Ann\nX-A/B.C:1\nEND:VCARD\n"
    #expect(try Reading.vcard(text).lines == ["name=Ann|vcard=X-A/B.C:1"])
  }

  @Test func `an array in an object is read like the array`() throws {
    let text = #"{ "contacts": [{"name":"Ann"}, {"name":"Bob"}] }"# + "\n"
    for (text, count) in [(text, 2), (#"{"emails":[{"value":"a@x"}],"name":"Ann"}"#, 1)] {
      let reading = try Reading(JSONReader(Array(text.utf8), readChunk: Reading.pieces(Array(text.utf8), 5)))
      #expect(reading.problem == nil && reading.records.count == count)
    }
    let open = #"{"contacts":[{"name":"Ann"}"#
    #expect(
      try Reading(JSONReader(Array(open.utf8), readChunk: Reading.pieces(Array(open.utf8), 5))).problem != nil
    )
  }

  @Test func `empty values too many, empty rows, and a second header are left out`() throws {
    var pieces = [Array("name,email\nAnn,a@x,,\n,,\nname,email\nname,c@x\nBob,b@x\n".utf8)]
    var records = try CSVRecords { pieces.popLast() ?? [] }
    #expect(try records.next()?.values == [.text("Ann"), .text("a@x")])
    #expect(try records.next()?.values == [.text("name"), .text("c@x")])
    #expect(try records.next()?.values == [.text("Bob"), .text("b@x")])
    #expect(try records.next() == nil)
    #expect(records.emptyRows == 1 && records.repeatedHeaders == 1)
  }
}
