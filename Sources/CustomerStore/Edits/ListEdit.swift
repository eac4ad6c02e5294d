// How an edit travels, from whoever asks for it to the file and back. Each station is one file to read.
//
// 1. Words become a value. A command line or a line of a script is parsed (CustomersCommands/Grammar/Invocation.swift),
//    and the command's `Editing` (in its own file, such as Commands/MoveCommand.swift) makes a `ListEdit` of it. JSON of
//    a program or the page is read by Edits/ListEdit+JSON.swift, and a key of the table or a tap in an app makes one in
//    CustomerTable/State. An app may write the value itself.
// 2. Rows become ids. What names rows, such as `5`, `leads/2`, or "Ann", is resolved (List/RowResolver.swift) in the
//    transaction that makes the edit: `CustomerStore.write` (Store/CustomerStore.swift), with a token, by which the
//    outcome can be looked up after a lost connection. A question comes before it: `propose` makes the edit and rolls
//    it back, and a `ConfirmedEdit` is made later only if it still does the same.
// 3. The value becomes SQL. `CustomerList.apply`, below, calls the function of the edit in `List`. It looks at the
//    rows that are named and no others: a few statements on the views `customers` and `sections`, such as
//    `UPDATE customers SET "order" = 2 WHERE id = 17`. Any SQLite client may make the same ones.
// 4. The rules are in the file. Triggers on the views (Migrations/schema.sql; its README explains them) refuse what
//    is protected or out of range, write one row of the log (`history_edit`), and shift the numbers. Many rows at once
//    have their own: the view `logged_insert_rows` for new ones; Migrations/many-rows.sql for any that are deleted,
//    moved, or added together, such as a block or a batch, which is first resolved to where each row arrives
//    (List/Rearrangement.swift), for a new order of a section, and for new values of many rows.
// 5. The log becomes the outcome. History/CustomerList+Outcome.swift reads what the edit has logged, and walks back to
//    the names and places before it: an `EditOutcome`, the same for an edit, a dry run, a step of the history, and an
//    undo.
// 6. The outcome becomes a sentence (Words/TextPresenter.swift) or JSON (Words/JSONShapes.swift).
//    Every other program sees the edit in the log: `ListFeed` (History) is how `watch`, the table, the page, and apps
//    follow.

/// An edit of the list as a value, for a command, a line of a script or a tap on a screen.
///
/// `CustomerList.apply` makes the edit and returns what it changed. Rows are named by id; a destination is
/// the place after the edit, counted from 1.
public enum ListEdit: Hashable, Sendable {
  /// Insert customers one after another.
  case insert([NewCustomer], at: Destination = .last, in: SectionID? = nil)
  /// Change fields of customers.
  case update([CustomerID], FieldChanges)
  /// Save a form: the difference between `from`, as the user saw it, and `to`.
  case save(CustomerID, from: CustomerFields, to: CustomerFields)
  /// Add a line to the log of each of some customers; with a next date, set it, or clear it if it is empty; with a
  /// destination, move the rows there, as `move` does.
  case log([CustomerID], String, next: String? = nil, to: Destination? = nil, in: SectionID? = nil)
  /// End what was to do with customers: add a line to the log of each, clear the next date, and move the rows to the ends
  /// of their sections, in their order.
  case done([CustomerID], String = "done")
  /// Merge customers: the first gets what it lacks from the others, which are deleted.
  case merge([CustomerID])
  /// Delete customers; with the version in which they were seen, only if they are unchanged.
  case delete([CustomerID], asSeenAt: ListVersion? = nil)
  /// Move rows to a place as a block; with the version in which they were seen, only if no one else has
  /// moved them.
  case move([CustomerID], to: Destination, in: SectionID? = nil, asSeenAt: ListVersion? = nil)
  /// Move rows up (negative) or down by some places, as a block.
  case moveBy([CustomerID], Int)
  /// Swap two rows.
  case swap(CustomerID, CustomerID)
  /// Allow or forbid editing or moving rows; nil leaves a right unchanged.
  case protect([CustomerID], canEdit: Bool? = nil, canMove: Bool? = nil)
  /// Sort the rows of a section or of each section.
  case sort(SortOrder, in: SectionID? = nil)
  /// Put exactly the rows of a section in this order.
  case arrange([CustomerID], in: SectionID)
  /// Edit the sections.
  case section(SectionEdit)
  /// An edit of an extra column for all customers.
  case column(ColumnEdit)
  /// Make updates all at once, as scripts and the API do.
  @_spi(Tools) case batch(BatchUpdates)
}

extension ListEdit {
  /// What `done` logs unless a text is given.
  package static let doneText = "done"
}

/// An edit of an extra column for all customers.
public enum ColumnEdit: Hashable, Sendable {
  /// Rename the column; the settings of the list that name it follow.
  case rename(String, to: String)
  /// Put the values of the column into a field, unless it has another one.
  case join(String, into: CustomerField)
  /// Drop the column, with all its values.
  case drop(String)
  /// Say what the values of the column are; those that are there get the form of the kind, or, if they are not of the kind
  /// and text is kept, stay as they are. How they are written, such as `day first`, needs to be said only if they can be read
  /// in several ways.
  case setKind(
    String, ColumnKind, choices: [String] = [], written: String? = nil, keepingText: Bool = false)
}

/// An edit of the sections of the list.
public enum SectionEdit: Hashable, Sendable {
  /// Add a section, at a place (from 1) or as the last.
  case add(title: String, footer: String = "", at: Int? = nil)
  /// Change a section's title, footer, or both; the settings of the list that name it follow.
  case rename(SectionID, title: String? = nil, footer: String? = nil)
  /// Move a section, with its rows, to a place (from 1).
  case move(SectionID, to: Int)
  /// Delete a section; if it has customers, only together with them.
  case delete(SectionID, withCustomers: Bool = false)
}

/// Edits that are nothing together.
private struct NothingDiffers: Error {}

extension CustomerList {
  /// Makes an edit.
  ///
  /// - Returns: what it changed; the same in a dry run (`CustomerStore.dryRun`).
  /// - Throws: `ListError`, or an error for values: those that someone else has changed since, that are not of the kind of
  ///   their column, or that a batch uses twice; nothing is changed.
  /// - Complexity: that of the edit and O(sections).
  @discardableResult
  public mutating func apply(_ edit: ListEdit) throws -> EditOutcome { try apply(edit, to: nil) }

  /// Makes an edit of rows that were just found; what was read then is not read again.
  ///
  /// The outcome describes the rows until it lists `most` changes, and counts the others.
  ///
  /// - Throws: the same errors as `apply`.
  @discardableResult
  package mutating func apply(
    _ edit: ListEdit, to found: consuming FoundRows?, listing most: Int = .max
  ) throws -> EditOutcome {
    let last = try lastEdit()
    let named = try make(edit, &found)
    return try outcome(after: last, naming: named, known: found?.customers, listing: most)
  }

  /// What the edits after a number changed, which this transaction has just made.
  ///
  /// - Complexity: that of the edits.
  package func outcome(ofEditsAfter edit: Int64, limit: Int = 1000) throws -> EditOutcome {
    try outcome(after: edit, limit: limit)
  }

  /// Makes several edits as one, and none if nothing differs after them: a step of nothing would end what can be redone.
  ///
  /// - Parameter body: makes them, and returns a result with what they did; nil if they did nothing.
  /// - Returns: the result.
  /// - Throws: what `body` throws; then none of them was made.
  package mutating func together<Result>(
    _ body: (inout CustomerList) throws -> (Result, EditOutcome?)
  ) throws -> Result {
    var made: Result?
    do {
      try atomically { list in
        let (result, outcome) = try body(&list)
        made = result
        if outcome?.isEmpty ?? false { throw NothingDiffers() }
      }
    } catch is NothingDiffers {}
    guard let made else { preconditionFailure("the body has returned") }
    return made
  }

  /// Makes an edit of rows that were just found, as one of many: most edits are not described.
  ///
  /// - Returns: whether the list changed, and the row that the edit added, if it is the only one.
  /// - Throws: the same errors as `apply`.
  /// - Complexity: that of the edit; O(sections) only for an edit of several rows.
  package mutating func applyBriefly(
    _ edit: ListEdit, to found: FoundRows
  ) throws -> (isChanged: Bool, added: CustomerID?) {
    let last = try lastEdit()
    var found: FoundRows? = found
    let named = try make(edit, &found)
    let logged = try edits(from: last + 1, before: .max, limit: 2, mostMoves: 1)
    guard let only = logged.first else { return (false, nil) }
    switch logged.count == 1 ? only.change : nil {
    case .insert(let id, _): return (true, id)
    case .delete, .move, .insertSection, .deleteSection, .moveSection, .line, .entry: return (true, nil)
    case .update(let id, _): return (try only.changed(customer(id)), nil)
    case .updateSection(let id): return (try only.changed(section(id)), nil)
    case .insertMany, .deleteMany, .rows, .arrange, .column, nil:
      let outcome = try outcome(after: last, naming: named, known: found?.customers, listing: 1)
      return (!outcome.isEmpty, outcome.rows.first?.id)
    }
  }

  /// Makes an edit and returns the rows and sections that it names and may have left unchanged.
  private mutating func make(_ edit: ListEdit, _ found: inout FoundRows?) throws -> NamedRows {
    let parsed = try edit.parsed(in: self)
    try declareKnownColumns(among: parsed.extraNames)
    switch parsed {
    case .insert(let customers, let destination, let section):
      try insert(customers, at: destination, in: section)
    case .update(let ids, let changes):
      try revise(ids, takenFrom: &found) { customer in
        guard ids.count == 1 || customer.canEdit else { throw ListError.editForbidden(customer.id) }
        try changes.refuseUnknownParts(of: customer)
      } change: {
        $0.fields.set(changes)
      }
      return NamedRows(customers: ids)
    case .save(let id, let from, let to):
      try update(id, from: from, to: to)
      return NamedRows(customers: [id])
    case .log(let ids, let text, let next, let destination, let section):
      let customers = try ids.map { try customer($0, found) }
      try log(text, of: customers, next: next) { list in
        guard let destination else { return }
        try list.move(ids.map { try list.row($0, found) }, to: destination, in: section)
      }
      return NamedRows(customers: ids)
    case .done(let ids, let text):
      try finish(ids.map { try customer($0, found) }, text, found)
      return NamedRows(customers: ids)
    case .merge(let ids):
      try merge(ids)
      return NamedRows(customers: [ids[0]])
    case .delete(let ids, let version):
      found?.customers.letGo()
      try delete(ids, asSeenAt: version)
    case .move(let ids, let destination, let section, let version):
      try move(ids.map { try row($0, found) }, to: destination, in: section, asSeenAt: version)
      return NamedRows(customers: ids)
    case .moveBy(let ids, let distance):
      try move(ids.map { try row($0, found) }, by: distance)
      return NamedRows(customers: ids)
    case .swap(let one, let other):
      try swap(one, other)
      return NamedRows(customers: [one, other])
    case .protect(let ids, let canEdit, let canMove):
      try revise(ids, takenFrom: &found, change: { $0.protect(canEdit: canEdit, canMove: canMove) })
      return NamedRows(customers: ids)
    case .sort(let order, let section): try arrange(sorted(by: order, in: section))
    case .arrange(let ids, let section): try arrange(ids, in: section)
    case .section(let edit): try make(edit)
    case .column(.rename(let name, let newName)):
      try refuseTaken([newName], where: ListColumn.isTaken)
      try renaming(name, to: newName) { list in _ = try list.renameColumn(name, to: newName) }
    case .column(.join(let name, let field)):
      try renaming(name, to: field.column) { list in _ = try list.joinColumn(name, into: field) }
    case .column(.drop(let name)): try dropColumn(name)
    case .column(.setKind(let name, let kind, let choices, let written, let keepsText)):
      try refuseTaken([name], where: ListColumn.isTaken)
      try setKind(kind, choices: choices, ofColumn: name, written: written, keepingText: keepsText)
    case .batch(let updates): try performBatchUpdates(updates)
    }
    return NamedRows(sections: edit.namedSections)
  }

  private mutating func make(_ edit: SectionEdit) throws {
    switch edit {
    case .add(let title, let footer, let order): _ = try addSection(title: title, footer: footer, at: order)
    case .rename(let id, let title, let footer): try rename(id, title: title, footer: footer)
    case .move(let id, let order): try moveSection(id, to: order)
    case .delete(let id, let withCustomers): try deleteSection(id, withCustomers: withCustomers)
    }
  }

  private mutating func insert(
    _ customers: [NewCustomer], at destination: Destination, in section: SectionID?
  ) throws {
    let place = try opening(destination, in: section)
    if customers.count == 1, customers[0].canEdit, customers[0].canMove {
      _ = try insertRow(customers[0].fields, at: place)
    } else {
      var rest = customers.makeIterator()
      _ = try insertRows(at: place) { rest.next() }
    }
  }
}

extension ListEdit {
  /// The section that an edit names and may leave unchanged.
  fileprivate var namedSections: [SectionID] {
    switch self {
    case .section(.rename(let id, _, _)), .section(.move(let id, _)): [id]
    default: []
    }
  }
}

/// Checks whether what the caller saw has changed.
extension CustomerList {
  /// Refuses if fields, protection, or the log of a customer were changed after a version.
  ///
  /// - Throws: `ListError.contentChanged`, `tooLongAgo`, `otherHistory`.
  package func refuseChangedContent(of customers: [CustomerID], since version: ListVersion) throws {
    try refuseChangedContent(since: version, of: Set(customers).contains)
  }

  /// Refuses if fields, protection, or the log of one of some customers were changed after a version.
  ///
  /// - Throws: `ListError.contentChanged`, `tooLongAgo`, `otherHistory`.
  func refuseChangedContent(since version: ListVersion, of customers: (CustomerID) -> Bool) throws {
    try forEachChange(after: version) { edit, change in
      switch change {
      case .update(let id, _) where customers(id), .line(_, let id, _) where customers(id):
        throw ListError.contentChanged(id)
      case .column:
        if let id = try self.customers(ofColumnEdit: edit).first(where: customers) {
          throw ListError.contentChanged(id)
        }
      default: break
      }
    }
  }

  /// Refuses if a section, or with its customers one of them, was changed after a version, or if one came into it.
  ///
  /// - Throws: `ListError.sectionChanged`, `contentChanged`, `orderChanged`, `tooLongAgo`, `otherHistory`.
  package func refuseChangedSection(
    _ section: SectionID, withCustomers: Bool = false, since version: ListVersion
  ) throws {
    var rows: Set<CustomerID> = []
    if withCustomers {
      try forEach(in: section) { rows.insert($0.id).inserted }
      try refuseChangedContent(since: version, of: rows.contains)
    }
    try forEachChange(after: version) { _, change in
      switch change {
      case .updateSection(section), .moveSection(section, _, _): throw ListError.sectionChanged(section)
      case .insert(let id, let place), .insertMany(let id, _, let place):
        if place.section == section, rows.contains(id) { throw ListError.orderChanged(id) }
      case .move(let id, let from, let to) where from.section != to.section && to.section == section:
        if rows.contains(id) { throw ListError.orderChanged(id) }
      default: break
      }
    }
  }

  /// Refuses if an extra column that had one of these names, which the list does not have now, was renamed or dropped after a
  /// version.
  ///
  /// - Throws: `ListError.columnChanged`, `ambiguousColumn`, `tooLongAgo`, `otherHistory`.
  /// - Complexity: O(customers + edits since the version) for a name that the list does not have.
  package func refuseChangedColumns(_ names: Set<String>, since version: ListVersion) throws {
    let keys = Set(try names.filter { try ownName(ofColumn: $0) == nil }.map { Name($0).key })
    guard !keys.isEmpty else { return }
    func refuse(_ name: String) throws {
      if keys.contains(Name(name).key) { throw ListError.columnChanged(name) }
    }
    var hasEntries = false
    try forEachChange(after: version) { _, change in
      switch change {
      case .column(let name?, _): try refuse(name)
      case .entry: hasEntries = true
      default: break
      }
    }
    guard hasEntries else { return }
    // One that no customer has is only declared.
    for case let entry? in try past(after: version.edit).entries.values where entry.kind == .column {
      try refuse(entry.name)
    }
  }

  /// Refuses if the place of a customer among its neighbors was changed after a version.
  ///
  /// That is the case if it moved to another section or past a row that was not moved itself. Rows that were
  /// added, deleted, or moved around it do not count.
  ///
  /// - Throws: `ListError.orderChanged`, `tooLongAgo`, `otherHistory`.
  package func refuseChangedOrder(of customers: [CustomerID], since version: ListVersion) throws {
    var tracker = PlaceTracker()
    try forEachChange(after: version) { tracker.follow($1) }
    let touched = tracker.touched
    guard customers.contains(where: { touched.contains($0.rawValue) }) else { return }
    let (origins, places, untouched) = (tracker.origins, tracker.places, tracker.untouched(touched))
    for id in customers where touched.contains(id.rawValue) {
      guard let from = origins[id], let to = places[id], from.section == to.section,
        untouched.before.unmovedRows(before: from) == untouched.after.unmovedRows(before: to)
      else { throw ListError.orderChanged(id) }
    }
  }

  private func forEachChange(
    after version: ListVersion, _ body: (_ edit: Int64, ListChange) throws -> Void
  ) throws {
    try refuseOtherHistory(than: version)
    var last = version.edit
    try forEachChange(from: last.saturatingAdding(1)) { edit, change in
      guard edit == last.saturatingAdding(1) else { throw ListError.tooLongAgo(edit: version.edit) }
      last = edit
      try body(edit, change)
    }
    guard try last == lastEdit() else { throw ListError.tooLongAgo(edit: version.edit) }
  }
}
