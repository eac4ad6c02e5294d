import CustomerFixtures
@testable import CustomersTerminal
import CustomersTestSupport
import Testing

/// The bytes sent to the terminal for a frame.
@Suite(.onThreads) struct ScreenWriterTests {
  @Test func `an unchanged frame sends nothing`() {
    var writer = ScreenWriter(colors: true)
    let frame = Self.frame(["Ann", "Bob"])
    #expect(!writer.bytes(for: frame).isEmpty)
    #expect(writer.bytes(for: frame).isEmpty)
    writer.forget()
    #expect(!writer.bytes(for: frame).isEmpty)
  }

  @Test func `only the cells that differ are sent, as one frame`() {
    var writer = ScreenWriter(colors: true)
    _ = writer.bytes(for: Self.frame(["Ann Lee", "Bob"]))
    let text = Self.text(writer.bytes(for: Self.frame(["Ann Lea", "Bob"])))
    #expect(text.contains("\u{1B}[1;7Ha") && text.hasPrefix("\u{1B}[?2026h"))
    #expect(!text.contains("Ann") && !text.contains("Bob") && text.hasSuffix("\u{1B}[?2026l"))
  }

  @Test func `a row with joined emoji is cleared and written completely`() {
    var writer = ScreenWriter(colors: true)
    _ = writer.bytes(for: Self.frame(["👩‍👩‍👧 Ann", "Bob"]))
    let text = Self.text(writer.bytes(for: Self.frame(["👩‍👩‍👧 Ana", "Bob"])))
    #expect(text.contains("\u{1B}[2K") && text.contains("👩‍👩‍👧") && !text.contains("Bob"))
    // The cursor is positioned after the emoji, whatever its width.
    #expect(text.contains("👩‍👩‍👧\u{1B}[1;"))
  }

  @Test func `rows that move together are sent as a scroll`() {
    let names = (0..<20).map { "Customer \($0)" }
    var writer = ScreenWriter(colors: true)
    _ = writer.bytes(for: Self.frame(Array(names[0..<10])))
    let text = Self.text(writer.bytes(for: Self.frame(Array(names[1..<11]))))
    #expect(text.contains("\u{1B}[1;10r\u{1B}[1S\u{1B}[r"))
    #expect(text.contains("Customer 10") && !text.contains("Customer 9"))
  }

  @Test func `attributes are sent even without colors`() {
    var frame = Self.frame(["Ann"])
    frame.write("Bob", column: 0, row: 0, style: .init([.bold, .reverse], .red))
    var (plain, colored) = (ScreenWriter(colors: false), ScreenWriter(colors: true))
    #expect(Self.text(plain.bytes(for: frame)).contains("\u{1B}[0;1;7mBob"))
    #expect(Self.text(colored.bytes(for: frame)).contains("\u{1B}[0;1;7;31mBob"))
  }

  @Test func `control characters never reach a cell`() {
    var frame = ScreenBuffer(columns: 40, rows: 1)
    frame.write("a\u{1B}[2Jb\u{9B}c\u{202E}d\ne", column: 0, row: 0)
    #expect(frame.text(row: 0) == #"a\u{1B}[2Jb\u{9B}c\u{202E}d\ne"#)
  }

  @Test func `no half of a wide character remains`() {
    var frame = ScreenBuffer(columns: 6, rows: 1)
    frame.write("山田商", column: 0, row: 0)
    frame.write("x", column: 1, row: 0)
    #expect(frame.text(row: 0) == " x田商")
    frame.write("y", column: 4, row: 0)
    #expect(frame.text(row: 0) == " x田y")
    #expect(frame.row(0).map(\.width) == [1, 1, 2, 0, 1, 1])
    frame.write("山", column: 5, row: 0)
    #expect(frame.text(row: 0) == " x田y…")
  }

  private static func frame(_ lines: [String]) -> ScreenBuffer {
    var frame = ScreenBuffer(columns: 40, rows: lines.count)
    for (row, line) in lines.enumerated() { frame.write(line, column: 0, row: row) }
    return frame
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
