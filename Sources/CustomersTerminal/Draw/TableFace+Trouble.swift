internal import CustomerStore
internal import CustomerTable

/// A list that can't be read.
extension TableFace {
  func draw(_ trouble: TableTrouble, _ picture: inout Picture) {
    picture.write(options.fileName, column: 1, row: 0, width: columns - 2)
    let what = trouble.kind == .damaged ? "This file is damaged" : "This file can't be read"
    var row = min(3, rows - 3)
    for text in wrapped("\(what): \(trouble.text). Nothing was changed.") where row < noticeRow {
      picture.write(text, column: 3, row: row, style: .init(.bold))
      row += 1
    }
    row += 1
    let bindings = KeyBindings.all.filter { $0.modes.contains(mode) }
    for binding in bindings.filter({ $0.topic == .trouble }) + bindings.filter({ $0.commands == [.quit] }) {
      guard row < noticeRow else { break }
      picture.write("\(binding.label)   \(binding.meaning)", column: 5, row: row, width: columns - 6)
      row += 1
    }
  }

  private func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      if !lines[lines.count - 1].isEmpty, columnCount(of: lines[lines.count - 1] + " " + word) > columns - 5 {
        lines.append("")
      }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines
  }
}
