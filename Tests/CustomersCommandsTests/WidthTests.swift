import CustomersText
import CustomersTestSupport
import Testing

/// The width of strings on a terminal, and where they are cut.
@Suite(.onThreads) struct WidthTests {
  /// Texts and their columns; the same that Python's `wcwidth` gives.
  static let texts: [(String, Int)] = [
    ("plain", 5), ("Zoë", 3), ("Zoe\u{308}", 3), ("山田商店", 8), ("ｱｲｳ", 3), ("Ａ", 2), ("한국", 4),
    ("\u{1112}\u{1161}\u{11ab}", 2), ("가\u{11a8}", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("👩🏽‍💻", 2), ("🏴‍☠️", 2), ("🏳️‍🌈", 2),
    ("🇩🇪", 2),
    ("🇩🇪🇫🇷", 4), ("👍🏽", 2), ("☎", 1), ("☎️", 2), ("⌚", 2), ("⌚\u{fe0e}", 1), ("1️⃣", 2), ("❤️", 2), ("★", 1),
    ("☰", 2),
    ("a\u{200b}b\u{2060}c", 3), ("co\u{ad}op", 5), ("กำ", 2), ("क्षि", 2), ("का", 2), ("مرحبا", 5), ("¼ § ±", 5),
    ("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", 2), ("e\u{301}\u{302}\u{303}x", 2), ("㈠", 2),
    ("〈〉", 4),
  ]

  @Test(arguments: texts) func `a string is cut only if it is wider than its column`(text: String, width: Int)
  {
    #expect(displayWidth(text) == width)
    #expect(cut(text, to: width) == text)
    let shorter = cut("x\(text)y", to: width + 1)
    #expect(shorter.hasPrefix("x") && shorter.hasSuffix("…") && displayWidth(shorter) <= width + 1)
    #expect(displayWidth(padded(text, to: width + 3)) == width + 3)
    #expect(padded(text, to: width - 1) == text)
  }

  @Test func `a string without space is cut to nothing`() {
    #expect(cut("abc", to: 0) == "" && cut("abc", to: -1) == "" && cut("", to: 0) == "")
    #expect(cut("abc", to: 1) == "…" && cut("山田", to: 2) == "…" && cut("山田商", to: 3) == "山…")
  }

  @Test func `a terminal has its own width, unless COLUMNS is set`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("section", "rename", "1", "A long title", "-q") == .done())
    let words = ["list", "--color", "never", "--no-header", "--limit", "1"]
    let narrow = try sandbox.onTerminal(words: words, columns: 8).screen
    #expect(narrow.hasPrefix("A long …\r\n"))
    let wide = try sandbox.onTerminal(words: words, columns: 8, environment: ["COLUMNS": "80"]).screen
    #expect(wide.hasPrefix("A long title\r\n"))
  }
}
