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

  /// The ids that are in both sets. O(n log n)
  func intersection(_ other: IDRanges) -> IDRanges { IDRanges(joining: other.ranges.flatMap(parts)) }

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
  private func firstIndex(after id: Int64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
