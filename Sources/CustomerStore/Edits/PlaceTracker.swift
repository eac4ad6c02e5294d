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
/// all of them and where it is after them.
///
/// - Complexity: O(√changes) for a change of one row, O(changes + rows) for an arrangement.
struct PlaceTracker {
  private var sections: [SectionID: RowSegments] = [:]
  /// Where named rows were before all changes; rows added since are missing.
  private(set) var originBlocks: [RowBlock] = []
  /// The ids of rows that a change named for any reason other than a shift, as they were named.
  private var named: [Range<Int64>] = []

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
    case .arrange(let section, let moves): arrange(moves, in: section)
    case .update, .insertSection, .deleteSection, .moveSection, .updateSection, .column: break
    }
  }

  /// Where named rows are after all changes; deleted rows are missing.
  var placeBlocks: [RowBlock] {
    sections.flatMap { section, segments in
      var order = 1
      return segments.all.compactMap { segment -> RowBlock? in
        defer { order += segment.count }
        guard segment.original == nil else { return nil }
        return RowBlock(
          first: segment.id, count: segment.count, place: CustomerPlace(section: section, order: order))
      }
    }
  }

  /// The place before all changes of a row that no change named.
  func origin(of place: CustomerPlace) -> CustomerPlace {
    // The log of a damaged file may miss changes.
    let order = sections[place.section].map { $0.origin(of: place.order) ?? place.order }
    return CustomerPlace(section: place.section, order: order ?? place.order)
  }

  /// The places of named rows before all changes, one by one.
  var origins: [CustomerID: CustomerPlace] {
    Dictionary(originBlocks.flatMap(\.places)) { first, _ in first }
  }

  /// The places of named rows after all changes, one by one.
  var places: [CustomerID: CustomerPlace] { Dictionary(placeBlocks.flatMap(\.places)) { _, last in last } }

  /// The ids of rows that a change named for any reason other than a shift. O(changes log changes)
  var touched: IDRanges { IDRanges(joining: named) }

  /// Counts the rows before a place that are not `touched`: before all changes and after them.
  func untouched(_ touched: IDRanges) -> (before: UnmovedRowCount, after: UnmovedRowCount) {
    func count(_ blocks: [RowBlock]) -> UnmovedRowCount {
      UnmovedRowCount(
        without: blocks.flatMap { block in
          touched.parts(of: block.ids).map { ids in
            let first = block.place(of: ids.lowerBound).order
            return (section: block.place.section, orders: first..<first + ids.count)
          }
        })
    }
    return (count(originBlocks), count(placeBlocks))
  }

  private mutating func arrange(_ moves: [CustomerMove], in section: SectionID) {
    let leaving = moves.sorted { $0.from.order < $1.from.order }
    let left = sections[section, default: RowSegments()].arrange(leaving)
    for (move, segment) in zip(leaving, left) { note(segment, of: move.id, in: section) }
    // Rows that keep their relative order have only shifted.
    let inOrder = moves.sorted { $0.to.order < $1.to.order }
    let staying = Set(longestIncreasingSubsequence(inOrder.map(\.from.order)))
    for index in inOrder.indices where !staying.contains(index) { name(inOrder[index].id, 1) }
  }

  /// Removes rows with consecutive ids from their places.
  private mutating func take(_ first: CustomerID, _ count: Int, from place: CustomerPlace) {
    var id = first
    for segment in sections[place.section, default: RowSegments()].take(count, from: place.order) {
      note(segment, of: id, in: place.section)
      id.rawValue += Int64(segment.count)
    }
    name(first, count)
  }

  private mutating func put(_ first: CustomerID, _ count: Int, at place: CustomerPlace) {
    sections[place.section, default: RowSegments()].put(first.rawValue, count, at: place.order)
    name(first, count)
  }

  /// Notes where rows were before all changes, if they are named for the first time.
  private mutating func note(_ segment: RowSegments.Segment, of first: CustomerID, in section: SectionID) {
    guard let original = segment.original else { return }
    originBlocks.append(
      RowBlock(
        first: first.rawValue, count: segment.count,
        place: CustomerPlace(section: section, order: original)))
  }

  private mutating func name(_ first: CustomerID, _ count: Int) {
    named.append(first.rawValue..<first.rawValue + Int64(count))
  }
}
