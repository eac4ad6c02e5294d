internal import SQLite

extension CustomerList {
  /// What a step of the history changed: the outcome that the edit itself had.
  ///
  /// Names, fields and places are those of that time, whatever has happened since.
  ///
  /// - Parameters:
  ///   - step: a step of this list.
  ///   - limit: the maximum number of edits, and of rows, to describe; the rest of a longer step is only
  ///     counted.
  /// - Returns: the outcome, with the rows that changed.
  /// - Throws: `StoreError`.
  /// - Complexity: O(edits since the step × rows that it updated).
  public func outcome(of step: HistoryStep, limit: Int = 1000) throws -> EditOutcome {
    try outcomes(of: [step], limit: limit)[0]
  }

  /// What each of several steps changed; faster than asking for each.
  public func outcomes(of steps: [HistoryStep], limit: Int = 1000) throws -> [EditOutcome] {
    try outcomes(ofEdits: steps.map(\.edits), limit: limit)
  }

  /// What the edits in each of several ranges of numbers changed.
  public func outcomes(ofEdits ranges: [Range<Int64>], limit: Int = 1000) throws -> [EditOutcome] {
    try writePlan()
    let sketches = try ranges.map { edits in
      guard edits.count <= limit else { return StepSketch(omitting: edits) }
      let changes = try changes(from: edits.lowerBound, to: edits.upperBound, limit: limit)
      return StepSketch(edits, changes.map(\.change), limit: limit)
    }
    var past = try PastList(
      self, following: sketches.reduce(into: []) { $0.formUnion($1.customers) },
      placesOf: sketches.reduce(into: []) { $0.formUnion($1.slid) })
    var frames = [OutcomeFrame](repeating: OutcomeFrame(), count: ranges.count)
    func look(at number: Int64) {
      for (index, sketch) in sketches.enumerated() {
        frames[index].look(at: past, of: sketch, before: number)
      }
    }
    try forEachEditBackwards(from: ranges.map(\.lowerBound).min() ?? .max) { edit in
      look(at: edit.number)
      try past.goBack(edit, in: self)
    }
    look(at: .min)
    return zip(sketches, frames).map { sketch, frame in frame.outcome(sketch) }
  }
}

/// The state of the list before and after a step.
private struct OutcomeFrame {
  private var before: Outline?
  private var after: Outline?
  /// The customers of the step as they were before it, and their places.
  private var old: [CustomerID: (customer: Customer, place: Place?)] = [:]
  /// The same after it.
  private var new: [CustomerID: (customer: Customer, place: Place?)] = [:]

  /// Records the list after an edit before going back past it.
  mutating func look(at past: PastList, of sketch: StepSketch, before number: Int64) {
    if after == nil, sketch.edits.upperBound > number {
      (after, new) = (past.outline, past.picture(of: sketch))
    }
    if after != nil, before == nil, sketch.edits.lowerBound > number {
      (before, old) = (past.outline, past.picture(of: sketch))
    }
  }

  func outcome(_ sketch: StepSketch) -> EditOutcome {
    let rows = sketch.customers.compactMap { row($0, sketch) }.filter(\.isChanged)
    var outcome = EditOutcome(
      rows, blocks: sketch.blocks, sections: sketch.sections, before: before ?? Outline([]),
      after: after ?? Outline([]))
    (outcome.columns, outcome.omitted) = (sketch.columns, sketch.omitted)
    return outcome
  }

  private func row(_ id: CustomerID, _ sketch: StepSketch) -> EditOutcome.Row? {
    guard let new = new[id], let old = old[id] else { return nil }
    let places = sketch.rows[id] ?? (old.place, new.place)
    guard let place = places.to ?? places.from else { return nil }
    var row = EditOutcome.Row(customer: new.customer, from: places.from, to: places.to)
    row.customer.place = place
    row.isMoved = sketch.isMoved(id)
    // A row that was added or deleted has no other changes.
    if places.from != nil, places.to != nil, sketch.updated.contains(id) {
      row.fields = new.customer.fields.differences(from: old.customer.fields)
      row.hasOtherRights =
        (new.customer.canEdit, new.customer.canMove) != (old.customer.canEdit, old.customer.canMove)
    }
    return row
  }
}

extension PastList {
  fileprivate func picture(of sketch: StepSketch) -> [CustomerID: (customer: Customer, place: Place?)] {
    var picture: [CustomerID: (customer: Customer, place: Place?)] = [:]
    for id in sketch.customers {
      if let customer = customers[id] { picture[id] = (customer, places[id]) }
    }
    return picture
  }
}
