internal import CustomersSQLite

extension CustomerList {
  /// Returns the changes of a history step: the same outcome as the edit itself had.
  ///
  /// Names, fields, and places are those of that time, whatever has happened since.
  ///
  /// - Parameters:
  ///   - step: a step of this list.
  ///   - limit: the maximum number of edits, and of rows, to describe; the rest of a longer step is only
  ///     counted.
  /// - Returns: the outcome, with the rows that changed.
  /// - Throws: `ListError.damaged` if the history lost an edit of the step; `StoreError`.
  /// - Complexity: O(edits since the step × rows that it updated).
  package func outcome(of step: HistoryStep, limit: Int = 1000) throws -> EditOutcome {
    try outcomes(of: [step], limit: limit)[0]
  }

  /// Returns the changes of each of several steps; faster than one call per step.
  ///
  /// - Throws: `ListError.damaged` if the history lost a step or an edit, and there would be fewer; `StoreError`.
  package func outcomes(of steps: [HistoryStep], limit: Int = 1000) throws -> [EditOutcome] {
    try requireHistory(of: steps.map(\.id))
    return try outcomes(ofEdits: steps.map(\.edits), limit: limit)
  }

  /// Returns what the edits after a number did, which this transaction has just written.
  ///
  /// - Parameters:
  ///   - edit: the number of the last edit before them.
  ///   - named: rows and sections to describe even if nothing about them changed.
  ///   - known: customers that were read before these edits, which saves reading them again.
  ///   - limit: the maximum number of edits, and of rows, to describe.
  ///   - most: the number of changes after which rows are only counted.
  ///   - few: how many rows may be in memory at a time, besides those of the outcome.
  /// - Returns: the outcome.
  /// - Throws: `StoreError`.
  func outcome(
    after edit: Int64, naming named: NamedRows = NamedRows(), known: FoundCustomers? = nil,
    limit: Int = .max, listing most: Int = .max, few: Int = 1000
  ) throws -> EditOutcome {
    let edits = edit.saturatingAdding(1)..<Int64.max
    if most < .max, named.customers.isEmpty, named.sections.isEmpty,
      let outcome = try outcome(ofArrangements: edits, listing: most, few: few)
    {
      return outcome
    }
    return try outcomes(
      ofEdits: [edits], naming: named, known: known, limit: limit, listing: most, few: few)[0]
  }

  /// Returns the changes of the edits in each of several ranges of numbers.
  func outcomes(
    ofEdits ranges: [Range<Int64>], naming named: NamedRows = NamedRows(),
    known: FoundCustomers? = nil, limit: Int = 1000, listing most: Int = .max, few: Int = 1000
  ) throws -> [EditOutcome] {
    let log = try EditLog(from: ranges.map(\.lowerBound).min() ?? .max, in: self, mostMoves: limit)
    let parts = try log.changes(inEach: ranges, limit: limit, in: self)
    let moved = try parts.contains(where: \.hasLines) ? movedLines(since: ranges) : [:]
    let sketches = zip(parts, ranges).map { part, range in
      switch part {
      case .all(var changes):
        for (index, (_, change)) in changes.enumerated() {
          guard case .line(let line, _, let edit) = change,
            let move = moved[line]?.first(where: { $0.edit >= range.upperBound })
          else { continue }
          changes[index].change = .line(line, of: move.customer, edit)
        }
        return StepSketch(changes, naming: named, limit: limit)
      case .tooMany(let count): return StepSketch(omitting: count)
      }
    }
    if ranges.count == 1, ranges[0].upperBound == .max, sketches[0].customers.count > few {
      return [try latestOutcome(sketches[0], log, known, listing: most, few: few)]
    }
    let updated: Set<CustomerID> = sketches.reduce(into: []) { $0.formUnion($1.updated) }
    var past = try PastList(
      self, following: sketches.reduce(into: []) { $0.formUnion($1.customers) },
      placesOf: sketches.reduce(into: []) { $0.formUnion($1.slid) },
      lines: sketches.flatMap { $0.lines.map(\.id) }, entries: sketches.flatMap(\.entries),
      known: { updated.contains($0) ? nil : known?[$0] })
    var frames = [OutcomeFrame](repeating: OutcomeFrame(), count: ranges.count)
    // Going back, the end of each step is passed once, and its start later.
    var ends = ranges.indices.sorted { ranges[$0].upperBound < ranges[$1].upperBound }
    var starts = ranges.indices.sorted { ranges[$0].lowerBound < ranges[$1].lowerBound }
    func look(at number: Int64) {
      while let index = ends.last, ranges[index].upperBound > number {
        frames[index].after = past.state(of: sketches[index])
        ends.removeLast()
      }
      while let index = starts.last, ranges[index].lowerBound > number {
        frames[index].before = past.state(of: sketches[index])
        starts.removeLast()
      }
    }
    let followed = past.customers.count <= 1000 ? Set(past.customers.keys) : nil
    try log.forEachBackwards(in: self, about: followed) { edit in
      look(at: edit.number)
      try past.goBack(edit, in: self)
    }
    look(at: .min)
    return zip(sketches, frames).map { sketch, frame in
      var outcome = frame.outcome(sketch)
      let ids = outcome.gather(sketch.parts(at: frame.after?.places ?? [:]))
      outcome.append(frame.rows(ids, sketch), listing: most)
      return outcome
    }
  }

  /// The edits after some ranges that gave lines of logs to other customers, by line in order, with those who had them before.
  private func movedLines(
    since ranges: [Range<Int64>]
  ) throws -> [LogLineID: [(edit: Int64, customer: CustomerID)]] {
    guard let first = ranges.map(\.upperBound).min(), first < .max else { return [:] }
    let moves = try connection.fetchAll(
      """
      SELECT id, row, customer FROM \(Self.loggedEdits)
      WHERE kind = 'line update' AND customer IS NOT NULL ORDER BY id
      """, [.integer(first), .integer(Int64.max)]
    ) { row in
      (
        line: LogLineID(rawValue: row.integer(1)),
        move: (edit: row.integer(0), customer: CustomerID(rawValue: row.integer(2)))
      )
    }
    return Dictionary(grouping: moves, by: \.line).mapValues { $0.map(\.move) }
  }

  /// The outcome of the latest edits if they arrange more than a few rows, each in another section; nil for others.
  ///
  /// Of the rows, it reads those that it lists.
  private func outcome(ofArrangements edits: Range<Int64>, listing most: Int, few: Int) throws -> EditOutcome?
  {
    let arranged = try connection.query(
      "SELECT kind, row, id FROM \(Self.loggedEdits) LIMIT \(few)",
      [.integer(edits.lowerBound), .integer(edits.upperBound)]
    ) { row -> [SectionID: (edit: Int64, rows: Int)] in
      var arranged: [SectionID: (edit: Int64, rows: Int)] = [:]
      while try row.step() {
        let count = try row.text(0) == "arrange" ? rowCount(ofEdit: row.integer(2)) : 0
        let known = arranged.updateValue((row.integer(2), count), forKey: SectionID(rawValue: row.integer(1)))
        guard count > 0, known == nil, arranged.count < few else { return [:] }
      }
      return arranged
    }
    guard arranged.values.reduce(0, { $0 + $1.rows }) > few else { return nil }
    let outline = try outline()
    var outcome = EditOutcome(before: outline, after: outline)
    for section in outline.sections {
      guard let (edit, count) = arranged[section.id] else { continue }
      let moves = try moves(ofEdit: edit, in: section.id, limit: max(1, most - outcome.rows.count))
      let rows = try moves.map { move in
        var row = EditOutcome.Row(customer: try customer(move.id), from: move.from, to: move.to)
        row.isMoved = true
        return row
      }
      outcome.append(rows, listing: most)
      outcome.count(moved: count - rows.count)
    }
    return outcome
  }

  /// The outcome of the latest edits, of many rows, which are read a few at a time.
  private func latestOutcome(
    _ sketch: StepSketch, _ log: EditLog, _ known: FoundCustomers?, listing most: Int, few: Int
  ) throws -> EditOutcome {
    var places: [CustomerID: CustomerPlace] = [:]
    if !sketch.movesRows, let known { places = known.places }
    try places.merge(self.places(of: sketch.slid.filter { places[$0] == nil })) { $1 }
    var past = try PastList(self, following: [], placesOf: [], entries: sketch.entries)
    var frame = OutcomeFrame(
      after: OutcomeState(outline: past.outline, customers: [:], places: places, entries: past.entries))
    try log.forEachBackwards(in: self, about: []) { try past.goBack($0, in: self) }
    frame.before = OutcomeState(outline: past.outline, customers: [:], places: [:], entries: past.entries)
    var outcome = frame.outcome(sketch)
    var rest = outcome.gather(sketch.parts(at: places))[...]
    while !rest.isEmpty {
      let some = rest.prefix(few)
      rest = rest.dropFirst(few)
      let shown = Set(some)
      var past = try PastList(
        self, sections: [], following: shown, placesOf: [],
        lines: sketch.lines.lazy.filter { shown.contains($0.customer) }.map(\.id))
      frame.after?.customers = past.customers
      frame.after?.lines = past.lines
      for edit in try log.edits(sketch.edits(of: some), in: self) { try past.goBack(edit, in: self) }
      frame.before?.customers = past.customers
      frame.before?.lines = past.lines
      outcome.append(frame.rows(some, sketch), listing: most)
    }
    return outcome
  }
}

extension Range<Int64> {
  /// The number of edits; the greatest number if there are more.
  var saturatingCount: Int {
    let (count, isTooFar) = upperBound.subtractingReportingOverflow(lowerBound)
    return isTooFar ? .max : Int(count)
  }
}

/// The list at a time, as far as a step is concerned.
private struct OutcomeState {
  let outline: ListOutline
  /// The customers of the step.
  var customers: [CustomerID: Customer]
  /// The places of some of them.
  var places: [CustomerID: CustomerPlace]
  /// The lines of the step, if they are in the log.
  var lines: [LogLineID: LogLine] = [:]
  /// The entries of the list, of the step too.
  var entries: [Int64: ListEntry] = [:]
}

/// The state of the list before and after a step.
private struct OutcomeFrame {
  var before: OutcomeState?
  var after: OutcomeState?

  /// The outcome without its rows.
  func outcome(_ sketch: StepSketch) -> EditOutcome {
    var outcome = EditOutcome(
      sections: sketch.sections, before: before?.outline ?? ListOutline([]),
      after: after?.outline ?? ListOutline([]))
    (outcome.columns, outcome.omitted) = (sketch.columns, sketch.omitted)
    outcome.entries = sketch.entries.map {
      EditOutcome.Entry(before: before?.entries[$0], after: after?.entries[$0])
    }
    .filter { $0.before != $0.after && !outcome.columns.contains(where: $0.follows) }
    return outcome
  }

  func rows(_ ids: some Sequence<CustomerID>, _ sketch: StepSketch) -> [EditOutcome.Row] {
    ids.compactMap { row($0, sketch) }.filter { $0.isChanged || sketch.names($0.id) }
  }

  private func row(_ id: CustomerID, _ sketch: StepSketch) -> EditOutcome.Row? {
    guard let new = after?.customers[id] else { return nil }
    let places = sketch.places(of: id, at: after?.places[id])
    guard let place = places.to ?? places.from else { return nil }
    var row = EditOutcome.Row(customer: new, from: places.from, to: places.to)
    row.customer.place = place
    row.isMoved = sketch.isMoved(id)
    // A row that was added or deleted has no other changes.
    if places.from != nil, places.to != nil, sketch.updated.contains(id), let old = before?.customers[id] {
      row.fields = new.fields.differences(from: old.fields)
      row.hasOtherRights = (new.canEdit, new.canMove) != (old.canEdit, old.canMove)
      row.lines = lines(sketch.lines.filter { $0.customer == id }.map(\.id))
      row.setBefore(old)
    }
    return row
  }

  /// What changed in lines of the log.
  private func lines(_ ids: [LogLineID]) -> [EditOutcome.Line] {
    ids.map { EditOutcome.Line(before: before?.lines[$0], after: after?.lines[$0]) }.filter {
      $0.before != $0.after
    }
  }
}

extension PastList {
  fileprivate func state(of sketch: StepSketch) -> OutcomeState {
    // A single step needs all that are tracked, so nothing is copied.
    guard sketch.customers.count < customers.count else {
      return OutcomeState(
        outline: outline, customers: customers, places: places, lines: lines, entries: entries)
    }
    var state = OutcomeState(outline: outline, customers: [:], places: [:], lines: lines, entries: entries)
    for id in sketch.customers {
      state.customers[id] = customers[id]
      state.places[id] = places[id]
    }
    return state
  }
}

extension CustomerList {
  /// Looks up whether a transaction was committed, by its token.
  ///
  /// A file keeps the receipts of the latest 10,000 transactions, even if the history forgets them. A token
  /// older than those is `unknown`; its age is judged by the clocks of the programs. O(10,000)
  package func outcome(of token: TransactionToken) throws -> TransactionOutcome {
    if try receipt(of: token) != nil { return .committed }
    let oldest = try connection.fetchOne(
      "SELECT id, CAST((julianday(at) - 2440587.5) * 86400000 AS INTEGER) FROM receipt ORDER BY id LIMIT 1"
    ) { (id: $0.integer(0), milliseconds: $0.integer(1)) }
    guard let oldest, oldest.id > 1 else { return .notCommitted }
    guard let made = token.milliseconds, made > oldest.milliseconds else { return .unknown }
    return .notCommitted
  }
}

extension CustomerList {
  /// Labels the receipt of this transaction, before its first edit, with what later calls shall know of it.
  package func labelReceipt(_ label: String) { recorder.label(label) }

  /// Drops the receipt of this transaction, which has no edit: the next step is not what it did.
  package func withdrawReceipt() throws { if recorder.isOpen { try recorder.abandon(connection) } }

  /// The label in the receipt of a committed transaction, empty if it has none; nil if there is no receipt. O(10,000)
  package func receipt(of token: TransactionToken) throws -> String? {
    // A comma is the next character after a plus.
    try connection.fetchOne(
      "SELECT token FROM receipt WHERE token = ?1 OR (token > ?1 || '+' AND token < ?1 || ',') LIMIT 1",
      [.text(token.rawValue)]
    ) { String($0.text(0).dropFirst(token.rawValue.count + 1)) }
  }

  /// The token of the last transaction that left a receipt; nil if another program wrote all of the list.
  func lastReceipt() throws -> TransactionToken? {
    try connection.fetchOne("SELECT token FROM receipt ORDER BY id DESC LIMIT 1") {
      TransactionToken(rawValue: $0.text(0))
    }
  }
}

extension CustomerStore {
  /// Looks up whether a transaction was committed, and prevents it from being committed later.
  ///
  /// Use it when the connection to a `customers` that makes the change was lost: it may still be running. It
  /// gives up, because this call has left a receipt in the file. O(10,000)
  ///
  /// - Throws: `StoreError`; the outcome is then unknown.
  package func settle(_ token: TransactionToken) throws -> TransactionOutcome {
    try write(token: token.settlement) { list in try list.settle(token) }
  }

  /// The same, for tasks: it suspends instead of blocking a thread.
  ///
  /// - Throws: `StoreError`, `CancellationError`; the outcome is then unknown.
  package func settle(_ token: TransactionToken, busyTimeout: Duration) async throws -> TransactionOutcome {
    try await write(action: "", token: token.settlement, busyTimeout: busyTimeout) { list in
      try list.settle(token)
    }
  }
}

extension CustomerList {
  /// Refuses to continue with a transaction that `CustomerStore.settle` has reported as not committed.
  ///
  /// Call it at the beginning of the transaction.
  ///
  /// - Throws: `CancellationError` if the transaction was settled.
  package func refuseIfSettled(_ token: TransactionToken) throws {
    if try outcome(of: token.settlement) == .committed { throw CancellationError() }
  }

  /// Looks up whether a transaction was committed; if it was not, leaves a receipt in the file, although this
  /// transaction has no edits.
  fileprivate func settle(_ token: TransactionToken) throws -> TransactionOutcome {
    let outcome = try outcome(of: token)
    if outcome == .notCommitted { _ = try recorder.open(connection) }
    return outcome
  }
}

extension [ListChange] {
  /// Sets the places of updates, which the history does not record, from the places after the last of these
  /// changes.
  ///
  /// It goes back from there, change by change. O(changes × rows updated)
  mutating func setPlacesOfUpdates(now places: [CustomerID: CustomerPlace]) {
    var places = places
    let ids = Set(compactMap { if case .update(let id, _) = $0 { id } else { nil } })
    for index in indices.reversed() {
      if case .update(let id, _) = self[index] {
        self[index] = .update(id, at: places[id])
      } else {
        for id in ids { places[id] = self[index].placeBefore(places[id], of: id) }
      }
    }
  }
}

extension ListChange {
  /// The place of a row before this change, from its place after it; nil if it is not in the list.
  func placeBefore(_ place: CustomerPlace?, of id: CustomerID) -> CustomerPlace? {
    switch self {
    case .insert(let other, let at): other == id ? nil : place?.without(1, at: at)
    case .delete(let other, let from): other == id ? from : place?.with(1, at: from)
    case .move(let other, let from, let to): other == id ? from : place?.without(1, at: to).with(1, at: from)
    case .insertMany(let first, let count, let at):
      first.following(count, has: id) ? nil : place?.without(count, at: at)
    case .deleteMany(let first, let count, let from):
      first.following(count, has: id)
        ? CustomerPlace(section: from.section, order: from.order + Int(id.rawValue - first.rawValue))
        : place?.with(count, at: from)
    case .rows(let changes): changes.placeBefore(place, of: id)
    case .arrange(_, let moves): moves.first { $0.id == id }?.from ?? place
    case .update, .insertSection, .deleteSection, .moveSection, .updateSection, .column, .line, .entry: place
    }
  }
}

extension [RowChange] {
  /// The place of a row before these changes, from its place after them. O(changes)
  fileprivate func placeBefore(_ place: CustomerPlace?, of id: CustomerID) -> CustomerPlace? {
    if let change = first(where: { $0.id == id }) { return change.from }
    guard let place else { return nil }
    let came = count { $0.to.map { $0.section == place.section && $0.order < place.order } ?? false }
    var order = place.order - came
    for left in compactMap(\.from).filter({ $0.section == place.section }).map(\.order).sorted()
    where left <= order {
      order += 1
    }
    return CustomerPlace(section: place.section, order: order)
  }
}

extension CustomerID {
  /// Whether an id is in a run of consecutive ids.
  fileprivate func following(_ count: Int, has id: CustomerID) -> Bool {
    (rawValue..<rawValue + Int64(count)).contains(id.rawValue)
  }
}

extension CustomerPlace {
  /// The place after removing that many other rows at `place`.
  fileprivate func without(_ count: Int, at place: CustomerPlace) -> CustomerPlace {
    guard place.section == section, place.order < order else { return self }
    return CustomerPlace(section: section, order: order - count)
  }

  /// The place after inserting that many rows at `place`.
  fileprivate func with(_ count: Int, at place: CustomerPlace) -> CustomerPlace {
    guard place.section == section, place.order <= order else { return self }
    return CustomerPlace(section: section, order: order + count)
  }
}
