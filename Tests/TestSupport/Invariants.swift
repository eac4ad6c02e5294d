public import SQLite

/// What must hold inside the file after every statement, asked without the help of `check`.
extension Connection {
  /// The invariants that do not hold; none if all is well.
  public func brokenInvariants() throws -> [String] {
    try fetchAll(Self.invariants) { $0.text(0) }
  }

  private static let invariants = """
    WITH b AS (
      SELECT block.id, chapter, start, count("order") AS rows, min("order") AS first, max("order") AS last
      FROM block LEFT JOIN place ON place.block = block.id GROUP BY block.id),
    c AS (
      SELECT chapter.id, section, chapter.start, count(b.id) AS blocks, coalesce(sum(rows), 0) AS rows
      FROM chapter LEFT JOIN b ON b.chapter = chapter.id GROUP BY chapter.id)
    SELECT 'sections are numbered 1…m' FROM (
      SELECT count(*) AS m, count(DISTINCT "order") AS numbers, min("order") AS first, max("order") AS last
      FROM section_record WHERE deleted_by IS NULL) WHERE m > 0 AND (first <> 1 OR last <> m OR numbers <> m)
    UNION ALL SELECT 'blocks are numbered 1…k' FROM b WHERE first IS NOT 1 OR last IS NOT rows
    UNION ALL SELECT 'blocks keep their size' FROM b JOIN capacity AS most WHERE b.rows > most.rows
    UNION ALL SELECT 'chapters keep their size' FROM c JOIN capacity AS most
      WHERE c.blocks NOT BETWEEN 1 AND most.blocks
    UNION ALL SELECT 'blocks begin after the rows before' FROM (
      SELECT start, coalesce(sum(rows) OVER (
        PARTITION BY chapter ORDER BY start, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM b) WHERE start IS NOT before
    UNION ALL SELECT 'chapters begin after the rows before' FROM (
      SELECT start, coalesce(sum(rows) OVER (
        PARTITION BY section ORDER BY start, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM c) WHERE start IS NOT before
    UNION ALL SELECT 'sections count their rows' FROM section_record AS s
      WHERE count IS NOT (SELECT coalesce(sum(rows), 0) FROM c WHERE c.section = s.id)
    UNION ALL SELECT 'every block has a chapter and every chapter a section'
      WHERE EXISTS (SELECT 1 FROM block WHERE chapter NOT IN (SELECT id FROM chapter))
         OR EXISTS (SELECT 1 FROM chapter WHERE section NOT IN (SELECT id FROM section_record WHERE deleted_by IS NULL))
    UNION ALL SELECT 'every customer has one place and knows its block'
      WHERE (SELECT count(*) FROM place) <> (SELECT count(*) FROM customer_record WHERE deleted_by IS NULL)
         OR (SELECT count(*) FROM customers) <> (SELECT count(*) FROM customer_record WHERE deleted_by IS NULL)
         OR (SELECT count(DISTINCT customer) FROM place) <> (SELECT count(*) FROM place)
    UNION ALL SELECT 'what is deleted has no place, and the history knows by what'
      FROM customer_record WHERE deleted_by IS NOT NULL
        AND (block IS NOT NULL OR NOT EXISTS (SELECT 1 FROM history_edit WHERE id = deleted_by))
    UNION ALL SELECT 'nothing is left over' WHERE EXISTS (SELECT 1 FROM staged)
    """
}
