internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The rows of a file after it was read, in a file without a name that only its owner can read.
///
/// So a list is not locked while a file is read, and memory is needed for one row.
struct ImportSpool {
  private let file: TemporaryFile
  /// Whether a row can be read again in another way, because the list may have its customer.
  private let keepsRecords: Bool
  /// The bytes that wait to be written, or that were read.
  private var bytes: [UInt8] = []
  private var index = 0
  /// How many bytes were written, and how many read.
  private(set) var size = 0
  private(set) var position = 0
  /// The columns of the last record.
  private var columns: [String] = []

  private static let pieceSize = 1 << 16

  /// Creates an empty file.
  ///
  /// - Throws: `FileError`.
  init(keepsRecords: Bool) throws(FileError) {
    file = try TemporaryFile()
    self.keepsRecords = keepsRecords
  }

  /// Writes a row after the others.
  mutating func append(_ row: ImportedRow) throws(FileError) {
    let isNew = keepsRecords && row.record.columns != columns
    var parts = 0
    if row.customer.fields.isFavorite { parts |= Part.isFavorite }
    if row.customer.canEdit { parts |= Part.canEdit }
    if row.customer.canMove { parts |= Part.canMove }
    if row.section != nil { parts |= Part.section }
    if row.id != nil { parts |= Part.id }
    if row.uid != nil { parts |= Part.uid }
    if !row.headings.isEmpty { parts |= Part.headings }
    if isNew { parts |= Part.columns }
    if !row.customer.log.isEmpty { parts |= Part.log }
    put(parts)
    put(row.number)
    put(row.record.line)
    put(row.customer.fields)
    if let section = row.section { put(section) }
    if let id = row.id { put(Int(id)) }
    if let uid = row.uid { put(uid) }
    if !row.headings.isEmpty { put(row.headings.flatMap { [$0.title, $0.footer] }) }
    if isNew {
      columns = row.record.columns
      put(columns)
    }
    for line in row.customer.log { put([String(line.id.rawValue), line.time, line.author, line.text]) }
    if !row.customer.log.isEmpty { put(0) }
    if keepsRecords { put(row.record.values) }
    if bytes.count >= ImportSpool.pieceSize { try write() }
  }

  /// Writes what is left, and goes to the first row.
  mutating func rewind() throws(FileError) {
    if position == 0 { try write() }
    (bytes, index, position, columns) = ([], 0, 0, [])
  }

  /// The next row; nil at the end.
  ///
  /// - Parameter plan: returns what the columns of a record are imported as.
  /// - Returns: the row.
  /// - Throws: what `plan` throws, or `FileError`.
  mutating func next(_ plan: ([String]) throws -> ColumnPlan) throws -> ImportedRow? {
    guard index < bytes.count || position < size else { return nil }
    let parts = try takeInt()
    let (number, line) = (try takeInt(), try takeInt())
    var fields = try takeFields()
    fields.isFavorite = parts & Part.isFavorite != 0
    var customer = NewCustomer(
      fields, canEdit: parts & Part.canEdit != 0, canMove: parts & Part.canMove != 0)
    let section = parts & Part.section != 0 ? try takeText() : nil
    let id = parts & Part.id != 0 ? Int64(try takeInt()) : nil
    let uid = parts & Part.uid != 0 ? try takeText() : nil
    let headings = parts & Part.headings != 0 ? try takeTexts() : []
    if parts & Part.columns != 0 { columns = try takeTexts() }
    while parts & Part.log != 0, case let line = try takeTexts(), line.count == 4 {
      customer.log.append(
        LogLine(
          id: LogLineID(rawValue: Int64(line[0]) ?? 0), customer: 0, time: line[1], author: line[2],
          text: line[3]))
    }
    let record = Record(columns: columns, values: keepsRecords ? try takeValues() : [], line: line)
    let row = ImportedRow(
      record, keepsRecords ? try plan(columns) : nil, number: number, customer, section: section, id: id,
      uid: uid)
    row.headings = stride(from: 0, to: headings.count, by: 2).map {
      SectionHeading(title: headings[$0], footer: headings[$0 + 1])
    }
    return row
  }

  /// What a row has, as bits.
  private enum Part {
    static let isFavorite = 1
    static let canEdit = 2
    static let canMove = 4
    static let section = 8
    static let id = 16
    static let headings = 32
    static let columns = 64
    static let log = 128
    static let uid = 256
  }
}

extension ImportSpool {
  private mutating func write() throws(FileError) {
    try file.write(bytes, at: size)
    size += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  /// An integer in groups of seven bits, the last one first.
  private mutating func put(_ number: Int) {
    var rest = UInt(bitPattern: number)
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func put(_ text: String) {
    let utf8 = text.utf8
    put(utf8.count)
    if !utf8.isEmpty { bytes.append(contentsOf: utf8) }
  }

  private mutating func put(_ texts: [String]) {
    put(texts.count)
    for text in texts { put(text) }
  }

  private mutating func put(_ values: [Record.Value]) {
    put(values.count)
    for value in values {
      if case .json = value { put(1) } else { put(0) }
      put(value.plain)
    }
  }

  private mutating func put(_ fields: CustomerFields) {
    for text in fields.texts { put(text) }
    for text in [fields.extra, fields.next, fields.addressParts] { put(text) }
  }
}

extension ImportSpool {
  /// Makes sure that so many bytes wait.
  private mutating func read(_ count: Int) throws(FileError) {
    guard bytes.count - index < count else { return }
    bytes.removeFirst(index)
    index = 0
    while bytes.count < count {
      let wanted = max(ImportSpool.pieceSize, count - bytes.count)
      let piece = try file.read(at: position, upTo: min(wanted, size - position))
      guard !piece.isEmpty else { throw file.incomplete }
      position += piece.count
      bytes += piece
    }
  }

  private mutating func takeInt() throws(FileError) -> Int {
    var (number, shift): (UInt, UInt) = (0, 0)
    while true {
      if index == bytes.count { try read(1) }
      let byte = bytes[index]
      index += 1
      number |= UInt(byte & 0x7f) << shift
      if byte < 0x80 { return Int(bitPattern: number) }
      shift += 7
    }
  }

  private mutating func takeText() throws(FileError) -> String {
    let count = try takeInt()
    guard count > 0 else { return "" }
    try read(count)
    let text = String(decoding: bytes[index..<index + count], as: UTF8.self)
    index += count
    return text
  }

  private mutating func takeTexts() throws(FileError) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try takeInt()) { texts.append(try takeText()) }
    return texts
  }

  private mutating func takeValues() throws(FileError) -> [Record.Value] {
    var values: [Record.Value] = []
    for _ in 0..<(try takeInt()) {
      let isJSON = try takeInt() == 1
      let text = try takeText()
      values.append(isJSON ? .json(text) : .text(text))
    }
    return values
  }

  private mutating func takeFields() throws(FileError) -> CustomerFields {
    var fields = ImportSpool.noFields
    for field in CustomerField.texts { fields.setText(try takeText(), of: field) }
    (fields.extra, fields.next, fields.addressParts) = (try takeText(), try takeText(), try takeText())
    return fields
  }

  /// Copying them takes a third of the time of making them.
  private static let noFields = CustomerFields()
}
