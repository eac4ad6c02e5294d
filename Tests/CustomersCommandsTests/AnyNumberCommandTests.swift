import CustomerFixtures
import Foundation
import CustomersTestSupport
import Testing

/// Every number of every internal table may be anything in a damaged file: each command answers, and a
/// repaired list is whole.
@Suite(.onThreads) struct AnyNumberCommandTests {
  private static let columns: [(table: String, column: String)] = [
    ("section_record", ["id", "\"order\"", "count", "deleted_by"]),
    ("customer_record", ["id", "block", "deleted_by", "is_favorite", "can_edit", "can_move"]),
    ("node", ["id", "parent", "start"]),
    ("place", ["block", "\"order\"", "customer"]),
    (
      "history_step",
      [
        "id", "last", "is_open", "first_edit", "bytes_before", "bytes", "edits", "row", "count", "section",
        "\"order\"", "to_section", "to_order",
      ]
    ),
    ("edit_record", ["id", "row", "count", "section", "\"order\"", "to_section", "to_order"]),
    ("history_limit", ["steps", "bytes"]),
    ("receipt", ["id"]),
    ("sqlite_sequence", ["seq"]),
  ].flatMap { table, columns in columns.map { (table, $0) } }

  private static let values = [
    "9223372036854775807", "-9223372036854775807 - 1", "4503599627370497", "0", "-1", "NULL", "'x'", "1.5",
  ]

  /// The commands that need no editor, since those run in a process of their own.
  private static let examples = Example.all.filter { $0.usesFile && !$0.isFirst && !$0.opensEditor }

  @Test(arguments: sampled(columns.indices, oneIn: 12))
  func `every command answers, check reports the problems, and repair fixes them`(index: Int) throws {
    let (table, column) = Self.columns[index]
    let sandbox = try CLISandbox.withUndoneMove()
    let whole = try #require(sandbox.bytes)
    let examples = try ExampleSandbox(sandbox)
    // Each command meets some columns and values; in the long form all.
    var next = index * 7
    for value in sampled(Self.values, oneIn: 8, salt: index) {
      try sandbox.put(whole)
      // A value that the column refuses leaves a whole list.
      _ = try? sandbox.sqlite(
        "PRAGMA ignore_check_constraints = ON; UPDATE OR IGNORE \(table) SET \(column) = \(value)")
      let damaged = try #require(sandbox.bytes)
      let count = isLong ? Self.examples.count : 5
      for _ in 0..<count {
        next += 1
        let example = Self.examples[next % Self.examples.count]
        try sandbox.put(damaged)
        let result = try examples.runAsIs(example)
        let isKnown = (0...4).contains(result.code) || example.reportsTrouble && result.code == 8
        #expect(isKnown, "\(table).\(column) = \(value): \(example): \(result)")
      }
      try sandbox.put(damaged)
      let check = try sandbox.run("check")
      #expect(
        check.code == 0 || check.code == 1 && !check.output.isEmpty, "\(table).\(column) = \(value): \(check)"
      )
      // A history with such numbers is lost.
      let repair = try sandbox.run("check", "--repair", "--accept-loss")
      #expect(repair.code == 0, "\(table).\(column) = \(value): \(repair)")
      #expect(try sandbox.run("add", "Eve").code == 0, "\(table).\(column) = \(value)")
      try sandbox.expectSound()
      for name in try sandbox.names where name.contains("before-repair") || name == "copy" {
        try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
      }
    }
  }
}
