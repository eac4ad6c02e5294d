import CustomerStore
@testable import CustomerTransfer
import CustomersTestSupport
import CustomersText
import Testing

/// Text in cards, in lines of other contacts, and in JSON, which is read byte by byte, against a model that reads characters.
@Suite(.onThreads) struct EscapedTextTests {
  /// All texts of up to three of the characters that mean something, or are no letter of ASCII.
  private static let texts: [String] = {
    let letters = ["\\", ",", ";", "n", "\n", "\r", "\"", "é", "\u{301}", "\u{7f}"]
    return (1...3).reduce(into: (all: [""], last: [""])) { texts, _ in
      texts.last = texts.last.flatMap { text in letters.map { text + $0 } }
      texts.all += texts.last
    }.all
  }()

  /// The text with a line feed for each CR LF, CR, or LF.
  private static func withLineFeeds(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\n")
  }

  @Test func `a value of a card is escaped and comes back`() {
    for text in Self.texts {
      let model = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\n": "\\n"
        case "\\", ",", ";": "\\\(scalar)"
        default: String(scalar)
        }
      }.joined()
      let escaped = VCardText.escape(text)
      #expect(escaped.hasSameBytes(as: model))
      #expect(VCardText.unescape(escaped).hasSameBytes(as: text))
      #expect(VCardText.components("\(escaped);x") == [text, "x"])
    }
  }

  @Test func `a value of a card is split where no backslash is before the separator`() {
    for text in Self.texts {
      var parts = [""]
      var isEscaped = false
      for scalar in text.unicodeScalars {
        if scalar == ";", !isEscaped {
          parts.append("")
        } else {
          parts[parts.count - 1].unicodeScalars.append(scalar)
        }
        isEscaped = scalar == "\\" && !isEscaped
      }
      #expect(VCardText.components(text) == parts.map(VCardText.unescape))
    }
  }

  @Test func `a card holds text without controls, and each line end as one`() {
    for text in Self.texts {
      let lines = Self.withLineFeeds(text)
      let model = String(String.UnicodeScalarView(lines.unicodeScalars.filter { $0 != "\u{7f}" }))
      #expect(VCardText.carried(text).hasSameBytes(as: model))
      #expect(VCardText.isLine(text) == (text.hasSameBytes(as: model) && !text.utf8.contains(0x0a)))
    }
  }

  @Test func `a way to reach a customer comes back, whatever its value begins with`() {
    for text in Self.texts where !text.isEmpty {
      let line = ContactLine(.phone, label: text, text)
      let value = Self.withLineFeeds(text)
      #expect(ContactLine(line.text) == ContactLine(.phone, label: value, value))
    }
  }

  @Test func `a string of JSON comes back`() throws {
    for text in Self.texts {
      let object = JSON.object([("a", .string(text))]).text
      let read = try JSON.columns(ofObject: object)
      #expect(read.map(\.value) == [.text(text)])
      #expect(object.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
    }
  }
}
