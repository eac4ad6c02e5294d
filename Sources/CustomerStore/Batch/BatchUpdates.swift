/// Updates of a list that are meant all at once, as a table view takes them.
///
/// The rule is that of UIKit's `performBatchUpdates`: the rows of deletes, updates and moves are places in
/// the list as it is **before** the batch, inserts and the destinations of moves are places in the list as
/// it is **after** it, and in which order they are called does not matter. It is as if all rows that are
/// deleted or moved went first, the last one first, and all that are inserted or moved came then, each at
/// its place, the first one first.
///
///     let result = try list.performBatchUpdates { batch in
///       batch.delete(.place(3, in: section))
///       batch.delete(.place(4, in: section))  // the fourth row of the list as it is now
///       batch.insert(bob, at: .place(1, in: section))
///     }
///
/// A row may be moved and updated, and updated several times (in the order of the calls); other pairs of
/// operations on one row contradict each other. Sections are no part of a batch.
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
  /// A place is given once. So of two rows to the top, or to the end, of a section the one that is called
  /// first is above the other.
  public enum Target: Hashable, Sendable {
    /// A place of a section, from 1 to the number of rows that it has afterwards.
    case place(Int, in: SectionID)
    /// The top of a section.
    case first(in: SectionID)
    /// The end of a section.
    case last(in: SectionID)
  }

  /// One of the updates.
  public enum Operation: Hashable, Sendable {
    /// A row goes.
    case delete(Source)
    /// A new customer comes.
    case insert(CustomerFields, at: Target)
    /// A row goes to another place, of this section or another one.
    case move(Source, to: Target)
    /// Fields of a row get other values.
    case update(Source, [CustomerField: FieldValue])
  }

  /// The operations in the order of the calls; errors name them by their index (from 0) in here.
  public private(set) var operations: [Operation] = []

  /// Makes a batch without operations.
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

  /// Gives fields of a row other values.
  @discardableResult
  public mutating func update(_ row: Source, _ values: [CustomerField: FieldValue]) -> Int {
    add(.update(row, values))
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

/// What a batch did.
public struct BatchResult: Hashable, Sendable {
  /// The new customers, in the order of the calls.
  public var inserted: [CustomerID]
  /// What was moved, in the order of the calls: the places before and after the batch.
  public var moves: [CustomerMove]
}
