package import CustomerStore
internal import CustomersText

/// A file that was handed out and is imported again: what it was written from, its rows, and the conflicts.
///
/// Needs some memory per row.
struct ReturnedFile {
  /// The side that wins conflicts; nil to refuse the import.
  let winner: ConflictSide?
  /// The side that wins a conflict, by its key, whoever wins the others.
  private let sides: [String: ConflictSide]
  /// The rows in the file that were in the list when it was written or are new.
  private(set) var rows: [ReturnedOrder.Row] = []
  private(set) var customers: Set<CustomerID> = []
  /// The first conflicts.
  private(set) var conflicts: [ImportConflict] = []
  /// How many conflicts there are.
  private(set) var conflictCount = 0
  /// Whether no side wins one of them.
  private(set) var isRefused = false
  private var pasts: [ListVersion: ListPast?] = [:]
  private var handOuts: Set<HandOut> = []
  /// Whether the list was as a file says, for each version that was asked about.
  private var known: [HandOut: Bool] = [:]
  /// The last edit of the list before the import and the largest id.
  private let start: (edit: Int64, id: Int64)

  /// How many conflicts are named.
  private static let limit = 1000

  /// Prepares for a file that is about to be imported into a list.
  init(_ options: ImportOptions, _ list: borrowing CustomerList) throws {
    (winner, sides) = (options.conflictWinner, options.conflictSides)
    start = (try list.lastEdit(), try list.largestID())
  }

  /// Whether the ids of a row are certainly those of this list.
  ///
  /// - Parameters:
  ///   - handOut: what the row was written from.
  ///   - list: the list.
  ///   - refusesCopies: whether an unknown version of this list ends the import.
  /// - Returns: whether they are.
  /// - Throws: `TransferError.otherCopy` if a copy of the list wrote it that was edited on its own; `StoreError`.
  mutating func isOfList(
    _ handOut: HandOut?, _ list: borrowing CustomerList, refusesCopies: Bool
  ) throws -> Bool {
    guard let handOut else { return false }
    if let isKnown = known[handOut] { return isKnown }
    let isKnown = try list.has(handOut.version)
    if !isKnown, refusesCopies, try handOut.isOfCopy(of: list.identity()) { throw TransferError.otherCopy }
    known[handOut] = isKnown
    return isKnown
  }

  /// Whether the import has added a customer.
  func isNew(_ id: CustomerID) -> Bool { id.rawValue > start.id }

  /// The side that wins a conflict; nil if that is undecided.
  func side(of conflict: ImportConflict) -> ConflictSide? { sides[conflict.key] ?? winner }

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
    return try past(at: handOut.version, in: list)
  }

  private mutating func past(at version: ListVersion, in list: borrowing CustomerList) throws -> ListPast? {
    if let past = pasts[version] { return past }
    let past = try list.past(at: version, beforeEditsAfter: start.edit)
    pasts[version] = past
    return past
  }

  /// The extra columns that the list has renamed since a file was written, by their names then; none if that is unknown.
  mutating func renamedColumns(
    since handOut: HandOut, in list: borrowing CustomerList
  ) throws -> Set<String> {
    Set(try past(at: handOut.version, in: list)?.columns.keys.map(\.self) ?? [])
  }

  /// Notes a row of the file that was in the list when it was written; or a new one, if it may be moved.
  mutating func note(_ row: ReturnedOrder.Row) { if row.canMove || !isNew(row.id) { rows.append(row) } }

  mutating func note(_ conflict: ImportConflict) {
    conflictCount += 1
    if side(of: conflict) == nil { isRefused = true }
    if conflicts.count < ReturnedFile.limit { conflicts.append(conflict) }
  }

  /// What all rows in the file were written from; nil if they differ in that, or if unknown.
  var common: (past: ListPast, scope: HandOut.Scope)? {
    guard handOuts.count == 1, let handOut = handOuts.first, let past = pasts[handOut.version] ?? nil
    else { return nil }
    return (past, handOut.scope)
  }
}

/// The version of the list from which a file was written and which rows it had: the text of its column `version`.
struct HandOut: Hashable {
  /// The rows in the file when it was written.
  enum Scope: Hashable {
    /// All rows in the list or of a section.
    case list, section(SectionID)
    /// Some rows, which the file alone does not tell.
    case some
    /// Rows in another order than that of the list.
    case unordered

    /// Whether a row that is missing in the file was deleted there.
    var isWhole: Bool {
      switch self {
      case .list, .section: true
      case .some, .unordered: false
      }
    }
  }

  let version: ListVersion
  let scope: Scope
  /// The beginning of the id of the list; empty in a file of 0.2.0, whose version has the id of the history instead.
  let list: String

  /// Rows in the list as it is now.
  init(_ rows: ListedRows, of list: borrowing CustomerList) throws {
    version = try list.lastingVersion()
    self.list = String(try list.identity().list.prefix(Self.identityLength))
    if rows.areWhole {
      scope = rows.filter.section.map { .section($0) } ?? .list
    } else if rows.named == nil, case .list = rows.order {
      scope = .some
    } else {
      scope = .unordered
    }
  }

  /// Parses the text; nil if it is none that an export wrote.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 1, let version = ListVersion(parts[0] + ":" + parts[1]) else { return nil }
    self.version = version
    list = parts.count > 3 ? String(parts[3]) : ""
    if parts.count == 2 || parts[2].isEmpty {
      scope = .some
    } else if parts[2] == HandOut.all {
      scope = .list
    } else if parts[2] == HandOut.unordered {
      scope = .unordered
    } else if let id = Int64(parts[2]) {
      scope = .section(SectionID(rawValue: id))
    } else {
      return nil
    }
  }

  /// The word for the whole list.
  private static let all = "all"
  /// The word for rows in another order.
  private static let unordered = "sorted"

  /// How much of the id of the list is enough to recognize it.
  private static let identityLength = 8

  var text: String {
    switch scope {
    case .list: "\(version.text):\(HandOut.all):\(list)"
    case .section(let id): "\(version.text):\(id.rawValue):\(list)"
    case .some: "\(version.text)::\(list)"
    case .unordered: "\(version.text):\(HandOut.unordered):\(list)"
    }
  }

  /// Whether a customer was in the file, as far as the file says.
  func has(_ customer: Customer?) -> Bool {
    if case .section(let id) = scope { customer?.place.section == id } else { customer != nil }
  }

  /// Whether a copy of a list wrote it, if the list itself did not.
  func isOfCopy(of identity: (list: String, history: String)) -> Bool {
    list.isEmpty ? version.mark == identity.history : identity.list.hasPrefix(list)
  }
}

/// What both the list and a returned file changed, or may have changed, to something else.
///
/// If the history does not reach back to the version of the file, every difference is a conflict.
package struct ImportConflict: Hashable, Sendable {
  /// What the two sides did.
  package enum Kind: Hashable, Sendable {
    /// The two sides have different values in a column.
    case value(column: String, ours: String, theirs: String)
    /// The list deleted the customer, which was changed in the file.
    case deletedFromList
    /// The customer is missing in the file and was changed in the list.
    case deletedFromFile
    /// Both moved the row to another place.
    case moved
  }

  /// The customer.
  package var id: CustomerID
  /// The name in the list, or if the list deleted the customer, in the file.
  package var name: String
  /// Where the customer is in the file; nil if it is missing or for an order.
  package var place: FilePlace?
  /// What the two sides did.
  package var kind: Kind
}

extension ImportConflict {
  /// What decides it: the customer, and the column or what else it is about.
  package var key: String {
    switch kind {
    case .value(let column, _, _): "\(id.rawValue) \(column)"
    case .deletedFromList: "\(id.rawValue) deletion"
    case .deletedFromFile: "\(id.rawValue) missing"
    case .moved: "\(id.rawValue) order"
    }
  }

  /// What both did, in words.
  package var words: String {
    let customer = "\(quoted(name)) (@\(id.rawValue))"
    func shown(_ text: String) -> String { text.isEmpty ? "empty" : quoted(cut(text, to: 40)) }
    return switch kind {
    case .value(let column, let ours, let theirs):
      "\(customer): \(printable(column)) is \(shown(ours)) here, \(shown(theirs)) in the file"
    case .deletedFromList: "\(customer) was deleted here and changed in the file"
    case .deletedFromFile: "\(customer) is missing in the file and was changed here"
    case .moved: "\(customer) was moved here, and elsewhere in the file"
    }
  }
}
