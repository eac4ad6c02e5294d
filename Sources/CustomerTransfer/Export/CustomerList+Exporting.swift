public import CustomerStore
internal import CustomersFiles

extension CustomerList {
  /// Writes the list to a file, from which `importCustomers(from:)` rebuilds the list.
  ///
  /// The file appears, or replaces an existing one, only when it is complete. Only its owner can read it.
  ///
  ///     let count = try store.readAtLength { list in
  ///       try list.exportCustomers(to: "customers.csv")
  ///     }
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - options: what to write; nil for everything, in the format of the file name's extension.
  /// - Returns: the number of customers.
  /// - Throws: `TransferError` if the format can't hold a string, `StoreError`, or the error of the file system.
  /// - Complexity: O(customers); memory for one.
  @discardableResult
  public func exportCustomers(to path: String, options: ExportOptions? = nil) throws -> Int {
    let file = try OutputFile(path)
    let count = try exportCustomers(options ?? ExportOptions(format: FileFormat(path: path) ?? .csv)) {
      try file.descriptor.write($0)
    }
    try file.finish()
    return count
  }

  /// Writes the list piece by piece.
  ///
  /// - Parameters:
  ///   - options: what to write.
  ///   - onProgress: receives the number of customers written so far, and of all; if it throws, the export
  ///     ends.
  ///   - write: takes the next bytes.
  /// - Returns: the number of customers.
  /// - Throws: `TransferError` if the format can't hold a string, `StoreError`, or what the functions throw.
  /// - Complexity: O(customers); memory for one.
  @discardableResult
  public func exportCustomers(
    _ options: ExportOptions = ExportOptions(),
    onProgress: ((_ done: Int, _ total: Int) throws -> Void)? = nil, to write: ([UInt8]) throws -> Void
  ) throws -> Int {
    var filter = options.filter ?? RowFilter()
    filter.section = options.section ?? filter.section
    return try exportCustomers(ListedRows(filter), options, onProgress: onProgress, to: write)
  }

  /// Writes these rows piece by piece, whichever rows the options name.
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - options: how they are written.
  ///   - shown: what a terminal shows of a string; nil to write the data unchanged.
  ///   - isLenient: whether rows are written as far as the format can hold them.
  ///   - onProgress: receives the number of customers written so far, and of all.
  ///   - write: takes the next bytes.
  /// - Returns: the number of customers.
  /// - Throws: what `exportCustomers(_:onProgress:to:)` throws.
  package func exportCustomers(
    _ rows: ListedRows, _ options: ExportOptions, shown: ((String) -> String)? = nil, isLenient: Bool = false,
    onProgress: ((_ done: Int, _ total: Int) throws -> Void)? = nil, to write: ([UInt8]) throws -> Void
  ) throws -> Int {
    var layout = try ExportLayout(self, rows, options)
    layout.shown = shown
    return try export(
      rows, layout, outline(), options, isLenient: isLenient, onProgress: onProgress, to: write)
  }

  /// Writes the rows that can be read of a damaged list, as far as the format can hold them.
  ///
  /// - Throws: `TransferError` if the format has no writer, or what the functions throw.
  package func exportCustomers(
    _ readable: ReadableRows, _ options: ExportOptions, shown: ((String) -> String)? = nil,
    onProgress: ((_ done: Int, _ total: Int) throws -> Void)? = nil, to write: ([UInt8]) throws -> Void
  ) throws {
    var layout = ExportLayout(readable.rows)
    layout.shown = shown
    _ = try export(
      ListedRows(readable.rows), layout, ListOutline(readable.sections), options, isLenient: true,
      onProgress: onProgress, to: write)
  }

  private func export(
    _ rows: ListedRows, _ layout: ExportLayout, _ outline: ListOutline, _ options: ExportOptions,
    isLenient: Bool, onProgress: ((_ done: Int, _ total: Int) throws -> Void)?,
    to write: ([UInt8]) throws -> Void
  ) throws -> Int {
    guard let makeWriter = options.format.makeWriter else {
      throw TransferError.unwritableFormat(options.format)
    }
    var writer = makeWriter(layout, options)
    var bytes: [UInt8] = []
    guard writer.begin(&bytes) || isLenient else { throw TransferError.notCarried(row: nil, options.format) }
    let total = rows.named?.count ?? (rows.filter.section.flatMap(outline.section)?.count ?? outline.count)
    var (done, section) = (0, CustomerSection?.none)
    let count = try forEach(
      rows,
      header: { section in if rows.areWhole { writer.begin(section, to: &bytes) } },
      row: { customer in
        done += 1
        if !isLenient, customer.fields.hasReplacement, let column = try unreadableColumn(of: customer.id) {
          throw TransferError.unreadable(
            row: outline.position(of: customer.place), customer.id, column: column)
        }
        if section?.id != customer.place.section { section = outline.section(customer.place.section) }
        guard writer.append(customer, in: section?.title ?? "", to: &bytes) || isLenient else {
          throw TransferError.notCarried(row: outline.position(of: customer.place), options.format)
        }
        if bytes.count >= 1 << 16 {
          try write(bytes)
          bytes.removeAll(keepingCapacity: true)
        }
        if done.isMultiple(of: 1000) { try onProgress?(done, total) }
      })
    writer.end(&bytes)
    try write(bytes)
    return count
  }
}
