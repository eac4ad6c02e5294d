public import CustomerStore
package import CustomersFiles
internal import CustomersFormats

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
public final class CustomerImporter {
  /// How the file is read.
  public package(set) var options: ImportOptions { didSet { rows = nil } }
  /// Receives the number of bytes read so far, and of the whole file, after each piece; if it throws, the
  /// preview or import ends with that error, and nothing is imported.
  ///
  /// A file that was prepared counts twice: once to read it, and once to write its customers.
  public var onProgress: ((_ done: Int, _ total: Int) throws -> Void)?
  /// Receives each row that can't be imported; if it throws, the import ends.
  public var onRejectedRow: ((RejectedRow) throws -> Void)? { didSet { rows = nil } }
  /// Ends an import that was canceled.
  var checkCancellation: () throws -> Void = {}
  private let source: ImportSource
  private var rows: ImportRows?
  /// The value of the key that matched several customers, or the name of one that the list has already, for a message
  /// to the user at the keyboard.
  package private(set) var ambiguousValue: String?

  /// How many steps the last reading took; see `ReadingBudget`.
  package var steps: Int { rows?.steps ?? 0 }

  /// What the last import did with the rows, whether they are in the list or not.
  package private(set) var choices = ImportChoices()
  /// What a person has confirmed; an import that would do anything else throws `StaleConfirmation`.
  package var confirmed: ImportChoices?

  /// Whether some row of the last import was one of a customer, though others were not.
  package private(set) var hasValidRows = false

  /// The first conflicts of the last import between the list and a returned file, whether a side won or not.
  public private(set) var conflicts: [ImportConflict] = []

  /// Opens a file; of a pipe, reads all of it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - options: how it is read; nil for the format of the file name's extension.
  /// - Throws: the error of the file system.
  public convenience init(path: String, options: ImportOptions? = nil) throws {
    let options = options ?? ImportOptions(format: FileFormat(path: path) ?? .csv)
    try self.init(InputFile(path), options)
  }

  /// Takes the bytes of a file from elsewhere, such as an upload, and keeps them in a temporary file.
  ///
  /// - Parameters:
  ///   - options: how it is read.
  ///   - next: returns the next bytes; none at the end.
  /// - Throws: what `next` throws or the error of the file system.
  public convenience init(_ options: ImportOptions, receiving next: () throws -> [UInt8]) throws {
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
  public func columns() throws -> [ImportedColumn] { try locatingErrors { try freshRows().columns } }

  /// Reads the whole file, but not a list: every customer counts as added.
  ///
  /// `CustomerStore.dryRun` with `importCustomers(from:)` shows what would become of the list, too.
  ///
  /// - Throws: `TransferError` or what reading throws.
  /// - Complexity: O(file).
  public func preview() throws -> ImportSummary {
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
  public func digest() throws -> String {
    if rows?.isKept == true { return source.digest }
    rows = nil
    return try source.wholeDigest()
  }

  /// Reads the whole file into a temporary file without a name, for an import into a list that need not wait for that.
  ///
  /// An import that is not prepared reads the file in its transaction.
  ///
  /// - Throws: `TransferError`, `ListError.ambiguousColumn`, `StoreError`, or the error of the file system, as if the
  ///   disk is full.
  /// - Complexity: O(file), and O(customers in the list) to compare its columns.
  public func prepare(for store: CustomerStore) throws { try prepare { columns in try store.read(columns) } }

  /// Reads the whole file for the list that `read` reads, in a transaction in which the file is not read.
  package func prepare(
    _ read: ((borrowing CustomerList) throws -> ListedColumns) throws -> ListedColumns
  ) throws {
    isPrepared = true
    if rows?.isKept == true { rows = nil }
    try locatingErrors {
      let rows = try freshRows()
      try rows.keep(for: rows.mayHaveExtraColumns ? read { list in try ListedColumns(list) } : nil)
    }
  }

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
        throw TransferError.rejectedRows(count: rows.rejected)
      }
      try list.recordImport(digest: source.digest)
      return run.summary.completed(by: rows)
    }
  }

  /// The names of the columns, whether the options fit them or not.
  package func columnNames() throws -> [String] {
    let file = try CustomerFile(source, options, onProgress: nil)
    return try file.columns ?? file.next()?.columns ?? []
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
  public mutating func importCustomers(
    from importer: CustomerImporter, at destination: Destination? = nil, in section: SectionID? = nil
  ) throws -> ImportSummary {
    try importer.run(at: destination, in: section, of: &self)
  }

  /// The step that imported the same file last and is not undone; nil if there is none.
  ///
  /// - Complexity: O(file), if the history has any import.
  public func lastImport(of importer: CustomerImporter) throws -> HistoryStep? {
    try hasImports() ? lastImport(ofDigest: importer.digest()) : nil
  }
}
