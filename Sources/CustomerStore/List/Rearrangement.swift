/// Rows that get places in the list, all at once, while all others keep their order.
struct Rearrangement {
  /// A row, and the place that it has in the end.
  struct Arrival {
    var row: Row
    var place: CustomerPlace
  }

  enum Row {
    /// A row of the list, by its place before.
    case customer(CustomerID, from: CustomerPlace)
    /// One of the new customers, by its index.
    case new(Int)
  }

  /// The places (before) of rows that are deleted.
  var deleted: [CustomerPlace] = []
  var arrivals: [Arrival] = []

  /// The effect on each section that rows enter or leave.
  var sections: [SectionID: SectionChange] {
    var sections: [SectionID: SectionChange] = [:]
    for place in deleted { sections[place.section, default: SectionChange()].left.append(place.order) }
    for arrival in arrivals {
      if case .customer(_, let from) = arrival.row {
        sections[from.section, default: SectionChange()].left.append(from.order)
      }
      sections[arrival.place.section, default: SectionChange()].taken.append(arrival.place.order)
    }
    for section in sections.keys {
      sections[section]?.left.sort()
      sections[section]?.taken.sort()
    }
    return sections
  }

  /// The first of the given moves that is more than a shift: it takes a row past one that stays or past
  /// another of these.
  func firstThatPasses(among moves: [CustomerMove]) -> CustomerID? {
    let sections = sections
    var last: CustomerPlace?
    for move in moves.sorted(by: { $0.from.isBefore($1.from) }) {
      guard move.from.section == move.to.section, let section = sections[move.from.section],
        section.unmovedRows(beforeLeft: move.from.order) == section.unmovedRows(beforeTaken: move.to.order),
        last.map({ $0.section != move.to.section || $0.order < move.to.order }) ?? true
      else { return move.id }
      last = move.to
    }
    return nil
  }
}

/// The places of a section that rows leave (before) and get (after), both ascending.
struct SectionChange {
  var left: [Int] = []
  var taken: [Int] = []

  /// The number of staying rows above a place that a row leaves.
  func unmovedRows(beforeLeft order: Int) -> Int { order - 1 - left.count(below: order) }

  /// The number of staying rows above a place that a row gets.
  func unmovedRows(beforeTaken order: Int) -> Int { order - 1 - taken.count(below: order) }
}

extension CustomerPlace {
  /// A total order of places; natural within a section.
  func isBefore(_ other: CustomerPlace) -> Bool {
    (section.rawValue, order) < (other.section.rawValue, other.order)
  }
}

extension [Int] {
  /// The number of elements less than a number; the elements must be ascending.
  func count(below number: Int) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = self[middle] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}

extension Array {
  /// Inserts other elements, each at its place in the result, counted from 1.
  func interleaved(with others: [(row: Element, order: Int)]) -> [Element] {
    var all = [Element?](repeating: nil, count: count + others.count)
    for other in others { all[other.order - 1] = .some(other.row) }
    var rest = makeIterator()
    return all.compactMap { row -> Element? in row ?? rest.next() }
  }
}
