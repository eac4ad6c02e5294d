import CustomerFixtures
@testable import CustomerTransfer
import CustomersTestSupport
import CustomersText
import Testing

/// The lines of a card, whatever characters are where they are folded.
@Suite(.onThreads) struct VCardFoldingTests {
  /// Folds a line scalar by scalar.
  private func folded(_ line: String) -> String {
    var (folded, length) = ("", 0)
    for scalar in line.unicodeScalars {
      if length + UTF8.width(scalar) > 75 { (folded, length) = (folded + "\r\n ", 1) }
      folded.unicodeScalars.append(scalar)
      length += UTF8.width(scalar)
    }
    return folded + "\r\n"
  }

  @Test(arguments: 0..<200) func `a line is folded between characters`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let characters = ["a", "é", "e\u{301}", "山", "👩‍👩‍👧", "\u{1F468}", " ", "\t", "ß", "\u{feff}", "\u{2028}"]
    let note = (0..<random.below(200)).map { _ in characters[random.below(characters.count)] }.joined()
    let card = vCard([(name: "last_name", value: .text("x")), (name: "note", value: .text("a" + note))])
    let lines = [
      "BEGIN:VCARD", "VERSION:4.0", "FN:x", "N:x;;;;", "NOTE:a" + note, "END:VCARD",
    ]
    #expect(card.utf8.elementsEqual(lines.map(folded).joined().utf8))
  }

  @Test func `a column that is no property does not number one that is`() {
    func card(_ columns: [(String, String)]) -> String {
      vCard(columns.map { (name: $0.0, value: .text($0.1)) })
    }
    let found = card([
      ("last_name", "x"), ("City", "Rome"), ("TITLE", "Boss"), ("TITLE:2", "Chair"), ("ROLE:3", "r"),
    ])
    #expect(
      found == """
        BEGIN:VCARD\r\nVERSION:4.0\r\nFN:x\r\nN:x;;;;\r\nX-CUSTOMERS-EXTRA:{"City":"Rome"}\r\n\
        TITLE:Boss\r\nX-CUSTOMERS-EXTRA:{"TITLE":"Boss"}\r\nTITLE:Chair\r\nX-CUSTOMERS-EXTRA:{"TITLE:2":"Chair"}\r\n\
        ROLE:r\r\nX-CUSTOMERS-EXTRA:{"ROLE:3":"r"}\r\nEND:VCARD\r\n
        """)
  }
}
