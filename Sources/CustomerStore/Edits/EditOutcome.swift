/// What an edit, or a step of the history, changed: row by row, with the places before and after the
/// whole of it.
///
/// The same edit has the same outcome however it is made: alone, in a script, in a batch, as a dry run,
/// by undo or redo. Rows that only slide because of others are not named.
public struct EditOutcome: Hashable, Sendable {
  /// A row that was named by the edit, also if it has changed nothing about it.
  public struct Row: Hashable, Identifiable, Sendable {
    /// The customer afterwards; one that was deleted as it was.
    public var customer: Customer
    /// The place before the edit; nil if the row came in.
    public var from: Place?
    /// The place after the edit; nil if the row was deleted.
    public var to: Place?
    /// Whether the row was moved; otherwise it slid, if its places differ.
    public var isMoved = false
    /// The fields that have another value.
    public var fields: [CustomerField] = []
    /// Whether it has other rights.
    public var hasOtherRights = false

    /// The customer's id.
    public var id: CustomerID { customer.id }

    /// Whether anything about the row but a slide is different.
    public var isChanged: Bool { from == nil || to == nil || isMoved || !fields.isEmpty || hasOtherRights }
  }

  /// More than `runLength` rows with ids that follow each other, which came to places that follow each
  /// other, or left them.
  public struct Run: Hashable, Sendable {
    /// The first customer.
    public var first: CustomerID
    /// How many customers they are.
    public var count: Int
    /// The place of the first one before the edit; nil if they came in.
    public var from: Place?
    /// The place of the first one after the edit; nil if they were deleted.
    public var to: Place?
  }

  /// A section that was named by the edit.
  public struct Section: Hashable, Identifiable, Sendable {
    /// The section before the edit; nil if it is new.
    public var before: CustomerSection?
    /// The section after the edit; nil if it was deleted.
    public var after: CustomerSection?
    /// The section's id.
    public let id: SectionID

    /// Whether anything but its number of rows is different.
    public var isChanged: Bool {
      before?.title != after?.title || before?.footer != after?.footer || before?.order != after?.order
    }
  }

  /// Rows as many as this are named one by one; more are a run.
  public static let runLength = 100

  /// The rows, deleted ones first, each in list order.
  public var rows: [Row] = []
  /// The rows that came or left in great number.
  public var runs: [Run] = []
  /// The sections, in the order named.
  public var sections: [Section] = []
  /// The outline of the list before the edit, which turns `from` into a position of the whole list.
  public var before: Outline
  /// The outline of the list after the edit, which turns `to` into a position of the whole list.
  public var after: Outline
  /// How many edits of a long step are not described here.
  public var omitted = 0

  /// Whether nothing has changed.
  public var isEmpty: Bool {
    !rows.contains(where: \.isChanged) && runs.isEmpty && !sections.contains(where: \.isChanged)
      && omitted == 0
  }

  init(_ rows: [Row] = [], sections: [SectionID] = [], before: Outline, after: Outline) {
    (self.before, self.after) = (before, after)
    self.sections = sections.map { id in
      let before = before.sections.first { $0.id == id }
      return Section(before: before, after: after.sections.first { $0.id == id }, id: id)
    }.filter { $0.before != nil || $0.after != nil }
    let positions = rows.enumerated().map { index, row in
      (index, row.to == nil, row.to.map(after.position) ?? row.from.map(before.position) ?? 0)
    }
    let inOrder = positions.sorted { ($0.1 ? 0 : 1, $0.2) < ($1.1 ? 0 : 1, $1.2) }.map { rows[$0.0] }
    gather(inOrder)
  }

  /// Takes the rows in their order; those that make a long run, as that.
  private mutating func gather(_ inOrder: [Row]) {
    var rest = inOrder[...]
    while let first = rest.first {
      var count = 1
      while let next = rest.dropFirst(count).first, next.continues(first, after: count) { count += 1 }
      if count > EditOutcome.runLength {
        runs.append(Run(first: first.id, count: count, from: first.from, to: first.to))
      } else {
        rows += rest.prefix(count)
      }
      rest = rest.dropFirst(count)
    }
  }
}

extension EditOutcome.Row {
  /// Whether the row came or left with another one, as the row some ids and places after it.
  fileprivate func continues(_ first: EditOutcome.Row, after distance: Int) -> Bool {
    func follows(_ place: Place?, _ start: Place?) -> Bool {
      place == start.map { Place(section: $0.section, order: $0.order + distance) }
    }
    return (from == nil) != (to == nil) && id.rawValue == first.id.rawValue &+ Int64(distance)
      && follows(from, first.from) && follows(to, first.to)
  }
}
