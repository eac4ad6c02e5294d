extension IntegrityRule {
  /// The rules of sections and nodes.
  static let ofOrder = [
    IntegrityRule(
      "the section's number is not its rank among the sections",
      """
      SELECT id, "order", NULL FROM (SELECT id, "order", row_number() OVER (ORDER BY "order", id) AS rank FROM section_record
        WHERE deleted_by IS NULL)
      WHERE "order" IS NOT rank
      """
    ),
    IntegrityRule(
      "the section's count is not the number of its rows",
      """
      \(tree)
      SELECT id, NULL, NULL FROM section_record
      WHERE count IS NOT (SELECT ifnull(sum(rows), 0) FROM block WHERE block.section = section_record.id)
      """
    ),
    IntegrityRule(
      "the part's start is not the number of rows before it", wrongStarts(of: "part", in: "section")),
    IntegrityRule(
      "the chapter's start is not the number of rows before it", wrongStarts(of: "chapter", in: "part")),
    IntegrityRule(
      "the block's start is not the number of rows before it", wrongStarts(of: "block", in: "chapter")),
    IntegrityRule(
      "the block has no rows",
      "\(tree) SELECT section, outer_start + start + 1, NULL FROM block WHERE rows = 0"
    ),
    IntegrityRule(
      "the chapter has no blocks",
      """
      \(tree)
      SELECT section, outer_start + start + 1, NULL FROM chapter WHERE id NOT IN (SELECT chapter FROM block)
      """
    ),
    IntegrityRule(
      "the part has no chapters",
      "\(tree) SELECT section, start + 1, NULL FROM part WHERE id NOT IN (SELECT part FROM chapter)"
    ),
    IntegrityRule(
      "the part, chapter, or block is in no section",
      """
      \(tree)
      SELECT NULL, NULL, NULL FROM node
      WHERE id NOT IN (SELECT id FROM part UNION SELECT id FROM chapter UNION SELECT id FROM block)
      """
    ),
  ]

  /// The levels of the tree, from the sections down; `outer_start` is the start of the parent.
  static let tree = """
    WITH part AS (
      SELECT node.id, section_record.id AS section, 0 AS outer_start, start
      FROM section_record JOIN node ON node.parent = -section_record.id),
    chapter AS (
      SELECT node.id, part.id AS part, section, part.start AS outer_start, node.start
      FROM part JOIN node ON node.parent = part.id),
    block AS (
      SELECT node.id, chapter.id AS chapter, part, section, outer_start + chapter.start AS outer_start,
        node.start, (
          SELECT count(*) FROM place WHERE slot BETWEEN 64 * node.id AND 64 * node.id + 63) AS rows
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
}
