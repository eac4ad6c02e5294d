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
      "the numbers of the history are broken", "SELECT * FROM (\(CustomerList.brokenHistory)) LIMIT 1"),
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
