internal import CustomerStore
internal import CustomerTransfer
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersTransferWording
internal import CustomersWording

/// The report of `import`.
struct ImportReport: Report {
  let summary: ImportSummary
  let options: ImportOptions
  let rejects: RejectedRows
  /// The number of rows in the list.
  let count: Int

  func text(isDryRun: Bool) -> TextReport {
    let separator = delimiter.map { $0 == "\t" ? "tab" : "'\($0)'" }
    let preview =
      (separator.map { ["Fields are separated by \($0)."] } ?? []) + ImportPreview(summary, options).lines
    let made = summary.sentence(options, count: count, isDryRun: isDryRun)
    return TextReport(preview: preview, lines: [made], remark: remark(isDryRun: isDryRun))
  }

  var json: [(String, JSON)] {
    let columns = summary.columns.map {
      JSON.object([("name", .string($0.name)), ("goes_to", .string($0.target.word))])
    }
    var json: [(String, JSON)] = [
      ("op", .string("import")), ("imported", .int(summary.added)), ("updated", .int(summary.updated)),
      ("skipped", .int(summary.skipped)), ("rejected", .int(summary.rejected)), ("count", .int(count)),
      ("columns", .array(columns)), ("kept_columns", .array(keptColumns.map(JSON.string))),
    ]
    if options.takesOrder { json.append(("moved", .int(summary.moved.count))) }
    if options.deletesMissing { json.append(("deleted", .int(summary.missing.count))) }
    if let delimiter { json.append(("delimiter", .string(String(delimiter)))) }
    if summary.rejected > 0 { json.append(("rejected_rows", rejects.json)) }
    return json
  }

  /// The delimiter, if it is not a comma.
  private var delimiter: Character? { summary.delimiter.flatMap { $0 == "," ? nil : $0 } }

  /// The names of the columns that are kept as extra columns.
  private var keptColumns: [String] { summary.keptColumns(in: options.format).map(\.name) }

  /// Notes on what a user may not expect: columns that match no field and customers that can't be
  /// recognized.
  private func remark(isDryRun: Bool) -> String? {
    let remarks =
      remarksOnShape + [remarkOnColumns(isDryRun: isDryRun), isDryRun ? remarkOnKnown : nil]
      + remarksOnReturned
      + summary.similarColumns.map(remark(onSimilar:))
    return remarks.allSatisfy { $0 == nil } ? nil : remarks.compactMap(\.self).joined(separator: "\n")
  }

  /// Notes on what the program took the bytes of the file for.
  private var remarksOnShape: [String?] {
    let notes = summary.notes.filter { !$0.isEmpty && !$0.lowercased().hasPrefix("sep=") }
    let nulls = summary.nullTexts.map(quoted)
    return [
      summary.encoding.map {
        "note: the file was read as \($0.rawValue); if letters are wrong, undo it and add --encoding NAME, "
          + "such as windows-1250 for Polish or Czech, or windows-1251 for Cyrillic"
      },
      notes.isEmpty
        ? nil
        : "note: skipped before the names of the columns: "
          + notes.map { quoted(cut($0, to: 40)) }.joined(separator: ", "),
      summary.firstFilledLine.map {
        "note: \(rowCount(summary.filledRows)) had too few values, the first in line \($0); the last ones are empty"
      },
      summary.emptyRows == 0 ? nil : "note: skipped \(rowCount(summary.emptyRows)) without a value",
      summary.repeatedHeaders == 0
        ? nil : "note: skipped \(rowCount(summary.repeatedHeaders)) with the names of the columns",
      summary.groups == 0
        ? nil
        : "note: skipped \(summary.groups) group\(summary.groups == 1 ? "" : "s"), which only name others",
      nulls.isEmpty
        ? nil
        : "note: \(listed(nulls, "and")) \(nulls.count == 1 ? "is" : "are") imported as text; to leave "
          + "\(nulls.count == 1 ? "it" : "one") out: --null \(summary.nullTexts[0])",
    ]
  }

  private var remarkOnKnown: String? {
    summary.known > 0
      ? "note: \(ImportSummary.known(count: summary.known, first: summary.firstKnownName))" : nil
  }

  /// Notes on what is different in a file that was handed out and was not taken over.
  private var remarksOnReturned: [String?] {
    func names(_ some: ImportSummary.NamedCount) -> String {
      let more = some.count - some.names.count
      return listed(some.names.map(quoted) + (more > 0 ? ["\(more) more"] : []), "and")
    }
    func isOne(_ some: ImportSummary.NamedCount) -> Bool { some.count == 1 }
    let (moved, missing) = (summary.moved, summary.missing)
    return [
      moved.count == 0 || options.takesOrder
        ? nil
        : "note: \(names(moved)) \(isOne(moved) ? "has another place" : "have other places") in the file; to move "
          + "\(isOne(moved) ? "it" : "them"): \(ImportWords.order.name)",
      missing.count == 0 || options.deletesMissing
        ? nil
        : "note: \(names(missing)) \(isOne(missing) ? "is" : "are") missing in the file; to delete "
          + "\(isOne(missing) ? "it" : "them"): \(ImportWords.deleteMissing.name)",
    ]
  }

  /// A note on columns that a user may take for one.
  private func remark(onSimilar columns: [String]) -> String? {
    "note: \(listed(columns.map(quoted), "and")) are \(columns.count) columns; to join two: "
      + "customers columns rename \(quoted(columns[columns.count - 1])) \(quoted(columns[0]))"
  }

  private func remarkOnColumns(isDryRun: Bool) -> String? {
    let targets = summary.columns.map(\.target)
    if options.duplicates != .add, options.keys.isEmpty, !targets.contains(where: { $0.isValue(of: .email) }),
      !targets.contains(.id)
    {
      return
        "note: the file has no e-mail column, so duplicates could not be recognized; use \(ImportWords.key.name) for another column"
    }
    // A dry run has shown the target of each column.
    let kept = keptColumns
    guard !isDryRun, !kept.isEmpty else { return nil }
    let shown = kept.filter { $0 != ExtraColumns.card }
    guard !shown.isEmpty else { return nil }
    let names = shown.prefix(10).map(printable).joined(separator: ", ") + (shown.count > 10 ? ", …" : "")
    return "note: columns without a field, kept as extra columns: \(names)"
  }
}
