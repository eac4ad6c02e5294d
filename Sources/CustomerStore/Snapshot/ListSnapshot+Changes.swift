/// Why changes can't be applied to a snapshot, which is left unchanged.
public enum SnapshotError: Error, Hashable, Sendable {
  /// Edits in between are missing: the snapshot is at edit `at`, the step starts with edit `next`.
  case gap(at: Int64, next: Int64)
  /// The step is of another history: read the list again.
  case otherHistory
  /// The change belongs to another list, or the snapshot was not read from this one.
  case doesNotFit(ListChange)
}

extension SnapshotError: CustomStringConvertible {
  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .gap(let at, let next): "the snapshot is at edit \(at), and edit \(next) is not the next one"
    case .otherHistory: "the step is of another history than the snapshot"
    case .doesNotFit: "the change does not fit the snapshot"
    }
  }
}

extension ListSnapshot {
  /// Applies the changes of a step to the snapshot.
  ///
  /// - Returns: the updates that take a table from the old snapshot to the new one; none for a step that the
  ///   snapshot already contains.
  /// - Throws: `SnapshotError`.
  /// - Complexity: O(rows + changes).
  @discardableResult
  public mutating func apply(_ step: ListStep) throws -> [TableUpdate] {
    let before = self
    var touched = TouchedRows()
    try apply(step, &touched)
    return touched.updates(from: before, to: self)
  }

  /// Applies the changes of a step and adds what they affect in a table.
  mutating func apply(_ step: ListStep, _ touched: inout TouchedRows) throws {
    guard try step.isNews(after: version) else { return }
    var after = self
    for change in try step.changes(after: version.edit) {
      guard after.perform(change, step.sections) else { throw SnapshotError.doesNotFit(change) }
      touched.add(change)
    }
    after.version = step.readAt.at(step.edits.upperBound)
    self = after
  }

  /// Applies one change.
  ///
  /// - Returns: whether it fits; if not, part of it may have been applied.
  private mutating func perform(_ change: ListChange, _ titles: [SectionID: CustomerSection]) -> Bool {
    switch change {
    case .insert(let id, let place): return insert([id], at: place)
    case .delete(let id, let place): return delete([id], from: place)
    case .move(let id, let from, let to): return delete([id], from: from) && insert([id], at: to)
    case .update, .column: return true
    case .insertMany(let first, let count, let place):
      return count >= 0 && insert(first.following(count), at: place)
    case .deleteMany(let first, let count, let place):
      // A longer one does not fit and is not made.
      return (0...self.count).contains(count) && delete(first.following(count), from: place)
    case .arrange(let section, let moves): return arrange(section, moves)
    case .insertSection(let id, let order):
      guard (1...sections.count + 1).contains(order), index(of: id) == nil else { return false }
      sections.insert(Section(id: id, title: "", footer: "", rows: []), at: order - 1)
      return setTitle(of: id, titles)
    case .deleteSection(let id, let order):
      guard order >= 1, order <= sections.count, sections[order - 1].id == id,
        sections[order - 1].rows.isEmpty
      else { return false }
      sections.remove(at: order - 1)
      return true
    case .moveSection(let id, let from, let to):
      guard let index = index(of: id), index == from &- 1, sections.indices.contains(to &- 1) else {
        return false
      }
      sections.insert(sections.remove(at: index), at: to - 1)
      return true
    case .updateSection(let id): return setTitle(of: id, titles)
    }
  }

  private func index(of id: SectionID) -> Int? { sections.firstIndex { $0.id == id } }

  private mutating func insert(_ ids: [CustomerID], at place: CustomerPlace) -> Bool {
    guard let index = index(of: place.section), (1...sections[index].count + 1).contains(place.order)
    else { return false }
    sections[index].rows.insert(contentsOf: ids, at: place.order - 1)
    return true
  }

  private mutating func delete(_ ids: [CustomerID], from place: CustomerPlace) -> Bool {
    guard let index = index(of: place.section), place.order >= 1, ids.count <= sections[index].count,
      place.order - 1 <= sections[index].count - ids.count
    else { return false }
    let range = place.order - 1..<place.order - 1 + ids.count
    guard sections[index].rows[range].elementsEqual(ids) else { return false }
    sections[index].rows.removeSubrange(range)
    return true
  }

  private mutating func arrange(_ section: SectionID, _ moves: [CustomerMove]) -> Bool {
    guard let index = index(of: section) else { return false }
    let old = sections[index].rows
    for move in moves {
      guard old.indices.contains(move.from.order &- 1), old[move.from.order - 1] == move.id,
        old.indices.contains(move.to.order &- 1)
      else { return false }
      sections[index].rows[move.to.order - 1] = move.id
    }
    return true
  }

  /// A section that was deleted since no longer has a title.
  private mutating func setTitle(of id: SectionID, _ titles: [SectionID: CustomerSection]) -> Bool {
    guard let index = index(of: id) else { return false }
    if let section = titles[id] {
      (sections[index].title, sections[index].footer) = (section.title, section.footer)
    }
    return true
  }
}

extension ListStep {
  /// Whether it has edits after a version.
  ///
  /// - Throws: `SnapshotError.otherHistory`.
  func isNews(after version: ListVersion) throws -> Bool {
    guard version.isOf(readAt.history) else { throw SnapshotError.otherHistory }
    return edits.upperBound > version.edit
  }

  /// The changes after an edit.
  ///
  /// Two quick statements of another client are one step, whose first part may be known already.
  ///
  /// - Throws: `SnapshotError.gap` if edits in between are missing.
  func changes(after edit: Int64) throws -> ArraySlice<ListChange> {
    let next = edit.saturatingAdding(1)
    guard edits.lowerBound <= next else { throw SnapshotError.gap(at: edit, next: edits.lowerBound) }
    return changes.dropFirst((edits.lowerBound..<next).saturatingCount)
  }
}

extension CustomerID {
  /// A number of consecutive ids, starting with this one; none for a negative number.
  func following(_ count: Int) -> [CustomerID] {
    (0..<Int64(max(0, count))).map { CustomerID(rawValue: rawValue &+ $0) }
  }
}
