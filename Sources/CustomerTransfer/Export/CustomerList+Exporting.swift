public import CustomerStore
internal import CustomersSystem
internal import CustomersText

extension CustomerStore {
  /// Writes all customers to a file, from one state of the list; others wait only while it is copied.
  ///
  /// The file appears, or replaces an existing one, only when it is complete. Only its owner can read it.
  ///
  /// - Parameters:
  ///   - path: the path of the file; its extension says the format, such as `csv`, `xlsx`, or `vcf`.
  ///   - fields: the columns of a table; nil for all that the list has.
  ///   - includesIDs: whether the first columns are `id`, which stays the same for a customer, and `version`, which says
  ///     from which state of the list the file was written: an import by the key `id` finds out what was edited in it.
  /// - Returns: the number of customers.
  /// - Throws: `StoreError`, `CancellationError`, the error of the file system; an error if the file is the list itself, or
  ///   if its extension is that of no format.
  @discardableResult
  public func exportCustomers(
    to path: String, fields: [CustomerField]? = nil, includesIDs: Bool = false
  ) async throws -> Int {
    guard let format = FileFormat(path: path), format.isWritable else { throw TransferError.unknownExtension }
    if let reason = reservation(of: path) { throw TransferError.reserved("\(reason)") }
    return try await readAtLength { list in
      var options = ExportOptions(format: format)
      (options.columns, options.includesIDs) = (fields?.map { .field($0) }, includesIDs)
      return try list.exportCustomers(to: path, options: options)
    }
  }
}

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
  package func exportCustomers(to path: String, options: ExportOptions? = nil) throws -> Int {
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
  package func exportCustomers(
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
  /// - Returns: the number of customers; of a calendar, that of events.
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
    if writer.needsUUIDs {
      writer.take(time: try readable(isLenient, nil) { try history(limit: 1).first?.time })
    }
    guard writer.begin(&bytes) || isLenient else { throw TransferError.notCarried(row: nil, options.format) }
    let total = rows.named?.count ?? (rows.filter.section.flatMap(outline.section)?.count ?? outline.count)
    let logged = try writer.hasLog ? readable(isLenient, []) { try customersWithLog() } : []
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
        let log =
          try logged.contains(customer.id) ? readable(isLenient, []) { try self.log(of: customer.id) } : []
        if writer.needsUUIDs { writer.take(uuid: try uuid(of: customer.id)) }
        guard writer.append(customer, log, in: section?.title ?? "", to: &bytes) || isLenient else {
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
    return writer.eventCount ?? count
  }

  /// What can be read, or else a value if the file may be damaged.
  private func readable<Value>(_ isLenient: Bool, _ other: Value, _ read: () throws -> Value) throws -> Value
  {
    do { return try read() } catch  where isLenient { return other }
  }
}

/// What an export writes and how.
package struct ExportOptions: Sendable {
  /// The format of the file.
  package var format: FileFormat
  /// The only section to export; nil for all.
  package var section: SectionID?
  /// The customers to export; nil for all.
  package var filter: RowFilter?
  /// The columns of a table or the members of an object; nil for all that an import needs.
  package var columns: [ListColumn]?
  /// Whether the first line of a table names the columns.
  package var hasHeader = true
  /// Whether the lines of a table end with CR LF instead of LF.
  package var usesCRLF = false
  /// Whether spreadsheets are prevented from treating values of a table as formulas; an import restores them.
  package var isSpreadsheetSafe = false
  /// Whether the first columns are `id` and `version`, and in JSON `uid`, by which an import into the same list recognizes
  /// the customers, and what was changed in the file; if some customer has one, the next date and the log are columns, too.
  package var includesIDs = false
  /// The version of address cards.
  package var vCardVersion = VCardVersion.version4
  /// Whether address cards have the next date and the log, which not everyone is to see.
  package var includesLog = false

  /// Creates the options of a format.
  package init(format: FileFormat = .csv) { self.format = format }
}

/// A version of address cards.
package enum VCardVersion: String, CaseIterable, Sendable {
  /// RFC 2426, for programs that don't read 4.0, such as those of old phones.
  case version3 = "3"
  /// RFC 6350.
  case version4 = "4"
}

/// The columns of an exported table and a customer's values in them.
package struct ExportLayout {
  package let columns: [String]
  /// The values of the columns, given a customer and the title of its section.
  package let values: (_ customer: Customer, _ section: String) -> [String]
  /// The kinds of the columns, as far as they are known.
  private var kinds: [ColumnKind] = []
  /// The fields with any number of values, and the parts of the address, that are written, even if a customer has none.
  package private(set) var lists: [CustomerField] = []
  /// Whether the last column is the log, as JSON, whose value a writer adds.
  package private(set) var hasLog = false
  /// The extra columns that are declared, if all are written.
  package private(set) var declared: [DeclaredColumn] = []
  /// The customer as an object, if columns were chosen.
  private(set) var object: ((_ customer: Customer, _ section: String) -> JSON)?
  /// What the file is written from, if it has ids.
  private(set) var identity: String?
  /// What a terminal shows of a string; nil to write the data unchanged.
  package var shown: ((String) -> String)?

  /// Creates a layout of any columns.
  private init(columns: [String], values: @escaping (_ customer: Customer, _ section: String) -> [String]) {
    self.columns = columns
    self.values = values
  }

  /// The columns of every file.
  static let fixed =
    CustomerField.standard.filter { $0.kind != .lines }.map(\.column) + ["can_edit", "can_move", "section"]
  /// The column of the log.
  static let log = "log"
  /// The columns with which every file with ids begins.
  static let identifying = ["id", "version"]

  /// The columns of an export: those that were chosen, otherwise all fields and the title of the section, then the
  /// extra columns of the rows; ids and the version of the list come first.
  ///
  /// Fields with any number of values come after the section, and only if some customer has one; so do the parts of the
  /// address.
  init(_ list: borrowing CustomerList, _ rows: ListedRows, _ options: ExportOptions) throws {
    let identity = try options.includesIDs ? HandOut(rows, of: list).text : nil
    let declared = try list.declaredExtraColumns()
    let known = ColumnKinds(declared)
    if let columns = options.columns {
      self.init(columns, try list.outline(), identity: identity)
      kinds = columns.filter { identity == nil || $0 != .id }.map { $0.kind(known) }
    } else {
      let section = rows.filter.section
      let used = try identity == nil ? (next: false, log: false) : list.usesLog()
      let extra = try list.extraColumns(in: section, withNulls: true).map(\.name)
      self.init(
        extra: extra, lists: try list.usedLists(in: section) + (used.next ? [.next] : []), identity: identity,
        hasLog: used.log)
      self.declared = declared
      let own = ExportLayout.fixed.map { name in
        CustomerField(column: name).map { known[$0].kind }
          ?? ListColumn.all.first { $0.name == name }?.kind(known) ?? .text
      }
      kinds = own + lists.map { known[$0].kind } + extra.map { known[.extra($0)].kind }
    }
    self.identity = identity
    if identity != nil { kinds = ExportLayout.identifying.map { _ in .text } + kinds }
  }

  /// The kind of the values of a column, from 0.
  func kind(_ column: Int) -> ColumnKind { kinds.indices.contains(column) ? kinds[column] : .text }

  /// The columns of rows that were read from a damaged list: all fields and the extra columns of these rows.
  init(_ rows: [Customer]) {
    var known: Set<[UInt8]> = []
    var extra: [String] = []
    for customer in rows where customer.fields.extra != "{}" {
      for (name, _) in customer.fields.extraColumns.columns where known.insert(Array(name.utf8)).inserted {
        extra.append(name)
      }
    }
    let lists = (CustomerField.lists + [.addressParts]).filter { list in
      rows.contains { !$0.fields[list].text.isEmpty }
    }
    self.init(extra: extra, lists: lists, identity: nil)
  }

  /// The chosen columns; as in every file, `section` is its title.
  private init(_ chosen: [ListColumn], _ outline: ListOutline, identity: String?) {
    let chosen = chosen.filter { identity == nil || $0 != .id }
    let fixed = (identity == nil ? [] : ExportLayout.identifying) + chosen.filter { !$0.isExtra }.map(\.name)
    let escaped = ExtraName.escaping(chosen.filter(\.isExtra).map(\.name), beside: fixed)
    var extra = escaped.makeIterator()
    let names = chosen.map { $0.isExtra ? extra.next() ?? $0.name : $0.name }
    self.init(columns: (identity == nil ? [] : ExportLayout.identifying) + names) { customer, section in
      (identity.map { [String(customer.id.rawValue), $0] } ?? [])
        + chosen.map { column in
          switch column {
          case .section: section
          case .field(let field) where field.kind == .lines: customer.fields[field].text
          default: column.value(customer, outline).plain
          }
        }
    }
    object = { customer, section in
      .object(
        zip(names, chosen).map { name, column in
          (name, column == .section ? .string(section) : column.value(customer, outline))
        })
    }
  }

  private init(extra: [String], lists: [CustomerField], identity: String?, hasLog: Bool = false) {
    let fixed = (identity == nil ? [] : ExportLayout.identifying) + ExportLayout.fixed + lists.map(\.column)
    // By the bytes of the name in the list.
    let places = Dictionary(
      uniqueKeysWithValues: extra.enumerated().map { (Array($1.utf8), fixed.count + $0) })
    let names = fixed + ExtraName.escaping(extra, beside: fixed)
    self.init(columns: names + (hasLog ? [ExportLayout.log] : [])) { customer, section in
      var values: [String] = []
      values.reserveCapacity(fixed.count + extra.count)
      if let identity {
        values.append(String(customer.id.rawValue))
        values.append(identity)
      }
      customer.fields.appendTexts(to: &values)
      // They come last, where they are wanted.
      values.removeLast(CustomerField.lists.count)
      values.append(customer.fields.isFavorite ? "1" : "0")
      values.append(customer.canEdit ? "1" : "0")
      values.append(customer.canMove ? "1" : "0")
      values.append(section)
      values += lists.map { customer.fields[$0].text }
      guard !extra.isEmpty else { return values }
      values += Array(repeating: "", count: extra.count)
      guard customer.fields.extra != "{}" else { return values }
      for (name, value) in customer.fields.extraColumns.columns {
        if let place = places[Array(name.utf8)] { values[place] = value.text }
      }
      return values
    }
    (self.lists, self.hasLog) = (lists, hasLog)
  }
}

extension ExportLayout {
  /// The values of a row, with the log, as JSON, in the last column, if there is one.
  func row(_ customer: Customer, in section: String, _ log: [LogLine]) -> [String] {
    guard hasLog else { return values(customer, section) }
    return values(customer, section) + [log.isEmpty ? "" : JSON.array(log.map(JSONShapes.line.json)).text]
  }
}

extension ListColumn {
  /// The kind of the values in a file.
  fileprivate func kind(_ kinds: ColumnKinds) -> ColumnKind {
    switch self {
    case .id, .order, .position: .number
    case .canEdit, .canMove: .yesNo
    case .field(let field): kinds[field].kind
    case .section, .sectionTitle, .name, .extra: .text
    }
  }

  fileprivate var isExtra: Bool {
    if case .field(.extra) = self { true } else { false }
  }
}

extension JSON {
  /// The value in a format without types, such as CSV.
  package var plain: String {
    switch self {
    case .string(let text), .raw(let text): text
    case .bool(let flag): flag ? "1" : "0"
    case .int, .array, .object: text
    }
  }
}
