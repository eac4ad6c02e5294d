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
