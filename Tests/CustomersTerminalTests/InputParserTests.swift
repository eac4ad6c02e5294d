import CustomerFixtures
import CustomersTerminal
import CustomersTestSupport
import Testing

/// Keys and mouse events, as different terminals send them.
@Suite(.onThreads) struct InputParserTests {
  static func key(_ key: KeyPress.Key, _ modifiers: KeyModifiers = []) -> InputEvent {
    .key(KeyPress(key, modifiers))
  }

  /// Bytes and their events; a comment names the terminal if they are specific to it.
  static let keys: [(String, [InputEvent])] = [
    ("j", [key(.character("j"))]), ("ä", [key(.character("ä"))]), ("山", [key(.character("山"))]),
    ("🐙", [key(.character("🐙"))]), ("e\u{301}", [key(.character("e")), key(.character("\u{301}"))]),
    ("\r", [key(.enter)]), ("\t", [key(.tab)]), ("\u{7F}", [key(.backspace)]), ("\u{8}", [key(.backspace)]),
    ("\u{4}", [key(.character("d"), .control)]), ("\u{0}", [key(.character(" "), .control)]),
    ("\u{1F}", [key(.character("_"), .control)]),
    ("\u{1B}j", [key(.character("j"), .alt)]), ("\u{1B}ä", [key(.character("ä"), .alt)]),
    ("\u{1B}\u{1B}[A", [key(.escape), key(.up)]),
    ("\u{1B}[A", [key(.up)]), ("\u{1B}OA", [key(.up)]), ("\u{1B}[1;2B", [key(.down, .shift)]),
    ("\u{1B}[1;3A", [key(.up, .alt)]), ("\u{1B}[1;5C", [key(.right, .control)]), ("\u{1B}[D", [key(.left)]),
    ("\u{1B}[H", [key(.home)]), ("\u{1B}OF", [key(.end)]), ("\u{1B}[1~", [key(.home)]),
    ("\u{1B}[4~", [key(.end)]),
    ("\u{1B}[7~", [key(.home)]), ("\u{1B}[8~", [key(.end)]), ("\u{1B}[5~", [key(.pageUp)]),
    ("\u{1B}[6;5~", [key(.pageDown, .control)]), ("\u{1B}[2~", [key(.insert)]), ("\u{1B}[3~", [key(.delete)]),
    ("\u{1B}[Z", [key(.tab, .shift)]), ("\u{1B}OP", [key(.function(1))]), ("\u{1B}[11~", [key(.function(1))]),
    ("\u{1B}[15~", [key(.function(5))]), ("\u{1B}[17~", [key(.function(6))]),
    ("\u{1B}[24~", [key(.function(12))]),
    // Linux console.
    ("\u{1B}[[A", [key(.function(1))]), ("\u{1B}[[E", [key(.function(5))]),
    // rxvt.
    ("\u{1B}[a", [key(.up, .shift)]), ("\u{1B}Ob", [key(.down, .control)]),
    ("\u{1B}[3$", [key(.delete, .shift)]),
    ("\u{1B}[3^", [key(.delete, .control)]), ("\u{1B}[3@", [key(.delete, [.shift, .control])]),
    // The numeric keypad.
    ("\u{1B}OM", [key(.enter)]), ("\u{1B}Ok", [key(.character("+"))]), ("\u{1B}Oq", [key(.character("1"))]),
    // kitty and modifyOtherKeys.
    ("\u{1B}[106;5u", [key(.character("j"), .control)]), ("\u{1B}[27u", [key(.escape)]),
    ("\u{1B}[13;2u", [key(.enter, .shift)]), ("\u{1B}[27;5;9~", [key(.tab, .control)]),
    ("\u{1B}[97:65;3u", [key(.character("a"), .alt)]), ("\u{1B}[57399u", []),
    // The mouse.
    ("\u{1B}[<0;3;4M", [.mouse(MouseEvent(.press, button: 1, column: 2, row: 3))]),
    ("\u{1B}[<0;3;4m", [.mouse(MouseEvent(.release, button: 1, column: 2, row: 3))]),
    ("\u{1B}[<32;240;4M", [.mouse(MouseEvent(.drag, button: 1, column: 239, row: 3))]),
    ("\u{1B}[<35;1;1M", [.mouse(MouseEvent(.move, button: 0, column: 0, row: 0))]),
    ("\u{1B}[<64;1;1M", [.mouse(MouseEvent(.wheelUp, button: 0, column: 0, row: 0))]),
    ("\u{1B}[<81;1;1M", [.mouse(MouseEvent(.wheelDown, button: 0, column: 0, row: 0, modifiers: .control))]),
    // A sideways wheel scrolls nothing.
    ("\u{1B}[<66;1;1M", []), ("\u{1B}[<67;1;1M", []),
    ("\u{1B}[M !!", [.mouse(MouseEvent(.press, button: 1, column: 0, row: 0))]),
    ("\u{1B}[M#!!", [.mouse(MouseEvent(.release, button: 0, column: 0, row: 0))]),
    ("\u{1B}[<0;0;1M", []), ("\u{1B}[<0;1M", []),
    (
      "\u{1B}[<99999999999999999999;1;1M",
      [
        .mouse(MouseEvent(.press, button: 1, column: 0, row: 0))
      ]
    ),
    // Pastes.
    ("\u{1B}[200~a\u{1B}[A\n\u{1B}[201~b", [.paste("a\u{1B}[A\n"), key(.character("b"))]),
    ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
    // Sequences that are not keys, followed by keys.
    ("\u{1B}[?1;2cj", [key(.character("j"))]), ("\u{1B}[9999~j", [key(.character("j"))]),
    ("\u{1B}[1;\u{1B}[A", [key(.up)]), ("\u{1B}[1\rj", [key(.enter), key(.character("j"))]),
  ]

  @Test(arguments: keys.indices)
  func `the keys of every terminal are recognized`(index: Int) {
    var parser = InputParser()
    let (text, events) = Self.keys[index]
    #expect(parser.parse(text.utf8) == events, "\(text.debugDescription)")
    #expect(!parser.isWaiting)
  }

  @Test func `Escape alone is a key if nothing follows`() {
    var parser = InputParser()
    #expect(parser.parse([0x1B]) == [] && parser.isWaiting)
    #expect(parser.flush() == [.key(KeyPress(.escape))] && !parser.isWaiting)
    #expect(parser.parse("\u{1B}[1;".utf8) == [] && parser.flush() == [])
    #expect(parser.parse("j".utf8) == [Self.key(.character("j"))])
  }

  @Test func `a paste whose end does not come ends when nothing follows`() {
    var parser = InputParser()
    #expect(parser.parse("\u{1B}[200~ab\u{1B}[20".utf8) == [] && parser.isWaiting && parser.isPasting)
    #expect(parser.flush() == [.paste("ab\u{1B}[20")] && !parser.isWaiting)
    #expect(parser.parse("j".utf8) == [Self.key(.character("j"))])
    #expect(parser.parse("\u{1B}[200~".utf8) == [] && parser.isWaiting)
    #expect(parser.flush() == [.paste("")] && !parser.isWaiting)
  }

  @Test func `invalid UTF-8 is ignored, and the keys after it are read`() {
    for bytes: [UInt8] in [[0xFF], [0xC0], [0xE5, 0xB1], [0xED, 0xA0, 0x80], [0x80, 0x80]] {
      var parser = InputParser()
      #expect(parser.parse(bytes + Array("j\r".utf8)) == [Self.key(.character("j")), Self.key(.enter)])
    }
  }

  @Test func `a long paste is split only between characters`() {
    var parser = InputParser()
    let text = String(repeating: "山", count: 150_000)
    var pasted = ""
    for event in parser.parse("\u{1B}[200~\(text)\u{1B}[201~".utf8) {
      if case .paste(let part) = event { pasted += part }
    }
    #expect(pasted == text)
  }

  @Test func `an unfinished sequence does not swallow later keys`() {
    var parser = InputParser()
    _ = parser.parse([0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 1_000))
    #expect(parser.parse("j".utf8).last == Self.key(.character("j")))
  }

  @Test func `a sequence that is too long is ignored, whole or in pieces`() {
    let bytes = Array("\u{1B}[15;\(String(repeating: "0", count: 70))~j".utf8)
    var (whole, split) = (InputParser(), InputParser())
    #expect(whole.parse(bytes) == bytes.flatMap { split.parse([$0]) })
  }

  @Test(arguments: 0..<(isLong ? 200 : 20))
  func `the events do not depend on how the bytes are split`(seed: Int) {
    var random = SplitMix64(seed: 900 + seed)
    for _ in 0..<50 {
      var bytes: [UInt8] = []
      for _ in 0..<1 + random.below(12) {
        switch random.below(4) {
        case 0: bytes.append(UInt8(random.below(256)))
        case 1: bytes += Array(Self.keys[random.below(Self.keys.count)].0.utf8).dropLast(random.below(3))
        default: bytes += Array(Self.keys[random.below(Self.keys.count)].0.utf8)
        }
      }
      var (whole, split) = (InputParser(), InputParser())
      var events: [InputEvent] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = min(rest.count, 1 + random.below(4))
        events += split.parse(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(whole.parse(bytes) + whole.flush() == events + split.flush(), "\(bytes)")
    }
  }
}
