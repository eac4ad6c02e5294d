extension BatchUpdates {
  /// Verifies that a table which displayed some rows and makes these updates displays the list as it is now.
  ///
  /// Only the final state counts, not when the list was changed. A new row is accepted wherever it was not
  /// displayed before.
  ///
  /// - Parameters:
  ///   - before: the customers of each section as the table displays them.
  ///   - after: the customers of the same sections in the list as it is now.
  /// - Throws: `BatchError.countDiffers` if a section has more or fewer rows than the updates lead to,
  ///   `rowDiffers` for the first row that differs; and the other errors of a batch.
  /// - Complexity: O(rows).
  public func check(before: [SectionID: [CustomerID]], after: [SectionID: [CustomerID]]) throws {
    let batch = try resolved(in: before)
    let change = try batch.rearrangement()
    let sections = change.sections
    let known = Set(before.values.joined())
    for section in Set(before.keys).union(after.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
      let (old, new) = (before[section, default: []], after[section, default: []])
      let places = sections[section] ?? SectionChange()
      guard new.count - old.count == places.taken.count - places.left.count else {
        throw BatchError.countDiffers(
          section, before: old.count, after: new.count, inserted: places.taken.count,
          deleted: places.left.count)
      }
      let expected = change.order(of: section, from: old, leaving: places.left)
      for (index, (expected, found)) in zip(expected, new).enumerated()
      where expected.map({ $0 != found }) ?? known.contains(found) {
        throw BatchError.rowDiffers(
          CustomerPlace(section: section, order: index + 1), expected: expected, found: found)
      }
    }
  }

  private func resolved(in before: [SectionID: [CustomerID]]) throws -> ResolvedBatch {
    var places: [CustomerID: CustomerPlace] = [:]
    for (section, ids) in before {
      for (index, id) in ids.enumerated() { places[id] = CustomerPlace(section: section, order: index + 1) }
    }
    func rows(of section: SectionID) throws -> [CustomerID] {
      guard let rows = before[section] else { throw ListError.noSuchSection(section) }
      return rows
    }
    return try ResolvedBatch(
      operations,
      row: { source in
        switch source {
        case .customer(let id):
          guard let place = places[id] else { throw ListError.noSuchCustomer(id) }
          return .init(id: id, place: place)
        case .place(let order, let section):
          let rows = try rows(of: section)
          guard order >= 1, order <= rows.count else {
            throw ListError.placeOutOfRange(asked: order, allowed: 1..<rows.count + 1)
          }
          return .init(id: rows[order - 1], place: CustomerPlace(section: section, order: order))
        }
      }, count: { try rows(of: $0).count })
  }
}

extension Rearrangement {
  /// The customers of a section after the updates, given those before; nil for a new one.
  fileprivate func order(of section: SectionID, from before: [CustomerID], leaving: [Int]) -> [CustomerID?] {
    let leaving = Set(leaving)
    let staying = before.enumerated().filter { !leaving.contains($0.offset + 1) }
    let coming = arrivals.filter { $0.place.section == section }
    let others = coming.map { arrival -> (row: CustomerID?, order: Int) in
      switch arrival.row {
      case .customer(let id, _): (id, arrival.place.order)
      case .new: (nil, arrival.place.order)
      }
    }
    return staying.map { .some($0.element) }.interleaved(with: others)
  }
}
