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
  /// - Throws: `StoreError`.
  /// - Complexity: O(edits since the step × rows that it updated).
  public func outcome(of step: HistoryStep, limit: Int = 1000) throws -> EditOutcome {
    try outcomes(of: [step], limit: limit)[0]
  }

  /// Returns the changes of each of several steps; faster than one call per step.
  package func outcomes(of steps: [HistoryStep], limit: Int = 1000) throws -> [EditOutcome] {
    try outcomes(ofEdits: steps.map(\.edits), limit: limit)
  }

  /// Returns what the edits after a number did, which this transaction has just written.
  ///
  /// - Parameters:
  ///   - edit: the number of the last edit before them.
  ///   - named: rows and sections to describe even if nothing about them changed.
  ///   - known: customers that were read before these edits, which saves reading them again.
  ///   - limit: the maximum number of edits, and of rows, to describe.
  /// - Returns: the outcome.
  /// - Throws: `StoreError`.
  func outcome(
    after edit: Int64, naming named: NamedRows = NamedRows(), known: [CustomerID: Customer] = [:],
    limit: Int = .max
  ) throws -> EditOutcome {
    try outcomes(
      ofEdits: [edit.saturatingAdding(1)..<Int64.max], naming: named, known: known, limit: limit)[0]
  }

  /// Returns the changes of the edits in each of several ranges of numbers.
  func outcomes(
    ofEdits ranges: [Range<Int64>], naming named: NamedRows = NamedRows(),
    known: [CustomerID: Customer] = [:], limit: Int = 1000
  ) throws -> [EditOutcome] {
    let log = try EditLog(from: ranges.map(\.lowerBound).min() ?? .max, in: self)
    let sketches = try ranges.map { edits in
      switch try log.changes(in: edits, limit: limit, in: self) {
      case .all(let changes): StepSketch(changes, naming: named, limit: limit)
      case .tooMany(let count): StepSketch(omitting: count)
      }
    }
    let updated: Set<CustomerID> = sketches.reduce(into: []) { $0.formUnion($1.updated) }
    var past = try PastList(
      self, following: sketches.reduce(into: []) { $0.formUnion($1.customers) },
      placesOf: sketches.reduce(into: []) { $0.formUnion($1.slid) },
      known: known.filter { !updated.contains($0.key) })
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
    try log.forEachBackwards(in: self) { edit in
      look(at: edit.number)
      try past.goBack(edit, in: self)
    }
    look(at: .min)
    return zip(sketches, frames).map { sketch, frame in frame.outcome(sketch) }
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
}

/// The state of the list before and after a step.
private struct OutcomeFrame {
  var before: OutcomeState?
  var after: OutcomeState?

  func outcome(_ sketch: StepSketch) -> EditOutcome {
    let rows = sketch.customers.compactMap { row($0, sketch) }.filter { $0.isChanged || sketch.names($0.id) }
    var outcome = EditOutcome(
      rows, blocks: sketch.blocks, sections: sketch.sections, before: before?.outline ?? ListOutline([]),
      after: after?.outline ?? ListOutline([]))
    (outcome.columns, outcome.omitted) = (sketch.columns, sketch.omitted)
    return outcome
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
      row.setBefore(old)
    }
    return row
  }
}

extension PastList {
  fileprivate func state(of sketch: StepSketch) -> OutcomeState {
    // A single step needs all that are tracked, so nothing is copied.
    guard sketch.customers.count < customers.count else {
      return OutcomeState(outline: outline, customers: customers, places: places)
    }
    var state = OutcomeState(outline: outline, customers: [:], places: [:])
    for id in sketch.customers {
      state.customers[id] = customers[id]
      state.places[id] = places[id]
    }
    return state
  }
}
