internal import CustomersMigrations
internal import CustomersSQLite

/// Why a step can't be undone alone.
///
/// Nothing is changed.
package enum RevertError: Error, Hashable, Sendable {
  /// The history has no step with this number that edited anything.
  case noSuchStep(Int64)
  /// The step was undone already, or it undid or redid another one.
  case notInEffect(Int64)
  /// Later steps left other values in the same fields of these customers, moved them, or deleted them.
  case changedSince([CustomerID])
  /// Later steps changed sections that the step changed.
  case sectionsChangedSince
  /// Later steps changed a declared column, a setting, or a person of the step.
  case entryChangedSince
  /// The step had replaced a value that is not of the kind which its column has now.
  case valueOfOtherKind(String, ColumnKind, of: CustomerID)
}

extension RevertError: ExplainedError {
  package var explanation: Explanation {
    let done = "see what was done since"
    return switch self {
    case .noSuchStep(let step):
      .notFound("the history has no step \(step) that edited anything", .run(.history, to: "list the steps"))
    case .notInEffect(let step):
      .refused("step \(step) is not in effect", .run(.history, to: "list the steps"))
    case .changedSince(let ids):
      .refused(
        "later steps changed \(counted(ids.count, "customer")) of the step",
        .run(ids.first.map { .historyOf($0) } ?? .history, to: done))
    case .sectionsChangedSince: .refused("later steps changed sections of the step", .run(.history, to: done))
    case .valueOfOtherKind(let column, let kind, let id):
      .refused(
        "the value that \"\(column)\" of customer @\(id.rawValue) had before is not clearly \(kind.noun), which it has to be since",
        .run(.historyOf(id), to: "see it"))
    case .entryChangedSince:
      .refused("later steps changed a column, a setting, or a person of the step", .run(.history, to: done))
    }
  }
}

extension CustomerList {
  /// Undoes one step alone, as an edit of this transaction; what later steps did stays.
  ///
  /// Rows that were moved or deleted go back to the place that they had among the rows that later steps left alone, as far
  /// as there is one.
  ///
  /// - Parameters:
  ///   - id: the number of a step that is in effect.
  ///   - limit: the maximum number of edits that the outcome describes.
  /// - Returns: what changed.
  /// - Throws: `RevertError`; `ListError.editForbidden`, `moveForbidden`, `historyDiffers`, `damaged` if the history lost
  ///   an edit of the step; nothing is changed.
  /// - Complexity: O(edits since the step), and, if rows came since, O(edits before it).
  @discardableResult
  package mutating func revert(_ id: HistoryStep.ID, limit: Int = 1000) throws -> EditOutcome {
    try revert(id, besides: [], limit: limit)
  }

  /// The same beside later steps that cancel each other out: some that were reverted, and those that did so.
  @discardableResult
  package mutating func revert(
    _ id: HistoryStep.ID, besides canceled: Set<HistoryStep.ID>, limit: Int = 1000
  ) throws -> EditOutcome {
    do { return try revertAlone(id, canceled, limit) } catch ListError.noSuchCustomer(let customer) {
      // A repair could not read it.
      throw ListError.historyDiffers(step: id, customer: customer)
    }
  }

  private mutating func revertAlone(
    _ id: HistoryStep.ID, _ canceled: Set<HistoryStep.ID>, _ limit: Int
  ) throws -> EditOutcome {
    guard let step = try step(id), step.editCount > 0 else { throw RevertError.noSuchStep(id) }
    guard step.kind == .edit, step.state == .done, let range = try editsInEffect(of: id) else {
      throw RevertError.notInEffect(id)
    }
    try requireHistory(inEffectOf: id)
    // What was undone and its undo cancel out; a step that was redone is in effect by its redo.
    let inEffect = try stepsInEffect(besides: canceled)
    let edits = IDRanges(joining: inEffect)
    var (own, since) = ([OwnEdit](), [LaterEdit]())
    var trail = try ExtraTrail(from: range, in: self)
    let kinds = try columnKinds()
    try EditLog(from: range.lowerBound, in: self).forEachBackwards(in: self) { edit in
      let changes = try trail.goBack(edit, in: self)
      if range.contains(edit.number) {
        own.append(OwnEdit(edit: edit, extra: edit.change.updated.flatMap { changes[$0] }))
      } else if edits.contains(edit.number) {
        since.append(LaterEdit(edit: edit, extra: changes.mapValues { $0.ignoringForms(kinds) }))
      }
    }
    var (touched, shift, names) = (TouchedSince(), PlaceShift(), [String: String]())
    for later in since.withoutReverted(inEffect) {
      if case .column(let name?, let newName?) = later.edit.change {
        names[name] = names[newName] ?? newName
      }
      touched.add(later.edit, later.extra, columnOf: try customersWithColumn(ofEdit: later.edit))
      shift.changes.append(later.edit.change)
    }
    try refuse(own, touched)
    for section in try outline().sections { shift.counts[section.id] = section.count }
    shift.counts[.ofSections] = try sections().count
    try shift.learn(before: own.map(\.edit.change)) { body in
      try forEachChange(of: edits, before: range.lowerBound, while: body)
    }
    let last = try lastEdit()
    let touchedRows = kinds.takeAnyText && names.isEmpty ? [] : try customers(of: own)
    let before = touchedRows.reduce(into: [:]) { $0[$1] = try? self.customer($1).fields }
    try atomically { list in
      try list.keepingHistory { list in
        if let changes = RowChange.ofMoves(own) { return try list.revert(changes, shift) }
        for edit in own {
          do { try list.revert(edit, touched, shift) } catch ListError.historyDiffers, ListError
            .noSuchCustomer
          {
            throw ListError.historyDiffers(step: id, customer: try list.firstDifference(from: edit.edit))
          }
        }
      }
      try list.adaptReverted(touchedRows, from: before, renamedSince: names, declaredSince: touched.entries)
    }
    return try outcome(after: last, limit: limit)
  }

  /// The customers whose values some edits may bring back.
  private func customers(of edits: [OwnEdit]) throws -> [CustomerID] {
    var ids: Set<CustomerID> = []
    for own in edits {
      switch own.edit.change {
      case .update(let id, _), .delete(let id, _): ids.insert(id)
      case .deleteMany(let first, let count, _):
        ids.formUnion((0..<Int64(count)).map { CustomerID(rawValue: first.rawValue + $0) })
      case .rows(let changes): ids.formUnion(changes.map(\.id))
      default: ids.formUnion(try customersWithColumn(ofEdit: own.edit))
      }
    }
    return ids.sorted { $0.rawValue < $1.rawValue }
  }

  /// Gives the values of extra columns that a revert has brought back the names that these columns have since, and those
  /// of declared columns the form of their kind, which may be newer, too.
  ///
  /// - Throws: `RevertError.valueOfOtherKind`.
  private mutating func adaptReverted(
    _ ids: [CustomerID], from before: [CustomerID: CustomerFields], renamedSince names: [String: String],
    declaredSince entries: Set<Int64>
  ) throws {
    let declared = try declaredExtraColumns()
    let kinds = ColumnKinds(declared)
    // The values of any other column had their form already.
    let older = Set(declared.filter { entries.contains($0.id.rawValue) }.map(\.name))
    for id in ids {
      guard let fields = try? customer(id).fields, fields.extra != "{}" else { continue }
      var columns = fields.extraColumns
      let old = before[id]?.extraColumns ?? ExtraColumns()
      var isChanged = columns.rename(names.filter { old[$0.key] == nil })
      for (name, value) in columns.columns {
        guard let column = kinds.declared(name), case .text(let text) = value, old[name] != value else {
          continue
        }
        guard let stored = column.stored(text, of: older.contains(name) ? nil : column.kind) else {
          // What is not of the kind that the column had then, too, was kept as it is.
          guard older.contains(name) else { continue }
          throw RevertError.valueOfOtherKind(name, column.kind, of: id)
        }
        if stored != text { (columns[name], isChanged) = (.text(stored), true) }
      }
      if isChanged { try setExtra(columns.json, of: id) }
    }
  }

  /// Passes the changes of some edits before one to a function, the last one first, as long as this returns true.
  private func forEachChange(of edits: IDRanges, before number: Int64, while body: (ListChange) -> Bool)
    throws
  {
    var next = number
    while case let page = try self.edits(from: 0, before: next, limit: 500, mostMoves: 0),
      let last = page.last
    {
      for edit in page where edits.contains(edit.number) { guard body(edit.change) else { return } }
      next = last.number
    }
  }

  /// Lifts the limits of the history for edits that need its oldest step, which their own step would displace.
  private mutating func keepingHistory(_ body: (inout CustomerList) throws -> Void) throws {
    let limits = try connection.fetchAll("SELECT steps, bytes FROM history_limit") { row in
      [row.integer(0), row.integer(1)]
    }
    // A damaged file may have none or several.
    guard limits.count == 1 else { return try body(&self) }
    let update = "UPDATE history_limit SET steps = ?, bytes = ?"
    try connection.execute(update, [.integer(Int64.max), .integer(Int64.max)])
    try body(&self)
    try connection.execute(update, limits[0].map(SQLiteValue.integer))
  }

  /// The edits by which steps are in effect, each: their own, or those of their last redos.
  private func stepsInEffect(besides canceled: Set<HistoryStep.ID>) throws -> [Range<Int64>] {
    let sql = """
      SELECT step.id, last.first_edit, last.edits FROM history_step AS step JOIN history_step AS last ON last.id = step.last
      WHERE step.kind = 'edit' AND step.state = 'done'
      """
    let steps = try connection.fetchAll(sql) { row in
      (id: row.integer(0), edits: row.integer(1)..<row.integer(1).saturatingAdding(max(0, row.integer(2))))
    }
    return steps.filter { !canceled.contains($0.id) }.map(\.edits)
  }

  /// The numbers of the edits by which a step is in effect: its own or those of its last redo.
  func editsInEffect(of step: HistoryStep.ID) throws -> Range<Int64>? {
    try lastRedo(of: step).flatMap { try self.step($0)?.edits }
  }

  /// The last redo of a step; the step itself if there is none, nil if the history has no such step.
  func lastRedo(of step: HistoryStep.ID) throws -> HistoryStep.ID? {
    try connection.fetchOne("SELECT last FROM history_step WHERE id = ?", [.integer(step)]) { $0.integer(0) }
  }

  private func refuse(_ edits: [OwnEdit], _ touched: TouchedSince) throws {
    var customers: Set<CustomerID> = []
    for own in edits {
      let edit = own.edit
      guard try !touched.hasChangedSection(of: edit, in: self) else { throw RevertError.sectionsChangedSince }
      guard try !touched.hasChangedEntry(of: edit, in: self) else { throw RevertError.entryChangedSince }
      customers.formUnion(
        try touched.conflicts(with: own, columnOf: customersWithColumn(ofEdit: edit), in: self))
    }
    guard customers.isEmpty else {
      throw RevertError.changedSince(customers.sorted { $0.rawValue < $1.rawValue })
    }
  }

  /// The customers whose columns an edit changed, if it is one of a column.
  private func customersWithColumn(ofEdit edit: LoggedEdit) throws -> [CustomerID] {
    guard case .column = edit.change else { return [] }
    return try customers(ofColumnEdit: edit.number)
  }

  /// The customers whose columns an edit of a column changed.
  func customers(ofColumnEdit number: Int64) throws -> [CustomerID] {
    let sql = "SELECT customer FROM history_row WHERE edit = ?"
    return try connection.fetchAll(sql, [.integer(number)]) { CustomerID(rawValue: $0.integer(0)) }
  }

  /// Makes the opposite of an edit.
  private mutating func revert(_ own: OwnEdit, _ touched: TouchedSince, _ shift: PlaceShift) throws {
    let edit = own.edit
    switch edit.change {
    case .insert(let id, _): try remove(id)
    case .insertMany(let first, let count, _):
      try delete((0..<Int64(count)).map { CustomerID(rawValue: first.rawValue + $0) })
    case .delete(let id, let from): try restore(id, 1, to: shift.place(from))
    case .deleteMany(let first, let count, let from): try restore(first, count, to: shift.place(from))
    case .move(let id, let old, let new):
      let from = shift.place(old, own: [new])
      let section = try presentSection(from.section)
      let last = try section.count + (customer(id).place.section == section.id ? 0 : 1)
      try move([id], to: .place(min(from.order, last)), in: section.id)
    case .update(let id, _):
      guard let change = own.extra, touched.hasOtherColumns(id) else {
        return try revertLogged(edit)
      }
      let extra = try extraColumns(of: id, setting: change)
      try revertLogged(edit)
      try setExtra(extra, of: id)
    case .rows(let changes): try revert(changes, shift)
    case .arrange(_, let moves):
      do { try revertLogged(edit) } catch ListError.historyDiffers {
        // Other rows came or went; these are where the later edits have left them.
        for (move, now) in zip(moves, shift.follow([], own: moves.map(\.to)).own)
        where try place(of: move.id) != now { throw ListError.rowElsewhere }
        try revert(moves.map { RowChange(id: $0.id, from: $0.from, to: $0.to) }, shift)
      }
    case .column, .line: try revertLogged(edit)
    case .entry:
      // Another one may have its name.
      do { try revertLogged(edit) } catch ListError.historyDiffers { throw RevertError.entryChangedSince }
    case .moveSection(let id, let from, let to):
      let place = shift.place(.ofSection(from), own: [.ofSection(to)]).order
      try moveSection(presentSection(id).id, to: min(place, sections().count))
    case .insertSection(let id, _):
      do { try deleteSection(presentSection(id).id) } catch ListError.sectionNotEmpty {
        throw RevertError.sectionsChangedSince
      }
    case .deleteSection(let id, let from):
      try restore(id, to: min(shift.place(.ofSection(from)).order, sections().count + 1))
      try refuseSameTitle(id)
    case .updateSection(let id):
      do { try revertLogged(edit) } catch ListError.historyDiffers { throw RevertError.sectionsChangedSince }
      try refuseSameTitle(id)
    }
  }

  /// Puts rows back to their places before some changes, as far as there are such places now.
  private mutating func revert(_ changes: [RowChange], _ shift: PlaceShift) throws {
    var back = Rearrangement()
    var rows: [(row: Rearrangement.Row, before: Int)] = []
    var places: [CustomerPlace] = []
    /// The rows that are back, by section.
    var counts: [SectionID: Int] = [:]
    let changes = changes.withoutStaying
    for change in changes.sorted(by: { ($0.from?.order ?? 0) < ($1.from?.order ?? 0) }) {
      if change.to == nil, try !isDeleted(change.id) { throw ListError.rowElsewhere }
      let now = change.to == nil ? nil : try place(of: change.id)
      guard let from = change.from else {
        back.deleted += now.map { [(change.id, $0)] } ?? []
        continue
      }
      let section = try presentSection(from.section).id
      let before = counts[section, default: 0]
      rows.append((.customer(change.id, from: now), before))
      places.append(CustomerPlace(section: section, order: from.order - before))
      counts[section] = before + 1
    }
    let shifted = shift.follow(places, own: changes.compactMap(\.to)).places
    back.arrivals = zip(rows, shifted).map { row, place in
      .init(row: row.row, place: CustomerPlace(section: place.section, order: place.order + row.before))
    }
    try back.fit { try section($0).count }
    let isChange = back.arrivals.contains { arrival in
      if case .customer(_, arrival.place) = arrival.row { false } else { true }
    }
    guard isChange || !back.deleted.isEmpty else { return }
    try atomically {
      for (id, _) in back.deleted where try !customer(id).canEdit { throw ListError.editForbidden(id) }
      for arrival in back.arrivals {
        guard case .customer(let id, let now?) = arrival.row, now != arrival.place else { continue }
        guard try customer(id).canMove else { throw ListError.moveForbidden(id) }
      }
      _ = try write(back)
    }
  }

  /// Sets all extra columns of a customer, which may be protected, as undo does.
  private func setExtra(_ extra: String, of id: CustomerID) throws {
    let names = ["id"] + CustomerFields.columnNames + ["can_edit", "can_move"]
    let values = names.map { $0 == "extra" ? "?" : $0 }
    try edit(
      """
      INSERT INTO logged_update (\(names.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM customer_record WHERE id = ?
      """, [.text(extra), .id(id)]
    ) { _ in nil }
  }

  private func presentSection(_ id: SectionID) throws -> CustomerSection {
    do { return try section(id) } catch ListError.noSuchSection { throw RevertError.sectionsChangedSince }
  }

  /// Puts deleted customers back.
  private func restore(_ first: CustomerID, _ count: Int, to from: CustomerPlace) throws {
    let section = try presentSection(from.section)
    try edit(
      "INSERT INTO restore_rows VALUES (?, ?, ?, ?)",
      [.id(first), .integer(count), .id(section.id), .integer(min(from.order, section.count + 1))]
    ) { $0 == .history ? .rowElsewhere : nil }
  }

  /// Puts a deleted section back.
  private func restore(_ id: SectionID, to order: Int) throws {
    let isDeleted = try connection.fetchOne(
      "SELECT 1 FROM section_record WHERE id = ? AND deleted_by IS NOT NULL", [.id(id)]
    ) { _ in true }
    guard isDeleted == true else { throw RevertError.sectionsChangedSince }
    try edit("INSERT INTO logged_section_insert VALUES (?, ?)", [.id(id), .integer(order)]) { _ in nil }
  }

  /// Refuses a title that came back and that another section has got since.
  private func refuseSameTitle(_ id: SectionID) throws {
    let title = try section(id).title
    guard !title.isEmpty, let other = try section(likeTitled: title, besides: id) else { return }
    throw ListError.titleInUse(other.title)
  }

  /// Makes the opposite of an edit as undo does, which refuses it if the list is not as the edit left it.
  private func revertLogged(_ edit: LoggedEdit) throws {
    try atomically {
      try self.edit({ $0 == .history ? .rowElsewhere : nil }) {
        try Migrations.manyRows.revert(edit: edit.number, connection)
      }
    }
  }
}

extension [RowChange] {
  /// Those but for the rows that have the same place among the others before and after.
  ///
  /// An edit of a block names them, too; they stay where later edits have put them.
  fileprivate var withoutStaying: [RowChange] {
    /// How many of the rows are above each place of one of them.
    func ranks(_ place: KeyPath<RowChange, CustomerPlace?>) -> [CustomerPlace: Int] {
      var (ranks, counts) = ([CustomerPlace: Int](), [SectionID: Int]())
      for place in compactMap({ $0[keyPath: place] }).sorted(by: { $0.order < $1.order }) {
        ranks[place] = counts[place.section, default: 0]
        counts[place.section, default: 0] += 1
      }
      return ranks
    }
    let (old, new) = (ranks(\.from), ranks(\.to))
    return filter { change in
      guard let from = change.from, from == change.to else { return true }
      return old[from] != new[from]
    }
  }
}

extension RowChange {
  /// The most moves of a step that are taken together: to follow each through the others takes their square.
  private static let mostMoves = 2000

  /// The places of all rows before and after a step that only moved rows, one by one, the last one first; nil for any
  /// other step.
  fileprivate static func ofMoves(_ edits: [OwnEdit]) -> [RowChange]? {
    guard (2...mostMoves).contains(edits.count) else { return nil }
    var moves: [(id: CustomerID, from: CustomerPlace, to: CustomerPlace)] = []
    for own in edits.reversed() {
      guard case .move(let id, let from, let to) = own.edit.change else { return nil }
      moves.append((id, from, to))
    }
    var changes: [CustomerID: RowChange] = [:]
    for (index, move) in moves.enumerated() {
      var (from, to) = (move.from, move.to)
      // The row has a place beside the one that moves, so neither way leaves a choice.
      for earlier in moves[..<index].reversed() {
        if earlier.to.section == from.section, earlier.to.order < from.order { from.order -= 1 }
        if earlier.from.section == from.section, earlier.from.order <= from.order { from.order += 1 }
      }
      for later in moves[(index + 1)...] {
        if later.from.section == to.section, later.from.order < to.order { to.order -= 1 }
        if later.to.section == to.section, later.to.order <= to.order { to.order += 1 }
      }
      changes[move.id, default: RowChange(id: move.id, from: from, to: to)].to = to
    }
    return Array(changes.values)
  }
}

/// An edit that is in effect after those that are reverted.
private struct LaterEdit {
  var edit: LoggedEdit
  /// What it did to extra columns.
  var extra: [CustomerID: ExtraChange]
}

extension [LaterEdit] {
  /// Those but for each step after which the next one put every row, or section, where it had been, and for that one.
  ///
  /// - Parameter steps: the edits of each step.
  /// - Returns: the others, the last one first.
  fileprivate func withoutReverted(_ steps: [Range<Int64>]) -> [LaterEdit] {
    var rest = self[...]
    var kept: [ArraySlice<LaterEdit>] = []
    for step in steps.sorted(by: { $0.lowerBound > $1.lowerBound }) {
      let own = rest.prefix { step.contains($0.edit.number) }
      rest = rest.dropFirst(own.count)
      if let next = kept.last, (next + own).reversed().map(\.edit.change).areIdentity {
        kept.removeLast()
      } else {
        kept.append(own)
      }
    }
    return kept.flatMap(\.self)
  }
}

extension [ListChange] {
  /// Whether these changes, of rows or of sections alone, leave the order as it was.
  fileprivate var areIdentity: Bool {
    var (rows, sections) = (PlaceTracker(), PlaceTracker())
    for change in self {
      switch change {
      case .insert, .delete, .move, .insertMany, .deleteMany, .rows, .arrange: rows.follow(change)
      case .insertSection(let id, let order): sections.follow(.insert(id.asRow, at: .ofSection(order)))
      case .deleteSection(let id, let order): sections.follow(.delete(id.asRow, from: .ofSection(order)))
      case .moveSection(let id, let from, let to):
        sections.follow(.move(id.asRow, from: .ofSection(from), to: .ofSection(to)))
      case .update, .updateSection, .column, .line, .entry: return false
      }
    }
    return rows.isIdentity && sections.isIdentity
  }
}

extension SectionID {
  /// The section as a row among the sections.
  fileprivate var asRow: CustomerID { CustomerID(rawValue: rawValue) }
}

extension ListChange {
  fileprivate var updated: CustomerID? { if case .update(let id, _) = self { id } else { nil } }
}
