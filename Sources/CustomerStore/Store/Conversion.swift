internal import CustomersSQLite
internal import Synchronization

/// How far the conversion of a list of an older format is, for whoever waits for it.
///
/// SQLite asks after each 1,000 of its instructions whether to go on. From format 10 to 11 it runs about as many
/// instructions for each row, so the questions show how many rows are done.
final class Conversion: Sendable {
  private static let questionsPerMillionRows = 65_000

  private let questions = Atomic(0)
  private let rows: Int
  private let report: @Sendable (_ done: Int, _ total: Int) -> Void

  /// - Parameters:
  ///   - connection: the list, before its conversion.
  ///   - report: takes how many of all rows are done.
  init(of connection: Connection, _ report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void) {
    // If it can't be read, the conversion says why.
    rows = (try? connection.fetchOne("SELECT count(*) FROM place") { $0.int(0) }) ?? 0
    self.report = report
  }

  /// Counts a question of SQLite.
  func countProgress() {
    let count = questions.add(1, ordering: .relaxed).newValue
    report(min(count * 1_000_000 / Self.questionsPerMillionRows, rows), rows)
  }

  /// The conversion is done.
  func end() { report(rows, rows) }
}
