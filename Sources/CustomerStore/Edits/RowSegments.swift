/// The rows of a section without the list: runs of rows that stay where they are among each other, and of rows
/// that changes have named.
///
/// Finding, adding, and removing a run takes O(√runs).
struct RowSegments {
  /// Adjacent rows.
  struct Segment {
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

  private struct Chunk {
    var segments: [Segment]
    /// The number of rows.
    var count: Int
  }

  private static let chunkSize = 128
  /// One chunk or more; a section has fewer rows than the first one promises.
  private var chunks = [Chunk(segments: [Segment(original: 1, count: .max / 4)], count: .max / 4)]

  /// All segments, in order.
  var all: [Segment] { chunks.flatMap(\.segments) }

  /// The place that a row which was never named had before all changes.
  func origin(of order: Int) -> Int? {
    let (chunk, index, offset) = find(order)
    guard index < chunks[chunk].segments.count else { return nil }
    return chunks[chunk].segments[index].original.map { $0 + offset }
  }

  /// Adds rows with consecutive ids at a place.
  mutating func put(_ first: Int64, _ count: Int, at order: Int) {
    let (chunk, index) = split(at: order)
    chunks[chunk].count += count
    if index > 0, chunks[chunk].segments[index - 1].isFollowed(by: first) {
      chunks[chunk].segments[index - 1].count += count
      return
    }
    chunks[chunk].segments.insert(Segment(id: first, count: count), at: index)
    guard chunks[chunk].segments.count > 2 * Self.chunkSize else { return }
    let rest = Array(chunks[chunk].segments[Self.chunkSize...])
    let restCount = rest.reduce(0) { $0 + $1.count }
    chunks[chunk].segments.removeSubrange(Self.chunkSize...)
    chunks[chunk].count -= restCount
    chunks.insert(Chunk(segments: rest, count: restCount), at: chunk + 1)
  }

  /// Removes rows from a place on and returns them in order.
  mutating func take(_ count: Int, from order: Int) -> [Segment] {
    var (chunk, index) = split(at: order)
    var taken: [Segment] = []
    var left = count
    while left > 0, chunk < chunks.count {
      guard index < chunks[chunk].segments.count else {
        (chunk, index) = (chunk + 1, 0)
        continue
      }
      let segment = chunks[chunk].segments[index]
      let size = min(left, segment.count)
      taken.append(segment.keeping(size))
      if size < segment.count {
        chunks[chunk].segments[index] = segment.dropping(size)
      } else {
        chunks[chunk].segments.remove(at: index)
      }
      chunks[chunk].count -= size
      left -= size
    }
    return taken
  }

  /// Moves rows to new places, all at once. O(runs + moves log moves)
  ///
  /// - Parameter moves: by the place that the row leaves.
  /// - Returns: what left each of these places.
  mutating func arrange(_ moves: [CustomerMove]) -> [Segment] {
    var staying: [Segment] = []
    var left: [Segment] = []
    var rest = all[...]
    var order = 1
    for move in moves {
      Self.pass(max(0, move.from.order - order), of: &rest, to: &staying)
      guard let row = rest.first else { break }
      left.append(row.keeping(1))
      Self.pass(1, of: &rest)
      order = max(order, move.from.order) + 1
    }
    rest = (staying + rest)[...]
    var arranged: [Segment] = []
    order = 1
    for move in moves.sorted(by: { $0.to.order < $1.to.order }) {
      Self.pass(max(0, move.to.order - order), of: &rest, to: &arranged)
      order = max(order, move.to.order) + 1
      if arranged.last?.isFollowed(by: move.id.rawValue) == true {
        arranged[arranged.count - 1].count += 1
      } else {
        arranged.append(Segment(id: move.id.rawValue, count: 1))
      }
    }
    arranged += rest
    chunks = stride(from: 0, to: arranged.count, by: Self.chunkSize).map { start in
      let segments = Array(arranged[start..<min(start + Self.chunkSize, arranged.count)])
      return Chunk(segments: segments, count: segments.reduce(0) { $0 + $1.count })
    }
    return left
  }

  /// Passes some rows from the start of a list of segments to the end of another one.
  private static func pass(_ count: Int, of rest: inout ArraySlice<Segment>, to end: inout [Segment]) {
    var left = count
    while left > 0, let segment = rest.first {
      end.append(segment.keeping(min(left, segment.count)))
      pass(min(left, segment.count), of: &rest)
      left -= min(left, segment.count)
    }
  }

  /// Drops some rows of the first segment.
  private static func pass(_ count: Int, of rest: inout ArraySlice<Segment>) {
    guard let segment = rest.first else { return }
    if segment.count > count { rest[rest.startIndex] = segment.dropping(count) } else { rest.removeFirst() }
  }

  /// The segment with a place and how many of its rows are before it.
  private func find(_ order: Int) -> (chunk: Int, index: Int, offset: Int) {
    // A damaged file may have any numbers.
    var before = max(order, 1) - 1
    var (chunk, index) = (0, 0)
    while chunk < chunks.count - 1, before >= chunks[chunk].count {
      before -= chunks[chunk].count
      chunk += 1
    }
    while index < chunks[chunk].segments.count, before >= chunks[chunk].segments[index].count {
      before -= chunks[chunk].segments[index].count
      index += 1
    }
    return (chunk, index, before)
  }

  /// The chunk and the index in it before which a place is, after splitting the segment with the place.
  private mutating func split(at order: Int) -> (chunk: Int, index: Int) {
    let (chunk, index, offset) = find(order)
    guard index < chunks[chunk].segments.count else { return (chunk, index) }
    guard offset > 0 else {
      // Rows with consecutive ids join those at the end of the chunk before.
      return index == 0 && chunk > 0 ? (chunk - 1, chunks[chunk - 1].segments.count) : (chunk, index)
    }
    let segment = chunks[chunk].segments[index]
    chunks[chunk].segments[index] = segment.keeping(offset)
    chunks[chunk].segments.insert(segment.dropping(offset), at: index + 1)
    return (chunk, index + 1)
  }
}

extension RowSegments.Segment {
  /// Whether a named row with this id can follow.
  fileprivate func isFollowed(by next: Int64) -> Bool { original == nil && id + Int64(count) == next }
}

/// A set of ids, as ranges.
///
/// The standard library's `RangeSet` is not compiled for one type: with it, the outcome of a sort took longer than
/// the sort.
struct IDRanges {
  /// The ranges, ascending; between two of them an id is missing.
  private(set) var ranges: [Range<Int64>] = []

  /// The empty set.
  init() {}

  /// The union of some ranges. O(n log n)
  init(joining all: [Range<Int64>]) {
    for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
  }

  /// These customers.
  init(_ customers: [CustomerID]) {
    self.init(joining: customers.map { $0.rawValue..<$0.rawValue.saturatingAdding(1) })
  }

  /// The ids that are in both sets. O(n log n)
  func intersection(_ other: IDRanges) -> IDRanges { IDRanges(joining: other.ranges.flatMap(parts)) }

  /// The ids that are not in a range. O(n log n)
  func subtracting(_ range: Range<Int64>) -> IDRanges {
    IDRanges(
      joining: ranges.flatMap {
        [$0.clamped(to: .min..<range.lowerBound), $0.clamped(to: range.upperBound..<Int64.max)]
      })
  }

  /// The ids that are not among others, which are ascending. O(ranges + others)
  func subtracting(_ others: [Int64]) -> IDRanges {
    var (left, rest) = (IDRanges(), others[...])
    for range in ranges {
      var start = range.lowerBound
      while let id = rest.first, id < range.upperBound {
        if start < id { left.ranges.append(start..<id) }
        start = max(start, id + 1)
        rest.removeFirst()
      }
      if start < range.upperBound { left.ranges.append(start..<range.upperBound) }
    }
    return left
  }

  /// Whether an id is in the set. O(log ranges)
  func contains(_ id: Int64) -> Bool {
    let index = firstIndex(after: id)
    return index < ranges.count && ranges[index].contains(id)
  }

  /// The parts of a range that are in the set. O(log ranges + parts)
  func parts(of range: Range<Int64>) -> [Range<Int64>] {
    var parts: [Range<Int64>] = []
    var index = firstIndex(after: range.lowerBound)
    while index < ranges.count, ranges[index].lowerBound < range.upperBound {
      parts.append(ranges[index].clamped(to: range))
      index += 1
    }
    return parts
  }

  /// The parts of a range that are not in the set. O(log ranges + parts)
  func gaps(in range: Range<Int64>) -> [Range<Int64>] {
    var start = range.lowerBound
    var gaps: [Range<Int64>] = []
    for part in parts(of: range) {
      if start < part.lowerBound { gaps.append(start..<part.lowerBound) }
      start = part.upperBound
    }
    if start < range.upperBound { gaps.append(start..<range.upperBound) }
    return gaps
  }

  /// The index of the first range that ends after an id.
  private func firstIndex(after id: Int64) -> Int { ranges.partitionIndex { $0.upperBound > id } }
}

/// The indices of a longest increasing subsequence. O(n log n)
package func longestIncreasingSubsequence(_ numbers: [Int]) -> [Int] {
  // For each length, the subsequence with the smallest last number, and the predecessor of each number.
  var ends: [Int] = []
  var previous = [Int](repeating: -1, count: numbers.count)
  for (place, number) in numbers.enumerated() {
    // Most numbers are greater than all before them.
    let isGreatest = ends.last.map { numbers[$0] < number } ?? true
    let length = isGreatest ? ends.count : ends.partitionIndex { numbers[$0] >= number }
    if length > 0 { previous[place] = ends[length - 1] }
    if length == ends.count { ends.append(place) } else { ends[length] = place }
  }
  var chosen: [Int] = []
  var place = ends.last ?? -1
  while place >= 0 {
    chosen.append(place)
    place = previous[place]
  }
  return chosen
}

/// As many rows as possible that need not move to get from one order to another, with all that are fixed: these are in the
/// same order in both. O(n log n)
///
/// - Parameters:
///   - before: for each row of the new order, a number by which it is in the old one.
///   - isFixed: whether the row at an index is fixed.
/// - Returns: their indices.
package func unmovedRows(_ before: [Int], isFixed: (Int) -> Bool) -> [Int] {
  var nextFixed = [Int](repeating: .max, count: before.count)
  var next = Int.max
  for index in before.indices.reversed() {
    nextFixed[index] = next
    if isFixed(index) { next = before[index] }
  }
  var lastFixed = Int.min
  // Those that need not pass a fixed one.
  let free = before.indices.filter { index in
    defer { if isFixed(index) { lastFixed = before[index] } }
    return lastFixed < before[index] && before[index] < nextFixed[index]
  }
  return longestIncreasingSubsequence(free.map { before[$0] }).map { free[$0] }
}

/// Counts the rows before a place that are not among some rows, such as those that stay while others move.
struct UnmovedRowCount {
  /// The places of those rows in a section, ascending, and how many of them come before each run.
  private var runs: [SectionID: [(orders: Range<Int>, before: Int)]] = [:]

  /// Creates the count without the rows at these places. O(n log n)
  init(without places: [(section: SectionID, orders: Range<Int>)] = []) {
    for place in places { runs[place.section, default: []].append((place.orders, 0)) }
    for section in runs.keys {
      var count = 0
      runs[section] = runs[section]?.sorted { $0.orders.lowerBound < $1.orders.lowerBound }.map { run in
        defer { count += run.orders.count }
        return (run.orders, count)
      }
    }
  }

  /// The number of the other rows of a section before a place. O(log n)
  ///
  /// A damaged file may have any numbers, so the difference wraps around instead of trapping.
  func unmovedRows(before place: CustomerPlace) -> Int {
    let runs = runs[place.section, default: []]
    let next = runs.partitionIndex { $0.orders.lowerBound >= place.order }
    guard next > 0 else { return place.order &- 1 }
    let (orders, before) = runs[next - 1]
    return place.order &- 1 &- before &- min(orders.count, place.order &- orders.lowerBound)
  }
}

extension RandomAccessCollection where Index == Int {
  /// The index of the first element that satisfies a condition, as all after it do; the end if none does. O(log n)
  package func partitionIndex(_ isAfter: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if try isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Range<Int64> {
  /// Ids as people read them, as in `@3` or `@5–@9`.
  var asIDs: String { count == 1 ? "@\(lowerBound)" : "@\(lowerBound)–@\(upperBound - 1)" }
}
