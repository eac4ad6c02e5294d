internal import CustomersFormats

/// The report of a command that changed something, or in a dry run would have; only one of the two is made.
protocol Report: Sendable {
  /// For a person.
  func text(isDryRun: Bool) -> TextReport
  /// For a program: the members of its object.
  var json: [(String, JSON)] { get }
}

/// The lines of a report for people.
struct TextReport: Sendable {
  /// Further lines for a dry run.
  var preview: [String] = []
  /// The result or in a dry run the expected result.
  var lines: [String]
  /// A remark, on standard error.
  var remark: String?
}
