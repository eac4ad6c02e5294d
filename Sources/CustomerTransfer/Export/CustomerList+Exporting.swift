public import CustomerStore
internal import CustomersFiles

extension CustomerList {
  /// Writes the list to a file, from which `importCustomers(from:)` restores the same list.
  ///
  /// The file appears, or replaces an existing one, only when it is complete. Only its owner can read it.
  ///
  ///     let count = try store.readAtLength { list in try list.exportCustomers(to: "customers.csv") }
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - options: what to write; nil for everything, in the format of the file name's extension.
  /// - Returns: the number of customers.
  /// - Throws: `TransferError` if the format can't hold a text, `StoreError`, or the error of the file system.
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
  /// - Throws: `TransferError` if the format can't hold a text, `StoreError`, or what the functions throw.
  /// - Complexity: O(customers); memory for one.
  @discardableResult
  public func exportCustomers(
    _ options: ExportOptions = ExportOptions(),
    onProgress: ((_ done: Int, _ total: Int) throws -> Void)? = nil, to write: ([UInt8]) throws -> Void
  ) throws -> Int {
    try exportCustomers(options, shown: nil, onProgress: onProgress, to: write)
  }

  /// The same for a terminal, which shows `shown` of a text.
  package func exportCustomers(
    _ options: ExportOptions, shown: ((String) -> String)?,
    onProgress: ((_ done: Int, _ total: Int) throws -> Void)?, to write: ([UInt8]) throws -> Void
  ) throws -> Int {
    let outline = try outline()
    let sections = outline.sections.filter { options.section == nil || $0.id == options.section }
    let total = sections.reduce(0) { $0 + $1.count }
    var layout = try ExportLayout(self, in: options.section, includesIDs: options.includesIDs)
    layout.shown = shown
    guard let makeWriter = options.format.makeWriter else {
      throw TransferError.unwritableFormat(options.format)
    }
    var writer = makeWriter(layout, options)
    var bytes: [UInt8] = []
    guard writer.begin(&bytes) else { throw TransferError.notCarried(row: nil, options.format) }
    var count = 0
    func export(_ customer: Customer, in section: String) throws {
      count += 1
      if customer.fields.hasReplacement, let column = try unreadableColumn(of: customer.id) {
        throw TransferError.unreadable(
          row: outline.position(of: customer.place), customer.id, column: column)
      }
      guard writer.append(customer, in: section, to: &bytes) else {
        throw TransferError.notCarried(row: outline.position(of: customer.place), options.format)
      }
      if bytes.count >= 1 << 16 {
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
      if count.isMultiple(of: 1000) { try onProgress?(count, total) }
    }
    if var filter = options.filter {
      filter.section = options.section ?? filter.section
      try forEach(matching: filter) { customer in
        try export(customer, in: outline.section(customer.place.section)?.title ?? "")
        return true
      }
    } else {
      for section in sections {
        writer.begin(section, to: &bytes)
        try forEach(in: section.id) { customer in
          try export(customer, in: section.title)
          return true
        }
      }
    }
    writer.end(&bytes)
    try write(bytes)
    return count
  }
}
