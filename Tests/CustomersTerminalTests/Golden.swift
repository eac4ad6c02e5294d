import Foundation
@testable import CustomersTerminal
import Testing
import CustomersTestSupport

extension ScreenBuffer {
  /// The text, then a letter for the style of each cell, and a legend of the letters.
  var golden: String {
    var letters: [ScreenStyle: Character] = [.plain: "."]
    var legend: [String] = []
    var looks: [String] = []
    for row in 0..<rows {
      var line = ""
      for cell in self.row(row) {
        if letters[cell.style] == nil {
          let letter = Character(Unicode.Scalar(UInt8(97 + legend.count)))
          letters[cell.style] = letter
          legend.append("\(letter) = \(cell.style.words)")
        }
        line.append(letters[cell.style] ?? "?")
      }
      looks.append(String(line.reversed().drop { $0 == "." }.reversed()))
    }
    let place = cursor.map { "cursor: column \($0.column), row \($0.row)" } ?? "no cursor"
    return ((0..<rows).map(text(row:)) + ["", "---"] + looks + ["---"] + legend + [place])
      .joined(separator: "\n") + "\n"
  }
}

extension ScreenStyle {
  fileprivate var words: String {
    let names: [(Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.underline, "underline"), (.reverse, "reverse"),
    ]
    let words = names.filter { attributes.contains($0.0) }.map(\.1) + (color == .standard ? [] : ["\(color)"])
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }
}

/// Expects a string to equal a sample file; `CUSTOMERS_RECORD=1` writes the file instead.
func expectGolden(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples").path
  if let expected = try sample(at: "\(folder)/\(name).txt", recording: text) {
    #expect(text == expected, sourceLocation: sourceLocation)
  } else {
    Issue.record("\(name) was recorded; review the difference", sourceLocation: sourceLocation)
  }
}
