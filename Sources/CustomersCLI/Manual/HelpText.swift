internal import CustomersTerminalText

/// Text in lines that fit every terminal.
enum HelpText {
  /// The maximum width of help, in columns.
  static let width = 80
  /// A longer name gets its own line.
  private static let longestName = 26

  static func paragraph(_ text: String, width: Int = width) -> String {
    lines(text, width).joined(separator: "\n")
  }

  /// Names and their meanings in two columns; by default the names take as much space as they need.
  static func table(_ rows: [(name: String, meaning: String)], nameWidth: Int? = nil) -> String {
    let widths = rows.map { displayWidth($0.name) }
    let nameWidth = nameWidth ?? widths.filter { $0 <= longestName }.max() ?? 0
    let margin = String(repeating: " ", count: nameWidth + 4)
    return rows.map { name, meaning in
      let meanings = lines(meaning, width - margin.count)
      guard displayWidth(name) <= nameWidth else {
        return (["  \(name)"] + meanings.map { margin + $0 }).joined(separator: "\n")
      }
      return "  \(padded(name, to: nameWidth))  " + meanings.joined(separator: "\n" + margin)
    }.joined(separator: "\n")
  }

  private static func lines(_ text: String, _ width: Int) -> [String] {
    filled(text.split(separator: " ").map(String.init), width: width)
  }
}

/// The words in lines of at most `width` columns, unless a word is longer.
func filled(_ words: [String], width: Int) -> [String] {
  var lines: [String] = []
  for word in words {
    if let line = lines.last, displayWidth(line) + 1 + displayWidth(word) <= width {
      lines[lines.count - 1] = "\(line) \(word)"
    } else {
      lines.append(word)
    }
  }
  return lines
}
