internal import CustomerStore

/// Says in words what edits were, with old and new places.
struct HistoryWords {
  private let hasSections: Bool

  init(_ list: borrowing CustomerList) throws { hasSections = try list.sections().count > 1 }

  /// The edits of a step; those beyond `limit` are only counted.
  func lines(of step: HistoryStep, limit: Int, in list: borrowing CustomerList) throws -> [String] {
    var lines: [String] = []
    for change in try list.changes(of: step.id, limit: limit) { lines.append(try line(change, in: list)) }
    return step.editCount > limit ? lines + ["… \(step.editCount - limit) more"] : lines
  }

  /// The change in one line: `→ 3` is a row that came to place 3, `3 →` one that left it.
  func line(_ change: ListChange, in list: borrowing CustomerList) throws -> String {
    switch change {
    case .insert(let id, let place): "Added \(try name(id, list)) → \(try text(place, list))"
    case .delete(let id, let place): "Deleted \(try name(id, list)) \(try text(place, list)) →"
    case .move(let id, let from, let to):
      "Moved \(try name(id, list)) \(try text(from, list)) → \(try text(to, list))"
    case .update(let id, _): "Edited \(try name(id, list))"
    case .insertMany(_, let count, let place): "Added \(rowCount(count)) → \(try text(place, list))"
    case .deleteMany(_, let count, let place): "Deleted \(rowCount(count)) \(try text(place, list)) →"
    case .arrange(let id, let moves): "Arranged \(try title(id, list)), \(rowCount(moves.count)) moved"
    case .insertSection(let id, let order): "Added section \(try title(id, list)) → \(order)"
    case .deleteSection(let id, let order): "Deleted section \(try title(id, list)) \(order) →"
    case .moveSection(let id, let from, let to): "Moved section \(try title(id, list)) \(from) → \(to)"
    case .updateSection(let id): "Renamed section \(try title(id, list))"
    case .column(let from, nil): "Dropped column \(quoted(from ?? ""))"
    case .column(nil, let to?): "Brought back column \(quoted(to))"
    case .column(let from?, let to?): "Renamed column \(quoted(from)) → \(quoted(to))"
    }
  }

  private func name(_ id: CustomerID, _ list: borrowing CustomerList) throws -> String {
    try list.recordedName(of: id).map(quoted) ?? "@\(id.rawValue)"
  }

  private func title(_ id: SectionID, _ list: borrowing CustomerList) throws -> String {
    try list.recordedTitle(of: id).map(quoted) ?? "@\(id.rawValue)"
  }

  /// The place in its section, which is named where there are several.
  private func text(_ place: Place, _ list: borrowing CustomerList) throws -> String {
    guard hasSections else { return "\(place.order)" }
    let title = try list.recordedTitle(of: place.section) ?? "@\(place.section.rawValue)"
    return "\(printable(title))/\(place.order)"
  }
}
