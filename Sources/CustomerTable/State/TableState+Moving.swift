internal import CustomerStore

/// Moving rows: by steps, by number, in the hand, by cut and put.
extension TableState {
  mutating func shift(_ distance: Int) -> [TableEffect] {
    guard let rows = movable(), let first = rows.first, let arrangement = arrangement(of: rows) else {
      return []
    }
    let (section, order) = arrangement.target
    let (wanted, isTooFar) = order.addingReportingOverflow(distance)
    let target = min(max(0, isTooFar ? distance : wanted), arrangement.unmovedRows(inSection: section))
    if target == order, rows.count == 1 {
      say(.hint, "\"\(first.name)\" is at the \(distance < 0 ? "start" : "end") of its section.")
      return []
    }
    return move(rows, to: (section, target), in: arrangement)
  }

  mutating func move(to number: Int) -> [TableEffect] {
    guard let rows = movable(), let arrangement = arrangement(of: rows) else { return [] }
    guard (1...layout.rowCount - rows.count + 1).contains(number) else {
      say(.refusal, "Row \(number) is out of range (1–\(layout.rowCount - rows.count + 1)).")
      return []
    }
    return move(rows, to: arrangement.target(ofShown: number - 1), in: arrangement)
  }

  mutating func cutSubject() -> [TableEffect] {
    guard let rows = movable() else { return [] }
    cut = Set(rows.map(\.id))
    (marked, rangeStart) = ([], nil)
    say(.hint, "Cut \(name(rows)); paste below or above another row.")
    return []
  }

  mutating func put(above: Bool) -> [TableEffect] {
    let rows = inOrder(cut.compactMap { contents[$0] })
    guard !rows.isEmpty, mayMove() else { return [] }
    let ids = rows.map(\.id)
    switch cursor {
    case .row(let id) where cut.contains(id):
      say(.refusal, "Choose a row that was not cut.")
      return []
    case .row(let id):
      let target: Destination = above ? .before(id) : .after(id)
      return write(.edits([.move(ids, to: target, asSeenAt: contents.version)]), "move")
    case .end(let section):
      return write(.edits([.move(ids, to: .last, in: section, asSeenAt: contents.version)]), "move")
    case nil: return []
    }
  }

  // MARK: In the hand

  mutating func pickUp(_ id: CustomerID?) -> [TableEffect] {
    guard let rows = movable(id), let arrangement = arrangement(of: rows) else { return [] }
    drag = DragSession(
      ids: rows.map(\.id), anchor: .end(of: contents.sections[arrangement.target.section].id))
    return moveGap(to: arrangement.target, in: arrangement)
  }

  mutating func moveGap(_ motion: TableMotion) -> [TableEffect] {
    guard let arrangement else { return [] }
    func by(_ count: Int, _ size: Int) -> (section: Int, order: Int) {
      let (distance, isTooFar) = count.multipliedReportingOverflow(by: size)
      let all = layout.rowCount + layout.sectionCount
      return arrangement.target(by: isTooFar ? (count < 0 ? -all : all) : min(max(distance, -all), all))
    }
    let target: (section: Int, order: Int)
    switch motion {
    case .by(let distance): target = by(distance, 1)
    case .pages(let pages): target = by(pages, count(from: top, in: layout))
    case .halfPages(let pages): target = by(pages, max(1, count(from: top, in: layout) / 2))
    case .first: target = (0, 0)
    case .last: target = (arrangement.counts.count - 1, .max)
    case .number(let number): target = arrangement.target(ofShown: max(1, number) - 1)
    case .sections(let distance):
      let section = arrangement.target.section.saturatingAdding(distance)
      target = (min(max(0, section), arrangement.counts.count - 1), 0)
    }
    return moveGap(to: target, in: arrangement)
  }

  /// The rows in hand take the place of the row under the pointer; over the end of a section they become its
  /// last ones.
  mutating func moveGap(over target: TableTarget) -> [TableEffect] {
    guard let arrangement, let drag else { return [] }
    switch target {
    case .end(let id):
      guard let section = contents.sections.firstIndex(where: { $0.id == id }) else { return [] }
      return moveGap(to: (section, .max), in: arrangement)
    case .row(let id):
      guard !drag.ids.contains(id), let row = contents.row(of: id), let place = contents[id]?.place,
        let section = contents.sections.firstIndex(where: { $0.id == place.section })
      else { return [] }
      let above = arrangement.taken.count { $0 < row && $0 > row - place.order }
      let order = place.order - 1 - above
      let isBelow = section == arrangement.target.section && order >= arrangement.target.order
      return moveGap(to: (section, isBelow ? order + 1 : order), in: arrangement)
    }
  }

  mutating func drop() -> [TableEffect] {
    guard let drag else { return [] }
    self.drag = nil
    let edit: ListEdit
    switch drag.anchor {
    case .before(let id): edit = .move(drag.ids, to: .before(id), asSeenAt: contents.version)
    case .end(let section): edit = .move(drag.ids, to: .last, in: section, asSeenAt: contents.version)
    }
    return write(.edits([edit]), "move")
  }

  private mutating func moveGap(
    to target: (section: Int, order: Int), in arrangement: Arrangement
  ) -> [TableEffect] {
    let place = Arrangement(contents.sections.map(\.count), taking: arrangement.taken, to: target)
    switch neighbor(of: place) {
    case .before(let id)?: drag?.anchor = .before(id)
    case .end(let section)?: drag?.anchor = .end(of: section)
    case nil:
      return [.load(.gap(row: place.listRow(ofStayer: place.gap)))]
    }
    revealCursor()
    return []
  }

  /// The row just below the rows in hand; nil if it was not read yet.
  private func neighbor(of arrangement: Arrangement) -> DragSession.Anchor? {
    let (section, order) = arrangement.target
    if order >= arrangement.unmovedRows(inSection: section) { return .end(of: contents.sections[section].id) }
    return contents[arrangement.listRow(ofStayer: arrangement.gap)].map { .before($0.id) }
  }

  // MARK: What moves

  private mutating func move(
    _ rows: [Customer], to target: (section: Int, order: Int), in arrangement: Arrangement
  ) -> [TableEffect] {
    let place = Arrangement(contents.sections.map(\.count), taking: arrangement.taken, to: target)
    let section = contents.sections[place.target.section].id
    let destination: Destination
    switch neighbor(of: place) {
    case .before(let id)?: destination = .before(id)
    case .end?: destination = .last
    case nil: destination = .place(place.target.order + 1)
    }
    let ids = rows.map(\.id)
    return write(
      .edits([.move(ids, to: destination, in: section, asSeenAt: contents.version)]), "move")
  }

  /// Picks up rows where they are: the first keeps its place, the others follow it.
  private func arrangement(of rows: [Customer]) -> Arrangement? {
    guard let first = rows.first,
      let section = contents.sections.firstIndex(where: { $0.id == first.place.section })
    else { return nil }
    let taken = rows.compactMap { contents.row(of: $0.id) }.sorted()
    guard taken.count == rows.count else { return nil }
    return Arrangement(contents.sections.map(\.count), taking: taken, to: (section, first.place.order - 1))
  }

  /// The rows that an edit moves; nil, with a notice, if it must not.
  private mutating func movable(_ id: CustomerID? = nil) -> [Customer]? {
    guard mayMove() else { return nil }
    let rows = id.map { id in marked.contains(id) ? subject : contents[id].map { [$0] } ?? [] } ?? subject
    if let customer = rows.first(where: { !policy.canMove($0) }) {
      say(.refusal, "\"\(customer.name)\" is protected against moving.")
      return nil
    }
    return rows.isEmpty ? nil : rows
  }

  /// Says why rows can't be moved or added between others.
  ///
  /// - Returns: false.
  mutating func refuseOutOfOrder(_ action: String) -> Bool {
    let reason = sorting == nil ? "Only matches are shown" : "The rows are sorted, not in the list's order"
    say(.refusal, "\(reason); press Esc to show the list, where rows can be \(action).")
    return false
  }

  private mutating func mayMove() -> Bool {
    // The rows may get another order at any moment while they are being sorted.
    guard showsWholeList, sorting == nil else { return refuseOutOfOrder("moved") }
    if waiting != nil {
      _ = refuseWhileWaiting()
      return false
    }
    return true
  }
}
