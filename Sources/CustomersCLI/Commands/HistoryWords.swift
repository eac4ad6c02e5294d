internal import CustomerStore

/// Says in words what edits were, with old and new places.
struct HistoryWords {
  private let hasSections: Bool

  init(_ list: borrowing CustomerList) throws { hasSections = try list.sections().count > 1 }

  /// The edits of a step; those beyond `limit` are only counted.
  ///
  /// Of a step that was just undone, the places are those where the rows are again.
  func lines(
    of step: HistoryStep, undone: Bool = false, limit: Int, in list: borrowing CustomerList
  ) throws -> [String] {
    var lines: [String] = []
    for change in try list.changes(of: step.id, limit: limit) {
      lines.append(try line(change, undone: undone, in: list))
    }
    return step.editCount > limit ? lines + ["… \(step.editCount - limit) more"] : lines
  }

  func line(
    _ change: ListChange, undone: Bool = false, in list: borrowing CustomerList
  ) throws -> String {
    switch change {
    case .insert(let id, let place):
      "insert \(try name(id, list)) " + arrow(to: try text(place, list), backwards: undone)
    case .delete(let id, let place):
      "delete \(try name(id, list)) " + arrow(to: try text(place, list), backwards: !undone)
    case .move(let id, let from, let to):
      "move \(try name(id, list)) " + arrow(try text(from, list), try text(to, list), backwards: undone)
    case .update(let id, _): "update \(try name(id, list))"
    case .insertMany(_, let count, let place):
      "insert \(rowCount(count)) " + arrow(to: try text(place, list), backwards: undone)
    case .deleteMany(_, let count, let place):
      "delete \(rowCount(count)) " + arrow(to: try text(place, list), backwards: !undone)
    case .arrange(let id, let moves): "arrange \(try title(id, list)), \(rowCount(moves.count)) moved"
    case .insertSection(let id, let order):
      "insert section \(try title(id, list)) " + arrow(to: "\(order)", backwards: undone)
    case .deleteSection(let id, let order):
      "delete section \(try title(id, list)) " + arrow(to: "\(order)", backwards: !undone)
    case .moveSection(let id, let from, let to):
      "move section \(try title(id, list)) " + arrow("\(from)", "\(to)", backwards: undone)
    case .updateSection(let id): "rename section \(try title(id, list))"
    }
  }

  /// `→ 3` for a row that comes to place 3, `3 →` for one that leaves it.
  private func arrow(to place: String, backwards: Bool) -> String { backwards ? "\(place) →" : "→ \(place)" }

  private func arrow(_ from: String, _ to: String, backwards: Bool) -> String {
    backwards ? "\(to) → \(from)" : "\(from) → \(to)"
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
