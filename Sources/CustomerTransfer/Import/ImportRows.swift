internal import CustomerStore
internal import CustomersText

/// The rows of an imported file, with their values sorted by target; those that can't be imported are set
/// aside.
final class ImportRows {
  let file: CustomerFile
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
  /// What the file says about extra columns.
  private(set) var declared: [(name: String, values: ColumnKinds.Column)] = []
  /// Whether no row has been consumed.
  private(set) var isAtStart = true
  /// How many rows can't be imported.
  private(set) var rejected = 0
  /// Where the first of them is, and what is wrong with it.
  private(set) var firstRejected: String?
  /// All columns seen so far and their targets.
  private(set) var columns: [ImportedColumn] = []

  /// Whether some row can be imported.
  private(set) var hasValid = false
  /// The values of the first customers that many programs write for "no value".
  private(set) var nullTexts: [String] = []
  /// What the values of the own columns are.
  private let kinds: ImportedKinds

  /// Starts with the first row.
  ///
  /// - Throws: `TransferError`, including when the file has no customers; `ParseError`; what reading throws.
  init(
    _ source: ImportSource, _ options: ImportOptions, onProgress: @escaping (Int, Int) throws -> Void,
    onRejectedRow: @escaping (RejectedRow) throws -> Void
  ) throws {
    self.options = options
    self.onRejectedRow = onRejectedRow
    let file = try CustomerFile(source, options, onProgress: onProgress)
    self.file = file
    kinds = ImportedKinds(options.kinds, options.format, isKeyedByID: options.isKeyedByID) { file.cellKinds }
    if let columns = file.columns {
      _ = try plan(columns)
      if !columns.isEmpty { try checkColumns() }
    }
    let isEmpty = try peek() == nil && rejected == 0 && headings.isEmpty && declared.isEmpty
    guard !isEmpty else { throw file.emptiness }
  }

  /// The next row, without consuming it; nil at the end.
  func peek() throws -> ImportedRow? {
    if waiting == nil { waiting = spool == nil ? try read() : try nextKept() }
    return waiting
  }

  /// Consumes the row that `peek` returned.
  func advance() {
    waiting = nil
    isAtStart = false
  }

  var mayHaveExtraColumns: Bool {
    file.columns == nil
      || columns.contains { $0.target.isExtra || [.birthday, .event, .field(.next)].contains($0.target) }
  }

  /// The extra columns that are the same but for case, accents, spaces, `-`, and `_`, one of which is new.
  var similarColumns: [[String]] { names.similar }

  /// Imports columns of the file as the same columns of the list, before the first row is consumed.
  ///
  /// - Throws: `ListError.ambiguousColumn`; `TransferError.outdated` if all rows have been read for other columns.
  /// - Complexity: O(customers), unless the list is as it was when the rows were read.
  func match(_ list: borrowing CustomerList) throws {
    guard mayHaveExtraColumns else { return }
    let listed = try ListedColumns(list, isKeyedByID: options.isKeyedByID, unless: matched)
    guard
      listed.names != matched?.names || listed.kinds != matched?.kinds
        || listed.unlikeKnown != matched?.unlikeKnown
    else { return }
    guard spool == nil else { throw TransferError.outdated }
    try match(listed)
  }

  /// Reads all rows, so that they can be imported without reading the file again.
  ///
  /// - Parameter listed: the columns of the list; nil if none of the file may be one of them.
  /// - Throws: what reading throws, or `FileError` if there is no room.
  func keep(for listed: ListedColumns?) throws {
    if let listed { try match(listed) }
    var spool = try ImportSpool(keepsRecords: options.duplicates != .add)
    var isEmpty = true
    while let row = try peek() {
      try spool.append(row)
      waiting = nil
      isEmpty = false
    }
    try spool.rewind()
    self.spool = spool
    try kinds.settle(isEmpty: isEmpty)
  }

  /// Finds out how the values of a file with ids are written that can be read in several ways.
  ///
  /// Most of them are those that were handed out, however a spreadsheet writes them.
  ///
  /// - Throws: `ImportedKindError` if the list does not tell; what reading throws.
  func decideKinds(in list: borrowing CustomerList) throws {
    guard kinds.isUndecided else { return }
    while let row = try peek() {
      advance()
      guard let id = row.id.map(CustomerID.init(rawValue:)), let own = try list.customers([id])[id] else {
        continue
      }
      kinds.compare(row.customer.fields, with: own.fields)
    }
    try kinds.decide()
    _ = try rewind()
  }

  /// Whether all rows must have been read before one is imported, because only all values of a column say what it is.
  ///
  /// - Parameter columns: those that the list has declared.
  /// - Returns: whether that is so.
  func needsAll(_ columns: ColumnKinds) -> Bool {
    let hasKinds =
      options.format.isTable || options.format.hasExactColumns || !columns.isEmpty
    return spool == nil && mayHaveExtraColumns && hasKinds
  }

  /// Whether the file may say what customers are called in every copy of the list, or by another program.
  var haveUIDs: Bool {
    options.format.hasExactColumns || options.keys.map { Name($0).key } == ["uid"]
      || lastPlan?.targets.contains(.uid) == true
  }

  /// The kinds of the own columns, once all rows have been read.
  var foundKinds: [ImportedKind] { kinds.found }

  /// The names of those that the list has declared; of a file that was handed out, of all that it has.
  var declaredColumns: Set<String> {
    let known = plans.flatMap { plan in
      zip(plan.columns, plan.keptNames).filter { _, name in
        matched?.kinds.declared(name) != nil || plan.hasVersion && plan.names.isListed(name)
      }
    }
    return Set(known.map(\.0))
  }

  /// Whether all rows have been read.
  var isKept: Bool { spool != nil }

  /// Goes back to the first row.
  ///
  /// - Returns: false if the file has to be read for that.
  func rewind() throws -> Bool {
    guard spool != nil else { return false }
    try spool?.rewind()
    (waiting, isAtStart) = (nil, true)
    return true
  }

  /// The targets of the columns, of the last rows that were read.
  var lastPlan: ColumnPlan? { plans.last }

  private func match(_ listed: ListedColumns) throws {
    matched = listed
    names = ColumnNames(listed.names, unlikeKnown: listed.unlikeKnown, ofKnown: listed.ofKnown)
    kinds.begin(listed)
    let plans = plans
    (self.plans, places, known, columns) = ([], [:], [], [])
    for plan in plans { _ = try self.plan(plan.columns) }
    guard let row = waiting else { return }
    let plan = try plan(row.record.columns)
    waiting = try setAside(row.number) {
      try ImportedRow(row.record, plan, number: row.number, nulls: options.nullTexts)
    }
    if waiting == nil { headings = row.headings + headings } else { waiting?.headings = row.headings }
  }

  /// The row that is made; nil if it can't be imported, and was rejected.
  private func setAside(_ number: Int, _ make: () throws -> ImportedRow) throws -> ImportedRow? {
    do {
      return try make()
    } catch let problem as ParseError {
      guard let bytes = file.rowBytes else {
        throw TransferError.malformed(
          FilePlace(line: problem.line, column: problem.column, customer: number), reason: problem.message)
      }
      try reject(MalformedRow(problem: problem, bytes: bytes))
      return nil
    }
  }

  /// The place of a row in a message: its line or its number if lines mean little.
  func place(of row: ImportedRow) -> FilePlace {
    FilePlace(line: row.record.line, customer: file.columns == nil ? row.number : nil)
  }

  private func nextKept() throws -> ImportedRow? {
    let start = spool?.position
    let row = try spool?.next(plan)
    row?.convert(by: kinds)
    // The list takes as long as the file.
    if let spool, spool.position != start {
      try file.advance(by: Double(spool.position) / Double(spool.size))
    }
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
        if file.columns == nil, let heading = try ColumnsHeading(record) {
          declared += heading.columns
          kinds.take(heading.columns)
          continue
        }
        count += 1
        if count <= ImportRows.examined, options.nullTexts.isEmpty { noticeNulls(record) }
        let plan = try plan(record.columns)
        let row = try setAside(count) {
          try ImportedRow(record, plan, number: count, nulls: options.nullTexts)
        }
        guard let row else { continue }
        hasValid = true
        // After a bad row that prevents the import, only further bad rows matter.
        if rejected == 0 || options.skipsRejectedRows {
          (row.headings, headings) = (headings, [])
          return row
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
    firstRejected = firstRejected ?? "\(place): \(row.problem.message)"
    try onRejectedRow(
      RejectedRow(
        place: place, reason: row.problem.message, bytes: file.encoded(row.bytes), header: file.header,
        isShort: row.isShort, encoding: EncodingGuess.legacy(row.bytes),
        text: row.bytesOfProblem))
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
      columns, options.mapping, names, hasHeader: options.hasHeader, isExact: options.format.hasExactColumns,
      isKeyedByID: options.isKeyedByID, kinds: kinds)
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
  let kinds: ColumnKinds
  /// Those with nearly the name of a known column and values of another kind, such as "Birth Day" with 3.
  let unlikeKnown: Set<String>
  /// Those that are known columns by another name, by their titles.
  let ofKnown: [String: String]
  /// The texts in declared columns that are not of their kind, which a file with ids of the list may bring back.
  let misfits: [String: Set<String>]
  private let version: ListVersion

  /// - Parameters:
  ///   - list: the list.
  ///   - isKeyedByID: whether the file has ids of the list.
  ///   - known: those of an earlier version, which are still the same if nothing was edited.
  /// - Throws: `StoreError`.
  /// - Complexity: O(customers), unless they are known.
  init(
    _ list: borrowing CustomerList, isKeyedByID: Bool, unless known: ListedColumns? = nil
  ) throws {
    version = try list.version()
    kinds = try list.columnKinds()
    ofKnown = try list.namesOfKnownColumns()
    if let known, known.version == version {
      (names, unlikeKnown, misfits) = (known.names, known.unlikeKnown, known.misfits)
    } else {
      let used = try list.extraColumns(in: nil, withNulls: true).map(\.name)
      names = used + kinds.names.filter { name in !used.contains { $0.utf8.elementsEqual(name.utf8) } }
      unlikeKnown = try list.columnsUnlikeKnown(among: names)
      misfits = isKeyedByID ? try list.misfitTexts() : [:]
    }
  }

  /// Whether the list has a column with exactly this name.
  func has(_ name: String) -> Bool { names.contains { $0.utf8.elementsEqual(name.utf8) } }
}
