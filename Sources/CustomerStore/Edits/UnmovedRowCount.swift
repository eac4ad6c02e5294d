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
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].orders.lowerBound < place.order { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return place.order &- 1 }
    let (orders, before) = runs[low - 1]
    return place.order &- 1 &- before &- min(orders.count, place.order &- orders.lowerBound)
  }
}
