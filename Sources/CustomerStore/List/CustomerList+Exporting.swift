internal import SQLite

/// What customers have beside their text fields.
public struct UsedColumns: Hashable, Sendable {
  /// Whether one is marked as a favorite.
  public var hasFavorites = false
  /// Whether one may not be changed.
  public var hasEditLocks = false
  /// Whether one may not be moved.
  public var hasMoveLocks = false
  /// The columns that are kept beside the fields, in the order in which they came into the list.
  public var extra: [String] = []
}

extension CustomerList {
  /// What the customers of a section, or of the whole list, have beside their text fields.
  ///
  /// - Complexity: O(customers); memory for the names alone.
  public func usedColumns(in section: SectionID? = nil) throws -> UsedColumns {
    // Only to name a section is a reason to look for everybody's place.
    let from =
      section == nil
      ? "customer_record AS c WHERE deleted_by IS NULL" : "customers AS c WHERE section = ?"
    let values = section.map { [Value.id($0)] } ?? []
    var used = UsedColumns()
    var hasExtra = false
    let flags = "total(is_favorite), total(1 - can_edit), total(1 - can_move), total(extra <> '{}')"
    try connection.query("SELECT \(flags) FROM \(from)", values) { row in
      guard try row.step() else { return }
      (used.hasFavorites, used.hasEditLocks) = (row.bool(0), row.bool(1))
      (used.hasMoveLocks, hasExtra) = (row.bool(2), row.bool(3))
    }
    guard hasExtra else { return used }
    // Byte by byte: to JSON two spellings of one letter are two names.
    var known: Set<[UInt8]> = []
    let extra = "SELECT \(Customer.extra) AS extra FROM \(from) AND extra <> '{}'"
    try connection.query("SELECT key FROM (\(extra)) AS c JOIN json_each(c.extra)", values) { row in
      while try row.step() {
        let name = row.text(0)
        if known.insert(Array(name.utf8)).inserted { used.extra.append(name) }
      }
    }
    return used
  }
}
