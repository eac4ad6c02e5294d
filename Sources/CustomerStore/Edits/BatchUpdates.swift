/// Updates of a list that happen all at once, as in a table view.
///
/// The rule is that of UIKit's `performBatchUpdates`: deletes, updates, and the sources of moves use places of
/// the list **before** the batch; inserts and the destinations of moves use places of the list **after** it;
/// the order of the calls does not matter. It is as if all deleted and moved rows were taken out first, from
/// the last to the first, and then all inserted and moved rows were put in, each at its place, from the first
/// to the last.
///
/// Scripts and the API make them; an app edits one after another in a `write`.
///
/// A row may be moved and updated, and updated several times (in the order of the calls); other pairs of
/// operations on the same row conflict. A batch can't change sections.
@_spi(Tools) public struct BatchUpdates: Hashable, Sendable {
  /// A row of the list before the batch.
  package enum Source: Hashable, Sendable {
    /// The row at a place of a section, from 1.
    case place(Int, in: SectionID)
    /// The row of a customer.
    case customer(CustomerID)
  }

  /// A place of the list after the batch.
  ///
  /// Each place is used once. So if two rows go to the top, or to the end, of a section, the first call is
  /// above the second.
  package enum Target: Hashable, Sendable {
    /// A place of a section, from 1 to the number of rows that it has after the batch.
    case place(Int, in: SectionID)
    /// The top of a section.
    case first(in: SectionID)
    /// The end of a section.
    case last(in: SectionID)
  }

  /// One of the updates.
  package enum Operation: Hashable, Sendable {
    /// Delete a row.
    case delete(Source)
    /// Insert a new customer.
    case insert(CustomerFields, at: Target)
    /// Move a row to another place, in the same section or another one.
    case move(Source, to: Target)
    /// Change fields of a row.
    case update(Source, FieldChanges)
  }

  /// The operations in the order of the calls; errors identify them by their index (from 0).
  package private(set) var operations: [Operation] = []

  /// Creates a batch without operations.
  package init() {}

  /// Deletes a row.
  ///
  /// - Returns: the index of the operation, as all of these functions do.
  @discardableResult
  package mutating func delete(_ row: Source) -> Int { add(.delete(row)) }

  /// Inserts a customer.
  @discardableResult
  package mutating func insert(_ fields: CustomerFields, at target: Target) -> Int {
    add(.insert(fields, at: target))
  }

  /// Moves a row.
  @discardableResult
  package mutating func move(_ row: Source, to target: Target) -> Int { add(.move(row, to: target)) }

  /// Changes fields of a row.
  @discardableResult
  package mutating func update(_ row: Source, _ changes: FieldChanges) -> Int {
    add(.update(row, changes))
  }

  /// The updates with the values of declared columns in the form in which a list keeps them.
  ///
  /// - Throws: `KindError` for a value that is not of the kind of its column.
  func parsed(by kinds: ColumnKinds) throws -> BatchUpdates {
    var parsed = self
    parsed.operations = try operations.map { operation in
      switch operation {
      case .insert(let fields, let target):
        .insert(try fields.parsed(by: kinds, from: CustomerFields()), at: target)
      case .update(let source, let changes): .update(source, try changes.parsed(by: kinds))
      case .delete, .move: operation
      }
    }
    return parsed
  }

  /// The updates with customers for the rows that are named by their places.
  package func naming(_ customer: (CustomerPlace) throws -> CustomerID) throws -> BatchUpdates {
    func named(_ source: Source) throws -> Source {
      guard case .place(let order, let section) = source else { return source }
      return .customer(try customer(CustomerPlace(section: section, order: order)))
    }
    var updates = self
    updates.operations = try operations.map { operation in
      switch operation {
      case .delete(let source): .delete(try named(source))
      case .move(let source, let target): .move(try named(source), to: target)
      case .update(let source, let changes): .update(try named(source), changes)
      case .insert: operation
      }
    }
    return updates
  }

  /// What the updates of rows are as edits of their own, in the list before the batch; where they are moved to is not
  /// known.
  ///
  /// - Throws: `BatchError` for a row that is not there.
  package func edits(in list: borrowing CustomerList) throws -> [ListEdit] {
    try operations.enumerated().compactMap { index, operation in
      guard let source = operation.source else { return nil }
      let id: CustomerID
      if case .customer(let named) = source {
        id = named
      } else {
        id = try refusing(index, at: source) { try list.customer(source).id }
      }
      return switch operation {
      case .delete: .delete([id])
      case .move: .move([id], to: .last)
      case .update(_, let changes): .update([id], changes)
      case .insert: nil
      }
    }
  }

  private mutating func add(_ operation: Operation) -> Int {
    operations.append(operation)
    return operations.count - 1
  }
}

extension BatchUpdates.Operation {
  var source: BatchUpdates.Source? {
    switch self {
    case .delete(let source), .move(let source, _), .update(let source, _): source
    case .insert: nil
    }
  }

  var target: BatchUpdates.Target? {
    switch self {
    case .insert(_, let target), .move(_, let target): target
    case .delete, .update: nil
    }
  }
}

extension BatchUpdates.Target {
  var section: SectionID {
    switch self {
    case .place(_, let section), .first(let section), .last(let section): section
    }
  }
}

/// The result of a batch.
package struct BatchResult: Hashable, Sendable {
  /// The new customers, in the order of the calls.
  package var inserted: [CustomerID]
  /// The moves, in the order of the calls, with the places before and after the batch.
  package var moves: [CustomerMove]
}

extension BatchUpdates {
  /// Verifies that a table which displayed some rows and makes these updates displays the list as it is now.
  ///
  /// Only the final state counts, not when the list was changed. A new row is accepted wherever it was not
  /// displayed before.
  ///
  /// - Parameters:
  ///   - before: the customers of each section as the table displays them.
  ///   - after: the customers of the same sections in the list as it is now.
  /// - Throws: `BatchError.countDiffers` if a section has more or fewer rows than the updates lead to,
  ///   `rowDiffers` for the first row that differs; and the other errors of a batch.
  /// - Complexity: O(rows).
  package func check(before: [SectionID: [CustomerID]], after: [SectionID: [CustomerID]]) throws {
    let batch = try resolved(in: before)
    let change = try batch.rearrangement()
    let sections = change.sections
    let known = Set(before.values.joined())
    for section in Set(before.keys).union(after.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
      let (old, new) = (before[section, default: []], after[section, default: []])
      let places = sections[section] ?? SectionChange()
      guard new.count - old.count == places.taken.count - places.left.count else {
        throw BatchError.countDiffers(
          section, before: old.count, after: new.count, inserted: places.taken.count,
          deleted: places.left.count)
      }
      let expected = change.order(of: section, from: old, leaving: places.left)
      for (index, (expected, found)) in zip(expected, new).enumerated()
      where expected.map({ $0 != found }) ?? known.contains(found) {
        throw BatchError.rowDiffers(
          CustomerPlace(section: section, order: index + 1), expected: expected, found: found)
      }
    }
  }

  private func resolved(in before: [SectionID: [CustomerID]]) throws -> ResolvedBatch {
    var places: [CustomerID: CustomerPlace] = [:]
    for (section, ids) in before {
      for (index, id) in ids.enumerated() { places[id] = CustomerPlace(section: section, order: index + 1) }
    }
    func rows(of section: SectionID) throws -> [CustomerID] {
      guard let rows = before[section] else { throw ListError.noSuchSection(section) }
      return rows
    }
    return try ResolvedBatch(
      operations,
      row: { source in
        switch source {
        case .customer(let id):
          guard let place = places[id] else { throw ListError.noSuchCustomer(id) }
          return .init(id: id, place: place)
        case .place(let order, let section):
          let rows = try rows(of: section)
          guard order >= 1, order <= rows.count else {
            throw ListError.placeOutOfRange(asked: order, allowed: 1..<rows.count + 1)
          }
          return .init(id: rows[order - 1], place: CustomerPlace(section: section, order: order))
        }
      }, count: { try rows(of: $0).count })
  }
}

extension Rearrangement {
  /// The customers of a section after the updates, given those before; nil for a new one.
  fileprivate func order(of section: SectionID, from before: [CustomerID], leaving: [Int]) -> [CustomerID?] {
    let leaving = Set(leaving)
    let staying = before.enumerated().filter { !leaving.contains($0.offset + 1) }
    let coming = arrivals.filter { $0.place.section == section }
    let others = coming.map { arrival -> (row: CustomerID?, order: Int) in
      switch arrival.row {
      case .customer(let id, _): (id, arrival.place.order)
      case .new: (nil, arrival.place.order)
      }
    }
    return staying.map { .some($0.element) }.interleaved(with: others)
  }
}

extension CustomerList {
  /// Makes several updates at once.
  ///
  /// Rows are named by their places **before** the batch and get places as they are **after** it; see
  /// `BatchUpdates`.
  ///
  /// - Returns: the new customers and the moves made.
  /// - Throws: `BatchError`, and nothing is changed.
  /// - Complexity: O(operations log operations), independent of the length of the list.
  @discardableResult
  package mutating func performBatchUpdates(_ updates: BatchUpdates) throws -> BatchResult {
    let batch = try ResolvedBatch(
      updates.operations, row: { try row($0) }, count: { try section($0).count })
    let change = try batch.rearrangement()
    let inserted = try atomically {
      for (operation, id) in batch.updates {
        guard case .update(_, let changes) = updates.operations[operation] else { continue }
        try refusing(operation) { _ = try revise(customer(id)) { $0.fields.set(changes) } }
      }
      if let (operation, row) = batch.deletes.first(where: { !$0.row.canEdit }) {
        throw BatchError.refused(operation: operation, .editForbidden(row.id))
      }
      return try write(change, inserting: updates.newCustomers)
    }
    let moves = batch.moves.map { CustomerMove(id: $0.row.id, from: $0.row.place, to: $0.place) }
    return BatchResult(inserted: inserted, moves: moves)
  }

  /// Makes the updates that `body` collects, as `performBatchUpdates(_:)` does.
  @discardableResult
  package mutating func performBatchUpdates(
    _ body: (inout BatchUpdates) throws -> Void
  ) throws -> BatchResult {
    var updates = BatchUpdates()
    try body(&updates)
    return try performBatchUpdates(updates)
  }

  /// The customer named by an operation, before the batch.
  func customer(_ source: BatchUpdates.Source) throws -> Customer {
    switch source {
    case .place(let order, let section): try customer(at: order, in: section)
    case .customer(let id): try customer(id)
    }
  }

  private func row(_ source: BatchUpdates.Source) throws -> ResolvedBatch.BatchRow {
    let customer = try customer(source)
    return ResolvedBatch.BatchRow(
      id: customer.id, place: customer.place, canEdit: customer.canEdit, canMove: customer.canMove)
  }
}

extension BatchUpdates {
  /// The inserted customers, in the order of the calls.
  fileprivate var newCustomers: [CustomerFields] {
    operations.compactMap { if case .insert(let fields, _) = $0 { fields } else { nil } }
  }
}

/// Why a batch of updates was refused.
///
/// Nothing has changed. Operations are identified by their index (from 0) in `BatchUpdates.operations`.
package enum BatchError: Error, Hashable, Sendable {
  /// Two operations conflict: a row can't be deleted or moved twice, deleted and moved, or deleted and
  /// updated.
  case sameRow(CustomerID, first: Int, second: Int)
  /// Two rows would have the same place.
  case samePlace(CustomerPlace, first: Int, second: Int)
  /// The list before the batch has no row at this place; it has those in `allowed`.
  case noSuchRow(operation: Int, asked: CustomerPlace, allowed: Range<Int>)
  /// The list after the batch has no such place; it has those in `allowed`.
  case noSuchPlace(operation: Int, asked: CustomerPlace, allowed: Range<Int>)
  /// One operation is refused, as it would be on its own: a protected row, an unknown customer or section.
  case refused(operation: Int, ListError)
  /// A table displayed `before` rows of a section and now displays `after`, which does not match the
  /// insertions and deletions; a row that moves to another section is deleted here and inserted there.
  case countDiffers(SectionID, before: Int, after: Int, inserted: Int, deleted: Int)
  /// A table displays a different row at a place than the updates lead to; if no row is named, a new row was
  /// expected.
  case rowDiffers(CustomerPlace, expected: CustomerID?, found: CustomerID)
}

extension BatchError: CustomStringConvertible {
  /// What is wrong, in one line; operations are counted from 1 here.
  package var description: String {
    switch self {
    case .sameRow(let id, let first, let second):
      "operations \(number(first)) and \(number(second)) conflict over customer @\(id.rawValue)"
    case .samePlace(let place, let first, let second):
      "operations \(number(first)) and \(number(second)) both take place \(place.order)"
    case .noSuchRow(let operation, let asked, let allowed):
      "operation \(number(operation)), before the batch: \(ListError.noPlace(asked, allowed))"
    case .noSuchPlace(let operation, let asked, let allowed):
      "operation \(number(operation)), after the batch: \(ListError.noPlace(asked, allowed))"
    case .refused(let operation, let error): "operation \(number(operation)): \(error)"
    case .countDiffers(_, let before, let after, let inserted, let deleted):
      "\(before) rows, \(inserted) inserted and \(deleted) deleted make \(total(before, inserted, deleted)), not \(after)"
    case .rowDiffers(let place, let expected, let found):
      "at place \(place.order) is customer @\(found.rawValue), not \(expected.map { "@\($0.rawValue)" } ?? "a new one")"
    }
  }

  /// The number of an operation, from 1.
  private func number(_ operation: Int) -> Int { operation.saturatingAdding(1) }

  private func total(_ before: Int, _ inserted: Int, _ deleted: Int) -> Int {
    before.saturatingAdding(inserted).saturatingAdding(deleted == .min ? .max : -deleted)
  }
}

extension ListError {
  fileprivate static func noPlace(_ place: CustomerPlace, _ allowed: Range<Int>) -> ListError {
    .placeOutOfRange(asked: place.order, allowed: allowed)
  }
}
