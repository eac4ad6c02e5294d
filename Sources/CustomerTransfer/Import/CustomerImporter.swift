public import CustomerStore
package import CustomersSystem
internal import CustomersText
internal import Synchronization

/// A file of customers that is imported into a list.
///
/// Its columns are matched to fields by name; those that match none are kept as extra columns. A preview shows
/// what would be imported, and an import adds all customers or none:
///
///     let importer = try CustomerImporter(path: "contacts.csv")
///     for column in try importer.preview().columns {
///       print(column.name, "→", column.target)
///     }
///     try store.write(action: "import") { list in
///       try list.importCustomers(from: importer)
///     }
///
/// `prepare(for:)` reads the file first, so that the list is locked only while the customers are written:
///
///     try importer.prepare(for: store)
///
/// It needs memory for one customer, however long the file is.
package final class CustomerImporter {
  /// How the file is read.
  package var options: ImportOptions { didSet { rows = nil } }
  /// Receives the number of bytes read so far, and of the whole file, after each piece; if it throws, the
  /// preview or import ends with that error, and nothing is imported.
  ///
  /// A file that was prepared counts twice: once to read it, and once to write its customers.
  package var onProgress: ((_ done: Int, _ total: Int) throws -> Void)?
  /// Receives each row that can't be imported; if it throws, the import ends.
  package var onRejectedRow: ((RejectedRow) throws -> Void)? { didSet { rows = nil } }
  /// Ends an import that was canceled.
  var checkCancellation: () throws -> Void = {}
  private let source: ImportSource
  private var rows: ImportRows?
  /// The value of the key that matched several customers, or the name of one that the list has already, for a message
  /// to the user at the keyboard.
  package private(set) var ambiguousValue: String?

  /// How many steps the last reading took; see `ReadingBudget`.
  package var steps: Int { rows?.file.budget.steps ?? 0 }

  /// What the last import did with the rows, whether they are in the list or not.
  package private(set) var choices = ImportChoices()
  /// What a person has confirmed; an import that would do anything else throws `StaleConfirmation`.
  package var confirmed: ImportChoices?

  /// Whether some row of the last import was one of a customer, though others were not.
  package private(set) var hasValidRows = false

  /// The first conflicts of the last import between the list and a returned file, whether a side won or not; without
  /// those that were decided one by one.
  package private(set) var conflicts: [ImportConflict] = []

  /// Opens a file; of a pipe, reads all of it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - options: how it is read; nil for the format of the file name's extension.
  /// - Throws: the error of the file system.
  package convenience init(path: String, options: ImportOptions? = nil) throws {
    let options = options ?? ImportOptions(format: FileFormat(path: path) ?? .csv)
    try self.init(InputFile(path), options)
  }

  /// Takes the bytes of a file from elsewhere, such as an upload, and keeps them in a temporary file.
  ///
  /// - Parameters:
  ///   - options: how it is read.
  ///   - next: returns the next bytes; none at the end.
  /// - Throws: what `next` throws or the error of the file system.
  package convenience init(_ options: ImportOptions, receiving next: () throws -> [UInt8]) throws {
    try self.init(InputFile("", receiving: next), options)
  }

  /// Takes an open file.
  package init(_ input: InputFile, _ options: ImportOptions) throws {
    self.options = options
    source = try ImportSource(input)
  }

  /// The columns of the file up to its first customer, and what they are imported as.
  ///
  /// - Throws: `TransferError` or what reading throws.
  package func columns() throws -> [ImportedColumn] { try locatingErrors { try freshRows().columns } }

  /// The version of the list that the first row was handed out with, if any.
  ///
  /// - Throws: `TransferError` or what reading throws.
  package func handedOutVersion() throws -> ListVersion? {
    try locatingErrors { try freshRows().peek()?.handOut?.version }
  }

  /// Reads the whole file, but not a list: every customer counts as added.
  ///
  /// `CustomerStore.dryRun` with `importCustomers(from:)` shows what would become of the list, too.
  ///
  /// - Throws: `TransferError` or what reading throws.
  /// - Complexity: O(file).
  package func preview() throws -> ImportSummary {
    try locatingErrors {
      let rows = try freshRows()
      var summary = ImportSummary()
      while let row = try rows.peek() {
        if summary.added == 0 { summary.first = row.customer }
        summary.added += 1
        rows.advance()
      }
      return summary.completed(by: rows)
    }
  }

  /// The SHA-256 of the file in hexadecimal digits, by which an import of the same file is recognized.
  ///
  /// - Throws: the error of the file system.
  /// - Complexity: O(file).
  package func digest() throws -> String {
    if rows?.isKept == true { return knownDigest }
    rows = nil
    _ = try source.wholeDigest()
    return knownDigest
  }

  /// The digest of the file, once known; that of one sheet is another one.
  private var knownDigest: String {
    options.sheet.map { SHA256.hexadecimal(of: "\(source.digest) \($0)") } ?? source.digest
  }

  /// Reads the whole file into a temporary file without a name, for an import into a list that need not wait for that.
  ///
  /// An import that is not prepared reads the file in its transaction.
  ///
  /// - Throws: `TransferError`, `ListError.ambiguousColumn`, `StoreError`, or the error of the file system, as if the
  ///   disk is full.
  /// - Complexity: O(file), and O(customers in the list) to compare its columns.
  package func prepare(for store: CustomerStore) throws { try prepare { columns in try store.read(columns) } }

  /// Reads the whole file for the list that `read` reads, in a transaction in which the file is not read.
  package func prepare(
    _ read: ((borrowing CustomerList) throws -> ListedColumns) throws -> ListedColumns
  ) throws {
    isPrepared = true
    if rows?.isKept == true { rows = nil }
    try locatingErrors {
      let rows = try freshRows()
      let isKeyedByID = options.isKeyedByID
      try rows.keep(
        for: rows.mayHaveExtraColumns
          ? read { list in try ListedColumns(list, isKeyedByID: isKeyedByID) } : nil)
    }
  }

  /// The columns of a prepared file whose values can be read in several ways.
  package var openKinds: [ImportedKind] { rows?.foundKinds.filter { !$0.open.isEmpty } ?? [] }

  /// Whether the file is read before the transaction.
  private var isPrepared = false

  /// Imports all rows into a list; see `CustomerList.importCustomers(from:at:in:)`.
  func run(
    at destination: Destination?, in section: SectionID?, of list: inout CustomerList
  ) throws -> ImportSummary {
    checkCancellation = list.cancellationCheck
    defer { checkCancellation = {} }
    return try locatingErrors {
      let rows = try freshRows()
      if try rows.needsAll(list.columnKinds()) {
        try rows.keep(for: ListedColumns(list, isKeyedByID: options.isKeyedByID))
      }
      ambiguousValue = nil
      var run = try ImportRun(rows, at: destination, in: section, of: list)
      defer {
        (ambiguousValue, conflicts) = (run.ambiguousValue, run.returned.conflicts)
        (hasValidRows, choices) = (rows.hasValid, run.choices)
      }
      try run.importAll(into: &list)
      guard confirmed.map({ run.choices.areSame(as: $0) }) ?? true else {
        throw StaleConfirmation.otherImport
      }
      guard rows.rejected == 0 || options.skipsRejectedRows else {
        throw TransferError.rejectedRows(count: rows.rejected, first: rows.firstRejected)
      }
      try list.recordImport(digest: knownDigest)
      return run.summary.completed(by: rows)
    }
  }

  /// The names of the columns, whether the options fit them or not.
  package func columnNames() throws -> [String] {
    let file = try CustomerFile(source, options, onProgress: nil)
    return try file.columns ?? file.next()?.columns ?? []
  }

  /// The first rows of a table as they are in the file, without those that can't be read.
  ///
  /// - Throws: `TransferError` or what reading throws.
  package func head(_ count: Int) throws -> [[String]] {
    rows = nil
    if source.position > 0 { try source.rewind() }
    let file = try CustomerFile(source, options, onProgress: nil)
    var head: [[String]] = []
    while head.count < count {
      do {
        guard let record = try file.next() else { break }
        head.append(record.values.map(\.plain))
      } catch is MalformedRow {}
    }
    return head
  }

  /// The rows from the first on.
  private func freshRows() throws -> ImportRows {
    if let rows, try rows.isAtStart || rows.rewind() { return rows }
    if source.position > 0 { try source.rewind() }
    let rows = try ImportRows(
      source, options,
      onProgress: { [unowned self] in
        try checkCancellation()
        try onProgress?($0, isPrepared ? 2 * $1 : $1)
      },
      onRejectedRow: { [unowned self] in try onRejectedRow?($0) })
    self.rows = rows
    return rows
  }

  /// Runs `body`; problems of the file become errors with their place.
  private func locatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let problem as ParseError {
      throw TransferError.malformed(
        FilePlace(line: problem.line, column: problem.column), reason: problem.message)
    }
  }
}

extension CustomerList {
  /// Imports the customers of a file, all or none.
  ///
  /// The history records which file it was, so that `lastImport(of:)` finds it.
  ///
  /// - Parameters:
  ///   - importer: the file.
  ///   - destination: where the customers go, one after another; nil for the end of the section that the file
  ///     names for each, or else of the first one.
  ///   - section: the section of the destination.
  /// - Returns: what was done.
  /// - Throws: `TransferError`, `ListError`, `StoreError`, or what reading or the importer's functions throw;
  ///   the transaction must be rolled back.
  /// - Complexity: O(file), or O(customers in the file) if it is prepared; and O(customers in the list) to recognize
  ///   duplicates.
  @discardableResult
  package mutating func importCustomers(
    from importer: CustomerImporter, at destination: Destination? = nil, in section: SectionID? = nil
  ) throws -> ImportSummary {
    try importer.run(at: destination, in: section, of: &self)
  }

  /// The step that imported the same file last and is not undone; nil if there is none.
  ///
  /// - Complexity: O(file), if the history has any import.
  package func lastImport(of importer: CustomerImporter) throws -> HistoryStep? {
    try hasImports() ? lastImport(ofDigest: importer.digest()) : nil
  }
}

/// What happens to a customer of a file that is already in the list.
public enum DuplicateHandling: String, CaseIterable, Sendable {
  /// It is added again.
  case add
  /// The list keeps what it has.
  case skip
  /// What the file states replaces what the customer has in the same field, or with the same label; cards add to it.
  case update
}

extension CustomerStore {
  /// Imports a file without blocking a thread: all customers or, if the task is canceled, none.
  ///
  /// Its columns are matched to fields by name; those that match none are kept as extra columns. The list is locked only
  /// while the customers are written, not while the file is read.
  ///
  /// - Parameters:
  ///   - path: the path of the file; its extension says the format, such as `csv`, `xlsx`, or `vcf`.
  ///   - columns: the fields of columns that would become something else; nil to leave a column out.
  ///   - duplicates: what happens to customers that are already in the list.
  ///   - keys: the columns by which those are recognized: all values must be the same; none for any of the e-mail addresses.
  ///     By `id`, a file that was handed out is taken in again, with what others have edited in it.
  ///   - skipsRejectedRows: whether rows that can't be imported are left out; otherwise nothing is imported if there are any.
  ///   - action: the name of the step in the history.
  ///   - onProgress: receives the number of bytes read so far, and of the whole file, on a thread of its own; each byte
  ///     counts twice.
  /// - Returns: how many customers were added, changed, or there already, and how many rows were left out.
  /// - Throws: an error that names the place in the file and never quotes its data, `ListError`, `StoreError`,
  ///   `CancellationError`, or the error of the file system.
  @discardableResult
  public func importCustomers(
    path: String, columns: [String: CustomerField?] = [:], duplicates: DuplicateHandling = .add,
    keys: [String] = [], skipsRejectedRows: Bool = false, action: String = "import",
    onProgress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> (added: Int, updated: Int, skipped: Int, rejected: Int) {
    var options = ImportOptions(format: FileFormat(path: path) ?? .csv)
    (options.duplicates, options.keys, options.skipsRejectedRows) = (duplicates, keys, skipsRejectedRows)
    for (column, field) in columns {
      try options.map(column, to: field.map { .field($0) } ?? .ignored)
    }
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler { [options] in
      while true {
        // One thread after another uses it.
        nonisolated(unsafe) let importer = try await onOwnThread { () throws -> CustomerImporter in
          let importer = try CustomerImporter(path: path, options: options)
          importer.onProgress = onProgress
          importer.checkCancellation = cancellation.check
          try importer.prepare(for: self)
          return importer
        }
        do {
          let summary = try await write(action: action) { list in
            try unsafe list.importCustomers(from: importer)
          }
          return (summary.added, summary.updated, summary.skipped, summary.rejected)
        } catch TransferError.outdated { continue }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// Whether a task was canceled, for another thread.
private final class Cancellation: Sendable {
  private let isCanceled = Atomic(false)

  func cancel() { isCanceled.store(true, ordering: .relaxed) }

  func check() throws { if isCanceled.load(ordering: .relaxed) { throw CancellationError() } }
}

/// How a file is read, and what happens to its columns and to customers that are already in the list.
package struct ImportOptions: Sendable {
  /// The format of the file.
  package var format: FileFormat
  /// The encoding of the file; nil to recognize it: UTF-8 unless a byte order mark or the first bytes say
  /// otherwise.
  package var encoding: FileEncoding?
  /// The character between the fields of a table; nil to detect it.
  package var delimiter: Character?
  /// Whether the first line of a table names the columns; otherwise they are called `1`, `2`, ….
  package var hasHeader = true
  /// Whether a row may have fewer values than there are columns: the last ones are then empty.
  package var fillsShortRows = false
  /// The values that mean "no value", such as NULL.
  package var nullTexts: [String] = []
  /// What happens to customers that are already in the list.
  package var duplicates = DuplicateHandling.add
  /// The columns by which customers in the list are recognized: all values must be the same; none for any of the
  /// e-mail addresses.
  package var keys: [String] = []
  /// Whether an import fails that would add customers which the list has already, by name and e-mail address or phone.
  package var refusesKnown = false
  /// Whether such customers are only counted.
  package var countsKnown = false
  /// The side that wins where the list and a returned file were both changed; nil to refuse the import.
  package var conflictWinner: ConflictSide?
  /// The side that wins a conflict, by `ImportConflict.key`, whoever wins the others.
  package var conflictSides: [String: ConflictSide] = [:]
  /// Whether rows that have another place in a returned file are moved there.
  package var takesOrder = false
  /// Whether customers that are missing in a returned file are deleted.
  package var deletesMissing = false
  /// Whether a file of some rows, or a sorted one, is taken without deletions and moves.
  package var takesWhatIsKnown = false
  /// Whether rows that can't be imported are left out; otherwise one of them prevents the import.
  package var skipsRejectedRows = false
  /// Whether a file is imported even if none of its columns matches a field; a table with a header needs a name that
  /// is known, or a mapping, because its first line may be a customer.
  package var acceptsUnmatchedColumns = false
  /// The name or number of the sheet of a spreadsheet; nil for the first.
  package var sheet: String?
  /// The kinds of columns that are not recognized by their values.
  package var kinds: [ColumnKindChoice] = []
  /// The targets of columns that are not matched by name; see `map(_:to:)`.
  package private(set) var mapping: [ImportedColumn] = []

  /// Takes all that was done in a file which was handed out.
  package mutating func takeBack(winner: ConflictSide? = nil) {
    (duplicates, keys, conflictWinner) = (.update, ["id"], winner)
    // A file that is taken in twice has its new rows twice.
    refusesKnown = true
    (takesOrder, deletesMissing, takesWhatIsKnown) = (true, true, true)
  }

  /// Whether the rows of a file are found by the ids of the list.
  var isKeyedByID: Bool { keys.map { Name($0).key } == ["id"] }

  /// Creates the options of a format.
  package init(format: FileFormat = .csv) { self.format = format }

  /// Sets the target of a column; without a target, columns are matched to fields by name and synonym.
  ///
  /// - Parameters:
  ///   - column: its name in the file; case, spaces, `-`, and `_` are ignored if no column has exactly it.
  ///   - target: what it is imported as.
  /// - Throws: `TransferError` if the column or the target has been used already.
  package mutating func map(_ column: String, to target: ColumnTarget) throws {
    guard !mapping.contains(where: { $0.name == column }) else {
      throw TransferError.columnMappedTwice(column)
    }
    guard !mapping.contains(where: { $0.target.writesOver(target) }) else {
      throw TransferError.targetMappedTwice(target)
    }
    mapping.append(ImportedColumn(name: column, target: target))
  }

  /// Whether a character can be the delimiter: an ASCII character other than a line end or a quote.
  package static func isDelimiter(_ character: Character) -> Bool {
    character.utf8.count == 1 && !"\"\n\r".contains(character)
  }
}

/// How the characters of a file are written as bytes.
package enum FileEncoding: String, CaseIterable, Sendable {
  /// UTF-8.
  case utf8 = "utf-8"
  /// UTF-16, in the byte order given by the mark at the start or shown by its ASCII characters, otherwise big-endian
  /// (RFC 2781, 4.3).
  case utf16 = "utf-16"
  /// ISO 8859-1: the first 256 characters of Unicode.
  case latin1
  /// Windows 1252: Latin 1 with letters and symbols instead of most of the controls 80…9F.
  case windows1252 = "windows-1252"
  /// Mac OS Roman.
  case macRoman = "mac-roman"
  /// Windows 1250, for the languages of Central Europe.
  case windows1250 = "windows-1250"
  /// Windows 1251, for Cyrillic.
  case windows1251 = "windows-1251"
  /// Windows 1253, for Greek.
  case windows1253 = "windows-1253"
  /// Windows 1254, for Turkish.
  case windows1254 = "windows-1254"
  /// ISO 8859-2, for the languages of Central Europe.
  case iso8859Part2 = "iso-8859-2"
  /// ISO 8859-5, for Cyrillic.
  case iso8859Part5 = "iso-8859-5"
  /// ISO 8859-7, for Greek.
  case iso8859Part7 = "iso-8859-7"
  /// ISO 8859-9, for Turkish.
  case iso8859Part9 = "iso-8859-9"
  /// ISO 8859-15: Latin 1 with the euro sign.
  case iso8859Part15 = "iso-8859-15"
  /// KOI8-R, for Russian.
  case koi8R = "koi8-r"
}
