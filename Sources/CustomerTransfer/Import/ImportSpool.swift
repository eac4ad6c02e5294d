internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The rows of a file after it was read, in a file without a name that only its owner can read.
///
/// So a list is not locked while a file is read, and memory is needed for one row.
final class ImportSpool {
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
  func append(_ row: ImportedRow) throws(FileError) {
    var parts: Parts = row.headings.isEmpty ? [] : .headings
    if row.section != nil { parts.insert(.section) }
    if row.id != nil { parts.insert(.id) }
    if row.customer.canEdit { parts.insert(.canEdit) }
    if row.customer.canMove { parts.insert(.canMove) }
    let isNew = keepsRecords && row.record.columns != columns
    if isNew { parts.insert(.columns) }
    put(parts.rawValue)
    put(row.number)
    put(row.record.line)
    if !row.headings.isEmpty { put(row.headings.flatMap { [$0.title, $0.footer] }) }
    if let section = row.section { put(section) }
    if let id = row.id { put(Int(id)) }
    put(row.customer.fields)
    if isNew {
      columns = row.record.columns
      put(columns)
    }
    if keepsRecords { put(row.record.values) }
    if bytes.count >= ImportSpool.pieceSize { try write() }
  }

  /// Writes what is left, and goes to the first row.
  func rewind() throws(FileError) {
    if position == 0 { try write() }
    (bytes, index, position, columns) = ([], 0, 0, [])
  }

  /// The next row; nil at the end.
  ///
  /// - Parameter plan: returns what the columns of a record are imported as.
  /// - Returns: the row.
  /// - Throws: what `plan` throws, or `FileError`.
  func next(_ plan: ([String]) throws -> ColumnPlan) throws -> ImportedRow? {
    guard index < bytes.count || position < size else { return nil }
    let parts = Parts(rawValue: try takeInt())
    let (number, line) = (try takeInt(), try takeInt())
    let headings = parts.contains(.headings) ? try takeTexts() : []
    let section = parts.contains(.section) ? try takeText() : nil
    let id = parts.contains(.id) ? Int64(try takeInt()) : nil
    let customer = NewCustomer(
      try takeFields(), canEdit: parts.contains(.canEdit), canMove: parts.contains(.canMove))
    if parts.contains(.columns) { columns = try takeTexts() }
    let record = Record(columns: columns, values: keepsRecords ? try takeValues() : [], line: line)
    let row = ImportedRow(
      record, keepsRecords ? try plan(columns) : nil, number: number, customer, section: section, id: id)
    row.headings = stride(from: 0, to: headings.count, by: 2).map {
      SectionHeading(title: headings[$0], footer: headings[$0 + 1])
    }
    return row
  }

  /// What a row has.
  private struct Parts: OptionSet {
    let rawValue: Int
    static let headings = Parts(rawValue: 1)
    static let section = Parts(rawValue: 2)
    static let id = Parts(rawValue: 4)
    static let canEdit = Parts(rawValue: 8)
    static let canMove = Parts(rawValue: 16)
    static let columns = Parts(rawValue: 32)
  }
}

extension ImportSpool {
  private func write() throws(FileError) {
    try file.write(bytes, at: size)
    size += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  /// An integer in groups of seven bits, the last one first.
  private func put(_ number: Int) {
    var rest = UInt(bitPattern: number)
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private func put(_ text: String) {
    put(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  private func put(_ texts: [String]) {
    put(texts.count)
    for text in texts { put(text) }
  }

  private func put(_ values: [Record.Value]) {
    put(values.count)
    for value in values {
      if case .json = value { put(1) } else { put(0) }
      put(value.plain)
    }
  }

  /// The texts that are not empty.
  private func put(_ fields: CustomerFields) {
    let texts = fields.spooled
    var present = fields.isFavorite ? 1 : 0
    for (bit, text) in texts.enumerated() where !text.isEmpty { present |= 2 << bit }
    put(present)
    for text in texts where !text.isEmpty { put(text) }
  }
}

extension ImportSpool {
  /// Makes sure that so many bytes wait.
  private func read(_ count: Int) throws(FileError) {
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

  private func takeInt() throws(FileError) -> Int {
    var (number, shift): (UInt, UInt) = (0, 0)
    while true {
      try read(1)
      let byte = bytes[index]
      index += 1
      number |= UInt(byte & 0x7f) << shift
      if byte < 0x80 { return Int(bitPattern: number) }
      shift += 7
    }
  }

  private func takeText() throws(FileError) -> String {
    let count = try takeInt()
    try read(count)
    defer { index += count }
    return String(decoding: bytes[index..<index + count], as: UTF8.self)
  }

  private func takeTexts() throws(FileError) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try takeInt()) { texts.append(try takeText()) }
    return texts
  }

  private func takeValues() throws(FileError) -> [Record.Value] {
    var values: [Record.Value] = []
    for _ in 0..<(try takeInt()) {
      let isJSON = try takeInt() == 1
      let text = try takeText()
      values.append(isJSON ? .json(text) : .text(text))
    }
    return values
  }

  private func takeFields() throws(FileError) -> CustomerFields {
    let present = try takeInt()
    var texts = Array(repeating: "", count: CustomerFields.none.spooled.count)
    for bit in texts.indices where present & 2 << bit != 0 { texts[bit] = try takeText() }
    var fields = CustomerFields.none
    fields.spooled = texts
    fields.isFavorite = present & 1 != 0
    return fields
  }
}

extension CustomerFields {
  /// Copying them takes a third of the time of making them.
  fileprivate static let none = CustomerFields()

  /// All texts; that of no extra columns is empty.
  fileprivate var spooled: [String] {
    get {
      [
        firstName, lastName, company, email, phone, address, note, otherContacts, tags,
        extra == "{}" ? "" : extra,
      ]
    }
    set {
      (firstName, lastName, company, email, phone) = (
        newValue[0], newValue[1], newValue[2], newValue[3], newValue[4]
      )
      (address, note, otherContacts, tags) = (newValue[5], newValue[6], newValue[7], newValue[8])
      extra = newValue[9].isEmpty ? "{}" : newValue[9]
    }
  }
}
