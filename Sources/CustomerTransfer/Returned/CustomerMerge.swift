internal import CustomerStore

extension ImportRun {
  /// Merges a customer of a file that was handed out.
  mutating func merge(_ row: ImportedRow, _ id: CustomerID, in list: inout CustomerList) throws {
    let place = rows.place(of: row)
    let past = try returned.begin(id, row.handOut, at: place, in: list)
    let now = try list.customers([id])[id]
    let base = past?.customer(id, now: now)
    let nulls = rows.options.nullTexts
    let theirs = try (base ?? now).map { try row.onto($0, nulls: nulls, isWhole: true) } ?? row.customer
    if let base, let past {
      returned.note(
        OrderMerge.Row(
          id: id, section: try row.section.map { try section($0, of: base, past, in: &list) },
          canMove: now?.canMove ?? true))
    }
    guard let now else { return try merge(deleted: id, theirs, from: row, base, in: &list) }
    let merge = CustomerMerge(
      base: base.map(NewCustomer.init), ours: NewCustomer(now), theirs: theirs, winner: returned.winner)
    for conflict in merge.conflicts {
      returned.note(
        ImportConflict(
          id: id, name: now.name, place: place,
          kind: .value(column: conflict.column, ours: conflict.ours, theirs: conflict.theirs)))
    }
    if !returned.isRefused { try update(now, to: merge.merged, from: row, in: &list) }
  }

  /// Takes a customer of the file that the list has deleted: unchanged in the file, it stays deleted.
  private mutating func merge(
    deleted id: CustomerID, _ theirs: NewCustomer, from row: ImportedRow, _ base: Customer?,
    in list: inout CustomerList
  ) throws {
    if let base, theirs.hasSameValues(as: NewCustomer(base)) { return skip(theirs.fields) }
    returned.note(
      ImportConflict(id: id, name: theirs.fields.name, place: rows.place(of: row), kind: .deletedFromList))
    guard returned.winner == .theirs else { return skip(theirs.fields) }
    try insert(theirs, row.section, into: &list)
  }

  /// The section of the list that a title in the file means, which was written with the titles of its time.
  ///
  /// - Returns: the section; 0 for one that the list does not have, unless rows are to be moved to it.
  private mutating func section(
    _ title: String, of base: Customer, _ past: ListPast, in list: inout CustomerList
  ) throws -> SectionID {
    if let then = past.sections.first(where: { $0.title == title })?.id {
      if try then == base.place.section || list.sections().contains(where: { $0.id == then }) { return then }
    }
    if let found = try section(titled: title) { return found }
    return try rows.options.takesOrder
      ? goal(title, in: &list).section ?? ReturnedFile.noSection : ReturnedFile.noSection
  }

  /// Compares the order of the file, and what is missing in it, with the list; then deletes and moves rows, if that is
  /// wanted.
  ///
  /// - Throws: `TransferError.conflicts`, `noVersion`, `noCommonVersion`, `partOfList`; `ListError`.
  mutating func finishReturned(into list: inout CustomerList) throws {
    let options = rows.options
    let (takesOrder, deletesMissing) = (options.takesOrder, options.deletesMissing)
    guard let (past, scope) = returned.common else {
      guard !takesOrder, !deletesMissing else {
        throw returned.customers.isEmpty ? TransferError.noVersion : .noCommonVersion
      }
      return try refuseConflicts()
    }
    guard !deletesMissing || scope != .some else { throw TransferError.partOfList }
    var all = try list.sections().map { ($0.id, try list.ids(in: $0.id)) }
    // As it was before the import.
    let known = all.map { ($0, $1.filter { !returned.isNew($0) }) }
    let deleted = try missing(in: known, past, scope, list)
    let moved = try moved(in: known, past, list)
    try refuseConflicts()
    if deletesMissing {
      try list.delete(deleted)
      let gone = Set(deleted)
      all = all.map { ($0, $1.filter { !gone.contains($0) }) }
    }
    guard takesOrder else { return }
    let new = returned.rows.filter { returned.isNew($0.id) && $0.canMove }.map(\.id)
    let leaving = moved.order.places(of: moved.rows.union(new), in: all)
    guard !leaving.isEmpty else { return }
    try list.performBatchUpdates { batch in
      for (id, place) in leaving { batch.move(.customer(id), to: .place(place.order, in: place.section)) }
    }
  }

  private func refuseConflicts() throws {
    if returned.isRefused { throw TransferError.conflicts(count: returned.conflictCount) }
  }

  /// The customers that were in the file when it was written and are missing in it now; those to be deleted.
  private mutating func missing(
    in all: [(SectionID, [CustomerID])], _ past: ListPast, _ scope: HandOut.Scope,
    _ list: borrowing CustomerList
  ) throws -> [CustomerID] {
    guard scope != .some else { return [] }
    let ids = all.flatMap { section, ids in
      ids.enumerated().filter { index, id in
        guard !returned.customers.contains(id) else { return false }
        let place = past.place(of: id, at: CustomerPlace(section: section, order: index + 1))
        return place != nil && (scope == .list || scope == place.map { .section($0.section) })
      }.map(\.element)
    }
    let present = try list.customers(ids)
    return ids.filter { id in
      guard let now = present[id] else { return false }
      let isChanged =
        past.customer(id, now: now).map { !NewCustomer($0).hasSameValues(as: NewCustomer(now)) } ?? true
      if isChanged, rows.options.deletesMissing {
        returned.note(ImportConflict(id: id, name: now.name, kind: .deletedFromFile))
        if returned.winner == .ours { return false }
      }
      summary.missing.note(now.name)
      return true
    }
  }

  /// The rows that have another place in the file, and not in the list already.
  private mutating func moved(
    in all: [(SectionID, [CustomerID])], _ past: ListPast, _ list: borrowing CustomerList
  ) throws -> (order: OrderMerge, rows: Set<CustomerID>) {
    let present = Set(all.map(\.0) + [ReturnedFile.noSection])
    var places: [CustomerID: CustomerPlace] = [:]
    for (section, ids) in all {
      for (index, id) in ids.enumerated() where returned.customers.contains(id) {
        places[id] = CustomerPlace(section: section, order: index + 1)
      }
    }
    let rows = returned.rows.map { row in
      var row = row
      if !returned.isNew(row.id) { row.from = past.place(of: row.id, at: places[row.id]) }
      return row
    }
    let order = OrderMerge(rows, sections: past.sections.map(\.id))
    func isMoved(_ id: CustomerID) -> Bool { places[id].map { past.isMoved(id, to: $0) } ?? false }
    let conflicts = Set(order.conflicts(with: all, isMoved: isMoved))
    let moved = rows.filter { row in
      guard order.moved.contains(row.id), places[row.id] != nil, row.section.map(present.contains) ?? true
      else { return false }
      return !isMoved(row.id) || conflicts.contains(row.id)
    }.map(\.id)
    let names = try list.customers(moved).mapValues(\.name)
    let taken = moved.filter { id in
      let name = names[id] ?? ""
      if conflicts.contains(id), self.rows.options.takesOrder {
        returned.note(ImportConflict(id: id, name: name, kind: .moved))
        if returned.winner == .ours { return false }
      }
      summary.moved.note(name)
      return true
    }
    return (order, Set(taken))
  }
}

extension ImportSummary.NamedCount {
  /// Counts one more.
  fileprivate mutating func note(_ name: String) {
    count += 1
    if names.count < ImportSummary.named { names.append(name) }
  }
}

/// The three-way merge of a customer: what a file says, beside what the list says, both compared with what the file was
/// written from.
struct CustomerMerge {
  /// A value that differs on both sides.
  struct Conflict: Equatable {
    let column: String
    /// The value in the list.
    let ours: String
    /// The value in the file.
    let theirs: String
  }

  /// The customer with the changes of both sides; where they conflict, with the value of the side that wins.
  private(set) var merged: NewCustomer
  /// The values that both changed to different ones, and, if what the file was written from is unknown, all that
  /// differ.
  private(set) var conflicts: [Conflict] = []

  /// Merges the two.
  ///
  /// - Parameters:
  ///   - base: what the file was written from; nil if unknown.
  ///   - ours: the customer of the list.
  ///   - theirs: the customer of the file.
  ///   - winner: the side that wins conflicts; nil to only find them.
  init(base: NewCustomer?, ours: NewCustomer, theirs: NewCustomer, winner: ConflictSide?) {
    merged = ours
    let fields: [CustomerField]
    if let base {
      // A string that a file can't hold exactly is no change.
      guard theirs != base, !theirs.hasSameValues(as: base) else { return }
      (merged.fields, fields) = ours.fields.merging(theirs.fields, from: base.fields)
    } else {
      fields = theirs.fields.differences(from: ours.fields).filter {
        !theirs.fields[$0].isSame(as: ours.fields[$0])
      }
    }
    for field in fields {
      conflicts.append(
        Conflict(column: field.column, ours: ours.fields[field].text, theirs: theirs.fields[field].text))
      if winner == .theirs { merged.fields[field] = theirs.fields[field] }
    }
    merge(\.canEdit, "can_edit", base, ours, theirs, winner)
    merge(\.canMove, "can_move", base, ours, theirs, winner)
  }

  /// Merges a right; two sides that both change it agree.
  private mutating func merge(
    _ right: WritableKeyPath<NewCustomer, Bool>, _ column: String, _ base: NewCustomer?, _ ours: NewCustomer,
    _ theirs: NewCustomer, _ winner: ConflictSide?
  ) {
    guard theirs[keyPath: right] != ours[keyPath: right], theirs[keyPath: right] != base?[keyPath: right]
    else { return }
    if base == nil {
      func word(_ customer: NewCustomer) -> String { customer[keyPath: right] ? "yes" : "no" }
      conflicts.append(Conflict(column: column, ours: word(ours), theirs: word(theirs)))
    }
    if base != nil || winner == .theirs { merged[keyPath: right] = theirs[keyPath: right] }
  }
}

extension NewCustomer {
  /// The fields and protection of a customer.
  init(_ customer: Customer) {
    self.init(customer.fields, canEdit: customer.canEdit, canMove: customer.canMove)
  }

  /// Whether no value differs.
  func hasSameValues(as other: NewCustomer) -> Bool {
    (canEdit, canMove) == (other.canEdit, other.canMove) && fields.differences(from: other.fields).isEmpty
  }
}

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
