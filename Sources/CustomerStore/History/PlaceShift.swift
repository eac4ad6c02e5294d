/// Where places are after later edits, which stay.
struct PlaceShift {
  /// The changes of these edits, the last one first.
  var changes: [ListChange] = []
  /// The number of rows of each section after them.
  var counts: [SectionID: Int] = [:]

  /// Where a place is now.
  func place(_ place: CustomerPlace, own: [CustomerPlace] = []) -> CustomerPlace {
    follow([place], own: own).places[0]
  }

  /// Where places among other rows are now, among the same rows, and where the rows of an edit are.
  ///
  /// - Parameters:
  ///   - places: places before an edit, counted without the edit's rows.
  ///   - own: the places of the edit's rows after it, which later edits count, too.
  /// - Returns: both, in the same order.
  /// - Complexity: O(changes · rows)
  func follow(_ places: [CustomerPlace], own: [CustomerPlace]) -> ShiftedPlaces {
    var shifted = ShiftedPlaces(places: places, own: own, counts: counts)
    for change in changes {
      for (count, place) in change.shifts { shifted.counts[place.section, default: 0] -= count }
    }
    for change in changes.reversed() {
      for (count, place) in change.shifts {
        if count < 0 { shifted.closeGap(-count, at: place) } else { shifted.makeRoom(count, at: place) }
        shifted.counts[place.section, default: 0] += count
      }
    }
    return shifted
  }
}

/// Places that later changes shift, and rows that are not counted for them.
struct ShiftedPlaces {
  var places: [CustomerPlace]
  var own: [CustomerPlace]
  /// The number of rows of each section, with the own rows.
  var counts: [SectionID: Int]

  /// The number of a place, counted without the own rows.
  private func order(_ place: CustomerPlace) -> Int {
    place.order - own.count { $0.section == place.section && $0.order < place.order }
  }

  mutating func makeRoom(_ count: Int, at new: CustomerPlace) {
    let order = order(new)
    // What was added to the end stays after a place that was there.
    let isEnd = new.order > counts[new.section, default: 0]
    for index in places.indices
    where places[index].section == new.section
      && (isEnd ? order < places[index].order : order <= places[index].order)
    {
      places[index].order = places[index].order.saturatingAdding(count)
    }
    for index in own.indices where own[index].section == new.section && own[index].order >= new.order {
      own[index].order = own[index].order.saturatingAdding(count)
    }
  }

  mutating func closeGap(_ count: Int, at gone: CustomerPlace) {
    let order = order(gone)
    for index in places.indices where places[index].section == gone.section && order < places[index].order {
      places[index].order -= min(count, places[index].order - order)
    }
    for index in own.indices where own[index].section == gone.section && own[index].order > gone.order {
      own[index].order -= count
    }
  }
}

extension ListChange {
  /// How many rows leave places, as a number below 0, and then how many come to places.
  fileprivate var shifts: [(count: Int, place: CustomerPlace)] {
    switch self {
    case .insert(_, let place): [(1, place)]
    case .delete(_, let place): [(-1, place)]
    case .move(_, let from, let to): [(-1, from), (1, to)]
    case .insertMany(_, let count, let place): [(count, place)]
    case .deleteMany(_, let count, let place): [(-count, place)]
    case .rows(let changes):
      changes.leaving.map { (-$0.count, $0.place) } + changes.arriving.map { ($0.count, $0.place) }
    case .insertSection(_, let order): [(1, .ofSection(order))]
    case .deleteSection(_, let order): [(-1, .ofSection(order))]
    case .moveSection(_, let from, let to): [(-1, .ofSection(from)), (1, .ofSection(to))]
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
