/// Why a batch of updates was refused.
///
/// Nothing has changed. Operations are identified by their index (from 0) in `BatchUpdates.operations`.
public enum BatchError: Error, Hashable, Sendable {
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
  public var description: String {
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
