@testable import CustomersTerminal
import Foundation
import Testing
import CustomersTestSupport

/// The table in a terminal and the page in a browser have the same keys.
@Suite struct KeyMapTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// The lines of the page's map, in two parts: those of the table, and those that only a page has.
  private static func page() throws -> (shared: [Line], own: [Line]) {
    let file = root.appending(path: "Sources/CCustomersFiles/page/keymap.js")
    let parts = try String(contentsOf: file, encoding: .utf8).components(
      separatedBy: "export const PAGE_KEYS")
    return (lines(parts[0]), lines(parts[1]))
  }

  private struct Line {
    let keys: String
    let meaning: String
  }

  private static func lines(_ text: String) -> [Line] {
    text.matches(of: #/(?m)^\t\['(.+?)', '.+?', '(.+?)'\],$/#).map {
      Line(keys: String($0.1), meaning: String($0.2))
    }
  }

  @Test func `a key means the same in the table and on the page`() throws {
    // Those that only a terminal has; its keys with Ctrl are others in a browser.
    let ofTerminal: Set = [":", "M", "q"]
    var table: [String: String] = [:]
    for binding in KeyBindings.all where binding.modes.contains(.list) {
      for key in binding.keys.split(separator: " ").map(String.init)
      where !key.hasPrefix("Ctrl-") && !ofTerminal.contains(key) {
        table[key] = binding.meaning
      }
    }
    var page: [String: String] = [:]
    for line in try Self.page().shared {
      for key in line.keys.split(separator: " ") { page[String(key)] = line.meaning }
    }
    #expect(page.count > 40)
    #expect(Set(page.keys) == Set(table.keys))
    // A meaning in the table may name keys with Ctrl besides.
    for (key, meaning) in page {
      let wanted = table[key] ?? ""
      #expect(wanted.contains(meaning), "\(key): \(meaning) instead of \(wanted)")
    }
  }

  /// `CUSTOMERS_RECORD=1` writes it.
  @Test func `the page of keys is made of both maps`() throws {
    func table(_ lines: [Line]) -> String {
      "| | |\n|---|---|\n" + lines.map { "| `\($0.keys)` | \($0.meaning) |\n" }.joined()
    }
    var text = """
      # Keys

      The keys of the table. There `?` shows them, and `customers help keys` has those of the list. The page has the same, except
      `:`, `M`, `q`, and those with Ctrl; its own are at the end. A number before a key that goes up or down, or moves
      rows, repeats it, as in `3j` and `3J`; Space and Shift take none. If a line has several keys, they do the same, or each in turn what
      the line says.

      """
    for topic in KeyReference.topics {
      text += "\n## \(topic.title)\n\n" + table(topic.keys.map { Line(keys: $0.keys, meaning: $0.meaning) })
    }
    text += "\n## Only on the page\n\n" + table(try Self.page().own)
    let path = Self.root.appending(path: "Documentation/keys.md").path
    if let expected = try sample(at: path, recording: text) { #expect(text == expected) }
  }
}
