internal import CustomerStore
internal import CustomersText

extension FileFormat {
  /// A table for people; it can't be imported.
  package static let markdown = FileFormat(
    name: "markdown", summary: "A table for GitHub and other Markdown readers.", fileExtensions: ["md"],
    makeWriter: { layout, _ in MarkdownFileWriter(layout: layout) })
}

private struct MarkdownFileWriter: CustomerWriter {
  let layout: ExportLayout

  func begin(_ bytes: inout [UInt8]) -> Bool {
    bytes += Markdown.header(layout.columns).utf8
    return true
  }

  func append(
    _ customer: Customer, _ log: [LogLine], in section: String, to bytes: inout [UInt8]
  ) -> Bool {
    bytes.append(contentsOf: Markdown.line(layout.values(customer, section)).utf8)
    return true
  }
}

/// Writes rows of a Markdown table (https://github.github.com/gfm/#tables-extension-).
package enum Markdown {
  /// The header row and the delimiter row; columns of numbers are aligned on the right.
  package static func header(_ titles: [String], areNumbers: [Bool] = []) -> String {
    let rules = titles.indices.map { areNumbers.indices.contains($0) && areNumbers[$0] ? "--:" : "---" }
    return line(titles) + "| \(rules.joined(separator: " | ")) |\n"
  }

  /// A row with its line end.
  package static func line(_ texts: [String]) -> String {
    "| \(texts.map(escaped).joined(separator: " | ")) |\n"
  }

  /// The text as literal Markdown in one cell.
  package static func escaped(_ text: String) -> String {
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
