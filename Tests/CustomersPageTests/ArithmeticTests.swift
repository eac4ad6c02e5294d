internal import CustomerFixtures
@testable import CustomerTable
internal import CustomersBrowser
internal import Foundation
internal import Testing

extension PageTests {
  /// Layout and arrangement are written twice, in Swift and in JavaScript.
  @Suite struct ArithmeticTests {
    @Test func `lines and rows in the hand are computed as in Swift`() async throws {
      try await withPage("Ann") { page in
        var random = SplitMix64(seed: 34)
        let script = Self.script.replacing(
          "NAMES", with: try TestPage.names("Layout, Arrangement", of: "words", "layout"))
        for _ in 1...10 {
          let cases = (1...1000).map { _ in Case(&random) }
          let asked = String(decoding: try JSONEncoder().encode(cases), as: UTF8.self)
          let answers = try await page.tab.value("(\(script))(\(asked))", as: [String].self)
          #expect(answers.count == cases.count)
          for (item, answer) in zip(cases, answers) where item.answer != answer {
            Issue.record("\(item): \(answer) instead of \(item.answer)")
          }
        }
      }
    }

    /// Sections, and rows of them in the hand.
    private struct Case: Encodable {
      struct Part: Encodable {
        var rows: Int
        var header, add, footer: Bool
      }

      var parts: [Part]
      var taken: [Int]
      var target: [Int]
      var distance: Int

      init(_ random: inout SplitMix64) {
        parts = (0...random.below(4)).map { _ in
          Part(
            rows: random.below(5), header: random.oneIn(2), add: random.oneIn(2), footer: random.oneIn(3))
        }
        let count = parts.reduce(0) { $0 + $1.rows }
        taken = (0..<count).filter { _ in random.oneIn(3) }
        target = [random.below(parts.count + 2) - 1, random.below(8) - 1]
        distance = random.below(15) - 7
      }

      var answer: String {
        let layout = TableLayout(
          parts.map { .init(rows: $0.rows, hasHeader: $0.header, hasAddRow: $0.add, hasFooter: $0.footer) })
        let items = (-1...layout.count).map { line in
          switch layout[line] {
          case .header(let index)?: "header\(index)"
          case .row(let row)?: "row\(row)"
          case .add(let index)?: "add\(index)"
          case .footer(let index)?: "footer\(index)"
          case nil: "-"
          }
        }
        let places = (-1...layout.rowCount).map { row in
          let path = layout.path(ofRow: row)
          return
            "\(path.map { "\($0.section)/\($0.row)" } ?? "-")@\(layout.line(of: .row(row)).map(String.init) ?? "-")"
        }
        let arrangement = Arrangement(parts.map(\.rows), taking: taken, to: (target[0], target[1]))
        let sources = (0..<layout.rowCount).map { shown in
          switch arrangement.source(of: shown) {
          case .hand(let index): "h\(index)"
          case .row(let row): "\(row)"
          }
        }
        let shown = (0..<layout.rowCount).filter { !taken.contains($0) }.map { "\(arrangement.shown($0))" }
        let by = arrangement.target(by: distance)
        return [
          items, places, arrangement.counts.map(String.init), ["\(arrangement.gap)"],
          ["\(arrangement.target.section)", "\(arrangement.target.order)"], sources, shown,
          ["\(by.section)", "\(by.order)"],
        ].map { $0.joined(separator: ",") }.joined(separator: "|")
      }
    }

    private static let script = """
      async (cases) => {
        const { Layout, Arrangement } = NAMES
        const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
        return cases.map(({ parts, taken, target, distance }) => {
          const layout = new Layout(parts), all = range(0, layout.rowCount - 1)
          const items = range(-1, layout.count).map((line) => Object.entries(layout.item(line) ?? { '-': '' })[0].join(''))
          const places = range(-1, layout.rowCount).map((row) =>
            `${layout.path(row)?.join('/') ?? '-'}@${layout.line(row) ?? '-'}`)
          const a = new Arrangement(parts.map((part) => part.rows), taken, target)
          const sources = all.map((row) => { const s = a.source(row); return s.hand === undefined ? s.row : `h${s.hand}` })
          const shown = all.filter((row) => !taken.includes(row)).map((row) => a.shown(row))
          return [items, places, a.counts, [a.gap], [a.section, a.order], sources, shown,
            a.by(distance)].map((list) => list.join(',')).join('|')
        })
      }
      """
  }
}
