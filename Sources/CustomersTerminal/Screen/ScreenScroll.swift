/// Rows that moved up or down together from one frame to the next.
struct ScreenScroll: Equatable {
  /// The rows that scroll, from 0.
  var rows: Range<Int>
  /// The number of rows up, or down if negative.
  var distance: Int

  /// Fewer rows are faster to write than to scroll.
  private static let worth = 3

  init(rows: Range<Int>, distance: Int) { (self.rows, self.distance) = (rows, distance) }

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
