internal import CustomerStore

/// The order of the rows while some of them are being moved ("in hand"), as it is displayed.
///
/// A row has three numbers, all from 0: in the list, among the rows that stay, and as shown.
struct Arrangement {
  /// The number of rows of each section, as shown.
  private(set) var counts: [Int]
  /// The numbers of the rows in hand, in the list, ascending.
  let taken: [Int]
  /// The number of the first row in hand, as shown.
  private(set) var gap: Int
  /// The section where the rows in hand are shown and how many rows of it are above them.
  private(set) var target: (section: Int, order: Int)

  /// Creates the arrangement with the rows in hand at a place, which is clamped to the list.
  ///
  /// `counts` are the numbers of rows in the list, of at least one section.
  init(_ counts: [Int], taking taken: [Int], to target: (section: Int, order: Int)) {
    self.taken = taken
    self.counts = counts
    let layout = TableLayout(counts.map { .init(rows: $0) })
    for row in taken { if let path = layout.path(ofRow: row) { self.counts[path.section] -= 1 } }
    let section = min(max(target.section, 0), counts.count - 1)
    self.target = (section, min(max(target.order, 0), self.counts[section]))
    gap = self.counts[..<section].reduce(0, +) + self.target.order
    self.counts[section] += taken.count
  }

  /// Where a shown row comes from.
  enum Source: Equatable {
    /// One of those in hand, by its index.
    case hand(Int)
    /// A row of the list.
    case row(Int)
  }

  /// Where the row that is shown with a number comes from.
  func source(of shown: Int) -> Source {
    if shown >= gap, shown < gap + taken.count { return .hand(shown - gap) }
    return .row(listRow(ofStayer: shown < gap ? shown : shown - taken.count))
  }

  /// The number with which a row of the list that is not in hand is shown.
  func shown(_ row: Int) -> Int {
    let stayer = row - taken.count { $0 < row }
    return stayer < gap ? stayer : stayer + taken.count
  }

  /// The number in the list of a row that stays.
  func listRow(ofStayer stayer: Int) -> Int {
    var row = stayer
    for hand in taken where hand <= row { row += 1 }
    return row
  }

  /// How many rows of a section stay.
  func unmovedRows(inSection index: Int) -> Int {
    counts[index] - (index == target.section ? taken.count : 0)
  }

  /// The place a number of steps from this one; from the end of a section the next step is the start of the
  /// next one.
  func target(by distance: Int) -> (section: Int, order: Int) {
    var (section, order) = (target.section, target.order &+ distance)
    while order < 0, section > 0 {
      section -= 1
      order += unmovedRows(inSection: section) + 1
    }
    while section < counts.count - 1, order > unmovedRows(inSection: section) {
      order -= unmovedRows(inSection: section) + 1
      section += 1
    }
    return (section, min(max(order, 0), unmovedRows(inSection: section)))
  }

  /// The place at which the first row in hand is shown with a number, in its current section if that has one.
  func target(ofShown number: Int) -> (section: Int, order: Int) {
    func start(_ section: Int) -> Int { (0..<section).reduce(0) { $0 + unmovedRows(inSection: $1) } }
    let first = start(target.section)
    if number >= first, number <= first + unmovedRows(inSection: target.section) {
      return (target.section, number - first)
    }
    var above = 0
    for section in counts.indices {
      if number <= above + unmovedRows(inSection: section) { return (section, max(0, number - above)) }
      above += unmovedRows(inSection: section)
    }
    return (counts.count - 1, unmovedRows(inSection: counts.count - 1))
  }
}
