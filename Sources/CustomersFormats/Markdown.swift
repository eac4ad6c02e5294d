internal import CustomersTerminalText

/// Writes rows of a Markdown table (https://github.github.com/gfm/#tables-extension-).
public enum Markdown {
  /// The header row and the delimiter row; columns of numbers are aligned on the right.
  public static func header(_ titles: [String], areNumbers: [Bool] = []) -> String {
    let rules = titles.indices.map { areNumbers.indices.contains($0) && areNumbers[$0] ? "--:" : "---" }
    return line(titles) + "| \(rules.joined(separator: " | ")) |\n"
  }

  /// A row with its line end.
  public static func line(_ texts: [String]) -> String {
    "| \(texts.map(escaped).joined(separator: " | ")) |\n"
  }

  /// The text as literal Markdown in one cell.
  public static func escaped(_ text: String) -> String {
    printableLines(text).reduce(into: "") { escaped, character in
      switch character {
      case "\n", "\r\n": escaped += "<br>"
      case "|", "\\", "`", "*", "_", "[", "]": escaped += "\\\(character)"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      default: escaped.append(character)
      }
    }
  }
}
