extension IntegrityRule {
  /// Whether no rule of `ofPlaces` is violated; it takes an eighth of their time.
  ///
  /// A block is sound if the numbers of its places end with the number of customers that are there and know it. Every
  /// place and every customer must be in such a block.
  static let placesAreSound = """
    \(tree),
    ends AS (
      SELECT id, (SELECT max(slot) FROM place WHERE slot BETWEEN 64 * id AND 64 * id + 63) - 64 * id AS last
      FROM block)
    SELECT total(last) = (SELECT count(*) FROM place)
      AND total(last) = (SELECT count(*) FROM customer_record WHERE deleted_by IS NULL)
    FROM ends WHERE last = (
      SELECT count(DISTINCT customer) FROM place CROSS JOIN customer_record AS c ON c.id = customer
      WHERE slot BETWEEN 64 * ends.id + 1 AND 64 * ends.id + 63 AND c.block = ends.id AND deleted_by IS NULL)
    """

  /// The rules of places.
  static let ofPlaces = [
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
}
