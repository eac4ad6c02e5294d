/// The changes of an edit or of a history step: row by row, with the places before and after it.
///
/// The same edit has the same outcome however it is made: alone, in a script, in a batch, as a dry run,
/// by undo or redo. Rows that only shift because of others are not listed.
public struct EditOutcome: Hashable, Sendable {
  /// A row that the edit named, even if nothing about it changed.
  public struct Row: Hashable, Sendable {
    /// The customer after the edit; if deleted, as it was before.
    public var customer: Customer
    /// The place before the edit; nil if the row was added.
    public var from: CustomerPlace?
    /// The place after the edit; nil if the row was deleted.
    public var to: CustomerPlace?
    /// Whether the row was moved; if it was not and its places differ, it only shifted.
    package var isMoved = false
    /// The fields that changed.
    package var fields: [CustomerField] = []
    /// The customer before the edit, if fields or protection changed.
    package var before: Customer?
    /// Whether the protection changed.
    package var hasOtherRights = false
    /// The lines of its log that were added, deleted, or changed.
    package var lines: [Line] = []

    /// The customer's id.
    package var id: CustomerID { customer.id }

    /// Whether the row changed in any way other than a shift.
    package var isChanged: Bool {
      from == nil || to == nil || isMoved || !fields.isEmpty || hasOtherRights || !lines.isEmpty
    }
  }

  /// A line of a log that was added, deleted, or changed.
  package struct Line: Hashable, Sendable {
    /// The line before the edit; nil if it was added.
    package var before: LogLine?
    /// The line after the edit; nil if it was deleted.
    package var after: LogLine?
  }

  /// More than `runLength` rows with consecutive ids that were added at consecutive places, or deleted from
  /// them.
  package struct Run: Hashable, Sendable {
    /// The first customer.
    package var first: CustomerID
    /// The number of customers.
    package var count: Int
    /// The place of the first one before the edit; nil if they were added.
    package var from: CustomerPlace?
    /// The place of the first one after the edit; nil if they were deleted.
    package var to: CustomerPlace?
  }

  /// A section that the edit named.
  package struct Section: Hashable, Identifiable, Sendable {
    /// The section before the edit; nil if it is new.
    package var before: CustomerSection?
    /// The section after the edit; nil if it was deleted.
    package var after: CustomerSection?
    /// The section's id.
    package let id: SectionID

    /// Whether anything but its number of rows changed.
    package var isChanged: Bool {
      before?.title != after?.title || before?.footer != after?.footer || before?.order != after?.order
    }
  }

  /// An extra column that was renamed, dropped, or restored.
  package struct Column: Hashable, Sendable {
    /// The name before the edit; nil if the column was restored.
    package var from: String?
    /// The name after the edit; nil if the column was dropped.
    package var to: String?
  }

  /// A declared column, a setting, or a person that was added, deleted, or changed.
  package struct Entry: Hashable, Sendable {
    /// The entry before the edit; nil if it was added.
    package var before: ListEntry?
    /// The entry after the edit; nil if it was deleted.
    package var after: ListEntry?

    /// The entry after the edit; if deleted, before it.
    package var either: ListEntry? { after ?? before }

    /// Whether it is the declaration of an extra column that only got the new name of its column, or went with it.
    func follows(_ column: Column) -> Bool {
      guard let before, before.kind == .column, before.name == column.from else { return false }
      var renamed = before
      renamed.name = column.to ?? ""
      return after == (column.to == nil ? nil : renamed)
    }
  }

  /// Up to this many rows are listed one by one; more are a run.
  package static let runLength = 100

  /// The rows, deleted ones first, each in list order.
  public var rows: [Row] = []
  /// Long runs of added or deleted rows.
  package var runs: [Run] = []
  /// The sections, in the order in which they were named.
  package var sections: [Section] = []
  /// The columns that were renamed, dropped, or restored.
  package var columns: [Column] = []
  /// The declared columns, settings, and persons.
  package var entries: [Entry] = []
  /// The outline of the list before the edit, which converts `from` to a position in the whole list.
  package var before: ListOutline
  /// The outline of the list after the edit, which converts `to` to a position in the whole list.
  package var after: ListOutline
  /// The number of edits, or rows, of a long step that are not described here.
  package var omitted = 0
  /// Whether it is about one customer only, so that a section which came or went with it says nothing.
  package var isOfOneRow = false
  /// The rows after those that a brief report shows.
  package private(set) var rest = Rest()

  /// Rows that are only counted.
  package struct Rest: Hashable, Sendable {
    package var rows = 0
    /// How often each was done, of what a report would list.
    package var operations: [Change.Operation: Int] = [:]
    package var changes: Int { operations.values.reduce(0, +) }
    package var unmoved = 0
    package var sameRights = 0
    fileprivate var isChanged = false
    /// The changes of the rows before them.
    fileprivate var listed = 0
  }

  /// Whether nothing changed.
  package var isEmpty: Bool {
    !rows.contains(where: \.isChanged) && !rest.isChanged && runs.isEmpty
      && !sections.contains(where: \.isChanged) && columns.isEmpty && entries.isEmpty && omitted == 0
  }

  /// Creates an outcome without rows.
  init(sections: [SectionID] = [], before: ListOutline, after: ListOutline) {
    (self.before, self.after) = (before, after)
    self.sections = sections.map { id in
      Section(before: before.section(id), after: after.section(id), id: id)
    }.filter { $0.before != nil || $0.after != nil }
  }

  /// Adds the long runs of rows that were added or deleted.
  ///
  /// - Parameter parts: single rows and runs, in any order.
  /// - Returns: the other rows in their order.
  mutating func gather(_ parts: [Run]) -> [CustomerID] {
    var keys = parts.enumerated().map { index, part in
      let position = part.to.map(after.position) ?? part.from.map(before.position) ?? 0
      return (index: index, isHere: part.to == nil ? 0 : 1, position: position)
    }
    var ids: [CustomerID] = []
    keys.sort { ($0.isHere, $0.position) < ($1.isHere, $1.position) }
    var rest = keys[...]
    while let first = rest.first {
      var run = parts[first.index]
      var size = 1
      while let next = rest.dropFirst(size).first, run.append(parts[next.index]) { size += 1 }
      if run.count > EditOutcome.runLength {
        runs.append(run)
      } else {
        ids += rest.prefix(size).map { parts[$0.index].first }
      }
      rest = rest.dropFirst(size)
    }
    return ids
  }

  /// Adds the next rows, in their order.
  ///
  /// Once the rows have `most` changes, others are counted, apart from the first that was not moved and the first whose
  /// protection is the same: a report may name them.
  mutating func append(_ new: [Row], listing most: Int) {
    guard most < .max else { return rows += new }
    for row in new {
      let operations = comesWithSection(row) ? [] : operations(row)
      let changes = operations.count
      if changes > 0 && rest.listed < most || !row.isMoved && rows.allSatisfy(\.isMoved)
        || !row.hasOtherRights && rows.allSatisfy(\.hasOtherRights)
      {
        rows.append(row)
        rest.listed += changes
      } else {
        rest.rows += 1
        for operation in operations { rest.operations[operation, default: 0] += 1 }
        rest.unmoved += row.isMoved ? 0 : 1
        rest.sameRights += row.hasOtherRights ? 0 : 1
        rest.isChanged = rest.isChanged || row.isChanged
      }
    }
  }

  /// Counts rows that were moved, after those that a brief report shows.
  mutating func count(moved rows: Int) {
    rest.rows += rows
    rest.operations[.move, default: 0] += rows
    rest.sameRights += rows
    rest.isChanged = rest.isChanged || rows > 0
  }

  /// Whether a row was added or deleted with its section, which is what a report says.
  package func comesWithSection(_ row: Row) -> Bool {
    guard !isOfOneRow else { return false }
    return switch (row.from, row.to) {
    case (let from?, nil): after.section(from.section) == nil
    case (nil, let to?): before.section(to.section) == nil
    default: false
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
    (outcome.sections, outcome.omitted, outcome.isOfOneRow) = ([], 0, true)
    return outcome.isEmpty ? nil : outcome
  }
}

extension EditOutcome.Run {
  /// Adds rows with later ids and places that were added or deleted together with these.
  ///
  /// - Returns: whether they belong to this run.
  fileprivate mutating func append(_ next: Self) -> Bool {
    guard (from == nil) != (to == nil), isFollowed(by: next.first, next.from, next.to) else { return false }
    count += next.count
    return true
  }

  /// Whether a row is the next one, before and after the change.
  ///
  /// A damaged file may have any numbers.
  func isFollowed(by id: CustomerID, _ oldPlace: CustomerPlace?, _ newPlace: CustomerPlace?) -> Bool {
    func next(_ start: CustomerPlace?) -> CustomerPlace? {
      start.map { CustomerPlace(section: $0.section, order: $0.order &+ count) }
    }
    return id.rawValue == first.rawValue &+ Int64(count) && oldPlace == next(from) && newPlace == next(to)
  }
}

/// What was read to find the rows of an edit, in the same transaction and before any edit in it.
package struct FoundRows: Sendable {
  /// The sections, if all of them were read.
  package var outline: ListOutline?
  /// The customers that were named.
  package internal(set) var customers = FoundCustomers()
}

/// Customers that were read, by id.
package struct FoundCustomers: Sendable {
  /// An edit of more rows reads them again, a few at a time.
  static let few = 1000
  private var all: [Customer] = []
  private var indices: [CustomerID: Int] = [:]
  private var placesOfOthers: [CustomerID: CustomerPlace] = [:]

  package subscript(id: CustomerID) -> Customer? { indices[id].map { all[$0] } }

  /// The places that they had, also those of the ones that were let go.
  var places: [CustomerID: CustomerPlace] {
    all.isEmpty ? placesOfOthers : Dictionary(all.map { ($0.id, $0.place) }) { first, _ in first }
  }

  /// Adds customers; the first ones take no further memory.
  mutating func add(_ customers: [Customer]) {
    indices.reserveCapacity(all.count + customers.count)
    for (index, customer) in customers.enumerated() { indices[customer.id] = all.count + index }
    if all.isEmpty { all = customers } else { all += customers }
  }

  /// Adds a customer; of more than a few, only their places stay.
  mutating func add(_ customer: Customer) {
    guard placesOfOthers.isEmpty else { return placesOfOthers[customer.id] = customer.place }
    indices[customer.id] = all.count
    all.append(customer)
    letGo()
  }

  /// Takes all of them away, if they are these, in this order; of many, only their places stay.
  mutating func take(_ ids: [CustomerID]) -> [Customer]? {
    guard all.count == ids.count, zip(all, ids).allSatisfy({ $0.id == $1 }) else { return nil }
    defer { letGo() }
    return all
  }

  /// Keeps only the places, of more than a few.
  mutating func letGo() {
    guard all.count > FoundCustomers.few else { return }
    placesOfOthers = places
    (all, indices) = ([], [:])
  }
}

extension CustomerList {
  /// The customer with an id, read only if it was not found already.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  func customer(_ id: CustomerID, _ found: FoundRows?) throws -> Customer {
    try found?.customers[id] ?? customer(id)
  }

  /// Some customers, taken from those that were found already, or else read; nil if they are not to be read at once.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  func customers(_ ids: [CustomerID], takenFrom found: inout FoundRows?) throws -> [Customer]? {
    if let known = found?.customers.take(ids) { return known }
    return ids.count > FoundCustomers.few ? nil : try ids.map { try customer($0, found) }
  }

  /// The same, with its place and section.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  func row(_ id: CustomerID, _ found: FoundRows?) throws -> MovingRow {
    guard let place = found?.customers[id]?.place, let section = found?.outline?.section(place.section) else {
      return try row(id)
    }
    return MovingRow(id: id, place: place, section: section)
  }
}

/// Rows with consecutive ids at consecutive places.
struct RowBlock {
  /// The id of the first row.
  var first: Int64
  var count: Int
  /// The place of the first row.
  var place: CustomerPlace

  var ids: Range<Int64> { first..<first + Int64(count) }

  func place(of id: Int64) -> CustomerPlace {
    CustomerPlace(section: place.section, order: place.order + Int(id - first))
  }

  var places: [(CustomerID, CustomerPlace)] { ids.map { (CustomerID(rawValue: $0), place(of: $0)) } }
}

/// Tracks rows through changes of the list, without the list: where each row that a change names was before
/// all of them and where it is after them.
///
/// - Complexity: O(√changes) for a change of one row, O(changes + rows) for an arrangement.
struct PlaceTracker {
  private var sections: [SectionID: RowSegments] = [:]
  /// Where named rows were before all changes; rows added since are missing.
  private(set) var originBlocks: [RowBlock] = []
  /// The ids of rows that a change named for any reason other than a shift, as they were named.
  private var named: [Range<Int64>] = []

  /// Applies the next change.
  mutating func follow(_ change: ListChange) {
    switch change {
    case .insert(let id, let place): put(id, 1, at: place)
    case .delete(let id, let place): take(id, 1, from: place)
    case .move(let id, let from, let to):
      take(id, 1, from: from)
      put(id, 1, at: to)
    case .insertMany(let first, let count, let place): put(first, count, at: place)
    case .deleteMany(let first, let count, let place): take(first, count, from: place)
    case .rows(let changes):
      for run in changes.leaving { take(run.first, run.count, from: run.place) }
      for run in changes.arriving { put(run.first, run.count, at: run.place) }
    case .arrange(let section, let moves): arrange(moves, in: section)
    case .update, .insertSection, .deleteSection, .moveSection, .updateSection, .column, .line, .entry: break
    }
  }

  /// Where named rows are after all changes; deleted rows are missing.
  var placeBlocks: [RowBlock] {
    sections.flatMap { section, segments in
      var order = 1
      return segments.all.compactMap { segment -> RowBlock? in
        defer { order += segment.count }
        guard segment.original == nil else { return nil }
        return RowBlock(
          first: segment.id, count: segment.count, place: CustomerPlace(section: section, order: order))
      }
    }
  }

  /// The place before all changes of a row that no change named.
  func origin(of place: CustomerPlace) -> CustomerPlace {
    // The log of a damaged file may miss changes.
    let order = sections[place.section].map { $0.origin(of: place.order) ?? place.order }
    return CustomerPlace(section: place.section, order: order ?? place.order)
  }

  /// The rows of a section after all changes: runs of rows that no change named, with the place that the first one had
  /// before, and of others.
  func runs(of section: SectionID) -> [(origin: Int?, count: Int)] {
    (sections[section] ?? RowSegments()).all.map { ($0.original, $0.count) }
  }

  /// The places of named rows before all changes, one by one.
  var origins: [CustomerID: CustomerPlace] {
    Dictionary(originBlocks.flatMap(\.places)) { first, _ in first }
  }

  /// The places of named rows after all changes, one by one.
  var places: [CustomerID: CustomerPlace] { Dictionary(placeBlocks.flatMap(\.places)) { _, last in last } }

  /// Whether all named rows are where they were before all changes.
  var isIdentity: Bool {
    func count(_ blocks: [RowBlock]) -> Int { blocks.reduce(0) { $0 + $1.count } }
    // A million rows that came need not be looked up one by one.
    return count(originBlocks) == count(placeBlocks) && origins == places
  }

  /// The ids of rows that a change named for any reason other than a shift. O(changes log changes)
  var touched: IDRanges { IDRanges(joining: named) }

  /// Counts the rows before a place that are not `touched`: before all changes and after them.
  func untouched(_ touched: IDRanges) -> (before: UnmovedRowCount, after: UnmovedRowCount) {
    func count(_ blocks: [RowBlock]) -> UnmovedRowCount {
      UnmovedRowCount(
        without: blocks.flatMap { block in
          touched.parts(of: block.ids).map { ids in
            let first = block.place(of: ids.lowerBound).order
            return (section: block.place.section, orders: first..<first + ids.count)
          }
        })
    }
    return (count(originBlocks), count(placeBlocks))
  }

  private mutating func arrange(_ moves: [CustomerMove], in section: SectionID) {
    let leaving = moves.sorted { $0.from.order < $1.from.order }
    let left = sections[section, default: RowSegments()].arrange(leaving)
    for (move, segment) in zip(leaving, left) { note(segment, of: move.id, in: section) }
    // Rows that keep their relative order have only shifted.
    let inOrder = moves.sorted { $0.to.order < $1.to.order }
    let staying = Set(longestIncreasingSubsequence(inOrder.map(\.from.order)))
    for index in inOrder.indices where !staying.contains(index) { name(inOrder[index].id, 1) }
  }

  /// Removes rows with consecutive ids from their places.
  private mutating func take(_ first: CustomerID, _ count: Int, from place: CustomerPlace) {
    var id = first
    for segment in sections[place.section, default: RowSegments()].take(count, from: place.order) {
      note(segment, of: id, in: place.section)
      id.rawValue += Int64(segment.count)
    }
    name(first, count)
  }

  private mutating func put(_ first: CustomerID, _ count: Int, at place: CustomerPlace) {
    sections[place.section, default: RowSegments()].put(first.rawValue, count, at: place.order)
    name(first, count)
  }

  /// Notes where rows were before all changes, if they are named for the first time.
  private mutating func note(_ segment: RowSegments.Segment, of first: CustomerID, in section: SectionID) {
    guard let original = segment.original else { return }
    originBlocks.append(
      RowBlock(
        first: first.rawValue, count: segment.count,
        place: CustomerPlace(section: section, order: original)))
  }

  private mutating func name(_ first: CustomerID, _ count: Int) {
    named.append(first.rawValue..<first.rawValue + Int64(count))
  }
}
