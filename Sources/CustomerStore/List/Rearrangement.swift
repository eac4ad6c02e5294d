/// Rows that come to places of the list, all at once, while all others keep their order.
struct Rearrangement {
  /// A row, and the place that it has when all rows have come.
  struct Arrival {
    var row: Row
    var place: Place
  }

  enum Row {
    /// A row that leaves the place it has before.
    case customer(CustomerID, from: Place)
    /// One of the new customers, by its index.
    case new(Int)
  }

  /// The places, before, of rows that are deleted.
  var deleted: [Place] = []
  var arrivals: [Arrival] = []

  /// What this means for each section that rows come to or leave.
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

  /// The first of some of the moves that is more than a slide: that takes a row past another one which
  /// stays, or past another one of these.
  func firstThatPasses(among moves: [CustomerMove]) -> CustomerID? {
    let sections = sections
    var last: Place?
    for move in moves.sorted(by: { $0.from.isBefore($1.from) }) {
      guard move.from.section == move.to.section, let section = sections[move.from.section],
        section.stayers(beforeLeft: move.from.order) == section.stayers(beforeTaken: move.to.order),
        last.map({ $0.section != move.to.section || $0.order < move.to.order }) ?? true
      else { return move.id }
      last = move.to
    }
    return nil
  }
}

/// The places of a section that rows leave (before) and come to (afterwards), both rising.
struct SectionChange {
  var left: [Int] = []
  var taken: [Int] = []

  /// How many of the rows that stay are above a place that is left.
  func stayers(beforeLeft order: Int) -> Int { order - 1 - left.count(below: order) }

  /// How many of the rows that stay are above a place that is taken.
  func stayers(beforeTaken order: Int) -> Int { order - 1 - taken.count(below: order) }
}

extension Place {
  /// An order of all places; of those in one section the natural one.
  func isBefore(_ other: Place) -> Bool { (section.rawValue, order) < (other.section.rawValue, other.order) }
}

extension [Int] {
  /// How many elements are less than a number; the elements must rise.
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
  /// Puts others among these, each at its place, counted in the whole from 1.
  func interleaved(with others: [(row: Element, order: Int)]) -> [Element] {
    var all = [Element?](repeating: nil, count: count + others.count)
    for other in others { all[other.order - 1] = .some(other.row) }
    var rest = makeIterator()
    return all.compactMap { row -> Element? in row ?? rest.next() }
  }
}
