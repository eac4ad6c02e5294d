internal import CustomersSQLite

/// The invariants of the file, which must hold after every statement; they do not rely on `check`.
extension Connection {
  /// Returns the violated invariants; none if the file is intact.
  package func brokenInvariants() throws -> [String] {
    try fetchAll(Self.invariants) { $0.text(0) }
  }

  private static let invariants = """
    WITH p AS (
      SELECT node.id, s.id AS section, start FROM section_record AS s JOIN node ON parent = -s.id
      WHERE deleted_by IS NULL),
    c AS (SELECT node.id, section, p.id AS part, node.start FROM p JOIN node ON parent = p.id),
    b AS (
      SELECT node.id, section, part, c.id AS chapter, node.start,
        (SELECT count(*) FROM place WHERE slot BETWEEN 64 * node.id AND 64 * node.id + 63) AS rows
      FROM c JOIN node ON parent = c.id),
    n AS (
      SELECT id, -section AS parent, start, (SELECT count(*) FROM c WHERE part = p.id) AS children,
        (SELECT coalesce(sum(rows), 0) FROM b WHERE part = p.id) AS rows FROM p
      UNION ALL SELECT id, part, start, (SELECT count(*) FROM b WHERE chapter = c.id),
        (SELECT coalesce(sum(rows), 0) FROM b WHERE chapter = c.id) FROM c
      UNION ALL SELECT id, chapter, start, NULL, rows FROM b)
    SELECT 'sections are numbered 1…m' FROM (
      SELECT count(*) AS m, count(DISTINCT "order") AS numbers, min("order") AS first, max("order") AS last
      FROM section_record WHERE deleted_by IS NULL) WHERE m > 0 AND (first <> 1 OR last <> m OR numbers <> m)
    UNION ALL SELECT 'blocks are numbered 1…k' FROM (
      SELECT count(*) AS rows, min("order") AS first, max("order") AS last FROM place GROUP BY block)
      WHERE first IS NOT 1 OR last IS NOT rows
    UNION ALL SELECT 'blocks keep their size' FROM b JOIN capacity AS most WHERE b.rows NOT BETWEEN 1 AND most.rows
    UNION ALL SELECT 'chapters and parts keep their size' FROM n JOIN capacity AS most
      WHERE n.children NOT BETWEEN 1 AND most.children
    UNION ALL SELECT 'nodes begin after the rows before' FROM (
      SELECT start, coalesce(sum(rows) OVER (
        PARTITION BY parent ORDER BY start, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM n) WHERE start IS NOT before
    UNION ALL SELECT 'sections count their rows' FROM section_record AS s
      WHERE count IS NOT (SELECT coalesce(sum(rows), 0) FROM b WHERE b.section = s.id)
    UNION ALL SELECT 'every node and every place is in a section'
      WHERE (SELECT count(*) FROM node) <> (SELECT count(*) FROM n)
         OR EXISTS (SELECT 1 FROM place WHERE block NOT IN (SELECT id FROM b))
    UNION ALL SELECT 'every customer has one place and knows its block'
      WHERE (SELECT count(*) FROM place) <> (SELECT count(*) FROM customer_record WHERE deleted_by IS NULL)
         OR (SELECT count(*) FROM customers) <> (SELECT count(*) FROM customer_record WHERE deleted_by IS NULL)
         OR (SELECT count(DISTINCT customer) FROM place) <> (SELECT count(*) FROM place)
    UNION ALL SELECT 'what is deleted has no place, and the history knows by what'
      FROM customer_record WHERE deleted_by IS NOT NULL
        AND (block IS NOT NULL OR NOT EXISTS (SELECT 1 FROM history_edit WHERE id = deleted_by))
    UNION ALL SELECT 'every line is of a customer, and the history knows what deleted it' FROM line_record
      WHERE customer NOT IN (SELECT id FROM customer_record) OR deleted_by IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM history_edit WHERE id = deleted_by AND kind = 'line delete' AND row = uid)
    UNION ALL SELECT 'the history knows what deleted a column, a setting, or a person' FROM entry_record
      WHERE deleted_by IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM history_edit WHERE id = deleted_by AND kind = 'entry delete' AND row = uid)
    UNION ALL SELECT 'no two columns, settings, or persons have one name' WHERE EXISTS (
      SELECT 1 FROM entry_record WHERE deleted_by IS NULL GROUP BY type, name, uid < 0 HAVING count(*) > 1)
    UNION ALL SELECT 'every field is declared'
      WHERE (SELECT group_concat(uid) FROM (
        SELECT uid FROM entry_record WHERE uid > 0 AND deleted_by IS NULL ORDER BY uid)) <> '1,2,3,4,5,6,7,8,9,10,11'
    UNION ALL SELECT 'titles have their keys' WHERE EXISTS (
      SELECT 1 FROM section_record WHERE title_key IS NOT lower(trim(title)))
    UNION ALL SELECT 'the list has an identity' WHERE (SELECT count(*) FROM identity) <> 1
    UNION ALL SELECT 'nothing is left over' WHERE EXISTS (SELECT 1 FROM staged) OR EXISTS (SELECT 1 FROM staged_extra)
    """
}
