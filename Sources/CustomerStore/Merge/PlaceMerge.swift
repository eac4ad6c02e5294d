/// The merge of an order: rows in groups, which two sides have rearranged apart.
///
/// Rows that neither side moved are the frame, in the order of the base. Rows that both put in the same place belong to it,
/// too. Each other row goes where the side that moved or added it put it: below the same row of the frame, among those that
/// this side put there; so what was put there together stays together. Two refinements:
///
/// - Where both sides put rows below one row of the frame, they are not mixed: first come those of the side that did it
///   earlier, then those of the other; at the top of a group in reverse order. It is as if one had come after the other.
/// - Rows that one side put between two rows that the other side moved together go with these.
///
/// A row that both sides moved, to different places, is where the later side put it. If both rearranged more than half of a
/// group, as by a sort, that is decided for the group as a whole: a mixture would be in no order at all. So it is if it is
/// not known what the two have grown from, and who moved what.
///
/// Rows are numbers from 0 on, and so are groups.
struct PlaceMerge {
  /// What both sides changed.
  enum Contested {
    /// The place of a row.
    case row(Int)
    /// The order of a group.
    case group(Int)
  }

  /// The rows of each group in the merged order.
  private(set) var merged: [[Int]] = []

  /// An order: the rows of each group.
  struct Order {
    let rows: [[Int]]
    /// The group of each row, and its index in it; -1 for rows that are not there.
    let group: [Int]
    let index: [Int]

    init(_ rows: [[Int]] = [], count: Int = 0) {
      var (group, index) = ([Int](repeating: -1, count: count), [Int](repeating: -1, count: count))
      for (number, rows) in rows.enumerated() {
        for (place, row) in rows.enumerated() { (group[row], index[row]) = (number, place) }
      }
      (self.rows, self.group, self.index) = (rows, group, index)
    }

    func has(_ row: Int) -> Bool { group[row] >= 0 }
  }

  /// What a side made of the order.
  struct Side {
    let order: Order
    /// The rows whose places its log names; nil if that is not known.
    let touched: Set<Int>?
    /// When they were placed last.
    let placed: [Int: String]

    func time(_ row: Int) -> String { placed[row] ?? "" }
  }

  /// Who says where a row goes.
  private enum Placing {
    /// Neither side moved it.
    case frame
    /// Both put it in the same place.
    case agreed
    case a, b

    init(_ side: MergeSide) { self = side == .a ? .a : .b }
  }

  private let base: Order
  private let isKnown: Bool
  private let a: Side
  private let b: Side
  /// Nil for rows that are not in the merged order.
  private var placing: [Placing?]

  /// Merges two orders.
  ///
  /// - Parameters:
  ///   - base: the order that both have grown from, or, if that is not known, the rows that both have in one group.
  ///   - isKnown: whether it is known.
  ///   - a: one side.
  ///   - b: the other one.
  ///   - isThere: the rows to be in the merged order.
  ///   - decide: returns whose places count, and gets the later side.
  init(
    base: Order, isKnown: Bool = true, a: Side, b: Side, isThere: [Bool],
    deciding decide: (_ contested: Contested, _ later: MergeSide) -> MergeSide
  ) {
    (self.base, self.isKnown, self.a, self.b) = (base, isKnown, a, b)
    placing = isThere.map { $0 ? .frame : nil }
    choose(decide)
    weave()
  }

  /// Whether a row goes where one side put it, and neither the other side nor both.
  func isPlaced(_ row: Int, by side: MergeSide) -> Bool { placing[row] == Placing(side) }

  /// The groups that rows are put in.
  var groups: Set<Int> {
    var groups: Set<Int> = []
    for row in placing.indices {
      switch placing[row] {
      case .frame: groups.insert(base.group[row])
      case .a: groups.insert(a.order.group[row])
      case .agreed, .b: groups.insert(b.order.group[row])
      case nil: break
      }
    }
    return groups
  }
}

// Whose place counts ------------------------------------------------------------------------------

extension PlaceMerge {
  private mutating func choose(_ decide: (Contested, MergeSide) -> MergeSide) {
    var (movedA, movedB) = (a.moved(from: base), b.moved(from: base))
    let rearranged = rearranged(&movedA, &movedB)
    var contested: [Int] = []
    for row in placing.indices where placing[row] != nil {
      let isInBoth = a.order.has(row) && b.order.has(row)
      if !base.has(row), !isInBoth {
        placing[row] = a.order.has(row) ? .a : .b
      } else if !base.has(row) || movedA[row] && movedB[row] {
        contested.append(row)
      } else if movedA[row] || movedB[row] {
        placing[row] = movedA[row] ? .a : .b
      }
    }
    var sides: [Int: MergeSide] = [:]
    for row in without(agreed: contested) {
      let group = base.group[row]
      if base.has(row), let later = rearranged[group], a.order.group[row] == group,
        b.order.group[row] == group
      {
        let side = sides[group] ?? decide(.group(group), later)
        sides[group] = side
        placing[row] = Placing(side)
      } else {
        placing[row] = Placing(decide(.row(row), a.time(row) >= b.time(row) ? .a : .b))
      }
    }
  }

  /// The groups that both sides rearranged as a whole, or may have, and the side that did it later.
  ///
  /// All rows that either moved there then count as moved by both.
  private func rearranged(_ movedA: inout [Bool], _ movedB: inout [Bool]) -> [Int: MergeSide] {
    var later: [Int: MergeSide] = [:]
    for (group, all) in base.rows.enumerated() where a.order.rows[group] != b.order.rows[group] {
      let rows = all.filter { a.order.group[$0] == group && b.order.group[$0] == group }
      let (countA, countB) = (rows.count { movedA[$0] }, rows.count { movedB[$0] })
      guard
        isKnown
          ? rows.count > 3 && 2 * countA > rows.count && 2 * countB > rows.count : countA + countB > 0
      else { continue }
      later[group] = (rows.map(a.time).max() ?? "") >= (rows.map(b.time).max() ?? "") ? .a : .b
      for row in rows where movedA[row] || movedB[row] { (movedA[row], movedB[row]) = (true, true) }
    }
    return later
  }

  /// Lets contested rows that both sides put in the same place be part of the frame; returns the others.
  private mutating func without(agreed contested: [Int]) -> [Int] {
    var isContested = [Bool](repeating: false, count: placing.count)
    for row in contested { isContested[row] = true }
    for group in Set(contested.map { b.order.group[$0] }) {
      let rows = b.order.rows[group].filter { row in
        a.order.group[row] == group && placing[row] == .frame
      }
      for index in unmovedRows(rows.map { a.order.index[$0] }, isFixed: { !isContested[rows[$0]] }) {
        let row = rows[index]
        if isContested[row] { (placing[row], isContested[row]) = (.agreed, false) }
      }
    }
    return contested.filter { isContested[$0] }
  }
}

extension PlaceMerge.Side {
  /// The rows that this side put elsewhere: as few as possible, and none that its log does not name.
  fileprivate func moved(from base: PlaceMerge.Order) -> [Bool] {
    var isMoved = [Bool](repeating: false, count: base.group.count)
    for (group, rows) in order.rows.enumerated() where rows != base.rows[group] {
      for row in rows where base.has(row) { isMoved[row] = true }
      let staying = rows.filter { base.group[$0] == group }
      for index in unmovedRows(staying.map { base.index[$0] }, isFixed: isUntouched(staying, base)) {
        isMoved[staying[index]] = false
      }
    }
    return isMoved
  }

  /// Whether a row is one that the log does not name; none is if these are not in their old order, because some program
  /// wrote to the internal tables.
  private func isUntouched(_ rows: [Int], _ base: PlaceMerge.Order) -> (Int) -> Bool {
    guard let touched else { return { _ in false } }
    var isUntouched = [Bool](repeating: true, count: base.group.count)
    for row in touched { isUntouched[row] = false }
    let untouched = rows.map { isUntouched[$0] }
    var last = -1
    for (row, isUntouched) in zip(rows, untouched) where isUntouched {
      guard base.index[row] > last else { return { _ in false } }
      last = base.index[row]
    }
    return { untouched[$0] }
  }
}

// The merged order --------------------------------------------------------------------------------

extension PlaceMerge {
  /// Rows that a side put one below the other.
  private struct Run {
    let side: MergeSide
    var rows: [Int] = []
    /// The row of the frame that they are below, or the top of a group.
    let gap: Gap
    /// The upper one of the two rows that they are between, if the other side moved these together.
    var host: Int?
  }

  private enum Gap: Hashable {
    case below(Int)
    case top(Int)
  }

  private mutating func weave() {
    let runs = runs(of: a, .a, beside: b) + runs(of: b, .b, beside: a)
    let guests = Set(runs.filter { $0.host != nil }.flatMap(\.rows))
    // Those who would go with guests themselves stay where they are.
    let gaps = Dictionary(grouping: runs) { run in
      run.host.flatMap { guests.contains($0) ? nil : .below($0) } ?? run.gap
    }
    var isFull = [Bool](repeating: false, count: placing.count)
    for case .below(let row) in gaps.keys { isFull[row] = true }
    func put(_ gap: Gap, in rows: inout [Int], isTop: Bool = false) {
      for row in inOrder(gaps[gap] ?? [], isTop: isTop) {
        rows.append(row)
        if isFull[row] { put(.below(row), in: &rows) }
      }
    }
    merged = base.rows.indices.map { group in
      let frame = frame(of: group)
      var rows: [Int] = []
      put(.top(group), in: &rows, isTop: !frame.isEmpty)
      for row in frame {
        rows.append(row)
        if isFull[row] { put(.below(row), in: &rows) }
      }
      return rows
    }
  }

  /// The rows that were put in one gap: those of the earlier side first, and at the top those of the later one.
  private func inOrder(_ runs: [Run], isTop: Bool) -> [Int] {
    func rows(of side: MergeSide) -> [Int] { runs.filter { $0.side == side }.flatMap(\.rows) }
    guard runs.count > 1 else { return runs.first?.rows ?? [] }
    let (rowsA, rowsB) = (rows(of: .a), rows(of: .b))
    let isEarlier = (rowsA.map(a.time).min() ?? "") <= (rowsB.map(b.time).min() ?? "")
    return isEarlier == isTop ? rowsB + rowsA : rowsA + rowsB
  }

  /// The frame of a group, in the order of the base; with rows that both sides put in the same place, in that of `b`.
  private func frame(of group: Int) -> [Int] {
    let rows = base.rows[group].filter { placing[$0] == .frame }
    let agreed = b.order.rows[group].filter { placing[$0] == .frame || placing[$0] == .agreed }
    guard agreed.contains(where: { placing[$0] == .agreed }) else { return rows }
    // Rows that b deleted, and that stay, follow the row above them.
    var (frame, rest) = ([Int](), rows[...])
    for row in agreed {
      if placing[row] == .frame, let index = rest.firstIndex(of: row) {
        frame += rest[..<index]
        rest = rest[(index + 1)...]
      }
      frame.append(row)
    }
    return frame + rest
  }

  /// The runs of rows that a side put somewhere.
  private func runs(of side: Side, _ name: MergeSide, beside other: Side) -> [Run] {
    let (own, theirs) = (Placing(name), Placing(name.other))
    var runs: [Run] = []
    var next: [Int]?
    for (group, rows) in side.order.rows.enumerated() where rows.contains(where: { placing[$0] == own }) {
      let followers = next ?? followers(in: other.order, also: side.order)
      next = followers
      var (gap, above, run) = (Gap.top(group), Int?.none, Run?.none)
      for row in rows {
        guard let placing = placing[row] else { continue }
        if placing == own {
          run = run ?? Run(side: name, gap: gap)
          run?.rows.append(row)
          continue
        }
        if var ended = run.take() {
          // A row gets into another section only if someone moved it there.
          if let above, self.placing[above] == theirs, placing == theirs, followers[above] == row,
            other.order.group[above] == group, other.order.group[row] == group
          {
            ended.host = above
          }
          runs.append(ended)
        }
        above = row
        if placing != theirs { gap = .below(row) }
      }
      if let run { runs.append(run) }
    }
    return runs
  }

  /// The row that follows each one in an order, of those that are also in another order and in the merged one; -1 if none does.
  private func followers(in order: Order, also other: Order) -> [Int] {
    var next = [Int](repeating: -1, count: placing.count)
    for rows in order.rows {
      var last: Int?
      for row in rows where other.has(row) && placing[row] != nil {
        if let last { next[last] = row }
        last = row
      }
    }
    return next
  }
}
