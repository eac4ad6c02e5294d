/// The log's entries for a step, before the state of the list at that time is known.
struct StepSketch {
  let edits: Range<Int64>
  /// The rows to describe one by one: their places before and after the step.
  private(set) var rows: [CustomerID: (from: CustomerPlace?, to: CustomerPlace?)] = [:]
  /// The rows whose fields or rights changed, at any place.
  private(set) var updated: Set<CustomerID> = []
  /// Long runs of added or deleted rows.
  private(set) var blocks: [EditOutcome.Run] = []
  private(set) var sections: [SectionID] = []
  private(set) var columns: [EditOutcome.Column] = []
  /// The number of changes that are only counted.
  private(set) var omitted = 0
  private var tracker = PlaceTracker()
  /// The rows that the step did not touch.
  private var untouched: (before: StayerCount, after: StayerCount) = (StayerCount(), StayerCount())

  /// A step with more edits than will be described.
  init(omitting edits: Range<Int64>) {
    self.edits = edits
    omitted = edits.saturatingCount
  }

  /// Creates a sketch of these changes; if more than `limit` rows differ, they are only counted.
  init(_ edits: Range<Int64>, _ changes: [ListChange], limit: Int) {
    self.edits = edits
    for change in changes {
      tracker.follow(change)
      if case .update(let id, _) = change { updated.insert(id) }
      if case .column(let from, let to) = change { follow(EditOutcome.Column(from: from, to: to)) }
      if let section = change.section, !sections.contains(section) { sections.append(section) }
    }
    gatherRows(limit: limit)
    if !rows.isEmpty { untouched = tracker.untouched }
  }

  /// The customers needed to describe the step.
  var customers: Set<CustomerID> { updated.union(rows.keys) }

  /// The customers whose places are not in the log.
  var slid: Set<CustomerID> { updated.subtracting(rows.keys) }

  /// Whether a row whose places differ was moved or only shifted. O(log rows)
  func isMoved(_ id: CustomerID) -> Bool {
    guard let row = rows[id], let from = row.from, let to = row.to else { return false }
    guard from == to, tracker.touches(id) else { return from != to }
    // It is back where it was, but others moved past it.
    return untouched.before.stayers(before: from) != untouched.after.stayers(before: to)
  }

  private mutating func follow(_ column: EditOutcome.Column) {
    if let index = columns.firstIndex(where: { $0.to != nil && $0.to == column.from }) {
      columns[index].to = column.to
      if columns[index].from == columns[index].to { columns.remove(at: index) }
    } else {
      columns.append(column)
    }
  }

  private mutating func gatherRows(limit: Int) {
    let (before, after) = (tracker.originBlocks, tracker.placeBlocks)
    let ids = (before: RangeSet(before.map(\.ids)), after: RangeSet(after.map(\.ids)))
    let staying = ids.before.intersection(ids.after)
    func pieces(_ blocks: [RowBlock], _ without: RangeSet<Int64>) -> [RowBlock] {
      blocks.flatMap { block in
        RangeSet(block.ids).subtracting(without).ranges.map {
          RowBlock(first: $0.lowerBound, count: $0.count, place: block.place(of: $0.lowerBound))
        }
      }
    }
    let (left, came) = (pieces(before, staying), pieces(after, staying))
    let known = (left + came).filter { $0.count <= EditOutcome.runLength }.reduce(0) { $0 + $1.count }
    for piece in left where piece.count > EditOutcome.runLength {
      blocks.append(.init(first: piece.id, count: piece.count, from: piece.place, to: nil))
      updated = updated.filter { !piece.ids.contains($0.rawValue) }
    }
    for piece in came where piece.count > EditOutcome.runLength {
      blocks.append(.init(first: piece.id, count: piece.count, from: nil, to: piece.place))
      updated = updated.filter { !piece.ids.contains($0.rawValue) }
    }
    let count = known + staying.ranges.reduce(0) { $0 + $1.count } + updated.count
    guard count <= limit else {
      (omitted, updated) = (count, [])
      return
    }
    for piece in left where piece.count <= EditOutcome.runLength {
      for (id, place) in piece.places { rows[id] = (place, nil) }
    }
    for piece in came where piece.count <= EditOutcome.runLength {
      for (id, place) in piece.places { rows[id] = (nil, place) }
    }
    for (block, isBefore) in before.map({ ($0, true) }) + after.map({ ($0, false) }) {
      for range in RangeSet(block.ids).intersection(staying).ranges {
        for id in range {
          let place = block.place(of: id)
          let known = rows[CustomerID(rawValue: id)]
          rows[CustomerID(rawValue: id)] = isBefore ? (place, known?.to) : (known?.from, place)
        }
      }
    }
  }
}

extension RowBlock {
  fileprivate var id: CustomerID { CustomerID(rawValue: first) }
}
