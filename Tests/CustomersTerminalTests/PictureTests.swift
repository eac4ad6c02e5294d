import Foundation
@testable import CustomersTerminal
import Testing
import CustomersTestSupport

/// The picture of the table in the README, in light and dark, drawn from a real screen.
@Suite(.onThreads) struct PictureTests {
  /// `CUSTOMERS_RECORD=1` draws them.
  @Test(arguments: [("table", false), ("table-dark", true)])
  func `the picture of the table is up to date`(name: String, isDark: Bool) throws {
    var face = TestFace(try .screens())
    face.press("j j E m k")
    let picture = face.screen.svg(isDark: isDark)
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let path = root.appending(path: "Documentation/images/\(name).svg").path
    if let expected = try sample(at: path, recording: picture) { #expect(picture == expected) }
  }
}

extension ScreenBuffer {
  /// The screen as an image, with each character in its cell, so that columns are aligned in any font.
  fileprivate func svg(isDark: Bool) -> String {
    let (width, height) = (9, 20)
    var parts: [String] = []
    for row in 0..<rows {
      var column = 0
      while column < columns {
        let cell = self[column, row]
        // Joins characters of one style, unless a font may give them other widths.
        var (text, end) = (cell.text, column + max(1, cell.width))
        while end < columns, cell.isPlainASCII, self[end, row].style == cell.style,
          self[end, row].isPlainASCII
        {
          text += self[end, row].text
          end += 1
        }
        let (x, y) = (column * width + 12, row * height + 12)
        if cell.style.attributes.contains(.reverse) {
          parts.append(
            "<rect class=\"r\" x=\"\(x)\" y=\"\(y)\" width=\"\((end - column) * width)\" height=\"\(height)\"/>"
          )
        }
        if text.contains(where: { $0 != " " }) {
          parts.append(
            "<text x=\"\(x)\" y=\"\(y + 15)\" textLength=\"\((end - column) * width)\"\(cell.style.cssClass)>\(text.escapedForXML)</text>"
          )
        }
        column = end
      }
    }
    let (front, back) = isDark ? ("#e8e8e8", "#1d1f21") : ("#1d1f21", "#f7f7f7")
    let (red, green) = isDark ? ("#f2777a", "#99cc99") : ("#b3261e", "#2e7d32")
    let (yellow, cyan) = isDark ? ("#ffcc66", "#66cccc") : ("#8a6100", "#00707a")
    let (w, h) = (columns * width + 24, rows * height + 24)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(w) \(h)" width="\(w)" height="\(h)">
      <style>
      text { font: 15px monospace; fill: \(front); white-space: pre }
      .b { font-weight: bold } .d { opacity: .6 } .u { text-decoration: underline } .r { fill: \(front) } text.i { fill: \(back) }
      text.red { fill: \(red) } text.green { fill: \(green) } text.yellow { fill: \(yellow) } text.cyan { fill: \(cyan) }
      </style>
      <rect width="\(w)" height="\(h)" rx="8" fill="\(back)"/>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }
}

extension ScreenCell {
  fileprivate var isPlainASCII: Bool { text.utf8.count == 1 && width == 1 }
}

extension ScreenStyle {
  fileprivate var cssClass: String {
    let names: [(Attributes, String)] = [(.bold, "b"), (.dim, "d"), (.underline, "u"), (.reverse, "i")]
    let words = names.filter { attributes.contains($0.0) }.map(\.1) + (color == .standard ? [] : ["\(color)"])
    return words.isEmpty ? "" : " class=\"\(words.joined(separator: " "))\""
  }
}

extension String {
  fileprivate var escapedForXML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
