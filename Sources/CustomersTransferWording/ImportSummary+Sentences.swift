package import CustomerTransfer
internal import CustomersTerminalText
internal import CustomersWording

extension ImportSummary {
  /// What was done, or in a dry run would be done, in a sentence.
  ///
  /// - Parameters:
  ///   - options: how the file was read.
  ///   - count: how many rows the list has afterward.
  ///   - isDryRun: whether nothing was changed.
  /// - Returns: the sentence.
  package func sentence(_ options: ImportOptions, count: Int, isDryRun: Bool) -> String {
    let others = [
      (Verb.update, updated), (.skip, skipped), (.move, options.takesOrder ? moved.count : 0),
      (.delete, options.deletesMissing ? missing.count : 0),
    ].filter { $0.1 > 0 }
    let more = others.map { ", " + Sentence($0.0, "\($0.1)").clause(isDryRun: isDryRun) }.joined()
    let list = "the list \(isDryRun ? "would have" : "has") \(rowCount(count))"
    return Sentence(.import, "\(customerCount(added))\(more); \(list)").text(isDryRun: isDryRun)
  }

  /// That people of the file are already in the list.
  package static func known(count: Int, first: String) -> String {
    "\(quoted(first)) \(count == 1 ? "is" : "and \(count - 1) more are") already in the list"
  }

  /// The columns that are kept as extra columns; the member `extra` of an object holds some and is none.
  package func keptColumns(in format: FileFormat) -> [ImportedColumn] {
    columns.filter { $0.target.isExtra && (format.isTable || $0.target != .members) }
  }
}
