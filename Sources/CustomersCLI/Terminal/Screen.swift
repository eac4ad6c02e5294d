internal import CustomersTerminalText

/// The size of a terminal.
struct Screen: Sendable {
  var columns: Int
  var rows: Int

  /// The traditional size, if unknown.
  init(columns: Int = 0, rows: Int = 0) {
    self.columns = columns > 0 ? columns : 80
    self.rows = rows > 0 ? rows : 24
  }

  /// Whether a string may fit the screen, without measuring its lines.
  func mayFit(_ text: [UInt8]) -> Bool {
    text.count < 1 << 16 && text.count { $0 == UInt8(ascii: "\n") } < rows
  }

  /// Whether a whole text fits the screen, with a line left for the prompt.
  func fits(_ text: [UInt8]) -> Bool {
    guard mayFit(text) else { return false }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    let needed = lines.map { line in
      max(1, (displayWidth(withoutStyles(String(decoding: line, as: UTF8.self))) + columns - 1) / columns)
    }
    return needed.reduce(0, +) < rows
  }
}
