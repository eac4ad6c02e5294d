internal import CustomersSQLite

/// A transaction as a step of the history.
///
/// The author is written with the first edit, so that a transaction without edits writes nothing.
final class StepRecorder {
  /// The author of this transaction.
  private(set) var author = StepAuthor()
  /// Whether the author has been written.
  var isOpen = false
  /// The last step before those of this transaction, if a person makes them.
  private var lastStep: HistoryStep.ID?
  /// The titles of this transaction's sections, once one was compared with them.
  var titles: SectionTitles?

  func begin(by author: StepAuthor) {
    self.author = author
    isOpen = false
    titles = nil
  }

  /// Adds a label to the token in the receipt of the transaction, which has no edit yet.
  func label(_ label: String) { author.token.rawValue += "+" + label }

  /// Writes the author of the following edits and the receipt of the transaction.
  ///
  /// - Returns: whether this was the first time.
  func open(_ connection: Connection) throws -> Bool {
    guard !isOpen else { return false }
    isOpen = true
    lastStep =
      try author.person.isEmpty
      ? nil : connection.fetchOne("SELECT ifnull(max(id), 0) FROM history_step") { $0.integer(0) }
    try connection.beginTransaction(by: author)
    return true
  }

  func close(_ connection: Connection) throws {
    guard isOpen else { return }
    isOpen = false
    if let lastStep {
      try connection.execute(
        "UPDATE history_step SET person = ? WHERE id > ?", [.text(author.person), .integer(lastStep)])
    }
    try connection.endTransaction(by: author)
  }

  /// Reverts `open`: the edit was refused or changed nothing, and there may be no other.
  func abandon(_ connection: Connection) throws {
    isOpen = false
    try connection.execute("DELETE FROM receipt WHERE id = (SELECT max(id) FROM receipt)")
  }
}

extension CustomerList {
  func endStep() throws { try recorder.close(connection) }
}

extension Connection {
  /// Writes the receipt of a transaction.
  func beginTransaction(by author: StepAuthor) throws {
    try execute(
      "INSERT INTO begin_transaction VALUES (?, ?, ?, ?, ?)",
      [
        .text(author.token.rawValue), .text(author.program), .text(author.user), .text(author.host),
        .text(author.action),
      ])
  }

  /// Closes the step of a transaction.
  func endTransaction(by author: StepAuthor) throws {
    try executeLast("INSERT INTO end_transaction VALUES (?)", [.text(author.token.rawValue)])
  }
}

/// The author of a transaction and its name in the history.
struct StepAuthor: Sendable {
  var program = ""
  var user = ""
  var person = ""
  var host = ""
  var action = ""
  var token = TransactionToken()

  /// An unknown author.
  init() {}

  /// A program with these options, and the action that it was asked for.
  init(_ options: CustomerStore.Options, action: String, token: TransactionToken = TransactionToken()) {
    (program, user, person, host) = (options.program, options.user, options.person, options.host)
    (self.action, self.token) = (action, token)
  }
}

/// The rows and sections that an edit names; its outcome lists them even if nothing about them changed.
struct NamedRows {
  var customers: [CustomerID] = []
  var sections: [SectionID] = []
}

/// The log's entries for a step, before the state of the list at that time is known.
struct StepSketch {
  /// The rows to describe one by one: their places before and after the step.
  private(set) var rows: [CustomerID: (from: CustomerPlace?, to: CustomerPlace?)] = [:]
  /// The rows whose fields or protection changed, at any place.
  private(set) var updated: Set<CustomerID> = []
  /// The customers needed to describe the step.
  private(set) var customers: Set<CustomerID> = []
  /// Long runs of added or deleted rows.
  private(set) var blocks: [EditOutcome.Run] = []
  private(set) var sections: [SectionID] = []
  private(set) var columns: [EditOutcome.Column] = []
  /// The lines of logs that the step changed, each once.
  private(set) var lines: [(id: LogLineID, customer: CustomerID)] = []
  /// The entries of the list that the step changed, each once.
  private(set) var entries: [Int64] = []
  /// The number of changes that are only counted.
  private(set) var omitted = 0
  /// The rows that are described even if nothing about them changed.
  private let named: Set<CustomerID>
  /// The edits that updated customers, by customer, and those that updated a column of many.
  private var updates: [(id: CustomerID, edit: Int64)] = []
  private var columnEdits: [Int64] = []
  private var tracker = PlaceTracker()
  /// The rows that the step named for any reason other than a shift and how many others are before a place.
  private var touched = IDRanges()
  private var untouched: (before: UnmovedRowCount, after: UnmovedRowCount) = (
    UnmovedRowCount(), UnmovedRowCount()
  )

  /// A step with more edits than will be described.
  init(omitting edits: Int) { (omitted, named) = (edits, []) }

  /// Creates a sketch of these changes; if more than `limit` rows differ, they are only counted.
  init(
    _ changes: [(edit: Int64, change: ListChange)], naming named: NamedRows = NamedRows(), limit: Int
  ) {
    self.named = Set(named.customers)
    var known: Set<SectionID> = []
    var knownLines: Set<LogLineID> = []
    for (edit, change) in changes {
      tracker.follow(change)
      if case .update(let id, _) = change {
        updated.insert(id)
        updates.append((id, edit))
      }
      if case .line(let line, let id, _) = change {
        if knownLines.insert(line).inserted { lines.append((line, id)) }
        updated.insert(id)
        updates.append((id, edit))
      }
      if case .entry(let id, _) = change, !entries.contains(id) { entries.append(id) }
      if case .column(let from, let to) = change {
        follow(EditOutcome.Column(from: from, to: to))
        columnEdits.append(edit)
      }
      if let section = change.section, known.insert(section).inserted { sections.append(section) }
    }
    sections += named.sections.filter { known.insert($0).inserted }
    updates.sort { ($0.id, $0.edit) < ($1.id, $1.edit) }
    gatherRows(limit: limit)
    customers = updated.union(self.named).union(rows.keys)
    if rows.isEmpty { return }
    touched = tracker.touched
    untouched = tracker.untouched(touched)
  }

  /// Whether a row may have another place after the step.
  var movesRows: Bool { !rows.isEmpty || !blocks.isEmpty }

  /// The customers whose places are not in the log.
  var slid: Set<CustomerID> { updated.union(named).subtracting(rows.keys) }

  /// The places of a row before and after the step; `place` is the one after it, if that is not in the log.
  func places(of id: CustomerID, at place: CustomerPlace?) -> (from: CustomerPlace?, to: CustomerPlace?) {
    rows[id] ?? (place.map(tracker.origin), place)
  }

  /// The rows to describe one by one and the long runs, given the places of `slid` after the step.
  func parts(at places: [CustomerID: CustomerPlace]) -> [EditOutcome.Run] {
    var parts = blocks
    parts.reserveCapacity(blocks.count + customers.count)
    for id in customers {
      let (from, to) = self.places(of: id, at: places[id])
      if from != nil || to != nil { parts.append(.init(first: id, count: 1, from: from, to: to)) }
    }
    return parts
  }

  /// The numbers of the edits that gave some of its customers other fields or another protection, in ascending order.
  func edits(of customers: some Sequence<CustomerID>) -> [Int64] {
    let own = customers.flatMap { id in
      updates[updates.partitionIndex { $0.id >= id }...].prefix { $0.id == id }.map(\.edit)
    }
    return (own + columnEdits).sorted()
  }

  /// Whether the step named a row, so that it is described in any case.
  func names(_ id: CustomerID) -> Bool { named.contains(id) }

  /// Whether a row whose places differ was moved or only shifted. O(log rows)
  func isMoved(_ id: CustomerID) -> Bool {
    guard let row = rows[id], let from = row.from, let to = row.to else { return false }
    guard from == to, touched.contains(id.rawValue) else { return from != to }
    // It is back where it was, but others moved past it.
    return untouched.before.unmovedRows(before: from) != untouched.after.unmovedRows(before: to)
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
    let staying = IDRanges(joining: before.map(\.ids)).intersection(IDRanges(joining: after.map(\.ids)))
    func pieces(_ blocks: [RowBlock]) -> [RowBlock] {
      blocks.flatMap { block in
        staying.gaps(in: block.ids).map { block.part($0) }
      }
    }
    let (left, came) = (pieces(before), pieces(after))
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
    for block in before {
      for ids in staying.parts(of: block.ids) {
        for (id, place) in block.part(ids).places { rows[id] = (place, nil) }
      }
    }
    for block in after {
      for ids in staying.parts(of: block.ids) {
        for (id, place) in block.part(ids).places { rows[id]?.to = place }
      }
    }
  }
}

extension RowBlock {
  fileprivate var id: CustomerID { CustomerID(rawValue: first) }

  /// The rows of the block with some of its ids.
  fileprivate func part(_ ids: Range<Int64>) -> RowBlock {
    RowBlock(first: ids.lowerBound, count: ids.count, place: place(of: ids.lowerBound))
  }
}
