internal import CustomerStore

/// A file that was handed out and is imported again: what it was written from, its rows, and the conflicts.
///
/// Needs some memory per row.
struct ReturnedFile {
  /// The side that wins conflicts; nil to refuse the import.
  let winner: ConflictSide?
  /// The rows in the file that were in the list when it was written or are new.
  private(set) var rows: [OrderMerge.Row] = []
  /// The customers in the file.
  private(set) var customers: Set<CustomerID> = []
  /// The first conflicts.
  private(set) var conflicts: [ImportConflict] = []
  /// How many conflicts there are.
  private(set) var conflictCount = 0
  private var pasts: [ListVersion: ListPast?] = [:]
  private var handOuts: Set<HandOut> = []
  /// The last edit of the list before the import and the largest id.
  private let start: (edit: Int64, id: Int64)

  /// A section that the list does not have.
  static let noSection = SectionID(rawValue: 0)

  /// How many conflicts are named.
  private static let limit = 1000

  /// Prepares for a file that is about to be imported into a list.
  init(winner: ConflictSide?, _ list: borrowing CustomerList) throws {
    self.winner = winner
    start = (try list.lastEdit(), try list.largestID())
  }

  /// Whether the import has added a customer.
  func isNew(_ id: CustomerID) -> Bool { id.rawValue > start.id }

  /// Whether the import is refused.
  var isRefused: Bool { conflictCount > 0 && winner == nil }

  /// Notes a customer of the file.
  ///
  /// - Returns: what was in the list when the file was written; nil if unknown.
  /// - Throws: `TransferError.repeatedID`, `StoreError`.
  mutating func begin(
    _ id: CustomerID, _ handOut: HandOut?, at place: FilePlace, in list: borrowing CustomerList
  ) throws -> ListPast? {
    guard customers.insert(id).inserted else { throw TransferError.repeatedID(place, id) }
    guard let handOut else { return nil }
    handOuts.insert(handOut)
    let version = handOut.version
    if let past = pasts[version] { return past }
    let past = try list.past(at: version, beforeEditsAfter: start.edit)
    pasts[version] = past
    return past
  }

  mutating func note(_ row: OrderMerge.Row) { rows.append(row) }

  mutating func note(_ conflict: ImportConflict) {
    conflictCount += 1
    if conflicts.count < ReturnedFile.limit { conflicts.append(conflict) }
  }

  /// What all rows in the file were written from; nil if they differ in that, or if unknown.
  var common: (past: ListPast, scope: HandOut.Scope)? {
    guard handOuts.count == 1, let handOut = handOuts.first, let past = pasts[handOut.version] ?? nil
    else { return nil }
    return (past, handOut.scope)
  }
}
