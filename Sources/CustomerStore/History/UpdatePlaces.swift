extension [ListChange] {
  /// Sets the places of updates, which the history does not record, from the places after the last of these
  /// changes.
  ///
  /// It goes back from there, change by change. O(changes × rows updated)
  mutating func setPlacesOfUpdates(now places: [CustomerID: CustomerPlace]) {
    var places = places
    let ids = Set(compactMap { if case .update(let id, _) = $0 { id } else { nil } })
    for index in indices.reversed() {
      if case .update(let id, _) = self[index] {
        self[index] = .update(id, at: places[id])
      } else {
        for id in ids { places[id] = self[index].placeBefore(places[id], of: id) }
      }
    }
  }
}

extension ListChange {
  /// The place of a row before this change, from its place after it; nil if it is not in the list.
  func placeBefore(_ place: CustomerPlace?, of id: CustomerID) -> CustomerPlace? {
    switch self {
    case .insert(let other, let at): other == id ? nil : place?.without(1, at: at)
    case .delete(let other, let from): other == id ? from : place?.with(1, at: from)
    case .move(let other, let from, let to): other == id ? from : place?.without(1, at: to).with(1, at: from)
    case .insertMany(let first, let count, let at):
      first.following(count, has: id) ? nil : place?.without(count, at: at)
    case .deleteMany(let first, let count, let from):
      first.following(count, has: id)
        ? CustomerPlace(section: from.section, order: from.order + Int(id.rawValue - first.rawValue))
        : place?.with(count, at: from)
    case .arrange(_, let moves): moves.first { $0.id == id }?.from ?? place
    case .update, .insertSection, .deleteSection, .moveSection, .updateSection, .column: place
    }
  }
}

extension CustomerID {
  /// Whether an id is in a run of consecutive ids.
  fileprivate func following(_ count: Int, has id: CustomerID) -> Bool {
    (rawValue..<rawValue + Int64(count)).contains(id.rawValue)
  }
}

extension CustomerPlace {
  /// The place after removing that many other rows at `place`.
  fileprivate func without(_ count: Int, at place: CustomerPlace) -> CustomerPlace {
    guard place.section == section, place.order < order else { return self }
    return CustomerPlace(section: section, order: order - count)
  }

  /// The place after inserting that many rows at `place`.
  fileprivate func with(_ count: Int, at place: CustomerPlace) -> CustomerPlace {
    guard place.section == section, place.order <= order else { return self }
    return CustomerPlace(section: section, order: order + count)
  }
}
