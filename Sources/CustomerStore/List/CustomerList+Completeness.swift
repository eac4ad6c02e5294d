internal import CustomersSQLite

/// Whether readers get every row that the sections count.
///
/// In a damaged file, SQLite may read a wrong page without noticing: then rows have no place, or places no record. So
/// whoever reads the list starts at the sections, follows the tree to the places, and looks up the records. A row that
/// the section counts and that is not there is an error; `ReadableRows` is for those who want the others all the same.
extension CustomerList {
  /// The sections in order, for readers of rows.
  ///
  /// - Throws: `ListError.incomplete`, or `damaged`, if one is missing.
  /// - Complexity: O(sections).
  func wholeSections() throws -> [CustomerSection] {
    // One statement, because over a network each is a round trip.
    let sql = """
      SELECT id, title, footer, "order", count FROM sections
      UNION ALL SELECT 0, '', '', 0, 0 WHERE EXISTS (
        SELECT 1 FROM node WHERE parent < 0
          AND NOT EXISTS (SELECT 1 FROM present_section WHERE id = -parent))
      ORDER BY 4
      """
    let sections = try connection.fetchAll(sql) { CustomerSection($0) }
    guard sections.enumerated().allSatisfy({ $1.order == $0 + 1 }) else { throw try lack() }
    return sections
  }

  /// Verifies that the list, or a section, has all its rows in order, for those who look only at some of them.
  ///
  /// - Throws: `ListError.incomplete` or `damaged`.
  /// - Complexity: O(rows), about a tenth of a search.
  func requireRows(in section: SectionID? = nil) throws {
    let sections = if let section { try sections(withID: section) } else { try wholeSections() }
    let found = try rowsFound(in: section)
    let isWhole = sections.allSatisfy { section in
      let rows = found[section.id] ?? PlacedRows()
      return rows.count == section.count && rows.areNumbered
    }
    guard isWhole else { throw try lack() }
  }

  /// Verifies that a row has its number, for those who name it by its number.
  ///
  /// - Throws: `ListError.incomplete` or `damaged`.
  /// - Complexity: O(sections), in one statement.
  func requireNumber(of place: CustomerPlace) throws {
    let isRight = try connection.fetchOne(
      "WITH \(Self.way(to: "?2", in: "?1")) SELECT \(Self.hasNumber)",
      [.id(place.section), .integer(place.order)]
    ) { $0.bool(0) }
    guard isRight == true else { throw try lack() }
  }

  /// SQL for whether the row to which a `way` in section `?1` leads has its number: no node on the way starts where another
  /// one does, each starts where the one before it ends, and the sections up to this one count their rows.
  static let hasNumber = """
    (3 IS (
      SELECT sum((SELECT count(*) FROM node WHERE parent = step.parent AND start = step.start))
      FROM (SELECT * FROM part UNION ALL SELECT * FROM chapter UNION ALL SELECT * FROM block) AS step)
    AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT count AS rows, \(end(of: .part, in: "-sections.id")) AS last
        FROM sections WHERE "order" <= (SELECT "order" FROM sections WHERE id = ?1)
        UNION ALL SELECT start, \(end(of: .part, in: "part.parent", before: "part.start")) FROM part
        UNION ALL SELECT start, \(end(of: .chapter, in: "chapter.parent", before: "chapter.start")) FROM chapter
        UNION ALL SELECT start, \(end(of: .block, in: "block.parent", before: "block.start")) FROM block)
      WHERE rows IS NOT ifnull(last, 0)))
    """

  private enum Level: String {
    case part, chapter, block

    var below: Level? {
      switch self {
      case .part: .chapter
      case .chapter: .block
      case .block: nil
      }
    }
  }

  /// SQL for the number of rows of a node up to the end of its last child that starts before a number, or of any.
  private static func end(of level: Level, in parent: String, before bound: String? = nil) -> String {
    // Not the level itself: the name of a case is looked up in the type each time, which takes longer than all the rest.
    let child = "last_\(level.rawValue)"
    let size =
      level.below.map { end(of: $0, in: "\(child).id") }
        ?? """
        (SELECT max(slot) - 64 * \(child).id FROM place
         WHERE slot BETWEEN 64 * \(child).id + 1 AND 64 * \(child).id + 63)
        """
    // Two limits, so that SQLite keeps the two apart: in one query, it would compute the size of each child before it sorts them.
    return """
      (SELECT start + \(size) FROM (
         SELECT id, start FROM node WHERE parent = \(parent)\(bound.map { " AND start < \($0)" } ?? "")
         ORDER BY start DESC, id DESC LIMIT 1) AS \(child) LIMIT 1)
      """
  }

  /// Verifies that a customer who was not found has no place either.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if the customer is in the list, but can't be read.
  /// - Complexity: O(rows), so it is for what fails as a whole.
  func requireNoPlace(of id: CustomerID) throws {
    let sql = "SELECT 1 FROM place WHERE customer = ? LIMIT 1"
    if try connection.fetchOne(sql, [.id(id)], { _ in true }) != nil { throw try lack() }
  }

  /// An error of a whole transaction, or `ListError.incomplete` or `damaged` if it says that there is no customer who is in the
  /// list, but can't be read.
  package func error(insteadOf error: any Error) throws -> any Error {
    switch error {
    case ListError.noSuchCustomer(let id), BatchError.refused(_, .noSuchCustomer(let id)):
      try requireNoPlace(of: id)
    default: break
    }
    return error
  }

  /// The error for a reader that did not find what it should have found.
  func lack() throws -> ListError {
    let counts = Dictionary(try sections().map { ($0.id, $0.count) }) { first, _ in first }
    let found = try rowsFound()
    var (missing, count) = (0, 0)
    for (section, wanted) in counts {
      missing = missing.saturatingAdding(max(0, wanted - (found[section]?.count ?? 0)))
      count = count.saturatingAdding(wanted)
    }
    for (section, lost) in found where counts[section] == nil {
      missing = missing.saturatingAdding(lost.count)
      count = count.saturatingAdding(lost.count)
    }
    return missing > 0 ? .incomplete(missing: missing, of: count) : .damaged
  }

  /// The customers of a section that have a place in the tree and a record.
  private struct PlacedRows {
    var count = 0
    /// Whether their numbers are 1…`count`.
    var areNumbered = true
  }

  /// The rows in each section, or in one.
  private func rowsFound(in section: SectionID? = nil) throws -> [SectionID: PlacedRows] {
    let slots = "slot BETWEEN 64 * block.id + 1 AND 64 * block.id + 63"
    let sql = """
      SELECT part.parent, part.start + chapter.start + block.start AS start,
        (SELECT count(DISTINCT customer) FROM place CROSS JOIN customer_record AS record
         ON record.id = customer AND record.block = block.id AND deleted_by IS NULL WHERE \(slots)),
        (SELECT max(slot) - 64 * block.id FROM place WHERE \(slots))
      FROM node AS part CROSS JOIN node AS chapter ON chapter.parent = part.id
      CROSS JOIN node AS block ON block.parent = chapter.id
      WHERE part.parent \(section == nil ? "< 0" : "= ?") ORDER BY 1, 2
      """
    var found: [SectionID: PlacedRows] = [:]
    try connection.query(sql, section.map { [.integer(0 &- $0.rawValue)] } ?? []) { block in
      while try block.step() {
        let section = SectionID(rawValue: 0 &- block.integer(0))
        let (start, count, last) = (block.int(1), block.int(2), block.int(3))
        var rows = found[section] ?? PlacedRows()
        if start != rows.count || count != last { rows.areNumbered = false }
        rows.count += count
        found[section] = rows
      }
    }
    return found
  }
}
