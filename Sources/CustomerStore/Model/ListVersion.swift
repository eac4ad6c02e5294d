internal import CustomersSQLite

/// A state of a list: which history it has and the last edit in it.
///
/// A restored or repaired list, and one whose history was erased, has a new history. The same number means
/// another edit there, so what is known of a version of one history says nothing about another: changes after
/// it can't be read, and edits that depend on it are refused. Only edit 0, a list that was never edited, is the
/// same in all of them.
public struct ListVersion: Hashable, Codable, Sendable {
  /// The random id of the history.
  public let history: String
  /// The number of the last edit, from 1; 0 in a list that was never edited.
  public let edit: Int64

  /// No version: who follows a list from here gets the whole list first.
  public static let none = ListVersion(history: "", edit: -1)

  /// Creates a version that was kept.
  public init(history: String, edit: Int64) { (self.history, self.edit) = (history, edit) }

  /// The version after another edit of the same history.
  package func at(_ edit: Int64) -> ListVersion { ListVersion(history: history, edit: edit) }

  /// Whether it is a state of the list with a history.
  package func isOf(_ history: String) -> Bool { edit == 0 || self.history == history }
}

extension ListVersion: LosslessStringConvertible {
  /// The id of the history, a colon, and the number of the edit, to keep outside the list.
  public var description: String { "\(history):\(edit)" }

  /// Parses a description; nil for any other text.
  public init?(_ description: some StringProtocol) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let edit = Int64(parts[1]), edit >= 0 else { return nil }
    self.init(history: String(parts[0]), edit: edit)
  }

  /// Parses a description; nil for any other text.
  public init?(_ description: String) { self.init(description[...]) }
}

extension CustomerList {
  /// The state of the list now: a different one after any edit, by any program, and the same one in a backup.
  public func version() throws -> ListVersion {
    // One statement, which sees one state even outside a transaction.
    let sql = "SELECT (SELECT history_id FROM list_identity), (SELECT id FROM last_edit)"
    return try connection.fetchOne(sql) { ListVersion(history: $0.text(0), edit: Int64($0.int(1))) } ?? .none
  }
}
