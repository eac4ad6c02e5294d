internal import CustomersSQLite

/// Whether readers get every row that the sections count.
///
/// In a damaged file, SQLite may read a wrong page without noticing: then rows have no place, or places no record. So
/// whoever reads the list starts at the sections, follows the tree to the places, and looks up the records. A row that
/// the section counts and that is not there is an error; `ReadableRows` is for those who want the others all the same.
extension CustomerList {
  /// The sections in order, for a reader of the whole list.
  ///
  /// - Throws: `ListError.incomplete`, or `damaged`, if one is missing.
  /// - Complexity: O(sections).
  func wholeSections() throws -> [CustomerSection] {
    let sections = try sections()
    let others = """
      SELECT 1 FROM node WHERE parent < 0
        AND NOT EXISTS (SELECT 1 FROM present_section WHERE id = -parent) LIMIT 1
      """
    guard sections.enumerated().allSatisfy({ $1.order == $0 + 1 }),
      try connection.fetchOne(others, [], { _ in true }) == nil
    else { throw try lack() }
    return sections
  }

  /// Verifies that the list, or a section, has all its rows, for those who look at some in another order.
  ///
  /// - Throws: `ListError.incomplete` or `damaged`.
  /// - Complexity: O(rows), about a tenth of a search.
  func requireRows(in section: SectionID? = nil) throws {
    let sections = try wholeSections().filter { $0.id == section ?? $0.id }
    let found = try rowsFound(in: section)
    guard sections.allSatisfy({ found[$0.id, default: 0] == $0.count }) else { throw try lack() }
  }

  /// The error for a reader that did not find what it should have found.
  func lack() throws -> ListError {
    let counts = Dictionary(try sections().map { ($0.id, $0.count) }) { first, _ in first }
    let found = try rowsFound()
    var (missing, count) = (0, 0)
    for (section, wanted) in counts {
      missing = missing.saturatingAdding(max(0, wanted - found[section, default: 0]))
      count = count.saturatingAdding(wanted)
    }
    for (section, lost) in found where counts[section] == nil {
      missing = missing.saturatingAdding(lost)
      count = count.saturatingAdding(lost)
    }
    return missing > 0 ? .incomplete(missing: missing, of: count) : .damaged
  }

  /// The number of rows in each section, or in one, that have a place in the tree and a record.
  private func rowsFound(in section: SectionID? = nil) throws -> [SectionID: Int] {
    let sql = """
      SELECT part.parent, count(*) FROM node AS part
      CROSS JOIN node AS chapter ON chapter.parent = part.id
      CROSS JOIN node AS block ON block.parent = chapter.id
      CROSS JOIN place ON slot BETWEEN 64 * block.id + 1 AND 64 * block.id + 63
      CROSS JOIN customer_record AS record ON record.id = place.customer AND record.block = block.id
      WHERE part.parent \(section == nil ? "< 0" : "= ?") GROUP BY part.parent
      """
    let values = section.map { [SQLiteValue.integer(0 &- $0.rawValue)] } ?? []
    let rows = try connection.fetchAll(sql, values) { row in
      (SectionID(rawValue: 0 &- row.integer(0)), row.int(1))
    }
    return Dictionary(rows) { $0.saturatingAdding($1) }
  }
}
