/// Updates of a list that happen all at once, as in a table view.
///
/// The rule is that of UIKit's `performBatchUpdates`: deletes, updates, and the sources of moves use places of
/// the list **before** the batch; inserts and the destinations of moves use places of the list **after** it;
/// the order of the calls does not matter. It is as if all deleted and moved rows were taken out first, from
/// the last to the first, and then all inserted and moved rows were put in, each at its place, from the first
/// to the last.
///
///     let result = try list.performBatchUpdates { batch in
///       batch.delete(.place(3, in: section))
///       batch.delete(.place(4, in: section))  // the fourth row of the list as it is now
///       batch.insert(bob, at: .place(1, in: section))
///     }
///
/// A row may be moved and updated, and updated several times (in the order of the calls); other pairs of
/// operations on the same row conflict. A batch can't change sections.
public struct BatchUpdates: Hashable, Sendable {
  /// A row of the list before the batch.
  public enum Source: Hashable, Sendable {
    /// The row at a place of a section, from 1.
    case place(Int, in: SectionID)
    /// The row of a customer.
    case customer(CustomerID)
  }

  /// A place of the list after the batch.
  ///
  /// Each place is used once. So if two rows go to the top, or to the end, of a section, the first call is
  /// above the second.
  public enum Target: Hashable, Sendable {
    /// A place of a section, from 1 to the number of rows that it has after the batch.
    case place(Int, in: SectionID)
    /// The top of a section.
    case first(in: SectionID)
    /// The end of a section.
    case last(in: SectionID)
  }

  /// One of the updates.
  public enum Operation: Hashable, Sendable {
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
  public private(set) var operations: [Operation] = []

  /// Creates a batch without operations.
  public init() {}

  /// Deletes a row.
  ///
  /// - Returns: the index of the operation, as all of these functions do.
  @discardableResult
  public mutating func delete(_ row: Source) -> Int { add(.delete(row)) }

  /// Inserts a customer.
  @discardableResult
  public mutating func insert(_ fields: CustomerFields, at target: Target) -> Int {
    add(.insert(fields, at: target))
  }

  /// Moves a row.
  @discardableResult
  public mutating func move(_ row: Source, to target: Target) -> Int { add(.move(row, to: target)) }

  /// Changes fields of a row.
  @discardableResult
  public mutating func update(_ row: Source, _ changes: FieldChanges) -> Int {
    add(.update(row, changes))
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
public struct BatchResult: Hashable, Sendable {
  /// The new customers, in the order of the calls.
  public var inserted: [CustomerID]
  /// The moves, in the order of the calls, with the places before and after the batch.
  public var moves: [CustomerMove]
}
