/// Where places are after later edits, which stay.
struct PlaceShift {
  /// The changes of these edits, the last one first.
  var changes: [ListChange] = []
  /// The number of rows of each section after them.
  var counts: [SectionID: Int] = [:]
  /// Rows that left before all of them and have come back, and where they would be before them; the first to leave first.
  private var gaps: [(rows: Range<Int64>, place: CustomerPlace)] = []

  /// Where a place is now.
  func place(_ place: CustomerPlace, own: [CustomerPlace] = []) -> CustomerPlace {
    follow([place], own: own).places[0]
  }

  /// Where places among other rows are now, among the same rows, and where the rows of an edit are.
  ///
  /// A row that comes back is on the side of a place on which it was when it left. Another one that comes to the place itself
  /// is before it, or after it at the end of the section.
  ///
  /// - Parameters:
  ///   - places: places before an edit, counted without the edit's rows.
  ///   - own: the places of the edit's rows after it, which later edits count, too.
  /// - Returns: both, in the same order.
  /// - Complexity: O(changes · rows)
  func follow(_ places: [CustomerPlace], own: [CustomerPlace]) -> ShiftedPlaces {
    let shifts = changes.reversed().flatMap(\.shifts)
    let counts = shifts.reduce(into: counts) { $0[$1.place.section, default: 0] -= $1.count }
    let returning = IDRanges(joining: shifts.filter(\.isArrival).map(\.rows))
    var shifted = ShiftedPlaces(places, own: own, counts: counts, returning: returning)
    // The rows of the edit are counted there.
    for gap in gaps { shifted.remember(gap.rows, before: gap.place) }
    for shift in shifts { shifted.follow(shift) }
    return shifted
  }

  /// Finds out where rows that have come back were when they left, before an edit and these changes.
  ///
  /// - Parameters:
  ///   - edit: the changes of the edit.
  ///   - forEachBefore: passes the changes before it to a function, the last one first, as long as this returns true.
  /// - Complexity: O(changes before the edit · rows that have come back)
  mutating func learn(
    before edit: [ListChange], from forEachBefore: ((ListChange) -> Bool) throws -> Void
  ) rethrows {
    let sections = Set(edit.flatMap(\.shifts).filter { !$0.isArrival }.map(\.place.section))
    let came = changes.flatMap(\.shifts).filter { $0.isArrival && sections.contains($0.place.section) }
    var rest = Dictionary(grouping: came, by: \.place.section).mapValues { IDRanges(joining: $0.map(\.rows)) }
    guard !rest.isEmpty else { return }
    var between = PlaceShift()
    between.counts = (changes + edit).flatMap(\.shifts).reduce(into: counts) {
      $0[$1.place.section, default: 0] -= $1.count
    }
    var gaps = gaps
    try forEachBefore { change in
      between.changes.append(change)
      for shift in change.shifts where !shift.isArrival {
        guard let wanted = rest[shift.place.section], case let parts = wanted.parts(of: shift.rows),
          !parts.isEmpty
        else { continue }
        let place = between.place(shift.place)
        gaps += parts.map { ($0, place) }
        let others = wanted.subtracting(shift.rows)
        rest[shift.place.section] = others.ranges.isEmpty ? nil : others
      }
      return !rest.isEmpty
    }
    self.gaps = gaps.reversed()
  }
}

/// Places that later changes shift, and rows that are not counted for them.
struct ShiftedPlaces {
  private(set) var places: [CustomerPlace]
  private(set) var own: [CustomerPlace]
  /// The number of rows of each section, with the own rows.
  private var counts: [SectionID: Int]
  /// How many places of its section are before each one.
  private let ranks: [Int]
  /// Rows that left, and how many places of their section were before them then; the last to leave last.
  private var left: [(section: SectionID, rows: Range<Int64>, placesBefore: Int)] = []
  /// The rows that come later.
  private let returning: IDRanges

  fileprivate init(
    _ places: [CustomerPlace], own: [CustomerPlace], counts: [SectionID: Int], returning: IDRanges
  ) {
    (self.places, self.own, self.counts, self.returning) = (places, own, counts, returning)
    var (ranks, next) = ([Int](repeating: 0, count: places.count), [SectionID: Int]())
    for index in places.indices.sorted(by: { (places[$0].order, $0) < (places[$1].order, $1) }) {
      ranks[index] = next[places[index].section, default: 0]
      next[places[index].section, default: 0] += 1
    }
    self.ranks = ranks
  }

  /// Notes that rows would be before a place, which counts the rows of the edit, before all changes.
  fileprivate mutating func remember(_ rows: Range<Int64>, before place: CustomerPlace) {
    let placesBefore = places.indices.count {
      places[$0].section == place.section && places[$0].order.saturatingAdding(ranks[$0]) < place.order
    }
    left.append((place.section, rows, placesBefore))
  }

  fileprivate mutating func follow(_ shift: RowShift) {
    if shift.isArrival { makeRoom(shift) } else { closeGap(shift) }
    counts[shift.place.section, default: 0] += shift.count
  }

  /// The number of a place, counted without the own rows.
  private func order(_ place: CustomerPlace) -> Int {
    place.order - own.count { $0.section == place.section && $0.order < place.order }
  }

  private mutating func makeRoom(_ shift: RowShift) {
    let (new, order) = (shift.place, order(shift.place))
    // What was added to the end stays after a place that was there.
    let isEnd = new.order > counts[new.section, default: 0]
    for index in places.indices where places[index].section == new.section && order <= places[index].order {
      let before =
        order < places[index].order ? shift.count : rows(of: shift, before: index, unlessKnown: !isEnd)
      places[index].order = places[index].order.saturatingAdding(before)
    }
    for index in own.indices where own[index].section == new.section && own[index].order >= new.order {
      own[index].order = own[index].order.saturatingAdding(shift.count)
    }
  }

  /// How many of the rows that come to a place belong before it; the new ones all do or don't.
  private func rows(of shift: RowShift, before index: Int, unlessKnown areBefore: Bool) -> Int {
    var count = 0
    var unsettled = [(rows: shift.rows, leaving: left.endIndex)]
    while let (rows, end) = unsettled.popLast() {
      let last = left[..<end].lastIndex { $0.section == shift.place.section && $0.rows.overlaps(rows) }
      guard let last else {
        count += areBefore ? rows.count : 0
        continue
      }
      let part = left[last].rows.clamped(to: rows)
      if left[last].placesBefore <= ranks[index] { count += part.count }
      unsettled += [rows.lowerBound..<part.lowerBound, part.upperBound..<rows.upperBound].map { ($0, last) }
    }
    return count
  }

  private mutating func closeGap(_ shift: RowShift) {
    let (gone, count, order) = (shift.place, shift.rows.count, order(shift.place))
    let orders = places.filter { $0.section == gone.section }.map(\.order).sorted()
    for part in orders.isEmpty ? [] : returning.parts(of: shift.rows) {
      // Places that are among these rows part them.
      var start = part.lowerBound
      for (index, place) in orders.enumerated() {
        let end = min(
          part.upperBound, shift.rows.lowerBound.saturatingAdding(Int64(order < place ? place &- order : 0)))
        guard start < end else { continue }
        left.append((gone.section, start..<end, index))
        start = end
      }
      if start < part.upperBound { left.append((gone.section, start..<part.upperBound, orders.count)) }
    }
    for index in places.indices where places[index].section == gone.section && order < places[index].order {
      places[index].order -= min(count, places[index].order - order)
    }
    for index in own.indices where own[index].section == gone.section && own[index].order > gone.order {
      own[index].order -= count
    }
  }
}

/// Rows with consecutive ids that leave consecutive places, or come to them.
private struct RowShift {
  /// The ids.
  var rows: Range<Int64>
  /// The place of the first one.
  var place: CustomerPlace
  var isArrival: Bool

  init(_ id: Int64, _ count: Int = 1, leave place: CustomerPlace) {
    (rows, self.place, isArrival) = (id..<id.saturatingAdding(Int64(count)), place, false)
  }

  init(_ id: Int64, _ count: Int = 1, come place: CustomerPlace) {
    (rows, self.place, isArrival) = (id..<id.saturatingAdding(Int64(count)), place, true)
  }

  /// How many rows come; below 0 if they leave.
  var count: Int { isArrival ? rows.count : -rows.count }
}

extension ListChange {
  /// The rows that leave places, and then those that come to places.
  fileprivate var shifts: [RowShift] {
    switch self {
    case .insert(let id, let place): [RowShift(id.rawValue, come: place)]
    case .delete(let id, let place): [RowShift(id.rawValue, leave: place)]
    case .move(let id, let from, let to):
      [RowShift(id.rawValue, leave: from), RowShift(id.rawValue, come: to)]
    case .insertMany(let first, let count, let place): [RowShift(first.rawValue, count, come: place)]
    case .deleteMany(let first, let count, let place): [RowShift(first.rawValue, count, leave: place)]
    case .rows(let changes):
      changes.leaving.map { RowShift($0.first.rawValue, $0.count, leave: $0.place) }
        + changes.arriving.map { RowShift($0.first.rawValue, $0.count, come: $0.place) }
    case .insertSection(let id, let order): [RowShift(id.rawValue, come: .ofSection(order))]
    case .deleteSection(let id, let order): [RowShift(id.rawValue, leave: .ofSection(order))]
    case .moveSection(let id, let from, let to):
      [RowShift(id.rawValue, leave: .ofSection(from)), RowShift(id.rawValue, come: .ofSection(to))]
    case .arrange, .update, .updateSection, .column, .line, .entry: []
    }
  }
}

extension SectionID {
  /// The sections themselves, as if they were rows: no section has this id.
  static let ofSections = SectionID(rawValue: 0)
}

extension CustomerPlace {
  /// A place among the sections.
  static func ofSection(_ order: Int) -> CustomerPlace { CustomerPlace(section: .ofSections, order: order) }
}
