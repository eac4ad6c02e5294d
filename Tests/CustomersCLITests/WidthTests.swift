import Testing

/// How wide texts are on a terminal, seen by where they are cut.
@Suite struct WidthTests {
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

  @Test(arguments: texts) func `a text is cut only if it is wider than the terminal`(text: String, width: Int)
    throws
  {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("section", "rename", "1", "x\(text)y", "-q") == .done())
    let columns = UInt16(width) + 2
    let whole = try sandbox.onTerminal("list", "--color", "never", "--limit", "1", columns: columns).screen
    #expect(whole.hasPrefix("x\(text)y\r\n"), "\(text) is narrower than \(columns)")
    let cut = try sandbox.onTerminal("list", "--color", "never", "--limit", "1", columns: columns - 1).screen
    #expect(
      cut.split(separator: "\r\n").first?.hasSuffix("…") == true, "\(text) is wider than \(columns - 1)")
  }
}
