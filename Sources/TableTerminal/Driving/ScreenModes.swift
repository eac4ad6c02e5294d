/// The modes of a terminal that a table switches on, and off again.
///
/// It is never asked anything: a terminal that does not answer would be waited for.
enum ScreenModes {
  /// The alternate screen, with no cursor shown, no line wrapped, and pasted text marked as such.
  static let begin = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h".utf8)

  /// Buttons, wheel and drags of the mouse are reported, by numbers of any size.
  static let mouseOn = Array("\u{1B}[?1002h\u{1B}[?1006h".utf8)
  static let mouseOff = Array("\u{1B}[?1006l\u{1B}[?1002l".utf8)

  /// Everything as it was: a frame that was begun is shown, and a terminal without an alternate screen is
  /// wiped.
  static let end =
    Array("\u{1B}[?2026l\u{1B}[m\u{1B}[r".utf8) + mouseOff
    + Array("\u{1B}[?2004l\u{1B}[H\u{1B}[2J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

  /// Copies a text to the clipboard of the person, also on another machine (OSC 52).
  static func copy(_ text: String) -> [UInt8] {
    Array("\u{1B}]52;c;".utf8) + base64(Array(text.utf8)) + [0x07]
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
