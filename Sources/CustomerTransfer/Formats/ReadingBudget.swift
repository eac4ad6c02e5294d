internal import CustomersText

/// Counts the steps of reading a file, and refuses a file that asks for more of them than its size is worth.
///
/// Every reader takes time in the size of its file, so none comes near the limit; it is for the mistake that no test
/// has found. A step is a byte, a value, or a comparison that a reader looks at.
package final class ReadingBudget {
  /// How many steps a byte may take; the most that any file of the tests takes is twelve.
  package static let stepsPerByte = 50
  /// How many steps any file may take.
  private static let allowance = 1_000_000

  /// The steps so far.
  package private(set) var steps = 0
  private var bytes = 0

  /// Starts with no steps.
  package init() {}

  /// Takes note of bytes that were read.
  package func add(bytes count: Int) { bytes += count }

  /// Takes note of steps.
  package func spend(_ count: Int) { steps += count }

  /// - Throws: `ParseError` if there were too many steps by the customer that starts in a line.
  package func check(line: Int) throws {
    guard steps <= ReadingBudget.allowance + bytes * ReadingBudget.stepsPerByte else {
      throw ParseError(
        line: line, message: "the customer here takes more work than its size is worth; split or shorten it")
    }
  }
}
