internal import CustomerStore
internal import CustomersFormats

/// The rows of an imported file, with their values sorted by target; those that can't be imported are set
/// aside.
final class ImportRows {
  private let file: CustomerFile
  let options: ImportOptions
  private let onRejectedRow: (RejectedRow) throws -> Void
  /// The plans of the last rows, the last one last, and their places by the names of the columns.
  private var plans: [ColumnPlan] = []
  private var places: [[String]: Int] = [:]
  private var waiting: ImportedRow?
  /// All rows, once they have been read.
  private var spool: ImportSpool?
  /// The columns of the list that those of the file were compared with.
  private var matched: ListedColumns?
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
  /// How many steps the rows took so far.
  var steps: Int { file.budget.steps }
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
    if waiting == nil { waiting = if let spool { try next(in: spool) } else { try read() } }
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

  /// Imports columns of the file as the same columns of the list, before the first row is consumed.
  ///
  /// - Throws: `ListError.ambiguousColumn`; `TransferError.outdated` if all rows have been read for other columns.
  /// - Complexity: O(customers), unless the list is as it was when the rows were read.
  func match(_ list: borrowing CustomerList) throws {
    guard mayHaveExtraColumns else { return }
    let listed = try ListedColumns(list, unless: matched)
    guard listed.names != matched?.names else { return }
    guard spool == nil else { throw TransferError.outdated }
    try match(listed)
  }

  /// Reads all rows, so that they can be imported without reading the file again.
  ///
  /// - Parameter listed: the columns of the list; nil if none of the file may be one of them.
  /// - Throws: what reading throws, or `FileError` if there is no room.
  func keep(for listed: ListedColumns?) throws {
    if let listed { try match(listed) }
    let spool = try ImportSpool(keepsRecords: options.duplicates != .add)
    while let row = try peek() {
      try spool.append(row)
      waiting = nil
    }
    try spool.rewind()
    self.spool = spool
  }

  /// Whether all rows have been read.
  var isKept: Bool { spool != nil }

  /// Goes back to the first row.
  ///
  /// - Returns: false if the file has to be read for that.
  func rewind() throws -> Bool {
    guard let spool else { return false }
    try spool.rewind()
    (waiting, isAtStart) = (nil, true)
    return true
  }

  private func match(_ listed: ListedColumns) throws {
    matched = listed
    names = ColumnNames(listed.names)
    let plans = plans
    (self.plans, places, known, columns) = ([], [:], [], [])
    for plan in plans { _ = try self.plan(plan.columns) }
    guard let row = waiting else { return }
    waiting = try ImportedRow(
      row.record, plan(row.record.columns), number: row.number, nulls: options.nullTexts)
    waiting?.headings = row.headings
  }

  /// The place of a row in a message: its line or its number if lines mean little.
  func place(of row: ImportedRow) -> FilePlace {
    FilePlace(line: row.record.line, customer: file.columns == nil ? row.number : nil)
  }

  private func next(in spool: ImportSpool) throws -> ImportedRow? {
    let start = spool.position
    let row = try spool.next(plan)
    // The list takes as long as the file.
    if spool.position > start { try file.advance(by: Double(spool.position) / Double(spool.size)) }
    return row
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
    if let last = plans.last, last.columns == columns { return last }
    if let index = places[columns] { return plans[index] }
    file.budget.spend(columns.count)
    let plan = try ColumnPlan(
      columns, options.mapping, names, isExact: options.format.hasExactColumns,
      isKeyedByID: options.keys.map { Name($0).key } == ["id"])
    if plans.count == 100 { (plans, places) = ([], [:]) }
    places[columns] = plans.count
    plans.append(plan)
    for (name, target) in zip(columns, plan.targets) where known.insert(name).inserted {
      self.columns.append(ImportedColumn(name: name, target: target))
    }
    if file.columns != nil { try checkMapping(against: columns) }
    return plan
  }
}

/// The extra columns of a list, and the version that has them.
package struct ListedColumns: Sendable {
  let names: [String]
  private let version: ListVersion

  /// - Parameters:
  ///   - list: the list.
  ///   - known: those of an earlier version, which are still the same if nothing was edited.
  /// - Throws: `StoreError`.
  /// - Complexity: O(customers), unless they are known.
  init(_ list: borrowing CustomerList, unless known: ListedColumns? = nil) throws {
    version = try list.version()
    names =
      if let known, known.version == version { known.names } else {
        try list.extraColumns(in: nil, withNulls: true).map(\.name)
      }
  }
}
