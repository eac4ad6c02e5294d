internal import CustomersSQLite

/// A state of a list: the step that made it, and its last edit.
///
/// Each step has a mark, a random name that no other step of any list has. So a version is recognized in every copy of the
/// list that has had the state, such as a backup, and in no other: not in a copy that was edited on its own since, where
/// the same number means another edit. What is known of a version says nothing about such a list, so changes after it
/// can't be read there, and edits that depend on it are refused. Only edit 0, a list that was never edited, is in every
/// list.
public struct ListVersion: Hashable, Codable, Sendable {
  /// The mark of the step, in hexadecimal digits; the id of the list before its first step.
  package let mark: String
  /// The number of the last edit, from 1; 0 in a list that was never edited.
  package let edit: Int64

  /// No version: who follows a list from here gets the whole list first.
  package static let none = ListVersion(mark: "", edit: -1)

  /// Creates a version that was kept.
  package init(mark: String, edit: Int64) { (self.mark, self.edit) = (mark, edit) }
}

extension ListVersion {
  /// The mark, a colon, and the number of the edit, to keep outside the list.
  package var text: String { "\(mark):\(edit)" }

  /// Parses a text; nil for any other.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let edit = Int64(parts[1]), edit >= 0 else { return nil }
    self.init(mark: String(parts[0]), edit: edit)
  }
}

extension CustomerList {
  /// The state of the list now: a different one after any edit, by any program, and the same one in a backup.
  package func version() throws -> ListVersion {
    // One statement, which sees one state even outside a transaction.
    let sql = """
      SELECT ifnull((SELECT \(HistoryStep.mark) FROM last_step), (SELECT list_id FROM list_identity)),
             (SELECT id FROM last_edit)
      """
    return try connection.fetchOne(sql) { ListVersion(mark: $0.text(0), edit: $0.integer(1)) } ?? .none
  }

  /// A number that changes, as long as a store is open, whenever another program changes the file, even by what is no edit,
  /// such as forgetting the history.
  package func stamp() throws -> UInt32 {
    // Only now, SQLite has looked.
    _ = try version()
    return fileConnection.localFile.pagesVersion
  }

  /// The id of the list, which its copies share, and that of its history, which is new after a restore or a repair, and
  /// when the history is forgotten.
  package func identity() throws -> (list: String, history: String) {
    try connection.fetchOne("SELECT list_id, history_id FROM list_identity") { ($0.text(0), $0.text(1)) } ?? (
      "", ""
    )
  }

  /// The state after an edit that the history has.
  package func version(at edit: Int64) throws -> ListVersion {
    let sql = "SELECT \(HistoryStep.mark) FROM history_step WHERE first_edit <= ? ORDER BY id DESC LIMIT 1"
    return try connection.fetchOne(sql, [.integer(edit)]) { ListVersion(mark: $0.text(0), edit: edit) }
      ?? ListVersion(mark: identity().list, edit: edit)
  }

  /// Whether the list is, or once was, in a state, of which the history may have forgotten the rest.
  ///
  /// It never was if another list had it: one that was replaced, or a copy that was edited on its own. A version of 0.2.0
  /// has the id of the history instead of a mark.
  ///
  /// - Complexity: O(steps since); O(10,000) for one that the history has forgotten.
  package func has(_ version: ListVersion) throws -> Bool {
    guard version.edit != 0 else { return true }
    let sql = """
      SELECT EXISTS (
        SELECT 1 FROM history_step
        WHERE id >= (SELECT ifnull(max(id), 0) FROM history_step WHERE first_edit + edits <= ?2)
          AND \(HistoryStep.mark) = ?1 AND ?2 BETWEEN first_edit - 1 AND first_edit + edits - 1
          AND (?2 = first_edit + edits - 1 OR NOT EXISTS (SELECT 1 FROM known_state WHERE known_state.step = id)))
        OR EXISTS (SELECT 1 FROM identity WHERE history = ?1 AND ?2 BETWEEN 1 AND counted)
        OR EXISTS (
          SELECT 1 FROM old_mark
          WHERE last_edit >= ?2 AND \(HistoryStep.mark) = ?1
            AND (last_edit = ?2 OR NOT EXISTS (SELECT 1 FROM known_state WHERE known_state.step = old_mark.step)))
      """
    // Copies that a pull made the same have a mark in common, but each has reached it by other edits.
    return try connection.fetchOne(sql, [.text(version.mark), .integer(version.edit)]) { $0.bool(0) } ?? false
  }

  /// Refuses if the list never was in a state: then its ids may be those of other customers.
  ///
  /// - Throws: `ListError.otherHistory`.
  package func refuseOtherHistory(than version: ListVersion) throws {
    guard try has(version) else { throw ListError.otherHistory }
  }
}
