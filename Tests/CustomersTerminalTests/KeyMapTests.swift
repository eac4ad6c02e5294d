@testable import CustomersTerminal
import Foundation
import Testing

/// The table in a terminal and the page in a browser have the same keys.
@Suite struct KeyMapTests {
  /// The lines of the page's map before those that only a page has: the keys and their meaning.
  private static func page() throws -> [String: String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/CCustomersPage/page/keymap.js")
    let text = try String(contentsOf: file, encoding: .utf8)
    let shared = text.components(separatedBy: "export const PAGE_KEYS")[0]
    var meanings: [String: String] = [:]
    for match in shared.matches(of: #/(?m)^\t\['(.+?)', '.+?', '(.+?)'\],$/#) {
      for key in match.1.split(separator: " ") { meanings[String(key)] = String(match.2) }
    }
    return meanings
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
    let page = try Self.page()
    #expect(page.count > 40)
    #expect(Set(page.keys) == Set(table.keys))
    // A meaning in the table may name keys with Ctrl besides.
    for (key, meaning) in page {
      let wanted = table[key] ?? ""
      #expect(wanted.contains(meaning), "\(key): \(meaning) instead of \(wanted)")
    }
  }
}
