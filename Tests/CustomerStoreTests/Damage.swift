import Testing

/// A way to damage the internal tables and how `check` and `repair` respond.
///
/// The list has sections 1 and 2. Section 1 has customers 1…10 in this order, in the blocks of small
/// sizes: block 3 with 1…4, 4 with 5…8, 5 with 9 and 10, in chapter 2 of part 1. Section 2 has customers
/// 11 and 12 in block 8 of chapter 7 of part 6.
struct Damage: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// SQL that causes the damage, with constraints disabled.
  var sql: String
  /// A message that `check` must report.
  var message: String
  /// The customer or else the section that `check` names.
  var customer: Int64?
  var section: Int64?
  /// The ids in section 1 after `repair`.
  var order: [Int64] = Array(1...10)
  /// Whether block 4 itself is broken, so that no edit in it can be right.
  var breaksBlock = false

  static let all: [Damage] = numbers + places + starts + sections + others

  private static let rank = "the place is not the row's rank in its block"

  private static let numbers: [Damage] = [
    Damage(
      testDescription: "a gap", sql: "UPDATE place SET slot = slot + 5 WHERE customer = 8", message: rank,
      customer: 8, breaksBlock: true),
    Damage(
      testDescription: "a place before the block",
      sql: "UPDATE place SET slot = 64 * 4 - 3 WHERE customer = 7",
      message: rank, customer: 7, order: [1, 2, 3, 4, 7, 5, 6, 8, 9, 10], breaksBlock: true),
    Damage(
      testDescription: "two places before the block",
      sql: "UPDATE place SET slot = 64 * 4 - customer WHERE customer IN (6, 7)", message: rank, customer: 7,
      order: [1, 2, 3, 4, 7, 6, 5, 8, 9, 10], breaksBlock: true),
    Damage(
      testDescription: "number 0", sql: "UPDATE place SET slot = slot - 1 WHERE customer = 5", message: rank,
      customer: 5, breaksBlock: true),
    Damage(
      testDescription: "the greatest number",
      sql: "UPDATE place SET slot = 9223372036854775807 WHERE customer = 6", message: rank, customer: 6,
      order: [1, 2, 3, 4, 5, 7, 8, 9, 10, 6], breaksBlock: true),
    Damage(
      testDescription: "the least number",
      sql: "UPDATE place SET slot = -9223372036854775807 - 1 WHERE customer = 6", message: rank,
      customer: 6, order: [1, 2, 3, 4, 5, 7, 8, 9, 10, 6], breaksBlock: true),
  ]

  private static let places: [Damage] = [
    Damage(
      testDescription: "no place", sql: "DELETE FROM place WHERE customer = 6",
      message: "the customer has no place or looks for it in another block", customer: 6,
      order: [1, 2, 3, 4, 5, 7, 8, 6, 9, 10], breaksBlock: true),
    Damage(
      testDescription: "two places", sql: "INSERT INTO place VALUES (64 * 5 + 3, 6)",
      message: "the customer has several places", customer: 6),
    Damage(
      testDescription: "two places in one block", sql: "INSERT INTO place VALUES (64 * 4 + 9, 6)",
      message: "the customer has several places", customer: 6, breaksBlock: true),
    Damage(
      testDescription: "the place of another", sql: "UPDATE place SET customer = 6 WHERE customer = 7",
      message: "the customer has no place or looks for it in another block", customer: 7,
      order: [1, 2, 3, 4, 5, 6, 8, 7, 9, 10]),
    Damage(
      testDescription: "a place without a customer", sql: "INSERT INTO place VALUES (64 * 4 + 5, 77)",
      message: "the place is of a customer that does not exist", customer: 77),
    Damage(
      testDescription: "a customer lost after its place",
      sql: "INSERT INTO place VALUES (64 * 8 + 3, 78)",
      message: "the place is of a customer that does not exist", customer: 78),
    Damage(
      testDescription: "a place nowhere", sql: "UPDATE place SET slot = 64 * 55 + 4 WHERE customer = 8",
      message: "the place is of a block that is nowhere", customer: 8, order: [1, 2, 3, 4, 5, 6, 7, 9, 10, 8]),
    Damage(
      testDescription: "no block known", sql: "UPDATE customer_record SET block = NULL WHERE id = 6",
      message: "the customer has no place or looks for it in another block", customer: 6),
    Damage(
      testDescription: "another block known", sql: "UPDATE customer_record SET block = 5 WHERE id = 6",
      message: "the customer has no place or looks for it in another block", customer: 6),
  ]

  private static let starts: [Damage] = [
    Damage(
      testDescription: "a start too great", sql: "UPDATE node SET start = 5 WHERE id = 4",
      message: "the block's start is not the number of rows before it", section: 1),
    Damage(
      testDescription: "a start too small", sql: "UPDATE node SET start = 7 WHERE id = 5",
      message: "the block's start is not the number of rows before it", section: 1),
    Damage(
      testDescription: "a start like the first", sql: "UPDATE node SET start = 0 WHERE id = 4",
      message: "the block's start is not the number of rows before it", section: 1,
      order: [1, 5, 2, 6, 3, 7, 4, 8, 9, 10]),
    Damage(
      testDescription: "a text as start", sql: "UPDATE node SET start = 'x' WHERE id = 5",
      message: "the block's start is not the number of rows before it", section: 1),
    Damage(
      testDescription: "a start of a chapter", sql: "UPDATE node SET start = 3 WHERE id = 2",
      message: "the chapter's start is not the number of rows before it", section: 1),
    Damage(
      testDescription: "a fraction as start", sql: "UPDATE node SET start = 3.5 WHERE id = 4",
      message: "the block's start is not the number of rows before it", section: 1),
    Damage(
      testDescription: "a fraction as the later start", sql: "UPDATE node SET start = 7.5 WHERE id = 5",
      message: "the block's start is not the number of rows before it", section: 1),
    Damage(
      testDescription: "the greatest start",
      sql: "UPDATE node SET start = 9223372036854775807 WHERE id = 5",
      message: "the block's start is not the number of rows before it", section: 1),
    Damage(
      testDescription: "a start of a part", sql: "UPDATE node SET start = 3 WHERE id = 1",
      message: "the part's start is not the number of rows before it", section: 1),
    Damage(
      testDescription: "the least start of a part",
      sql: "UPDATE node SET start = -9223372036854775807 - 1 WHERE id = 1",
      message: "the part's start is not the number of rows before it", section: 1),
    Damage(
      testDescription: "a count", sql: "UPDATE section_record SET count = 11 WHERE id = 1",
      message: "the section's count is not the number of its rows", section: 1),
    Damage(
      testDescription: "an empty block", sql: "INSERT INTO node VALUES (2, 99, 10)",
      message: "the block has no rows", section: 1),
    Damage(
      testDescription: "a block of no chapter", sql: "UPDATE node SET parent = 55 WHERE id = 5",
      message: "the place is of a block that is nowhere", customer: 10),
    Damage(
      testDescription: "a part of no section", sql: "UPDATE node SET parent = -55 WHERE id = 6",
      message: "the part, chapter, or block is in no section"),
  ]

  private static let sections: [Damage] = [
    Damage(
      testDescription: "a gap of sections", sql: #"UPDATE section_record SET "order" = 7 WHERE id = 2"#,
      message: "the section's number is not its rank among the sections", section: 2),
    Damage(
      testDescription: "a section at 0", sql: #"UPDATE section_record SET "order" = 0 WHERE id = 1"#,
      message: "the section's number is not its rank among the sections", section: 1),
    Damage(
      testDescription: "a section below zero", sql: #"UPDATE section_record SET "order" = -1 WHERE id = 1"#,
      message: "the section's number is not its rank among the sections", section: 1),
    Damage(
      testDescription: "a section at a text", sql: #"UPDATE section_record SET "order" = 'x' WHERE id = 2"#,
      message: "the section's number is not its rank among the sections", section: 2),
    Damage(
      testDescription: "the greatest number of a section",
      sql: #"UPDATE section_record SET "order" = 9223372036854775807 WHERE id = 2"#,
      message: "the section's number is not its rank among the sections", section: 2),
  ]

  private static let others: [Damage] = [
    Damage(
      testDescription: "rows left over", sql: "INSERT INTO staged VALUES (1, 77)",
      message: "rows were left over from an unfinished edit", customer: 77),
    Damage(
      testDescription: "a part without chapters", sql: "INSERT INTO node VALUES (-1, 99, 10)",
      message: "the part has no chapters", section: 1),
    Damage(
      testDescription: "a chapter without blocks", sql: "INSERT INTO node VALUES (1, 99, 10)",
      message: "the chapter has no blocks", section: 1),
    Damage(
      testDescription: "the uid of another customer",
      sql: "UPDATE customer_record SET uid = (SELECT uid FROM customer_uid WHERE id = 2) WHERE id = 6",
      message: "the customer has the uid of another one", customer: 6),
    Damage(
      testDescription: "a customer without a uid", sql: "UPDATE customer_record SET uid = NULL WHERE id = 6",
      message: "the customer has no uid", customer: 6),
    Damage(
      testDescription: "the uid of another section", sql: "UPDATE section_record SET uid = 1 WHERE id = 2",
      message: "the section has the uid of another one", section: 2),
  ]
}
