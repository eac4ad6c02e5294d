/// A rule about the rows of the internal tables and the query that finds violations.
struct IntegrityRule: Sendable {
  /// The message for a violation.
  let message: String
  /// Returns section, order, and customer of every such row.
  let sql: String

  init(_ message: String, _ sql: String) {
    (self.message, self.sql) = (message, sql)
  }
}

/// A problem found in a file.
package struct ListViolation: Hashable, Sendable {
  /// The problem, without people's data.
  package var message: String
  /// The section, if any.
  package var section: SectionID?
  /// The number of the row in the file, if any.
  package var order: Int?
  /// The customer, if any.
  package var customer: CustomerID?
  /// Where it is if it is a text that can't be read: no repair knows what it was.
  package var unreadableText: TextPlace?
  /// Whether it is such a text.
  package var isUnreadableText: Bool { unreadableText != nil }

  /// What a text belongs to.
  package enum TextPlace: Hashable, Sendable {
    case customer, section, entry
    /// The line of a log with this uid.
    case line(Int64)
  }
}

extension [ListViolation] {
  /// Whether more is wrong than texts that can't be read.
  package var isOfDamage: Bool { contains { !$0.isUnreadableText } }
}

extension IntegrityRule {
  /// What the rule of the history finds.
  static let ofHistory = "the numbers of the history are broken"

  /// The rule of the order of sections.
  static let ofSections = IntegrityRule(
    "the section's number is not its rank among the sections",
    """
    SELECT id, "order", NULL FROM (SELECT id, "order", row_number() OVER (ORDER BY "order", id) AS rank FROM section_record
      WHERE deleted_by IS NULL)
    WHERE "order" IS NOT rank
    """)

  /// The rules of nodes and places, none of which is violated if the walk of `CustomerList.check` finds what the records say.
  static let ofRows = [
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
    IntegrityRule(
      "the place is not the row's rank in its block",
      """
      SELECT section, start + "order", customer FROM place LEFT JOIN located_block USING (block)
      WHERE "order" < 1 OR "order" > 1 AND NOT EXISTS (
        SELECT 1 FROM place AS previous WHERE previous.slot = place.slot - 1)
      """
    ),
    IntegrityRule(
      "the place is of a block that is nowhere",
      """
      \(tree)
      SELECT NULL, "order", customer FROM place WHERE block NOT IN (SELECT id FROM block)
      """
    ),
    IntegrityRule(
      "the place is of a customer that does not exist",
      """
      SELECT section, start + "order", customer FROM place LEFT JOIN located_block USING (block)
      WHERE NOT EXISTS (SELECT 1 FROM customer_record WHERE id = customer AND deleted_by IS NULL)
      """
    ),
    IntegrityRule(
      "the customer has no place or looks for it in another block",
      """
      SELECT NULL, NULL, id FROM customer_record AS c
      WHERE deleted_by IS NULL AND NOT EXISTS (
        SELECT 1 FROM place WHERE slot BETWEEN 64 * c.block AND 64 * c.block + 63 AND customer = c.id)
      """
    ),
    IntegrityRule(
      "the customer has several places",
      // If a customer has two places, one is in a block that its record does not name, or both are in the
      // same block. This query needs no sorting, so a list of any length is checked in little memory.
      """
      SELECT NULL, NULL, customer FROM place JOIN customer_record AS c ON c.id = customer
      WHERE c.block <> place.block
        AND EXISTS (
          SELECT 1 FROM place AS found
          WHERE found.slot BETWEEN 64 * c.block AND 64 * c.block + 63 AND found.customer = c.id)
      UNION ALL
      SELECT NULL, NULL, customer FROM place
      WHERE EXISTS (
        SELECT 1 FROM place AS found
        WHERE found.slot > place.slot AND found.slot <= 64 * place.block + 63 AND found.customer = place.customer)
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

extension IntegrityRule {
  /// The rules of customers, ids, and the history.
  static let ofCustomers = [
    IntegrityRule(
      "the customer is deleted, but has a place or no deletion in the history",
      """
      SELECT NULL, NULL, id FROM customer_record
      WHERE deleted_by IS NOT NULL AND (block IS NOT NULL OR NOT \(CustomerList.isCustomerDeletion))
      """
    ),
    IntegrityRule(
      "the section is deleted, but has a number or no deletion in the history",
      """
      SELECT id, NULL, NULL FROM section_record
      WHERE deleted_by IS NOT NULL AND ("order" IS NOT NULL OR NOT \(CustomerList.isSectionDeletion))
      """
    ),
    IntegrityRule(
      "the line of the log is of a customer that does not exist",
      "SELECT NULL, NULL, customer FROM line_record WHERE customer NOT IN (SELECT id FROM customer_record)"
    ),
    IntegrityRule(
      "the line of the log is deleted, but has no deletion in the history",
      "SELECT NULL, NULL, customer FROM line_record WHERE deleted_by IS NOT NULL AND NOT \(CustomerList.isLineDeletion)"
    ),
    IntegrityRule(
      "a column, a setting, or a person is deleted, but has no deletion in the history",
      "SELECT NULL, NULL, NULL FROM entry_record WHERE deleted_by IS NOT NULL AND NOT \(CustomerList.isEntryDeletion)"
    ),
    IntegrityRule(
      "two columns, settings, or persons have one name, or a field is not declared",
      """
      SELECT NULL, NULL, NULL FROM present_entry GROUP BY type, name, uid < 0 HAVING count(*) > 1
      UNION ALL SELECT NULL, NULL, NULL WHERE (SELECT count(*) FROM present_entry WHERE uid > 0) <> \(CustomerList.fieldCount)
      """
    ),
    IntegrityRule(
      "an entry of the list is neither a column, a setting, nor a person",
      "SELECT NULL, NULL, NULL FROM entry_record WHERE NOT \(CustomerList.isKnownEntry)"
    ),
    IntegrityRule(
      "the next id is not known",
      """
      SELECT NULL, NULL, NULL FROM (\(CustomerList.knownIDs)) AS known
      WHERE id > 0 AND NOT EXISTS (
        SELECT 1 FROM sqlite_sequence WHERE name = "table" AND typeof(seq) = 'integer'
          AND seq BETWEEN known.id AND \(CustomerList.greatestID))
      UNION ALL SELECT NULL, NULL, NULL FROM sqlite_sequence
      WHERE name IN ('customer_record', 'section_record') AND (
        typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND \(CustomerList.greatestID))
      UNION ALL SELECT NULL, NULL, NULL FROM sqlite_sequence GROUP BY name HAVING count(*) > 1
      LIMIT 1
      """
    ),
    IntegrityRule(
      "the list has no identity, or several",
      "SELECT NULL, NULL, NULL WHERE (SELECT count(*) FROM identity) <> 1"),
    IntegrityRule(
      ofHistory,
      """
      SELECT * FROM (\(LogRules.current.broken) UNION ALL \(CustomerList.brokenLimit)
        UNION ALL SELECT NULL, NULL, NULL FROM (\(CustomerList.lackingRuns))) LIMIT 1
      """),
    IntegrityRule(
      "what is known of other copies of the list is broken",
      "SELECT NULL, NULL, NULL FROM (\(CustomerList.brokenStates)) LIMIT 1"
    ),
    IntegrityRule(
      "the id can't be one",
      """
      SELECT NULL, NULL, id FROM customer_record WHERE id < 1 OR id > \(CustomerList.greatestID)
      UNION ALL SELECT id, NULL, NULL FROM section_record WHERE id < 1 OR id > \(CustomerList.greatestID)
      """
    ),
    IntegrityRule(
      "rows were left over from an unfinished edit",
      "SELECT NULL, number, customer FROM staged UNION ALL SELECT NULL, NULL, customer FROM staged_extra"
    ),
  ]

  /// The rule of the flags of customers, which the table checks, too.
  static let ofFlags = IntegrityRule(
    "a right or the mark of a favorite is neither 0 nor 1",
    """
    SELECT NULL, NULL, id FROM customer_record
    WHERE is_favorite NOT IN (0, 1) OR can_edit NOT IN (0, 1) OR can_move NOT IN (0, 1)
    """)
}

/// What numbers of ids and of the history can be.
extension CustomerList {
  /// The greatest id of each kind in the tables or the history; 0 if there is none.
  static let knownIDs = """
    SELECT 'customer_record' AS "table", max(
      ifnull((SELECT max(id) FROM customer_record WHERE id <= \(greatestID)), 0),
      ifnull((SELECT max(row + count - 1) FROM history_edit
        WHERE kind IN ('insert', 'delete', 'move', 'update', 'insert rows', 'delete rows')
          AND typeof(row) = 'integer' AND typeof(count) = 'integer'
          AND row BETWEEN 1 AND \(greatestID) AND count BETWEEN 1 AND 1e12
          AND row + count - 1 <= \(greatestID)), 0)) AS id
    UNION ALL SELECT 'section_record', max(
      ifnull((SELECT max(id) FROM section_record WHERE id <= \(greatestID)), 0),
      ifnull((SELECT max(row) FROM history_edit
        WHERE kind LIKE 'section %' AND typeof(row) = 'integer' AND row BETWEEN 1 AND \(greatestID)), 0))
    """

  /// Whether the edit that a customer's record names is a deletion of the customer.
  ///
  /// With the plus, SQLite looks the customers up, and makes no index of all.
  static let isCustomerDeletion = """
    id IN (
      SELECT c.id FROM history_edit AS edit
      CROSS JOIN customer_record AS c ON c.id BETWEEN edit.row AND edit.row + edit.count - 1
        AND +c.deleted_by = edit.id
      WHERE edit.kind IN ('delete', 'delete rows')
      UNION ALL
      SELECT c.id FROM history_edit AS edit CROSS JOIN history_row AS row ON row.edit = edit.id AND row.to_order IS NULL
      CROSS JOIN customer_record AS c ON c.id = row.customer AND c.deleted_by = edit.id
      WHERE edit.kind = 'rows')
    """

  /// The same for a section.
  static let isSectionDeletion = isDeletion(of: "section", "id")

  /// The same for a line of a log.
  static let isLineDeletion = isDeletion(of: "line", "uid")

  /// The same for an entry of the list.
  static let isEntryDeletion = isDeletion(of: "entry", "uid")

  /// What an entry of the list can be.
  static let entryTypes = ["column", "setting", "person"]

  /// Whether an entry is one of these; a field is a column.
  static let isKnownEntry =
    "(type = 'column' OR uid < 0 AND type IN (\(entryTypes.map { "'\($0)'" }.joined(separator: ", "))))"

  private static func isDeletion(of thing: String, _ key: String) -> String {
    "(\(key), deleted_by) IN (SELECT row, id FROM history_edit WHERE kind = '\(thing) delete')"
  }

  /// How many fields the list declares: all that every customer has but the parts of the address.
  static let fieldCount = CustomerField.stored.count { $0 != .addressParts }

  /// Gives the list an identity if it has none.
  static let newIdentity = """
    INSERT INTO identity (list, history) SELECT lower(hex(randomblob(16))), lower(hex(randomblob(16)))
    WHERE NOT EXISTS (SELECT 1 FROM identity)
    """

  /// The triggers accept no greater id from a client; see `check_new_id`.
  static let greatestID: Int64 = 4_503_599_627_370_496

  /// The states of other copies, and the undone pulls, that no step can have taken in or undone.
  static let brokenStates = """
    SELECT 1 FROM known_state
    WHERE typeof(step) <> 'integer' OR typeof(mark) <> 'integer' OR mark = 0
      OR step NOT BETWEEN 1 AND (SELECT ifnull(max(id), 0) FROM history_step)
    UNION ALL SELECT 1 FROM undone_pull
    WHERE typeof(next) <> 'integer' OR step < 1 OR next <= step OR next > (SELECT ifnull(max(id), 0) FROM history_step)
    UNION ALL SELECT 1 FROM pulled_time
    WHERE typeof(edit) <> 'integer' OR typeof(row) <> 'integer' OR typeof(at) <> 'text'
      OR edit NOT BETWEEN 1 AND (SELECT id FROM last_edit)
    """

  /// The condition of edits that no repair followed: the history has the records of all their customers.
  static func isSinceRepair(_ edit: String) -> String {
    """
    \(edit) >= (
      SELECT ifnull(max(first_edit), 0) FROM history_step WHERE action = 'repair' AND state = 'dropped')
    """
  }

  /// The rows with consecutive ids that one edit added or deleted, if not all of them have a record.
  ///
  /// A repair keeps those edits, and none of them can be undone. Of very many rows, the history can't be read then.
  static let lackingRuns = """
    SELECT row, count FROM history_edit
    WHERE kind IN ('insert rows', 'delete rows') AND (count > \(mostUncounted) OR \(isSinceRepair("id")))
      AND count > (SELECT count(*) FROM customer_record WHERE id BETWEEN row AND row + count - 1)
    """

  /// The limits of the history, if they are none.
  static let brokenLimit = """
    SELECT NULL, NULL, NULL FROM history_limit
    WHERE typeof(steps) <> 'integer' OR typeof(bytes) <> 'integer' OR steps < 1 OR bytes < 0
    UNION ALL SELECT NULL, NULL, NULL WHERE (SELECT count(*) FROM history_limit) <> 1
    """
}

/// What is asked of the log, and how it is erased.
struct LogRules {
  /// The rows of the history with impossible numbers, and the steps of which an edit is missing.
  var broken: String
  /// The statements that erase it, with the records of deleted customers and sections.
  var erase: String

  private init(steps: String, erase: String) {
    let greatestID = CustomerList.greatestID
    broken = """
      SELECT NULL, NULL, NULL FROM history_step
      WHERE id NOT BETWEEN 1 AND \(greatestID) OR first_edit NOT BETWEEN 1 AND \(greatestID)
        OR typeof(first_edit) <> 'integer' OR typeof(last) <> 'integer' OR last NOT BETWEEN 1 AND \(greatestID)
        OR typeof(bytes) NOT IN ('integer', 'real') OR typeof(bytes_before) NOT IN ('integer', 'real')
        OR bytes NOT BETWEEN 0 AND 1e15 OR bytes_before NOT BETWEEN 0 AND 1e15
        OR (is_open IS NOT 0 AND id < (SELECT max(id) FROM history_step))
        OR first_edit < (SELECT first_edit FROM history_step AS earlier WHERE earlier.id = history_step.id - 1)
        OR id > 1 + (SELECT min(id) FROM history_step) + (SELECT count(*) FROM history_step)
      UNION ALL \(steps)
      UNION ALL SELECT NULL, NULL, NULL FROM history_edit
      WHERE id NOT BETWEEN 1 AND \(greatestID) OR typeof(row) <> 'integer' OR typeof(count) <> 'integer'
        OR (row NOT BETWEEN 0 AND \(greatestID) AND kind NOT LIKE 'line %' AND kind NOT LIKE 'entry %')
        OR count > \(greatestID)
        OR (kind = 'rows' AND count <> (SELECT count(*) FROM history_row WHERE edit = history_edit.id))
        OR count < 0 OR section < 0 OR to_section < 0 OR "order" < 0 OR to_order < 0
        OR typeof(section) NOT IN ('null', 'integer') OR typeof(to_section) NOT IN ('null', 'integer')
        OR typeof("order") NOT IN ('null', 'integer') OR typeof(to_order) NOT IN ('null', 'integer')
      """
    self.erase = erase
  }

  /// Those of the current format.
  static let current = LogRules(
    steps: """
      SELECT NULL, NULL, NULL FROM history_step WHERE typeof(edits) <> 'integer'
      UNION ALL SELECT NULL, NULL, NULL FROM incomplete_step
      UNION ALL SELECT NULL, NULL, NULL
      WHERE (SELECT count(*) FROM edit_record) <> (SELECT total(edits - (first_kind IS NOT NULL)) FROM history_step)
      UNION ALL SELECT NULL, NULL, NULL
      WHERE (SELECT count(*) FROM history_step) <> (SELECT 1 + max(id) - min(id) FROM history_step)
      UNION ALL SELECT NULL, NULL, NULL FROM history_step AS step JOIN history_step AS next ON next.id = step.id + 1
      WHERE next.first_edit - step.first_edit - step.edits NOT IN (0, next.action = 'repair' AND next.state = 'dropped')
      """,
    erase: """
      INSERT INTO forget_edit SELECT first_edit, first_kind, row, count FROM history_step WHERE first_kind IS NOT NULL;
      INSERT INTO forget_edit SELECT id, kind, row, count FROM edit_record;
      DELETE FROM edit_record; DELETE FROM history_row; DELETE FROM pulled_time; DELETE FROM history_step
      """)

  /// Those of formats 10 and 11, where a step has the numbers from its first edit to that of the next step, but for the
  /// one that a repair skips.
  static let older = LogRules(
    steps: """
      SELECT NULL, NULL, NULL FROM history_step AS step JOIN history_step AS next ON next.id = step.id + 1
      WHERE next.first_edit - step.first_edit - (
          SELECT count(*) FROM history_edit WHERE id >= step.first_edit AND id < next.first_edit)
        NOT IN (0, next.action = 'repair' AND next.state = 'dropped')
      """,
    erase: "DELETE FROM history_edit; DELETE FROM history_row; DELETE FROM history_step")
}
