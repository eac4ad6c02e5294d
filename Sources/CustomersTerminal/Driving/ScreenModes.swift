internal import CustomersPlatform

/// The escape sequences that switch terminal modes on for the table and off again.
///
/// None of them is a query: waiting for a terminal that does not reply would delay the start.
enum ScreenModes {
  /// Switches to the alternate screen, hides the cursor, disables line wrapping, and enables bracketed paste.
  static let begin = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h".utf8)

  /// Reports buttons, wheel, and drags of the mouse, with coordinates of any size (SGR mode).
  static let mouseOn = Array("\u{1B}[?1002h\u{1B}[?1006h".utf8)
  static let mouseOff = Array("\u{1B}[?1006l\u{1B}[?1002l".utf8)

  /// Restores the terminal: ends an unfinished frame and clears the screen of a terminal that has no
  /// alternate screen.
  static let end =
    Array("\u{1B}[?2026l\u{1B}[m\u{1B}[r".utf8) + mouseOff
    + Array("\u{1B}[?2004l\u{1B}[H\u{1B}[2J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

  /// Returns the sequence that copies a string to the user's clipboard, even over ssh (OSC 52).
  static func copy(_ text: String) -> [UInt8] {
    Array("\u{1B}]52;c;".utf8) + Array(Base64.encode(Array(text.utf8)).utf8) + [0x07]
  }
}
