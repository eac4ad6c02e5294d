/// Rows with consecutive ids at consecutive places.
struct RowBlock {
  /// The id of the first row.
  var first: Int64
  var count: Int
  /// The place of the first row.
  var place: CustomerPlace

  var ids: Range<Int64> { first..<first + Int64(count) }

  /// The place of a row of the block.
  func place(of id: Int64) -> CustomerPlace {
    CustomerPlace(section: place.section, order: place.order + Int(id - first))
  }

  var places: [(CustomerID, CustomerPlace)] { ids.map { (CustomerID(rawValue: $0), place(of: $0)) } }
}

/// Tracks rows through changes of the list, without the list: where each row that a change names was before
/// all of them, and where it is after them.
///
/// - Complexity: O(changes²) at worst, with small constants.
struct PlaceTracker {
  /// Adjacent rows in a section.
  private struct Segment {
    /// The place of the first one before all changes; nil for rows that have been named.
    var original: Int?
    /// The id of the first one, if the rows were named.
    var id: Int64 = 0
    var count: Int

    /// Without its first rows.
    func dropping(_ count: Int) -> Segment {
      Segment(original: original.map { $0 + count }, id: id + Int64(count), count: self.count - count)
    }

    /// Only its first rows.
    func keeping(_ count: Int) -> Segment { Segment(original: original, id: id, count: count) }
  }

  private var sections: [SectionID: [Segment]] = [:]
  /// Where named rows were before all changes; rows added since are missing.
  private(set) var originBlocks: [RowBlock] = []
  /// The ids of rows that a change named for any reason other than a shift.
  private(set) var touched = RangeSet<Int64>()

  /// Applies the next change.
  mutating func follow(_ change: ListChange) {
    switch change {
    case .insert(let id, let place): put(id, 1, at: place)
    case .delete(let id, let place): take(id, 1, from: place)
    case .move(let id, let from, let to):
      take(id, 1, from: from)
      put(id, 1, at: to)
    case .insertMany(let first, let count, let place): put(first, count, at: place)
    case .deleteMany(let first, let count, let place): take(first, count, from: place)
    case .arrange(_, let moves): arrange(moves)
    case .update, .insertSection, .deleteSection, .moveSection, .updateSection, .column: break
    }
  }

  /// Where named rows are after all changes; deleted rows are missing.
  var placeBlocks: [RowBlock] {
    sections.flatMap { section, segments in
      var order = 1
      return segments.compactMap { segment -> RowBlock? in
        defer { order += segment.count }
        guard segment.original == nil else { return nil }
        return RowBlock(
          first: segment.id, count: segment.count, place: CustomerPlace(section: section, order: order))
      }
    }
  }

  /// The places of named rows before all changes, one by one.
  var origins: [CustomerID: CustomerPlace] {
    Dictionary(uniqueKeysWithValues: originBlocks.flatMap(\.places))
  }

  /// The places of named rows after all changes, one by one.
  var places: [CustomerID: CustomerPlace] { Dictionary(uniqueKeysWithValues: placeBlocks.flatMap(\.places)) }

  /// Whether a change named a row for any reason other than a shift.
  func touches(_ id: CustomerID) -> Bool { touched.contains(id.rawValue) }

  /// Counts the untouched rows before a place: before all changes, and after them.
  var untouched: (before: StayerCount, after: StayerCount) {
    func count(_ blocks: [RowBlock]) -> StayerCount {
      StayerCount(
        without: blocks.flatMap { block in
          RangeSet(block.ids).intersection(touched).ranges.map { ids in
            let first = block.place(of: ids.lowerBound).order
            return (section: block.place.section, orders: first..<first + ids.count)
          }
        })
    }
    return (count(originBlocks), count(placeBlocks))
  }

  private mutating func arrange(_ moves: [CustomerMove]) {
    // Rows that keep their relative order have only shifted.
    let inOrder = moves.sorted { $0.to.order < $1.to.order }
    let staying = Set(longestRise(inOrder.map(\.from.order)))
    let known = touched
    for move in moves.sorted(by: { $0.from.order > $1.from.order }) { take(move.id, 1, from: move.from) }
    for move in inOrder { put(move.id, 1, at: move.to) }
    touched = known
    for index in inOrder.indices where !staying.contains(index) { note(inOrder[index].id, 1) }
  }

  /// Removes rows with consecutive ids from their places.
  private mutating func take(_ first: CustomerID, _ count: Int, from place: CustomerPlace) {
    var segments = split(place)
    let index = segments.index
    var left = count
    while left > 0, index < segments.all.count {
      let segment = segments.all[index]
      let size = min(left, segment.count)
      if let original = segment.original {
        originBlocks.append(
          RowBlock(
            first: first.rawValue + Int64(count - left), count: size,
            place: CustomerPlace(section: place.section, order: original)))
      }
      if size < segment.count {
        segments.all[index] = segment.dropping(size)
      } else {
        segments.all.remove(at: index)
      }
      left -= size
    }
    sections[place.section] = segments.all
    note(first, count)
  }

  private mutating func put(_ first: CustomerID, _ count: Int, at place: CustomerPlace) {
    var segments = split(place)
    let previous = segments.index - 1
    if previous >= 0, segments.all[previous].original == nil,
      segments.all[previous].id + Int64(segments.all[previous].count) == first.rawValue
    {
      segments.all[previous].count += count
    } else {
      segments.all.insert(Segment(id: first.rawValue, count: count), at: segments.index)
    }
    sections[place.section] = segments.all
    note(first, count)
  }

  private mutating func note(_ first: CustomerID, _ count: Int) {
    touched.insert(contentsOf: first.rawValue..<first.rawValue + Int64(count))
  }

  /// The segments of a section, and the index of the one that starts at a place.
  private func split(_ place: CustomerPlace) -> (all: [Segment], index: Int) {
    // A section has fewer rows than this.
    var segments = sections[place.section] ?? [Segment(original: 1, count: .max / 4)]
    // A damaged file may have any numbers.
    var before = max(place.order, 1) - 1
    var index = 0
    while index < segments.count, before >= segments[index].count {
      before -= segments[index].count
      index += 1
    }
    if before > 0, index < segments.count {
      let segment = segments[index]
      segments[index] = segment.keeping(before)
      segments.insert(segment.dropping(before), at: index + 1)
      index += 1
    }
    return (segments, index)
  }
}
