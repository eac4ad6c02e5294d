internal import CustomerStore

/// The three-way merge of the order: which rows have another place in a file than when it was written and where they
/// go in the list as it is now.
struct OrderMerge {
  /// A row of the file, in its order.
  struct Row: Equatable {
    let id: CustomerID
    /// The place when the file was written; nil for a new row.
    var from: CustomerPlace?
    /// The section in the file; nil if the file doesn't say.
    var section: SectionID?
    /// Whether the row may be moved.
    var canMove = true
  }

  /// The rows in the file.
  private let rows: [Row]
  /// Whether the file says which section each row is in.
  private let hasSections: Bool
  /// The rows that have another place in the file, without new ones: as few as possible.
  let moved: Set<CustomerID>

  /// Compares the order of the file with the one that it had.
  ///
  /// - Parameters:
  ///   - rows: the rows in the file; each has the section, or none has.
  ///   - sections: the sections when the file was written, in order.
  init(_ rows: [Row], sections: [SectionID]) {
    self.rows = rows
    let hasSections = rows.contains { $0.section != nil }
    self.hasSections = hasSections
    let ranks = Dictionary(sections.enumerated().map { ($1, $0) }) { first, _ in first }
    let known = rows.filter { $0.from != nil }
    let before = known.sorted { one, other in
      guard let one = one.from, let other = other.from else { return false }
      return (ranks[one.section] ?? 0, one.order) < (ranks[other.section] ?? 0, other.order)
    }
    // Without sections, the whole list is one.
    func arrangement(_ rows: [Row], _ section: (Row) -> SectionID?) -> ListArrangement {
      let grouped = Dictionary(grouping: rows) { hasSections ? section($0) : nil }
      return ListArrangement(
        parts: grouped.map { .init(section: $0 ?? ReturnedFile.noSection, rows: $1.map(\.id)) })
    }
    let fixed = Set(known.filter { !$0.canMove }.map(\.id))
    let moves = arrangement(known, \.section).moves(
      from: arrangement(before) { $0.from?.section }, keeping: fixed)
    moved = Set(moves.map(\.id))
  }

  /// The rows whose places both sides changed, and not to the same one; in the order of the file.
  ///
  /// - Parameters:
  ///   - list: the rows in the list, section by section in order.
  ///   - isMoved: whether a row was moved in the list.
  /// - Returns: the rows.
  func conflicts(
    with list: [(section: SectionID, rows: [CustomerID])], isMoved: (CustomerID) -> Bool
  ) -> [CustomerID] {
    let candidates = rows.filter { moved.contains($0.id) && isMoved($0.id) }
    guard !candidates.isEmpty else { return [] }
    let known = Set(rows.map(\.id))
    let ours = OrderMerge.neighbors(list.map { ($0.section, $0.rows.filter(known.contains)) }, hasSections)
    let here = Set(list.flatMap(\.rows))
    let present = rows.filter { here.contains($0.id) }
    let grouped = Dictionary(grouping: present) { $0.section ?? ReturnedFile.noSection }
    let theirs = OrderMerge.neighbors(grouped.map { ($0, $1.map(\.id)) }, hasSections)
    return candidates.map(\.id).filter { ours[$0] != theirs[$0] }
  }

  /// What comes before each row: its section and the row above it.
  private static func neighbors(
    _ parts: [(SectionID, [CustomerID])], _ hasSections: Bool
  ) -> [CustomerID: [Int64]] {
    var above: [CustomerID: [Int64]] = [:]
    var last: CustomerID?
    for (section, rows) in parts {
      if hasSections { last = nil }
      for id in rows {
        above[id] = [hasSections ? section.rawValue : 0, last?.rawValue ?? 0]
        last = id
      }
    }
    return above
  }

  /// The places of rows in the list when they have gone where the file has them: after the row that is above them there.
  ///
  /// - Parameters:
  ///   - leaving: the rows to put in their places: moved or new ones.
  ///   - list: the rows in the list, section by section in order, with those that are leaving.
  /// - Returns: each row that goes, with its place when all have gone.
  func places(
    of leaving: Set<CustomerID>, in list: [(section: SectionID, rows: [CustomerID])]
  ) -> [(id: CustomerID, place: CustomerPlace)] {
    var sections: [CustomerID: SectionID] = [:]
    for (section, rows) in list { for id in rows where !leaving.contains(id) { sections[id] = section } }
    var arrivals = Arrivals(last: list.last?.section ?? ReturnedFile.noSection)
    for row in rows {
      if leaving.contains(row.id) {
        arrivals.put(row.id, in: hasSections ? row.section : nil)
      } else if let section = sections[row.id], !hasSections || row.section == section {
        arrivals.pass(row.id, in: section, hasSections)
      }
    }
    arrivals.end()
    return list.flatMap { section, rows in
      let all =
        rows.filter { !leaving.contains($0) }.flatMap { id in
          arrivals.before[id, default: []] + [id] + arrivals.after[id, default: []]
        } + arrivals.ends[section, default: []]
      return all.enumerated().filter { leaving.contains($0.element) }
        .map { ($0.element, CustomerPlace(section: section, order: $0.offset + 1)) }
    }
  }
}

/// The rows that go after, or before, a row that stays, or to the end of a section.
private struct Arrivals {
  private(set) var before: [CustomerID: [CustomerID]] = [:]
  private(set) var after: [CustomerID: [CustomerID]] = [:]
  private(set) var ends: [SectionID: [CustomerID]] = [:]
  /// The last row that stays, by section; one for all if the file has no sections.
  private var anchors: [SectionID?: CustomerID] = [:]
  /// The rows that came before the first one that stays.
  private var waiting: [SectionID?: [CustomerID]] = [:]
  /// Where rows go without a section or a row beside them.
  private let last: SectionID

  init(last: SectionID) { self.last = last }

  mutating func put(_ id: CustomerID, in section: SectionID?) {
    if let anchor = anchors[section] {
      after[anchor, default: []].append(id)
    } else {
      waiting[section, default: []].append(id)
    }
  }

  mutating func pass(_ id: CustomerID, in section: SectionID, _ hasSections: Bool) {
    let key = hasSections ? section : nil
    if let rows = waiting.removeValue(forKey: key) { before[id] = rows }
    anchors[key] = id
  }

  mutating func end() { for (section, rows) in waiting { ends[section ?? last, default: []] += rows } }
}
