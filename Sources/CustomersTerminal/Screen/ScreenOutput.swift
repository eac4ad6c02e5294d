/// The bytes of one frame.
struct ScreenOutput {
  private(set) var bytes: [UInt8] = []
  private let colors: Bool
  /// The position of the next output; nil if terminals may differ.
  private var place: ScreenBuffer.Position?
  /// The current style; every frame ends with plain text.
  private var style = ScreenStyle.plain

  /// Unchanged cells between two changed ones are rewritten if skipping them is not shorter.
  private static let bridge = 5

  init(colors: Bool) { self.colors = colors }

  /// Mode 2026: terminals that support it show the frame when it is complete.
  mutating func begin(isWhole: Bool) {
    add("\u{1B}[?2026h\u{1B}[?25l")
    if isWhole {
      add("\u{1B}[?7l\u{1B}[r\u{1B}[m\u{1B}[H\u{1B}[2J")
      place = .init(column: 0, row: 0)
    }
  }

  mutating func end(_ cursor: ScreenBuffer.Position?) {
    use(.plain)
    if let cursor {
      move(to: cursor)
      add("\u{1B}[?25h")
    }
    add("\u{1B}[?2026l")
  }

  mutating func scroll(_ scroll: ScreenScroll) {
    use(.plain)
    add("\u{1B}[\(scroll.rows.lowerBound + 1);\(scroll.rows.upperBound)r")
    add("\u{1B}[\(abs(scroll.distance))\(scroll.distance > 0 ? "S" : "T")\u{1B}[r")
    place = nil
  }

  /// Writes the cells that differ.
  mutating func write(_ frame: ScreenBuffer, over old: ScreenBuffer) {
    let blank = [ScreenCell](repeating: .blank, count: frame.columns)[...]
    for row in 0..<frame.rows {
      let (new, before) = (frame.row(row), old.row(row))
      guard !new.elementsEqual(before) else { continue }
      // It is unknown how much of such a row a terminal would keep.
      if new.contains(where: \.isJoined) || before.contains(where: \.isJoined) {
        move(to: .init(column: 0, row: row))
        use(.plain)
        add("\u{1B}[2K")
        write(new, over: blank, row)
      } else {
        write(new, over: before, row)
      }
    }
  }

  private mutating func write(_ new: ArraySlice<ScreenCell>, over old: ArraySlice<ScreenCell>, _ row: Int) {
    let (new, old) = (Array(new), Array(old))
    let end = (new.lastIndex { $0 != .blank } ?? -1) + 1
    var written = 0
    for column in 0..<end where new[column] != old[column] && new[column].width > 0 {
      guard column >= written else { continue }
      let isNear = place == .init(column: written, row: row) && column - written < Self.bridge
      if !isNear { written = column }
      while written <= column {
        put(new[written], .init(column: written, row: row))
        written += new[written].width
      }
    }
    if old[end...].contains(where: { $0 != .blank }) {
      move(to: .init(column: end, row: row))
      use(.plain)
      add("\u{1B}[K")
    }
  }

  private mutating func put(_ cell: ScreenCell, _ position: ScreenBuffer.Position) {
    move(to: position)
    use(cell.style)
    add(cell.text)
    place = cell.isSure ? .init(column: position.column + cell.width, row: position.row) : nil
  }

  private mutating func move(to position: ScreenBuffer.Position) {
    guard place != position else { return }
    add("\u{1B}[\(position.row + 1);\(position.column + 1)H")
    place = position
  }

  private mutating func use(_ new: ScreenStyle) {
    guard style != new else { return }
    add(new.sequence(colors: colors))
    style = new
  }

  private mutating func add(_ text: String) { bytes += text.utf8 }
}

/// Rows that moved up or down together from one frame to the next.
struct ScreenScroll: Equatable {
  /// The rows that scroll, from 0.
  var rows: Range<Int>
  /// The number of rows up, or down if negative.
  var distance: Int

  /// Fewer rows are faster to write than to scroll.
  private static let worth = 3

  /// The scroll that saves the most rows; nil if none saves enough.
  init?(from old: ScreenBuffer, to new: ScreenBuffer) {
    guard (0..<new.rows).count(where: { !old.row($0).elementsEqual(new.row($0)) }) >= Self.worth else {
      return nil
    }
    let (before, after) = (old.hashes, new.hashes)
    var best: (saved: Int, first: Int, last: Int, distance: Int) = (0, 0, 0, 0)
    for distance in 1 - new.rows..<new.rows where distance != 0 {
      var saved = 0
      var first = 0
      for row in 0..<new.rows {
        guard before.indices.contains(row + distance), before[row + distance] == after[row] else {
          saved = 0
          continue
        }
        if saved == 0 { first = row }
        if before[row] != after[row] { saved += 1 }
        if saved > best.saved { best = (saved, first, row, distance) }
      }
    }
    guard best.saved >= Self.worth else { return nil }
    let (first, last) = (best.first, best.last)
    rows = min(first, first + best.distance)..<max(last, last + best.distance) + 1
    distance = best.distance
  }
}

extension ScreenBuffer {
  fileprivate var hashes: [Int] { (0..<rows).map { row($0).hashValue } }

  /// The content of a terminal after the scroll.
  mutating func scroll(_ scroll: ScreenScroll) {
    let old = self
    for row in scroll.rows {
      let source = row + scroll.distance
      replace(row, with: scroll.rows.contains(source) ? old.row(source) : nil)
    }
  }
}

/// Brings a terminal from one frame to the next with few bytes.
///
/// Autowrap is off while the screen is in use, and the cursor is positioned by number wherever terminals may
/// disagree on the width of a character, so that rows are aligned on all of them.
package struct ScreenWriter: Sendable {
  private let colors: Bool
  private var last: ScreenBuffer?

  /// Creates a writer to a terminal with unknown content.
  ///
  /// - Parameter colors: whether to use colors; bold, dim, underline, and reverse are always used.
  package init(colors: Bool) { self.colors = colors }

  /// Makes the next frame complete, because another program has written to the terminal.
  package mutating func forget() { last = nil }

  /// The bytes to send so that the terminal shows a frame; none if it already does.
  package mutating func bytes(for frame: ScreenBuffer) -> [UInt8] {
    defer { last = frame }
    var output = ScreenOutput(colors: colors)
    guard var old = last, (old.columns, old.rows) == (frame.columns, frame.rows) else {
      output.begin(isWhole: true)
      output.write(frame, over: ScreenBuffer(columns: frame.columns, rows: frame.rows))
      output.end(frame.cursor)
      return output.bytes
    }
    guard old != frame else { return [] }
    output.begin(isWhole: false)
    if let scroll = ScreenScroll(from: old, to: frame) {
      output.scroll(scroll)
      old.scroll(scroll)
    }
    output.write(frame, over: old)
    output.end(frame.cursor)
    return output.bytes
  }
}
