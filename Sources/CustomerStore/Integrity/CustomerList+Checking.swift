internal import SQLite

/// A problem found in a file.
public struct Violation: Hashable, Sendable {
  /// The problem, without people's data.
  public var message: String
  /// The section, if any.
  public var section: SectionID?
  /// The number of the row in the file, if any.
  public var order: Int?
  /// The customer, if any.
  public var customer: CustomerID?
}

extension CustomerList {
  /// Verifies, from the tables alone, that the file is intact: SQLite finds no damage, the schema is ours,
  /// every customer has exactly one place, places and sections are numbered 1…n, and texts are UTF-8.
  ///
  /// Corruption inside a text is not detected. O(rows)
  ///
  /// - Returns: every problem; empty if there is none.
  /// - Throws: `StoreError.diskError` if the file can't be read, which does not mean that it is damaged.
  public func check() throws -> [Violation] {
    let schema = try SchemaDifference(of: connection).violations
    let database = try checkDatabase()
    do {
      return try schema + database + checkNumbers() + unreadableTexts()
    } catch let error as SQLiteError where !schema.isEmpty && error.code.primary == .error {
      // The tables with the numbers are missing.
      return schema + database
    }
  }

  /// Objects that other programs have added to the schema, such as `index by_name`; they are harmless.
  public func additions() throws -> [String] {
    try SchemaDifference(of: connection).additions.map { "\($0.type) \($0.name)" }
  }

  /// The triggers of other programs on our tables, which `repair` removes if it may.
  public func foreignTriggers() throws -> [String] {
    try SchemaDifference(of: connection).foreignTriggers.map(\.name)
  }

  /// Whether the file may still contain texts that another program has deleted or changed.
  ///
  /// Only some programs overwrite such texts; `CustomerStore.eraseTraces` does. The history shows which
  /// programs made edits, as far back as it goes.
  public func mayHaveTraces() throws -> Bool {
    try connection.fetchOne(
      """
      SELECT 1 FROM history_step
      WHERE program = '' AND kind = 'edit' AND first_edit <= (SELECT max(id) FROM history_edit)
      """
    ) { _ in true } ?? false
  }

  /// Whether the file is kept with a write-ahead log, so that a copy of the file alone may be old.
  ///
  /// Opening a file turns it off, unless `Options.usesWriteAheadLog` is set, another program has the file
  /// open, or the file can't be written.
  public func usesWriteAheadLog() throws -> Bool {
    try connection.localFile.usesWriteAheadLog()
  }

  /// SQLite's own checks.
  private func checkDatabase() throws -> [Violation] {
    try connection.localFile.findings().map { message in Violation(message: message) }
  }

  /// The numbering, by the queries below.
  private func checkNumbers() throws -> [Violation] {
    try Self.checks.flatMap { check in
      try connection.fetchAll(check.sql) { row in
        Violation(
          message: check.message,
          section: row.isNull(0) ? nil : SectionID(rawValue: row.integer(0)),
          order: row.isNull(1) ? nil : row.int(1),
          customer: row.isNull(2) ? nil : CustomerID(rawValue: row.integer(2)))
      }
    }
  }

  /// The levels of the tree, from the sections down; `outer_start` is the start of the parent.
  private static let tree = """
    WITH part AS (
      SELECT node.id, section_record.id AS section, 0 AS outer_start, start
      FROM section_record JOIN node ON node.parent = -section_record.id),
    chapter AS (
      SELECT node.id, part.id AS part, section, part.start AS outer_start, node.start
      FROM part JOIN node ON node.parent = part.id),
    block AS (
      SELECT node.id, chapter.id AS chapter, part, section, outer_start + chapter.start AS outer_start,
        node.start, (SELECT count(*) FROM place WHERE place.block = node.id) AS rows
      FROM chapter JOIN node ON node.parent = chapter.id)
    """

  /// The nodes of a level whose start is not the sum of the rows of the siblings before them.
  private static func wrongStarts(of level: String, in parent: String) -> String {
    let rows =
      level == "block"
      ? "rows" : "(SELECT ifnull(sum(rows), 0) FROM block WHERE block.\(level) = \(level).id)"
    return """
      \(tree)
      SELECT section, outer_start + start + 1, NULL FROM (
        SELECT section, outer_start, start, sum(rows) OVER (
          PARTITION BY parent ORDER BY start, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM (SELECT id, section, outer_start, start, \(parent) AS parent, \(rows) AS rows FROM \(level)))
      WHERE start IS NOT ifnull(before, 0)
      """
  }

  /// Each query finds the violations of one rule: section, order and customer of every such row.
  private static let checks: [(message: String, sql: String)] = [
    (
      "the section's number is not its rank among the sections",
      """
      SELECT id, "order", NULL FROM (SELECT id, "order", row_number() OVER (ORDER BY "order", id) AS rank FROM section_record
        WHERE deleted_by IS NULL)
      WHERE "order" IS NOT rank
      """
    ),
    (
      "the section's count is not the number of its rows",
      """
      \(tree)
      SELECT id, NULL, NULL FROM section_record
      WHERE count IS NOT (SELECT ifnull(sum(rows), 0) FROM block WHERE block.section = section_record.id)
      """
    ),
    ("the part's start is not the number of rows before it", wrongStarts(of: "part", in: "section")),
    ("the chapter's start is not the number of rows before it", wrongStarts(of: "chapter", in: "part")),
    ("the block's start is not the number of rows before it", wrongStarts(of: "block", in: "chapter")),
    (
      "the place is not the row's rank in its block",
      """
      SELECT section, start + "order", customer FROM (
        SELECT *, row_number() OVER (PARTITION BY block ORDER BY "order") AS rank FROM place)
      LEFT JOIN located_block USING (block)
      WHERE "order" IS NOT rank OR typeof("order") <> 'integer'
      """
    ),
    (
      "the block has no rows",
      "\(tree) SELECT section, outer_start + start + 1, NULL FROM block WHERE rows = 0"
    ),
    (
      "the chapter has no blocks",
      """
      \(tree)
      SELECT section, outer_start + start + 1, NULL FROM chapter WHERE id NOT IN (SELECT chapter FROM block)
      """
    ),
    (
      "the part has no chapters",
      "\(tree) SELECT section, start + 1, NULL FROM part WHERE id NOT IN (SELECT part FROM chapter)"
    ),
    (
      "the part, chapter or block is in no section",
      """
      \(tree)
      SELECT NULL, NULL, NULL FROM node
      WHERE id NOT IN (SELECT id FROM part UNION SELECT id FROM chapter UNION SELECT id FROM block)
      """
    ),
    (
      "the place is of a block that is nowhere",
      """
      \(tree)
      SELECT NULL, "order", customer FROM place WHERE block NOT IN (SELECT id FROM block)
      """
    ),
    (
      "the place is of a customer that does not exist",
      """
      SELECT section, start + "order", customer FROM place LEFT JOIN located_block USING (block)
      WHERE NOT EXISTS (SELECT 1 FROM customer_record WHERE id = customer AND deleted_by IS NULL)
      """
    ),
    (
      "the customer has no place, or looks for it in another block",
      """
      SELECT NULL, NULL, id FROM customer_record AS c
      WHERE deleted_by IS NULL AND NOT EXISTS (SELECT 1 FROM place WHERE place.block = c.block AND place.customer = c.id)
      """
    ),
    (
      "the customer has several places",
      // If a customer has two places, one is in a block that its record does not name, or both are in the
      // same block. This query needs no sorting, so a list of any length is checked in little memory.
      """
      SELECT NULL, NULL, customer FROM place JOIN customer_record AS c ON c.id = customer
      WHERE c.block <> place.block
        AND EXISTS (SELECT 1 FROM place AS found WHERE found.block = c.block AND found.customer = c.id)
      UNION ALL
      SELECT NULL, NULL, customer FROM place
      WHERE block IN (SELECT block FROM place GROUP BY block HAVING count(*) > count(DISTINCT customer))
      GROUP BY block, customer HAVING count(*) > 1
      """
    ),
    (
      "the customer is deleted, but has a place or no deletion in the history",
      """
      SELECT NULL, NULL, id FROM customer_record AS c
      WHERE deleted_by IS NOT NULL
        AND (block IS NOT NULL OR NOT EXISTS (SELECT 1 FROM history_edit WHERE id = c.deleted_by))
      """
    ),
    (
      "the next id is not known",
      """
      SELECT NULL, NULL, NULL FROM (\(knownIDs)) AS known
      WHERE id > 0 AND NOT EXISTS (
        SELECT 1 FROM sqlite_sequence WHERE name = "table" AND typeof(seq) = 'integer'
          AND seq BETWEEN known.id AND \(greatestID))
      UNION ALL SELECT NULL, NULL, NULL FROM sqlite_sequence
      WHERE name IN ('customer_record', 'section_record') AND (
        typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND \(greatestID))
      UNION ALL SELECT NULL, NULL, NULL FROM sqlite_sequence GROUP BY name HAVING count(*) > 1
      LIMIT 1
      """
    ),
    ("the numbers of the history are broken", "SELECT * FROM (\(brokenHistory)) LIMIT 1"),
    (
      "the id can't be one",
      """
      SELECT NULL, NULL, id FROM customer_record WHERE id NOT BETWEEN 1 AND \(greatestID)
      UNION ALL SELECT id, NULL, NULL FROM section_record WHERE id NOT BETWEEN 1 AND \(greatestID)
      """
    ),
    (
      "a right or the mark of a favorite is neither 0 nor 1",
      """
      SELECT NULL, NULL, id FROM customer_record
      WHERE is_favorite NOT IN (0, 1) OR can_edit NOT IN (0, 1) OR can_move NOT IN (0, 1)
      """
    ),
    (
      "rows were left over from an unfinished edit",
      "SELECT NULL, number, customer FROM staged UNION ALL SELECT NULL, NULL, customer FROM staged_extra"
    ),
  ]
}
