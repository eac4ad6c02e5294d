internal import CustomerStore
internal import CustomersFormats

/// The rows of an imported file, with their values sorted by target; those that can't be imported are set
/// aside.
final class ImportRows {
  private let file: CustomerFile
  let options: ImportOptions
  private let onRejectedRow: (RejectedRow) throws -> Void
  private var plans: [ColumnPlan] = []
  private var waiting: ImportedRow?
  private var count = 0
  private var known: Set<String> = []
  private var names = ColumnNames()
  /// The sections that the file describes after the last row that was read.
  private(set) var headings: [SectionHeading] = []
  /// Whether no row has been consumed.
  private(set) var isAtStart = true
  /// How many rows can't be imported.
  private(set) var rejected = 0
  /// All columns seen so far and their targets.
  private(set) var columns: [ImportedColumn] = []

  var detectedDelimiter: Character? { file.detectedDelimiter }
  var detectedEncoding: FileEncoding? { file.detectedEncoding }
  var notes: [String] { file.notes }
  var filled: (first: Int, count: Int) { file.filled }
  var skipped: (empty: Int, headers: Int) { file.skipped }
  var skippedGroups: Int { file.skippedGroups }
  /// Whether some row can be imported.
  private(set) var hasValid = false
  /// The values of the first customers that many programs write for "no value".
  private(set) var nullTexts: [String] = []

  /// Starts with the first row.
  ///
  /// - Throws: `TransferError`, including when the file has no customers; `ParseError`; what reading throws.
  init(
    _ source: ImportSource, _ options: ImportOptions, onProgress: @escaping (Int, Int) throws -> Void,
    onRejectedRow: @escaping (RejectedRow) throws -> Void
  ) throws {
    self.options = options
    self.onRejectedRow = onRejectedRow
    file = try CustomerFile(source, options, onProgress: onProgress)
    if let columns = file.columns {
      _ = try plan(columns)
      if !columns.isEmpty { try checkColumns() }
    }
    guard try peek() != nil || rejected > 0 || !headings.isEmpty else { throw file.emptiness }
  }

  /// The next row, without consuming it; nil at the end.
  func peek() throws -> ImportedRow? {
    if waiting == nil { waiting = try read() }
    return waiting
  }

  /// Consumes the row that `peek` returned.
  func advance() {
    waiting = nil
    isAtStart = false
  }

  /// Whether a customer may have extra columns.
  var mayHaveExtraColumns: Bool { file.columns == nil || columns.contains(where: \.target.isExtra) }

  /// The extra columns that are the same but for case, accents, spaces, `-`, and `_`, one of which is new.
  var similarColumns: [[String]] { names.similar }

  /// Imports columns of the file as these columns of the list, before the first row is consumed.
  ///
  /// - Throws: `ListError.ambiguousColumn`.
  func match(_ listColumns: [String]) throws {
    names = ColumnNames(listColumns)
    let plans = plans
    (self.plans, known, columns) = ([], [], [])
    for plan in plans.reversed() { _ = try self.plan(plan.columns) }
    guard let row = waiting else { return }
    waiting = try ImportedRow(
      row.record, plan(row.record.columns), number: row.number, nulls: options.nullTexts)
    waiting?.headings = row.headings
  }

  /// The place of a row in a message: its line or its number if lines mean little.
  func place(of row: ImportedRow) -> FilePlace {
    FilePlace(line: row.record.line, customer: file.columns == nil ? row.number : nil)
  }

  private func read() throws -> ImportedRow? {
    while true {
      do {
        guard let record = try file.next() else {
          try checkMapping(against: columns.map(\.name))
          if hasValid { try checkColumns() }
          return nil
        }
        if file.columns == nil, let heading = SectionHeading(record) {
          headings.append(heading)
          continue
        }
        count += 1
        if count <= ImportRows.examined, options.nullTexts.isEmpty { noticeNulls(record) }
        let plan = try plan(record.columns)
        do {
          let row = try ImportedRow(record, plan, number: count, nulls: options.nullTexts)
          hasValid = true
          // After a bad row that prevents the import, only further bad rows matter.
          if rejected == 0 || options.skipsRejectedRows {
            (row.headings, headings) = (headings, [])
            return row
          }
        } catch let problem as ParseError {
          guard let bytes = file.rowBytes else { throw problem }
          throw MalformedRow(problem: problem, bytes: bytes)
        }
      } catch let row as MalformedRow {
        try reject(row)
      }
    }
  }

  /// How many customers are examined for values that mean "no value".
  private static let examined = 1000

  private func noticeNulls(_ record: Record) {
    for case .text(let text) in record.values where text.utf8.count <= 4 {
      let isNull = ["NULL", "null", "N/A", "n/a", "#N/A", "None", "\\N"].contains(text)
      if isNull, !nullTexts.contains(text) { nullTexts.append(text) }
    }
  }

  private func reject(_ row: MalformedRow) throws {
    rejected += 1
    let place = FilePlace(line: row.problem.line, column: row.problem.column)
    try onRejectedRow(
      RejectedRow(
        place: place, reason: row.problem.message, bytes: file.encoded(row.bytes), header: file.header,
        isShort: row.isShort, encoding: EncodingGuess.legacy(row.bytes).map { FileEncoding($0) },
        text: row.bytes))
  }

  /// Checks that some column is a text field, unless the columns are mapped.
  private func checkColumns() throws {
    guard options.mapping.isEmpty, !columns.contains(where: \.target.isText) else { return }
    // A first line of which nothing is known may be a customer, who would be lost.
    let mayBeCustomer =
      file.columns != nil && options.hasHeader
      && columns.allSatisfy { $0.target == .extra && ColumnMeaning($0.name) == nil }
    guard !options.acceptsUnmatchedColumns || mayBeCustomer else { return }
    throw TransferError.noMatchingColumn(columns.map(\.name))
  }

  /// Checks that the file has all mapped columns.
  private func checkMapping(against columns: [String]) throws {
    for name in options.mapping.map(\.name)
    where try columnIndex(of: name, in: columns, for: .mapping) == nil {
      throw TransferError.noSuchColumn(name, near: nearest(to: name, among: columns), in: .mapping)
    }
  }

  /// The targets of the columns, which usually equal those of the previous row.
  private func plan(_ columns: [String]) throws -> ColumnPlan {
    if let plan = plans.first(where: { $0.columns == columns }) { return plan }
    let plan = try ColumnPlan(
      columns, options.mapping, names, isExact: options.format.hasExactColumns,
      isKeyedByID: options.keys.map { Name($0).key } == ["id"])
    if plans.count == 100 { plans.removeLast() }
    plans.insert(plan, at: 0)
    for (name, target) in zip(columns, plan.targets) where known.insert(name).inserted {
      self.columns.append(ImportedColumn(name: name, target: target))
    }
    if file.columns != nil { try checkMapping(against: columns) }
    return plan
  }
}
