import CustomerFixtures
@testable import CustomersTerminal
import CustomersTestSupport
import Testing

/// A terminal that receives the differences between many frames shows the last frame exactly.
@Suite(.onThreads) struct ScreenDifferenceTests {
  /// Strings that are difficult for terminals.
  private static let texts = [
    "Ann", "Elizabeth Bennet", "山田 太郎", "Zoë", "e\u{301}\u{302}", "👩‍👩‍👧", "🇪🇸", "❤️", "🐙", "مرحبا", "한국어", "…",
    " ", "  ",
    "ﾊﾝ", "≡",
  ]

  @Test(arguments: 0..<12)
  func `sixty random frames end with the right screen`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let (columns, rows) = (20 + random.below(40), 4 + random.below(14))
    var lines = (0..<60).map { _ in Self.line(&random) }
    var writer = ScreenWriter(colors: true)
    let terminal = VirtualTerminal(columns: columns, rows: rows)
    var top = 0
    for frame in 0..<(isLong ? 600 : 30) {
      // The list scrolls, and its rows move and change.
      switch random.below(6) {
      case 0...1: top = min(max(0, top + random.below(7) - 3), lines.count - 5)
      case 2: lines.insert(lines.remove(at: random.below(lines.count)), at: random.below(lines.count))
      case 3: lines[random.below(lines.count)] = Self.line(&random)
      case 4: writer.forget()
      default: break
      }
      let buffer = Self.frame(lines[top...], columns, rows, &random)
      terminal.feed(writer.bytes(for: buffer))
      let other = VirtualTerminal(columns: columns, rows: rows)
      var whole = ScreenWriter(colors: true)
      other.feed(whole.bytes(for: buffer))
      for row in 0..<rows {
        let isSame = terminal.seen(row) == other.seen(row)
        #expect(isSame, "frame \(frame), row \(row): \(terminal.line(row)) is not \(other.line(row))")
      }
    }
  }

  private static func line(_ random: inout SplitMix64) -> [(String, ScreenStyle)] {
    (0..<random.below(7)).map { _ in
      let attributes = ScreenStyle.Attributes(rawValue: UInt8(random.below(16)))
      let colors: [ScreenStyle.Color] = [.standard, .red, .green, .yellow, .cyan]
      return (texts[random.below(texts.count)], ScreenStyle(attributes, colors[random.below(5)]))
    }
  }

  private static func frame(
    _ lines: ArraySlice<[(String, ScreenStyle)]>, _ columns: Int, _ rows: Int, _ random: inout SplitMix64
  ) -> ScreenBuffer {
    var buffer = ScreenBuffer(columns: columns, rows: rows)
    for (row, line) in zip(1..<rows, lines) {
      var column = random.oneIn(9) ? 1 : 0
      for (text, style) in line { column = buffer.write(text, column: column, row: row, style: style) }
    }
    buffer.write("Title", column: 2, row: 0)
    if random.oneIn(3) { buffer.cursor = .init(column: random.below(columns), row: random.below(rows)) }
    return buffer
  }
}

extension VirtualTerminal {
  /// Returns the visible contents of a row: the weight and color of a blank are ignored, and the second half
  /// of a wide character looks like the first.
  fileprivate func seen(_ row: Int) -> [Cell] {
    var cells: [Cell] = []
    var column = 0
    while column < columns {
      var cell = cell(row: row, column: column)
      if cell.text.isEmpty || cell.text == " " { (cell.text, cell.isBold, cell.color) = (" ", false, nil) }
      cells.append(cell)
      column += max(1, cell.width)
    }
    return cells
  }
}
