@_spi(Tools) internal import CustomerStore

extension ImportRun {
  /// Merges a customer of a file that was handed out.
  mutating func merge(_ row: ImportedRow, _ id: CustomerID, in list: inout CustomerList) throws {
    let place = rows.place(of: row)
    let past = try returned.begin(id, row.handOut, at: place, in: list)
    let now = try list.customers([id])[id]
    let base = past?.customer(id, now: now)
    if past != nil, row.handOut?.has(base) == false { throw TransferError.strangeID(place, id) }
    let nulls = rows.options.nullTexts
    var theirs = try (base ?? now).map { try row.onto($0, nulls: nulls, isWhole: true) } ?? row.customer
    if let base { try keepForms(of: base, in: &theirs, list) }
    if let base, let past {
      returned.note(
        ReturnedOrder.Row(
          id: id,
          section: try row.section.flatMap { title in
            title.trimmingBlanks.isEmpty ? nil : try section(title, of: base, past, in: &list)
          },
          canMove: now?.canMove ?? true))
    }
    guard let now else { return try merge(deleted: id, theirs, from: row, base, in: &list) }
    var merged = NewCustomer(now)
    if base.map({ !theirs.hasSameValues(as: NewCustomer($0)) }) ?? true {
      var file = base ?? now
      (file.fields, file.canEdit, file.canMove) = (theirs.fields, theirs.canEdit, theirs.canMove)
      func conflict(_ conflict: CustomerMerge.Conflict) -> ImportConflict {
        ImportConflict(
          id: id, name: now.name, place: place,
          kind: .value(column: conflict.column, ours: conflict.ours, theirs: conflict.theirs))
      }
      let merge = CustomerMerge(base: base, ours: now, theirs: file, renamed: past?.columns ?? [:]) {
        [returned] in returned.side(of: conflict($0)) ?? .ours
      }
      for found in merge.conflicts { returned.note(conflict(found)) }
      merged = NewCustomer(merge.merged)
    }
    guard !returned.isRefused else { return }
    guard now.fields.isBlank || !merged.fields.isBlank else { throw TransferError.emptied(place, id) }
    // Each line of a log is known by its uid.
    merged.log = theirs.log
    try update(now, to: merged, from: row, in: &list)
  }

  /// Restores what a spreadsheet has only written in another form.
  private mutating func keepForms(
    of base: Customer, in theirs: inout NewCustomer, _ list: borrowing CustomerList
  ) throws {
    guard theirs.fields != base.fields else { return }
    let kept = theirs.fields.keepForms(
      of: base.fields, try list.columnKinds(), onlyCertain: returned.winner == .theirs)
    summary.reformedCount += kept.count
    summary.reformed += kept.prefix(3 - summary.reformed.count)
  }

  /// Takes a customer of the file that the list has deleted: unchanged in the file, it stays deleted.
  private mutating func merge(
    deleted id: CustomerID, _ theirs: NewCustomer, from row: ImportedRow, _ base: Customer?,
    in list: inout CustomerList
  ) throws {
    if let base, theirs.hasSameValues(as: NewCustomer(base)) { return skip(theirs.fields) }
    let conflict = ImportConflict(
      id: id, name: theirs.fields.name, place: rows.place(of: row), kind: .deletedFromList)
    returned.note(conflict)
    guard returned.side(of: conflict) == .theirs else { return skip(theirs.fields) }
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
      ? goal(title, in: &list).section ?? ReturnedOrder.noSection : ReturnedOrder.noSection
  }

  /// Compares the order of the file, and what is missing in it, with the list; then deletes and moves rows, if that is
  /// wanted.
  ///
  /// - Throws: `TransferError.conflicts`, `noVersion`, `noCommonVersion`, `partOfList`; `ListError`.
  mutating func finishReturned(into list: inout CustomerList) throws {
    let options = rows.options
    // That no row has a version says nothing then.
    guard rows.rejected == 0 || options.skipsRejectedRows else { return }
    guard let (past, scope) = returned.common else {
      guard !options.takesOrder, !options.deletesMissing else {
        throw returned.customers.isEmpty ? TransferError.noVersion : .noCommonVersion
      }
      return try refuseConflicts()
    }
    let deletesMissing = options.deletesMissing
    let takesOrder = options.takesOrder && !(options.takesWhatIsKnown && !scope.isWhole)
    guard !deletesMissing || scope.isWhole else { throw TransferError.partOfList }
    let new = Set(returned.rows.map(\.id).filter(returned.isNew))
    let before = try list.arrangement { !returned.isNew($0) }
    let base = try past.arrangement(now: before)
    let missing = try missing(in: base, past, scope, list)
    let order = ReturnedOrder(
      returned.rows, base: base, list: try list.arrangement { !new.contains($0) }, isTouched: past.isTouched,
      without: deletesMissing ? Set(missing) : []
    ) { takesOrder ? returned.side(of: ImportConflict(id: $0, name: "", kind: .moved)) ?? .theirs : .theirs }
    let names = try list.customers(Set(order.moved + order.contested)).mapValues(\.name)
    if takesOrder {
      for id in order.contested {
        returned.note(ImportConflict(id: id, name: names[id] ?? "", kind: .moved))
      }
    }
    // A file of some rows, or in another order, says nothing about places.
    if takesOrder || scope.isWhole {
      for id in order.moved { summary.moved.note(names[id] ?? "") }
    }
    try refuseConflicts()
    if deletesMissing { try list.delete(missing) }
    guard takesOrder else { return }
    let fixed = Set(returned.rows.lazy.filter { !$0.canMove }.map(\.id))
    let moves = try order.arrangement.moves(from: list.arrangement { _ in true }, keeping: fixed)
    guard !moves.isEmpty else { return }
    try list.performBatchUpdates { batch in
      for (id, place) in moves { batch.move(.customer(id), to: .place(place.order, in: place.section)) }
    }
  }

  private func refuseConflicts() throws {
    if returned.isRefused { throw TransferError.conflicts(count: returned.conflictCount) }
  }

  /// The customers that were in the file when it was written and are missing in it now; those to be deleted.
  private mutating func missing(
    in base: ListArrangement, _ past: ListPast, _ scope: HandOut.Scope, _ list: borrowing CustomerList
  ) throws -> [CustomerID] {
    guard scope.isWhole else { return [] }
    let ids = base.parts.filter { scope == .list || scope == .section($0.section) }.flatMap(\.rows).filter {
      !returned.customers.contains($0)
    }
    let present = try list.customers(ids)
    return try ids.filter { id in
      guard let now = present[id] else { return false }
      let isChanged =
        try past.customer(id, now: now).map {
          !NewCustomer($0).renamingColumns(past.columns).hasSameValues(as: NewCustomer(now))
        } ?? true
        || past.hasLogged(id, in: list)
      if isChanged, rows.options.deletesMissing {
        let conflict = ImportConflict(id: id, name: now.name, kind: .deletedFromFile)
        returned.note(conflict)
        if returned.side(of: conflict) == .ours { return false }
      }
      summary.missing.note(now.name)
      return true
    }
  }
}

extension ImportSummary.NamedCount {
  /// Counts one more.
  fileprivate mutating func note(_ name: String) {
    count += 1
    if names.count < ImportSummary.named { names.append(name) }
  }
}

extension NewCustomer {
  /// The fields and protection of a customer.
  init(_ customer: Customer) {
    self.init(customer.fields, canEdit: customer.canEdit, canMove: customer.canMove)
  }

  /// The customer with other names of extra columns; some may get those that others had.
  fileprivate func renamingColumns(_ names: [String: String]) -> NewCustomer {
    guard !names.isEmpty else { return self }
    var customer = self
    var columns = ExtraColumns()
    for (name, value) in fields.extraColumns.columns { columns[names[name] ?? name] = value }
    customer.fields.extraColumns = columns
    return customer
  }

  /// Whether no value differs.
  func hasSameValues(as other: NewCustomer) -> Bool {
    (canEdit, canMove) == (other.canEdit, other.canMove) && fields.differences(from: other.fields).isEmpty
  }
}
