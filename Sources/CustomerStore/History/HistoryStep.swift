/// A step of the history: what one undo reverts.
public struct HistoryStep: Identifiable, Hashable, Codable, Sendable {
  /// The kind of a step.
  package enum Kind: String, Codable, Sendable {
    /// Edits.
    case edit
    /// Undoing an earlier step.
    case undo
    /// Redoing an undone step.
    case redo
  }

  /// Whether the step can be undone or redone.
  package enum State: String, Codable, Sendable {
    /// It is in effect.
    case done
    /// It was undone and can be redone.
    case undone
    /// It was undone and can't be redone because of a later edit; or it has no edits, as a repair.
    case dropped
  }

  /// The number of the step; later steps have greater ones.
  public var id: Int64
  /// When it was made, in UTC, such as `2026-11-21T09:30:00.123Z`.
  public var time: String
  /// The program that made it; empty if unknown.
  package var program: String
  /// The account that ran the program; empty if unknown.
  public var user: String
  /// Who used the program, if that person was known by a key; empty otherwise.
  package var person: String
  /// The machine on which the program ran; empty if unknown.
  package var host: String
  /// What the program was asked to do; empty if unknown.
  public var action: String
  /// The kind of the step.
  package var kind: Kind
  /// Whether it can be undone or redone.
  package var state: State
  /// For an import, the digest of the file that it read.
  package var digest: String?
  /// The number of its first edit.
  package var firstEdit: Int64
  /// The number of its edits.
  package var editCount: Int
  /// The mark of the state after it, which no other step of any list has; empty in a damaged list.
  ///
  /// See `ListVersion`.
  package var mark: String

  /// The numbers of its edits.
  package var edits: Range<Int64> { firstEdit..<firstEdit.saturatingAdding(Int64(max(0, editCount))) }

  /// Creates a step for a preview or a test; to get steps of a list, read its history.
  package init(
    id: Int64, time: String, program: String = "", user: String = "", host: String = "",
    action: String = "", kind: Kind = .edit, state: State = .done, digest: String? = nil,
    firstEdit: Int64 = 1,
    editCount: Int = 1, mark: String = "", person: String = ""
  ) {
    self.id = id
    self.time = time
    self.program = program
    self.user = user
    self.host = host
    self.action = action
    self.kind = kind
    self.state = state
    self.digest = digest
    self.firstEdit = firstEdit
    self.editCount = editCount
    self.mark = mark
    self.person = person
  }
}

extension HistoryStep {
  /// The state of the list after it.
  package var version: ListVersion { ListVersion(mark: mark, edit: edits.upperBound - 1) }

  /// Whether another value is about this step; by its time, if only that is known.
  func isSame(_ other: HistoryStep) -> Bool {
    id == other.id && (other.mark.isEmpty ? time == other.time : mark == other.mark)
  }
}

/// One edit of the list, as a table view or the history needs it.
///
/// Rows that shift because of it are not named: applying the changes to a copy of the list, one after
/// another, gives the list.
package enum ListChange: Hashable, Sendable {
  /// A customer was added at a place.
  case insert(CustomerID, at: CustomerPlace)
  /// A customer was deleted from a place.
  case delete(CustomerID, from: CustomerPlace)
  /// A customer was moved to a place, counted without it.
  case move(CustomerID, from: CustomerPlace, to: CustomerPlace)
  /// Fields of a customer changed; the feed of changes knows the place, the history does not.
  case update(CustomerID, at: CustomerPlace?)
  /// An extra column was renamed, dropped (`to` is nil) or restored (`from` is nil).
  case column(from: String?, to: String?)
  /// Customers with consecutive ids, from `first` on, were added at a place and those after it.
  case insertMany(first: CustomerID, count: Int, at: CustomerPlace)
  /// Such customers were deleted from a place and those after it.
  case deleteMany(first: CustomerID, count: Int, from: CustomerPlace)
  /// Customers were deleted, moved, or put back, all at once: each leaves its place before the change, and gets the
  /// one after it.
  case rows([RowChange])
  /// Rows of a section were rearranged, all at once.
  case arrange(SectionID, [CustomerMove])
  /// A section was added at a place among the sections.
  case insertSection(SectionID, at: Int)
  /// A section was deleted.
  case deleteSection(SectionID, from: Int)
  /// A section was moved to a place.
  case moveSection(SectionID, from: Int, to: Int)
  /// The title or the footer of a section changed.
  case updateSection(SectionID)
  /// A line of the log of a customer was added, deleted, or changed.
  case line(LogLineID, of: CustomerID, LineEdit)
  /// A declared column, a setting, or a person was added, deleted, or changed; the number is its id.
  case entry(Int64, LineEdit)
}

/// What a change does to a line of the log, or to a declared column, a setting, or a person.
package enum LineEdit: String, Codable, Sendable {
  /// It was added, or put back.
  case insert
  /// It was deleted.
  case delete
  /// Its values changed, or another customer has it.
  case update

  /// The edit with a kind in the log; nil for one of something else than a `line` or an `entry`.
  init?(of thing: String, kind: String) {
    guard kind.hasPrefix("\(thing) ") else { return nil }
    self.init(rawValue: String(kind.dropFirst(thing.utf8.count + 1)))
  }
}

/// What a change of several customers does to one of them.
package struct RowChange: Hashable, Sendable {
  /// The customer.
  package var id: CustomerID
  /// The place before the change; nil if it was not in the list.
  package var from: CustomerPlace?
  /// The place after the change; nil if it was deleted.
  package var to: CustomerPlace?

  /// Creates a change; to get those of a list, read its history.
  package init(id: CustomerID, from: CustomerPlace?, to: CustomerPlace?) {
    (self.id, self.from, self.to) = (id, from, to)
  }
}

extension [RowChange] {
  /// Rows with consecutive ids that leave consecutive places and get consecutive ones; the changes must be ascending
  /// by id, as the log has them.
  var runs: [EditOutcome.Run] {
    var runs: [EditOutcome.Run] = []
    for change in self {
      if let last = runs.last, last.isFollowed(by: change.id, change.from, change.to) {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(EditOutcome.Run(first: change.id, count: 1, from: change.from, to: change.to))
      }
    }
    return runs
  }

  /// The runs that leave a place, from the end on, so that those still to leave are where they were.
  var leaving: [(first: CustomerID, count: Int, place: CustomerPlace)] {
    runs.compactMap { run in run.from.map { (run.first, run.count, $0) } }.sorted { $1.2.isBefore($0.2) }
  }

  /// The runs that get a place, in order.
  var arriving: [(first: CustomerID, count: Int, place: CustomerPlace)] {
    runs.compactMap { run in run.to.map { (run.first, run.count, $0) } }.sorted { $0.2.isBefore($1.2) }
  }
}

extension ListChange {
  /// The section that the change is about, if it is about a section itself.
  package var section: SectionID? {
    switch self {
    case .insertSection(let id, _), .deleteSection(let id, _), .moveSection(let id, _, _),
      .updateSection(let id):
      id
    case .insert, .delete, .move, .update, .insertMany, .deleteMany, .rows, .arrange, .column, .line, .entry:
      nil
    }
  }

  /// Whether it gives rows other places in their sections.
  package var movesRows: Bool {
    switch self {
    case .insert, .delete, .move, .insertMany, .deleteMany, .rows, .arrange: true
    case .update, .column, .line, .entry, .insertSection, .deleteSection, .moveSection, .updateSection: false
    }
  }
}

/// A step of the history as the feed delivers it: what one transaction, or one statement of another client,
/// did.
package struct ListStep: Hashable, Sendable {
  /// The numbers of its edits, one for each change.
  package let edits: ClosedRange<Int64>
  /// The changes, in the order made.
  package let changes: [ListChange]
  /// The mark of the step.
  let mark: String
  /// The version after the last one.
  package var version: ListVersion { ListVersion(mark: mark, edit: edits.upperBound) }
  /// The number of the step in the history.
  package let id: HistoryStep.ID
  /// The program that made it; empty if unknown.
  package let program: String
  /// The login name of the user who ran the program; empty if unknown.
  package let user: String
  /// The machine on which the program ran; empty if unknown.
  package let host: String
  /// What the program was asked to do; empty if unknown.
  package let action: String
  /// Whether edits made it, or undo or redo.
  package let kind: HistoryStep.Kind
  /// The version when the step was read; `customers` and `sections` have the state of that moment.
  package let readAt: ListVersion
  /// The customers that `changes` inserts one by one or updates, or whose log it changes, except those deleted since.
  package let customers: [CustomerID: Customer]
  /// The sections that `changes` inserts or updates, except those deleted since.
  package let sections: [SectionID: CustomerSection]
}

/// An event in the feed of a list.
package enum ListEvent: Equatable, Sendable {
  /// The list was changed.
  case step(ListStep)
  /// Too much has happened to follow, or the history has forgotten some of it: this is the list now. Later
  /// events happened after it.
  case reload(ListSnapshot)
  /// Another program has locked the file for half a second. The next event comes when the lock is released.
  case waiting(StoreError)
}

/// A step that was undone or redone, and the resulting changes.
package struct RevertedStep: Hashable, Sendable {
  /// The step, with its new state.
  package var step: HistoryStep
  /// The changes: for an undone deletion, the restored rows.
  package var outcome: EditOutcome
}

/// A name for a transaction, chosen before it starts, so that its outcome can be looked up later.
///
/// After an error in `COMMIT`, or a broken connection, only the file shows whether the edits are in it:
/// `CustomerList.outcome(of:)` looks up the token.
package struct TransactionToken: RawRepresentable, Hashable, Sendable {
  /// 32 hexadecimal digits: 12 for the milliseconds since 1970, 20 at random.
  package var rawValue: String

  /// Creates a token from a saved one.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a new token.
  package init() {
    let milliseconds = LocalSystem.milliseconds
    let random = (UInt16.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    rawValue =
      Self.hexadecimal(UInt64(max(0, milliseconds)), digits: 12)
      + Self.hexadecimal(UInt64(random.0), digits: 4)
      + Self.hexadecimal(random.1, digits: 16)
  }

  /// When the token was created, in milliseconds since 1970; nil for a token of a different form.
  var milliseconds: Int64? { Int64(rawValue.prefix(12), radix: 16) }

  /// The token of the transaction that settles this one.
  var settlement: TransactionToken { TransactionToken(rawValue: rawValue + "-settled") }

  private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// The outcome of a transaction.
package enum TransactionOutcome: Hashable, Sendable {
  /// Its edits are in the file.
  case committed
  /// It changed nothing.
  case notCommitted
  /// The file has dropped the receipts of that time, so the outcome is unknown.
  case unknown
}
