/// The changes of an edit or of a history step: row by row, with the places before and after it.
///
/// The same edit has the same outcome however it is made: alone, in a script, in a batch, as a dry run,
/// by undo or redo. Rows that only shift because of others are not listed.
public struct EditOutcome: Hashable, Sendable {
  /// A row that the edit named, even if nothing about it changed.
  public struct Row: Hashable, Identifiable, Sendable {
    /// The customer after the edit; if deleted, as it was before.
    public var customer: Customer
    /// The place before the edit; nil if the row was added.
    public var from: CustomerPlace?
    /// The place after the edit; nil if the row was deleted.
    public var to: CustomerPlace?
    /// Whether the row was moved; if it was not and its places differ, it only shifted.
    public var isMoved = false
    /// The fields that changed.
    public var fields: [CustomerField] = []
    /// The customer before the edit, if fields or protection changed.
    public var before: Customer?
    /// Whether the protection changed.
    public var hasOtherRights = false

    /// The customer's id.
    public var id: CustomerID { customer.id }

    /// Whether the row changed in any way other than a shift.
    public var isChanged: Bool { from == nil || to == nil || isMoved || !fields.isEmpty || hasOtherRights }
  }

  /// More than `runLength` rows with consecutive ids that were added at consecutive places, or deleted from
  /// them.
  public struct Run: Hashable, Sendable {
    /// The first customer.
    public var first: CustomerID
    /// The number of customers.
    public var count: Int
    /// The place of the first one before the edit; nil if they were added.
    public var from: CustomerPlace?
    /// The place of the first one after the edit; nil if they were deleted.
    public var to: CustomerPlace?
  }

  /// A section that the edit named.
  public struct Section: Hashable, Identifiable, Sendable {
    /// The section before the edit; nil if it is new.
    public var before: CustomerSection?
    /// The section after the edit; nil if it was deleted.
    public var after: CustomerSection?
    /// The section's id.
    public let id: SectionID

    /// Whether anything but its number of rows changed.
    public var isChanged: Bool {
      before?.title != after?.title || before?.footer != after?.footer || before?.order != after?.order
    }
  }

  /// An extra column that was renamed, dropped, or restored.
  public struct Column: Hashable, Sendable {
    /// The name before the edit; nil if the column was restored.
    public var from: String?
    /// The name after the edit; nil if the column was dropped.
    public var to: String?
  }

  /// Up to this many rows are listed one by one; more are a run.
  public static let runLength = 100

  /// The rows, deleted ones first, each in list order.
  public var rows: [Row] = []
  /// Long runs of added or deleted rows.
  public var runs: [Run] = []
  /// The sections, in the order in which they were named.
  public var sections: [Section] = []
  /// The columns that were renamed, dropped, or restored.
  public var columns: [Column] = []
  /// The outline of the list before the edit, which converts `from` to a position in the whole list.
  public var before: ListOutline
  /// The outline of the list after the edit, which converts `to` to a position in the whole list.
  public var after: ListOutline
  /// The number of edits, or rows, of a long step that are not described here.
  public var omitted = 0

  /// Whether nothing changed.
  public var isEmpty: Bool {
    !rows.contains(where: \.isChanged) && runs.isEmpty && !sections.contains(where: \.isChanged)
      && columns.isEmpty && omitted == 0
  }

  /// Creates an outcome from these rows and blocks, in any order.
  init(
    _ rows: [Row] = [], blocks: [Run] = [], sections: [SectionID] = [], before: ListOutline,
    after: ListOutline
  ) {
    (self.before, self.after) = (before, after)
    self.sections = sections.map { id in
      Section(before: before.section(id), after: after.section(id), id: id)
    }.filter { $0.before != nil || $0.after != nil }
    gather(rows.map { (Run($0), $0) } + blocks.map { ($0, nil) })
  }

  /// Adds the rows in their order, combining long runs.
  private mutating func gather(_ parts: [(run: Run, row: Row?)]) {
    let keys = parts.enumerated().map { index, part in
      let position = part.run.to.map(after.position) ?? part.run.from.map(before.position) ?? 0
      return (index: index, isHere: part.run.to == nil ? 0 : 1, position: position)
    }
    let inOrder = keys.sorted { ($0.isHere, $0.position) < ($1.isHere, $1.position) }.map { parts[$0.index] }
    var rest = inOrder[...]
    while let first = rest.first {
      var run = first.run
      var size = 1
      while let next = rest.dropFirst(size).first, run.append(next.run) { size += 1 }
      if run.count > EditOutcome.runLength {
        runs.append(run)
      } else {
        rows += rest.prefix(size).compactMap(\.row)
      }
      rest = rest.dropFirst(size)
    }
  }
}

extension EditOutcome.Row {
  /// Remembers the customer before the edit, if it had other fields or protection, at the place of the row then.
  mutating func setBefore(_ customer: Customer) {
    guard let from, !fields.isEmpty || hasOtherRights else { return }
    before = customer
    before?.place = from
  }
}

extension EditOutcome {
  /// What the step did to one customer; nil if it did nothing.
  package func only(_ id: CustomerID) -> EditOutcome? {
    var outcome = self
    outcome.rows = rows.filter { $0.id == id && $0.isChanged }
    outcome.runs = runs.filter {
      ($0.first.rawValue..<$0.first.rawValue + Int64($0.count)).contains(id.rawValue)
    }
    (outcome.sections, outcome.omitted) = ([], 0)
    return outcome.isEmpty ? nil : outcome
  }
}

extension EditOutcome.Run {
  fileprivate init(_ row: EditOutcome.Row) {
    self.init(first: row.id, count: 1, from: row.from, to: row.to)
  }

  /// Adds rows with later ids and places that were added or deleted together with these.
  ///
  /// - Returns: whether they belong to this run.
  fileprivate mutating func append(_ next: Self) -> Bool {
    func follows(_ place: CustomerPlace?, _ start: CustomerPlace?) -> Bool {
      place == start.map { CustomerPlace(section: $0.section, order: $0.order &+ count) }
    }
    guard (from == nil) != (to == nil), next.first.rawValue == first.rawValue &+ Int64(count),
      follows(next.from, from), follows(next.to, to)
    else { return false }
    count += next.count
    return true
  }
}
