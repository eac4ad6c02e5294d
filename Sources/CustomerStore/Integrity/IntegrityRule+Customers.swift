extension IntegrityRule {
  /// The rules of customers, ids, and the history.
  static let ofCustomers = [
    IntegrityRule(
      "the customer is deleted, but has a place or no deletion in the history",
      """
      SELECT NULL, NULL, id FROM customer_record AS c
      WHERE deleted_by IS NOT NULL
        AND (block IS NOT NULL OR NOT EXISTS (SELECT 1 FROM history_edit WHERE id = c.deleted_by))
      """
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
      "the numbers of the history are broken",
      """
      SELECT * FROM (\(CustomerList.brokenHistory) UNION ALL \(CustomerList.brokenLimit)) LIMIT 1
      """),
    IntegrityRule(
      "the id can't be one",
      """
      SELECT NULL, NULL, id FROM customer_record WHERE id NOT BETWEEN 1 AND \(CustomerList.greatestID)
      UNION ALL SELECT id, NULL, NULL FROM section_record WHERE id NOT BETWEEN 1 AND \(CustomerList.greatestID)
      """
    ),
    IntegrityRule(
      "a right or the mark of a favorite is neither 0 nor 1",
      """
      SELECT NULL, NULL, id FROM customer_record
      WHERE is_favorite NOT IN (0, 1) OR can_edit NOT IN (0, 1) OR can_move NOT IN (0, 1)
      """
    ),
    IntegrityRule(
      "rows were left over from an unfinished edit",
      "SELECT NULL, number, customer FROM staged UNION ALL SELECT NULL, NULL, customer FROM staged_extra"
    ),
  ]
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

  /// Gives the list an identity if it has none.
  static let newIdentity = """
    INSERT INTO identity SELECT lower(hex(randomblob(16))), lower(hex(randomblob(16)))
    WHERE NOT EXISTS (SELECT 1 FROM identity)
    """

  /// The triggers accept no greater id from a client; see `check_new_id`.
  static let greatestID: Int64 = 4_503_599_627_370_496

  /// The rows of the history with impossible numbers.
  static let brokenHistory = """
    SELECT NULL, NULL, NULL FROM history_step
    WHERE id NOT BETWEEN 1 AND \(greatestID) OR first_edit NOT BETWEEN 1 AND \(greatestID)
      OR typeof(first_edit) <> 'integer' OR typeof(last) <> 'integer' OR last NOT BETWEEN 1 AND \(greatestID)
      OR typeof(bytes) NOT IN ('integer', 'real') OR typeof(bytes_before) NOT IN ('integer', 'real')
      OR bytes NOT BETWEEN 0 AND 1e15 OR bytes_before NOT BETWEEN 0 AND 1e15
      OR (is_open IS NOT 0 AND id < (SELECT max(id) FROM history_step))
      OR first_edit < (SELECT first_edit FROM history_step AS earlier WHERE earlier.id = history_step.id - 1)
      OR id > 1 + (SELECT min(id) FROM history_step) + (SELECT count(*) FROM history_step)
    UNION ALL SELECT NULL, NULL, NULL FROM history_edit
    WHERE id NOT BETWEEN 1 AND \(greatestID) OR typeof(row) <> 'integer' OR typeof(count) <> 'integer'
      OR row > \(greatestID) OR count > \(greatestID)
      OR (kind IN ('insert rows', 'delete rows') AND count > (
        SELECT count(*) FROM customer_record WHERE id BETWEEN row AND row + count - 1))
      OR row < 0 OR count < 0 OR section < 0 OR to_section < 0 OR "order" < 0 OR to_order < 0
      OR typeof(section) NOT IN ('null', 'integer') OR typeof(to_section) NOT IN ('null', 'integer')
      OR typeof("order") NOT IN ('null', 'integer') OR typeof(to_order) NOT IN ('null', 'integer')
    """

  /// The limits of the history, if they are none.
  static let brokenLimit = """
    SELECT NULL, NULL, NULL FROM history_limit
    WHERE typeof(steps) <> 'integer' OR typeof(bytes) <> 'integer' OR steps < 1 OR bytes < 0
    UNION ALL SELECT NULL, NULL, NULL WHERE (SELECT count(*) FROM history_limit) <> 1
    """
}
