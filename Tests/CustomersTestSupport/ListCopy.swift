package import CustomerStore

/// A copy of a list's ids, kept up to date only by applying changes, without reading the list again.
package struct ListCopy: Equatable, Sendable {
  /// The sections in order.
  package private(set) var sections: [SectionID] = []
  /// The customers of each section in order.
  package private(set) var rows: [SectionID: [CustomerID]] = [:]

  /// Why a change does not fit the copy.
  package struct DoesNotFit: Error {
    package var change: ListChange
  }

  package init(sections: [SectionID], rows: [SectionID: [CustomerID]]) {
    self.sections = sections
    self.rows = rows
  }

  package init(_ list: borrowing CustomerList) throws {
    for section in try list.sections() {
      sections.append(section.id)
      rows[section.id] = try list.page(from: 1, limit: .max, in: section.id).map(\.id)
    }
  }

  package mutating func apply(_ change: ListChange) throws {
    let fits =
      switch change {
      case .insert(let id, let place): insert([id], at: place)
      case .delete(let id, let place): delete([id], from: place)
      case .move(let id, let from, let to): delete([id], from: from) && insert([id], at: to)
      case .update(let id, _): rows.values.contains { $0.contains(id) }
      case .insertMany(let first, let count, let place): insert(ids(first, count), at: place)
      case .deleteMany(let first, let count, let place): delete(ids(first, count), from: place)
      case .rows(let changes): rearrange(changes)
      case .arrange(let section, let moves): arrange(section, moves)
      case .insertSection(let id, let order): insert(id, at: order)
      case .deleteSection(let id, let order): rows[id] == [] && delete(id, from: order)
      case .moveSection(let id, let from, let to): delete(id, from: from) && insert(id, at: to)
      case .updateSection(let id): sections.contains(id)
      case .column(let from, let to): from != to
      case .line(_, let id, _): rows.values.contains { $0.contains(id) }
      case .entry: true
      }
    guard fits else { throw DoesNotFit(change: change) }
    if case .deleteSection(let id, _) = change { rows[id] = nil }
  }

  private func ids(_ first: CustomerID, _ count: Int) -> [CustomerID] {
    (0..<count).map { CustomerID(rawValue: first.rawValue + Int64($0)) }
  }

  private mutating func insert(_ ids: [CustomerID], at place: CustomerPlace) -> Bool {
    guard let count = rows[place.section]?.count, (1...count + 1).contains(place.order) else { return false }
    rows[place.section]?.insert(contentsOf: ids, at: place.order - 1)
    return true
  }

  private mutating func delete(_ ids: [CustomerID], from place: CustomerPlace) -> Bool {
    let range = place.order - 1..<place.order - 1 + ids.count
    guard let old = rows[place.section], old.indices.contains(range), Array(old[range]) == ids else {
      return false
    }
    rows[place.section]?.removeSubrange(range)
    return true
  }

  /// All leave their places before any gets one.
  private mutating func rearrange(_ changes: [RowChange]) -> Bool {
    func inOrder(_ place: (RowChange) -> CustomerPlace?) -> [(CustomerID, CustomerPlace)] {
      changes.compactMap { change in place(change).map { (change.id, $0) } }.sorted {
        $0.1.order < $1.1.order
      }
    }
    return inOrder(\.from).reversed().allSatisfy { delete([$0], from: $1) }
      && inOrder(\.to).allSatisfy { insert([$0], at: $1) }
  }

  private mutating func arrange(_ section: SectionID, _ moves: [CustomerMove]) -> Bool {
    guard let old = rows[section] else { return false }
    var new = old
    for move in moves {
      guard old.indices.contains(move.from.order - 1), old[move.from.order - 1] == move.id,
        new.indices.contains(move.to.order - 1)
      else { return false }
      new[move.to.order - 1] = move.id
    }
    rows[section] = new
    return Set(new).count == old.count
  }

  private mutating func insert(_ id: SectionID, at order: Int) -> Bool {
    guard (1...sections.count + 1).contains(order), !sections.contains(id) else { return false }
    sections.insert(id, at: order - 1)
    rows[id] = rows[id] ?? []
    return true
  }

  private mutating func delete(_ id: SectionID, from order: Int) -> Bool {
    guard sections.indices.contains(order - 1), sections[order - 1] == id else { return false }
    sections.remove(at: order - 1)
    return true
  }
}
