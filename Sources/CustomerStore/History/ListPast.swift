internal import CustomersSQLite

/// What was in a list at a version, as far as it has changed since.
package struct ListPast: Sendable {
  /// The sections at the version, in order.
  package let sections: [CustomerSection]
  /// The customers whose fields or protection were changed since, or that were deleted, as they were.
  let changed: [CustomerID: Customer]
  private let deleted: IDRanges
  private let tracker: PlaceTracker
  private let origins: [CustomerID: CustomerPlace]
  private let touched: IDRanges
  /// The lines of logs that were edited since, as they were; nil for those that were not there.
  let lines: [LogLineID: LogLine?]
  /// The customers of those that were there.
  private let logged: Set<CustomerID>
  /// The entries of the list that were edited since, in the same way.
  let entries: [Int64: ListEntry?]
  /// The new names of the extra columns that were renamed since.
  package let columns: [String: String]

  /// Reads the log from an edit on, up to another one.
  fileprivate init(from first: Int64, to last: Int64, in list: borrowing CustomerList) throws {
    var tracker = PlaceTracker()
    var (ids, deleted, edited) = (Set<CustomerID>(), [Range<Int64>](), Set<LogLineID>())
    var editedEntries: Set<Int64> = []
    try list.forEachChange(from: first, to: last.saturatingAdding(1)) { edit, change in
      tracker.follow(change)
      switch change {
      case .update(let id, _): ids.insert(id)
      case .delete(let id, _): deleted.append(id.rawValue..<id.rawValue + 1)
      case .deleteMany(let first, let count, _):
        deleted.append(first.rawValue..<first.rawValue + Int64(count))
      case .rows(let changes):
        for change in changes where change.to == nil {
          deleted.append(change.id.rawValue..<change.id.rawValue + 1)
        }
      case .column: ids.formUnion(try list.customers(ofColumnEdit: edit))
      case .line(let line, _, _): edited.insert(line)
      case .entry(let id, _): editedEntries.insert(id)
      default: break
      }
    }
    self.tracker = tracker
    self.deleted = IDRanges(joining: deleted)
    origins = tracker.origins
    touched = tracker.touched
    // A deleted customer that was added after the version was never in it.
    let gone = origins.keys.filter { [deleted = self.deleted] in deleted.contains($0.rawValue) }
    var past = try PastList(
      list, following: ids.union(gone), placesOf: [], lines: edited, entries: Array(editedEntries))
    var log = MergeLog()
    try EditLog(from: first, in: list).forEachBackwards(in: list) { edit in
      if case .column(let name?, let newName?) = edit.change { log.rename(name, to: newName, at: "") }
      try past.goBack(edit, in: list)
    }
    columns = log.columns.mapValues(\.name)
    (sections, changed) = (past.outline.sections, past.customers)
    lines = Dictionary(uniqueKeysWithValues: edited.map { [lines = past.lines] in ($0, lines[$0]) })
    logged = Set(lines.values.compactMap { $0?.customer })
    entries = Dictionary(
      uniqueKeysWithValues: editedEntries.map { [known = past.entries] in ($0, known[$0]) })
  }

  /// The rows of each section, from those that they have now: after the last edit that was read.
  ///
  /// - Throws: `ListError.damaged` if the log does not fit.
  /// - Complexity: O(rows).
  func rows(now: [SectionID: [CustomerID]]) throws -> [SectionID: [CustomerID]] {
    var rows: [SectionID: [CustomerID?]] = [:]
    for section in sections { rows[section.id] = [CustomerID?](repeating: nil, count: section.count) }
    func put(_ ids: ArraySlice<CustomerID>, at order: Int, in section: SectionID) throws {
      guard let count = rows[section]?.count, order >= 1, order <= count, ids.count <= count - order + 1
      else {
        throw ListError.damaged
      }
      rows[section]?.replaceSubrange(order - 1..<order - 1 + ids.count, with: ids.lazy.map { $0 })
    }
    for (section, ids) in now {
      var rest = ids[...]
      for (original, count) in tracker.runs(of: section) {
        let run = rest.prefix(count)
        rest = rest.dropFirst(count)
        guard let original, !run.isEmpty else { continue }
        try put(run, at: original, in: section)
      }
    }
    for (id, place) in origins { try put([id], at: place.order, in: place.section) }
    return try rows.mapValues { rows in
      let found = rows.compactMap(\.self)
      guard found.count == rows.count else { throw ListError.damaged }
      return found
    }
  }

  /// A customer as it was, at its place then; nil if it was not in the list.
  ///
  /// - Parameters:
  ///   - id: the customer.
  ///   - now: the customer as it is; nil if it is not in the list.
  /// - Returns: the customer.
  package func customer(_ id: CustomerID, now: Customer?) -> Customer? {
    guard let then = place(of: id, at: now?.place), var customer = changed[id] ?? now else { return nil }
    customer.place = then
    return customer
  }

  /// The place that a customer had; nil if it was not in the list.
  ///
  /// - Parameters:
  ///   - id: the customer.
  ///   - now: its place before the edits of the transaction; nil if it was not in the list then.
  /// - Returns: the place.
  private func place(of id: CustomerID, at now: CustomerPlace?) -> CustomerPlace? {
    guard let now, !touched.contains(id.rawValue) else { return origins[id] }
    return tracker.origin(of: now)
  }

  /// Whether a customer was in the list.
  func has(_ id: CustomerID, isThereNow: Bool) -> Bool {
    touched.contains(id.rawValue) ? origins[id] != nil : isThereNow
  }

  /// Whether the place of a customer was edited since.
  package func isTouched(_ id: CustomerID) -> Bool { touched.contains(id.rawValue) }

  /// Whether lines of a customer's log were added, edited, or deleted since. O(its lines)
  package func hasLogged(_ id: CustomerID, in list: borrowing CustomerList) throws -> Bool {
    guard !lines.isEmpty else { return false }
    return try logged.contains(id) || list.log(of: id).contains { lines[$0.id] != nil }
  }

  /// The rows in their order, from those of the list before the edits of the transaction.
  ///
  /// - Throws: `ListError.damaged` if the log does not fit.
  /// - Complexity: O(rows).
  package func arrangement(now: ListArrangement) throws -> ListArrangement {
    let rows = try rows(now: Dictionary(now.parts.map { ($0.section, $0.rows) }) { first, _ in first })
    return ListArrangement(parts: sections.map { .init(section: $0.id, rows: rows[$0.id] ?? []) })
  }
}

extension CustomerList {
  /// What was in the list at a version, compared with the list before the edits of this transaction.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - last: the last edit before those of this transaction: what it moves or adds is not considered.
  /// - Returns: the past; nil if the history does not reach back to the version or is another one.
  /// - Throws: `StoreError`.
  /// - Complexity: O(edits since the version × rows that they updated).
  package func past(at version: ListVersion, beforeEditsAfter last: Int64) throws -> ListPast? {
    guard version.edit > 0, try changes(after: version, limit: 1) != nil else { return nil }
    return try ListPast(from: version.edit + 1, to: last, in: self)
  }

  /// What was in the list after an edit, to which the log must reach back.
  func past(after edit: Int64) throws -> ListPast { try ListPast(from: edit + 1, to: .max, in: self) }
}

/// An earlier state of the list, reached by going back edit by edit: its sections and some customers.
///
/// The log of a repaired or damaged file may be inconsistent; then the result is as close as possible.
struct PastList {
  /// The sections in order, with their numbers of rows.
  private var sections: [CustomerSection]
  /// The sections that did not exist yet; one may have been deleted before and restored by undo.
  private var later: [SectionID: CustomerSection] = [:]
  /// The tracked customers, with fields and protection, including those that are not in the list.
  private(set) var customers: [CustomerID: Customer]
  /// The places of some of them, if they are in the list.
  private(set) var places: [CustomerID: CustomerPlace] = [:]
  /// The customers whose places are tracked too, which takes longer.
  private let placed: Set<CustomerID>
  /// The tracked lines of logs, as they were when they were there last, and whether they are.
  private var allLines: [LogLineID: (line: LogLine, isThere: Bool)]

  /// The tracked lines of logs that are there.
  var lines: [LogLineID: LogLine] { allLines.compactMapValues { $0.isThere ? $0.line : nil } }

  /// The tracked entries of the list, in the same way.
  private var allEntries: [Int64: (entry: ListEntry, isThere: Bool)]

  /// The tracked entries that are there.
  var entries: [Int64: ListEntry] { allEntries.compactMapValues { $0.isThere ? $0.entry : nil } }

  /// Starts with the list as it is now; `known` are some of the customers as they are, at any place.
  init(
    _ list: borrowing CustomerList, sections: [CustomerSection]? = nil, following ids: Set<CustomerID>,
    placesOf placed: Set<CustomerID>, lines: some Sequence<LogLineID> = [], entries: [Int64] = [],
    known: (CustomerID) -> Customer? = { _ in nil }
  ) throws {
    self.placed = placed
    allLines = try list.lines(lines)
    allEntries = try list.entries(entries)
    self.sections = try sections ?? list.sections()
    customers = try list.customers(placed)
    places = customers.mapValues(\.place)
    let unknown = ids.filter { id in
      if customers[id] == nil { customers[id] = known(id) }
      return customers[id] == nil
    }
    customers.merge(try list.records(of: unknown)) { present, _ in present }
  }

  var outline: ListOutline { ListOutline(sections) }

  /// Reverts an edit, in memory only.
  mutating func goBack(_ edit: LoggedEdit, in list: borrowing CustomerList) throws {
    if edit.change.movesRows {
      for id in placed { places[id] = try list.place(before: edit, of: id, at: places[id]) }
    }
    switch edit.change {
    case .insert(_, let place): count(-1, in: place.section)
    case .delete(_, let place): count(1, in: place.section)
    case .move(_, let from, let to):
      count(1, in: from.section)
      count(-1, in: to.section)
    case .insertMany(_, let count, let place): self.count(-count, in: place.section)
    case .deleteMany(_, let count, let place): self.count(count, in: place.section)
    case .update(let id, _): customers[id].map { customers[id] = edit.old.applied(to: $0) }
    case .column:
      for id in customers.keys {
        if let extra = try list.extra(of: id, before: edit.number) { customers[id]?.fields.extra = extra }
      }
    case .rows(let changes):
      for change in changes {
        if let from = change.from { count(1, in: from.section) }
        if let to = change.to { count(-1, in: to.section) }
      }
    case .arrange: break
    case .line(let id, _, let change):
      guard let known = allLines[id]?.line else { break }
      allLines[id] = (edit.old.applied(to: known), change != .insert)
    case .entry(let id, let change):
      guard let known = allEntries[id]?.entry else { break }
      allEntries[id] = (edit.old.applied(to: known), change != .insert)
    case .insertSection(let id, _):
      if let index = index(of: id) { later[id] = sections.remove(at: index) }
      number()
    case .deleteSection(let id, let order): put(try later[id] ?? list.sectionRecord(id), at: order)
    case .moveSection(let id, let order, _):
      if let index = index(of: id) { put(sections.remove(at: index), at: order) }
    case .updateSection(let id):
      guard let index = index(of: id) else { break }
      sections[index].title = edit.old.title ?? sections[index].title
      sections[index].footer = edit.old.footer ?? sections[index].footer
    }
  }

  private func index(of id: SectionID) -> Int? { sections.firstIndex { $0.id == id } }

  private mutating func count(_ difference: Int, in section: SectionID) {
    guard let index = index(of: section) else { return }
    sections[index].count = max(0, sections[index].count + difference)
  }

  private mutating func put(_ section: CustomerSection, at order: Int) {
    sections.insert(section, at: min(max(order - 1, 0), sections.count))
    number()
  }

  private mutating func number() {
    for index in sections.indices { sections[index].order = index + 1 }
  }
}

extension CustomerList {
  /// Customers' records, without their places, even if they are deleted; those that the history forgot are missing.
  func records(of ids: Set<CustomerID>) throws -> [CustomerID: Customer] {
    var found: [CustomerID: Customer] = [:]
    try forEachRecord(of: ids) { found[$0.id] = $0 }
    return found
  }

  /// Passes the same to `body` one by one, or only those that are present.
  func forEachRecord(
    of ids: Set<CustomerID>, arePresent: Bool = false, _ body: (Customer) throws -> Void
  ) throws {
    guard let first = ids.min(), let last = ids.max() else { return }
    let condition = arePresent ? "deleted_by IS NULL AND " : ""
    let columns = "SELECT \(Customer.columns) FROM customer_record WHERE \(condition)id"
    func pass(_ row: borrowing Statement) throws {
      try body(Customer(row, place: CustomerPlace(section: SectionID(rawValue: 0), order: 0)))
    }
    // Reading adjacent records takes less time than looking up many.
    if ids.count > 16, last.rawValue - first.rawValue < 10 * Int64(ids.count) {
      try connection.query("\(columns) BETWEEN ? AND ?", [.id(first), .id(last)]) { row in
        while try row.step() {
          if ids.contains(CustomerID(rawValue: row.integer(0))) { try pass(row) }
        }
      }
    } else {
      for id in ids { _ = try connection.fetchOne("\(columns) = ?", [.id(id)], pass) }
    }
  }

  /// A section as it was when it was deleted.
  fileprivate func sectionRecord(_ id: SectionID) throws -> CustomerSection {
    let sql = "SELECT title, footer FROM section_record WHERE id = ?"
    return try connection.fetchOne(sql, [.id(id)]) { row in
      CustomerSection(id: id, title: row.text(0), footer: row.text(1))
    } ?? CustomerSection(id: id, title: "")
  }

  /// The extra columns of a customer before an edit of a column; nil if it did not have that column.
  fileprivate func extra(of id: CustomerID, before edit: Int64) throws -> String? {
    try connection.fetchOne(
      "SELECT extra FROM history_row WHERE edit = ? AND customer = ?", [.integer(edit), .id(id)]
    ) { $0.text(0) }
  }
}

/// The extra columns that an edit changed, with their values from before.
struct ExtraChange {
  private(set) var old: [(name: String, value: FieldValue?)] = []
  /// The values since, by the names of columns.
  private var new: [String: FieldValue] = [:]
  /// Whether it can't be split by column, because a string is no object.
  private(set) var isWhole = false

  init() {}

  init(from before: String, to after: String) {
    let (before, after) = (ExtraColumns(before), ExtraColumns(after))
    isWhole = before.isWhole || after.isWhole
    let differences = after.differences(from: before)
    old = differences.map { ($0.column, before[$0.column]) }
    for difference in differences { new[difference.column] = after[difference.column] }
  }

  /// The change without the values that only got the form of their kind.
  func ignoringForms(_ kinds: ColumnKinds) -> ExtraChange {
    var change = self
    change.old.removeAll { name, value in
      guard case .text(let before)? = value, case .text(let after)? = new[name] else { return false }
      return kinds.declared(name)?.stored(writtenAlone: before, .today) == after
    }
    return change
  }

  /// Adds an earlier change of the same customer.
  mutating func add(earlier change: ExtraChange) {
    old += change.old
    isWhole = isWhole || change.isWhole
  }

  /// Whether both changed the same column, and these changes together left another value in it.
  func differs(in other: ExtraChange, from now: ExtraColumns) -> Bool {
    var values: [String: FieldValue?] = [:]
    for (name, value) in old { values[name] = value }
    return isWhole || other.isWhole
      || other.old.contains { name, _ in values[name].map { $0 != now[name] } ?? false }
  }
}

/// Goes back through the history edit by edit and finds which extra columns of some customers changed.
struct ExtraTrail {
  private let followed: Set<CustomerID>
  /// The columns before the edits that were passed; those of the others are as they are now.
  private var columns: [CustomerID: String] = [:]

  /// Follows the customers whose extra columns were updated by edits with these numbers.
  init(from edits: Range<Int64>, in list: borrowing CustomerList) throws {
    let sql =
      "SELECT row FROM edit_record WHERE id >= ? AND id < ? AND kind = 'update' AND extra IS NOT NULL"
    followed = Set(
      try list.connection.fetchAll(sql, [.integer(edits.lowerBound), .integer(edits.upperBound)]) {
        CustomerID(rawValue: $0.integer(0))
      })
  }

  /// Goes back before an edit; the last edit comes first.
  ///
  /// - Returns: what it changed in the extra columns of customers that are followed.
  mutating func goBack(
    _ edit: LoggedEdit, in list: borrowing CustomerList
  ) throws -> [CustomerID: ExtraChange] {
    var changes: [CustomerID: ExtraChange] = [:]
    for (id, before) in try list.extraColumns(before: edit) where followed.contains(id) {
      let now = "SELECT extra FROM customer_record WHERE id = ?"
      let after = try columns[id] ?? list.connection.fetchOne(now, [.id(id)]) { $0.text(0) } ?? before
      changes[id] = ExtraChange(from: before, to: after)
      columns[id] = before
    }
    return changes
  }
}

extension CustomerList {
  /// The extra columns that an edit replaced, of each customer.
  fileprivate func extraColumns(before edit: LoggedEdit) throws -> [(CustomerID, String)] {
    switch edit.change {
    case .update(let id, _): return edit.old.extra.map { [(id, $0)] } ?? []
    case .column:
      let sql = "SELECT customer, extra FROM history_row WHERE edit = ?"
      return try connection.fetchAll(sql, [.integer(edit.number)]) {
        (CustomerID(rawValue: $0.integer(0)), $0.text(1))
      }
    default: return []
    }
  }

  /// The extra columns of a customer as they are to be written, with other values of some.
  func extraColumns(of id: CustomerID, setting values: ExtraChange) throws -> String {
    let before = try customer(id).fields.extraColumns
    var columns = before
    for (name, value) in values.old { columns[name] = value }
    return try json(columns, changedFrom: before, of: id)
  }

  /// The text of changed extra columns; what does not change stays as it is written in the file, which reading
  /// may have shown without spaces.
  func json(_ columns: ExtraColumns, changedFrom before: ExtraColumns, of id: CustomerID) throws -> String {
    let sql = "SELECT extra FROM customer_record WHERE id = ?"
    let stored = try connection.fetchOne(sql, [.id(id)]) { $0.text(0) } ?? before.json
    return columns.json(changedFrom: before, writtenAs: stored)
  }
}

/// An edit of the step that is undone.
struct OwnEdit {
  let edit: LoggedEdit
  /// The extra columns that it updated; nil for none.
  let extra: ExtraChange?
}

/// What later steps changed.
struct TouchedSince {
  private var moved: Set<CustomerID> = []
  private var deleted: Set<CustomerID> = []
  private var deletedRuns = RangeSet<Int64>()
  /// Those that were put back, or into the list for the first time.
  private var inserted = RangeSet<Int64>()
  /// The values before all of them.
  private var replaced: [CustomerID: OldValues] = [:]
  /// The extra columns, of customers whose extra columns the step updated.
  private var extra: [CustomerID: ExtraChange] = [:]
  /// Those who were among the customers of an edit of a column.
  private var ofColumns: Set<CustomerID> = []
  private var logged: Set<CustomerID> = []
  private var retitled: [SectionID: OldValues] = [:]
  /// Those that were added, deleted, or moved.
  private var placed: Set<SectionID> = []
  private var lines: Set<LogLineID> = []
  /// The entries that were added or deleted.
  private var placedEntries: Set<Int64> = []
  private var redeclared: [Int64: OldValues] = [:]
  var entries: Set<Int64> { placedEntries.union(redeclared.keys) }

  /// Adds an edit; the last one comes first.
  mutating func add(
    _ edit: LoggedEdit, _ changes: [CustomerID: ExtraChange], columnOf customers: [CustomerID]
  ) {
    for (id, change) in changes { extra[id, default: ExtraChange()].add(earlier: change) }
    switch edit.change {
    case .move(let id, _, _): moved.insert(id)
    case .rows(let changes):
      for change in changes {
        switch (change.from, change.to) {
        case (nil, _): inserted.insert(contentsOf: change.id.rawValue..<change.id.rawValue + 1)
        case (_, nil): deleted.insert(change.id)
        default: moved.insert(change.id)
        }
      }
    case .arrange(_, let moves): moved.formUnion(moves.map(\.id))
    case .delete(let id, _): deleted.insert(id)
    case .deleteMany(let first, let count, _):
      deletedRuns.insert(contentsOf: first.rawValue..<first.rawValue + Int64(count))
    case .update(let id, _): replaced[id] = edit.old.over(replaced[id])
    case .column: ofColumns.formUnion(customers)
    case .insert(let id, _): inserted.insert(contentsOf: id.rawValue..<id.rawValue + 1)
    case .insertMany(let first, let count, _):
      inserted.insert(contentsOf: first.rawValue..<first.rawValue + Int64(count))
    case .line(let line, let id, _):
      lines.insert(line)
      logged.insert(id)
    case .entry(let id, .update): redeclared[id] = edit.old.over(redeclared[id])
    case .entry(let id, _): placedEntries.insert(id)
    case .updateSection(let id): retitled[id] = edit.old.over(retitled[id])
    case .insertSection(let id, _), .deleteSection(let id, _), .moveSection(let id, _, _): placed.insert(id)
    }
  }

  /// The customers of an edit that later ones changed in the same way: what is as the edit left it was not changed.
  func conflicts(
    with own: OwnEdit, columnOf customers: [CustomerID], in list: borrowing CustomerList
  ) throws -> [CustomerID] {
    let edit = own.edit
    switch edit.change {
    case .insert(let id, _): return try hasChanged(id, in: list) ? [id] : []
    case .insertMany(let first, let count, _):
      return try (0..<Int64(count)).map { CustomerID(rawValue: first.rawValue + $0) }
        .filter { try hasChanged($0, in: list) }
    case .move(let id, _, _): return moved.contains(id) || isGone(id) ? [id] : []
    case .rows(let changes):
      return try changes.filter { change in
        switch (change.from, change.to) {
        case (nil, _): try hasChanged(change.id, in: list)
        case (_, nil): inserted.contains(change.id.rawValue)
        default: moved.contains(change.id) || isGone(change.id)
        }
      }.map(\.id)
    case .arrange(_, let moves): return moves.map(\.id).filter { moved.contains($0) || isGone($0) }
    case .update(let id, _): return try hasChanged(id, own, in: list) ? [id] : []
    case .column:
      return try customers.filter { id in
        try isGone(id) || ofColumns.contains(id) || changedColumns(of: id, in: list).contains("extra")
      }
    case .delete(let id, _): return inserted.contains(id.rawValue) ? [id] : []
    case .deleteMany(let first, let count, _):
      return (first.rawValue..<first.rawValue + Int64(count)).filter(inserted.contains).map(
        CustomerID.init(rawValue:))
    case .line(let line, let id, _): return isGone(id) || lines.contains(line) ? [id] : []
    case .entry, .insertSection, .deleteSection, .moveSection, .updateSection: return []
    }
  }

  /// Whether later edits changed the section of an edit in the same way.
  func hasChangedSection(of edit: LoggedEdit, in list: borrowing CustomerList) throws -> Bool {
    guard let id = edit.change.section else { return false }
    guard !placed.contains(id) else { return true }
    return try retitled[id]?.differ(from: list.section(id)) ?? false
  }

  /// Whether later edits changed the entry of an edit.
  func hasChangedEntry(of edit: LoggedEdit, in list: borrowing CustomerList) throws -> Bool {
    guard case .entry(let id, _) = edit.change else { return false }
    guard !placedEntries.contains(id) else { return true }
    guard let old = redeclared[id] else { return false }
    return try list.entries([id])[id].map { old.applied(to: $0.entry) != $0.entry } ?? true
  }

  private func isGone(_ id: CustomerID) -> Bool { deleted.contains(id) || deletedRuns.contains(id.rawValue) }

  /// The columns that have another value now than before all these edits.
  private func changedColumns(of id: CustomerID, in list: borrowing CustomerList) throws -> Set<String> {
    try replaced[id]?.columns(notIn: list.customer(id)) ?? []
  }

  private func hasChanged(_ id: CustomerID, in list: borrowing CustomerList) throws -> Bool {
    try isGone(id) || ofColumns.contains(id) || logged.contains(id)
      || !changedColumns(of: id, in: list).isEmpty
  }

  private func hasChanged(_ id: CustomerID, _ own: OwnEdit, in list: borrowing CustomerList) throws -> Bool {
    guard !isGone(id) else { return true }
    let names = own.edit.old.columns.subtracting(["extra"])
    guard try changedColumns(of: id, in: list).isDisjoint(with: names) else { return true }
    guard let change = own.extra, let since = extra[id] else { return false }
    return try since.differs(in: change, from: list.customer(id).fields.extraColumns)
  }

  /// Whether extra columns of a customer changed that the step did not change, if there is no conflict.
  func hasOtherColumns(_ id: CustomerID) -> Bool { extra[id] != nil }
}
