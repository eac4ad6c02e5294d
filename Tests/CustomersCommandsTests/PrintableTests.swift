@testable import CustomersCommands
import CustomersText
import CustomersTestSupport
import Testing

/// The characters that are shown as escapes.
@Suite(.onThreads) struct PrintableTests {
  @Test(arguments: [
    "plain", "Zoë", "山田商店", "co\u{ad}op", "👩‍👩‍👧", "👩🏽‍💻", "🏳️‍🌈", "🏴‍☠️", "❤️‍🔥", "👨‍❤️‍👨", "1️⃣", "☎️", "⌚\u{fe0e}",
    // Persian, Sindhi with a mark between, Urdu.
    "می\u{200c}خواهم", "کتاب\u{200c}ها", "مُ\u{200c}ن",
    // Hindi, Bengali, Malayalam.
    "क्\u{200d}ष", "क्\u{200c}ष", "র্\u{200d}য", "ന്\u{200d}",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}!",
    "葛\u{e0100}城", "\u{115f}\u{1161}", "\u{1112}\u{1160}\u{11ab}", "ᠭ\u{180b}",
  ])
  func `visible text is shown unchanged`(text: String) {
    #expect(Array(printable(text).unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(arguments: [
    ("a\u{200b}b", "a\\u{200B}b"), ("\u{200d}a", "\\u{200D}a"), ("a\u{200d}b", "a\\u{200D}b"),
    ("pay\u{200c}pal", "pay\\u{200C}pal"), ("1\u{200d}2", "1\\u{200D}2"), ("👩\u{200d}", "👩\\u{200D}"),
    ("👩\u{200d}a", "👩\\u{200D}a"), ("a\u{fe0f}", "a\\u{FE0F}"), ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}\\u{FE0F}"),
    ("x\u{2060}\u{2063}\u{feff}y", "x\\u{2060}\\u{2063}\\u{FEFF}y"), ("\u{180e}", "\\u{180E}"),
    ("a\u{34f}b", "a\\u{34F}b"), ("ㄱ\u{3164}", "ㄱ\\u{3164}"), ("\u{115f}", "\\u{115F}"),
    // After a letter that is joined to no other, before a Latin one, at the end.
    ("دا\u{200c}د", "دا\\u{200C}د"), ("ب\u{200c}a", "ب\\u{200C}a"), ("ب\u{200c}", "ب\\u{200C}"),
    ("a\u{e0068}\u{e0069}", "a\\u{E0068}\\u{E0069}"), ("a\u{e0100}", "a\\u{E0100}"),
    ("🏴\u{e0068}\u{e0069}\u{e007f}", "🏴\\u{E0068}\\u{E0069}\\u{E007F}"),
    (
      "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0061}",
      "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\\u{E0061}"
    ),
    ("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}", "🏴\\u{E0067}\\u{E0062}\\u{E0065}\\u{E006E}\\u{E0067}"),
    ("\u{fff9}a\u{fffb}", "\\u{FFF9}a\\u{FFFB}"), ("a\u{1b}[2J\n", "a\\u{1B}[2J\\n"),
    ("a\r\n\t\u{85}", "a\\r\\n\\t\\u{85}"), ("\u{202e}", "\\u{202E}"),
  ])
  func `invisible or control characters are shown as escapes`(text: String, shown: String) {
    #expect(Array(printable(text).unicodeScalars) == Array(shown.unicodeScalars))
    #expect(quoted(text) == "\"\(shown)\"")
  }

  @Test func `a string of several lines keeps its line breaks`() {
    #expect(printableLines("a\nb\r\nc") == "a\nb\r\nc")
    #expect(printableLines("a\rb\r\r\n\n\u{1b}\r") == "a\\rb\\r\r\n\n\\u{1B}\\r")
    #expect(printableLines("") == "" && printableLines("\n") == "\n")
  }

  @Test func `a terminal sees escapes in csv, tsv, and vcard, and a pipe gets the data`() throws {
    let sandbox = try CLISandbox()
    let file = #"{"name":"Ann","note":"\u001b[2J\u200bx\ny"}"# + "\n"
    #expect(try sandbox.run("import", "-", "-q", "--format", "ndjson", stdin: file) == .done())
    let note =
      "note: control and invisible characters are shown as escapes; a pipe or a file gets them unchanged\n"
    for words in ["list --format csv", "list --format tsv", "export - --format vcard", "export"] {
      let words = words.split(separator: " ").map(String.init)
      let piped = try sandbox.run(words: words)
      #expect(piped.output.contains("\u{200b}x") && piped.errors.isEmpty)
      let shown = try sandbox.run(words: words + ["--color", "never"], screen: Screen())
      #expect(shown.output.contains("\\u{200B}x") && shown.errors == note)
      #expect(!shown.output.contains("\u{1b}"))
    }
    #expect(try sandbox.run("edit", "1", "--note", "fine", "-q") == .done())
    for words in [["list", "--format", "csv"], ["export", "-", "--format", "vcard"]] {
      #expect(try sandbox.run(words: words, screen: Screen()) == sandbox.run(words: words))
    }
  }
}
