internal import CSQLite

/// A value as a record of a database file holds it; a text need not be valid UTF-8.
package enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// A string.
  package static func text(_ text: String) -> StoredValue { .text(Array(text.utf8)) }

  /// The whole number, if it is one.
  package var number: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The text with invalid UTF-8 shown as U+FFFD, if it is one.
  package var string: String? {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
}

/// A row as it is stored.
package struct StoredRow: Sendable {
  /// The `rowid`; 0 in a table without.
  package var id: Int64
  /// The values in the order in which they are stored; nil for one that can't be read.
  ///
  /// An old row may have fewer than the table has columns.
  package var values: [StoredValue?]
  /// The pages of a tree that hold what is too long for its own.
  var overflow: [Int] = []
  /// Another row that was read before, of the same table or not, and has such a page, too: one of them has it by mistake.
  package var other: (id: Int64, isOfTable: Bool)?

  /// The value at a place; nil if there is none or it can't be read.
  package func value(_ place: Int) -> StoredValue? { values.indices.contains(place) ? values[place] : nil }
}

extension StoredRow {
  /// Reads a record, as far as it can be read (https://sqlite.org/fileformat.html#record_format).
  ///
  /// Nil if the header of the record is damaged, or nothing else can be read.
  init?(id: Int64, payload: [UInt8], encoding: TextEncoding) {
    guard let (size, first) = payload.varint(at: 0), size >= first, size <= payload.count else { return nil }
    var (place, offset) = (first, Int(size))
    var values: [StoredValue?] = []
    while place < size {
      guard let (type, length) = payload.varint(at: place), type >= 0, type < 1 << 32 else {
        return nil
      }
      place += length
      let count = Self.length(of: type)
      let isWhole = offset + count <= payload.count
      values.append(isWhole ? Self.value(type, payload[offset..<offset + count], encoding) : nil)
      offset += count
    }
    guard place == size, !values.contains(nil) || values.contains(where: { $0 != nil && $0 != .null }) else {
      return nil
    }
    (self.id, self.values) = (id, values)
  }

  private static func length(of type: Int64) -> Int {
    switch type {
    case 0...4: Int(type)
    case 5: 6
    case 6, 7: 8
    // SQLite reserves 10 and 11 and reads them as NULL.
    case 8...11: 0
    default: Int(type - 12) / 2
    }
  }

  private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>, _ encoding: TextEncoding)
    -> StoredValue
  {
    switch type {
    case 0, 10, 11: .null
    case 1...6:
      .integer(bytes.dropFirst().reduce(Int64(Int8(bitPattern: bytes.first ?? 0))) { $0 << 8 | Int64($1) })
    case 7: .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
    case 8, 9: .integer(type - 8)
    case _ where type % 2 == 0: .blob(Array(bytes))
    default: .text(encoding.utf8(bytes))
    }
  }
}

/// How a database stores texts.
enum TextEncoding: UInt32 {
  case utf8 = 1
  case utf16LittleEndian, utf16BigEndian

  func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard self != .utf8 else { return Array(bytes) }
    let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
    let units = pairs.map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return self == .utf16LittleEndian ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

extension [UInt8] {
  /// A number of 1 to 9 bytes, and how many these are; nil if it does not end in time.
  func varint(at start: Int) -> (value: Int64, length: Int)? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard start + index < count else { return nil }
      let byte = UInt64(self[start + index])
      if index == 8 { return (Int64(bitPattern: value << 8 | byte), 9) }
      value = value << 7 | byte & 0x7f
      if byte & 0x80 == 0 { return (Int64(bitPattern: value), index + 1) }
    }
    return nil
  }

  /// A big-endian number of some bytes, which must be there.
  func number(at start: Int, bytes: Int) -> Int {
    self[start..<start + bytes].reduce(0) { $0 << 8 | Int($1) }
  }
}

extension Connection {
  /// Runs a statement with values as they were stored and passes it to `body`.
  package func query<Result>(
    _ sql: String, stored values: [StoredValue], _ body: (borrowing Statement) throws -> Result
  ) throws -> Result {
    try query(
      sql,
      binding: { statement in
        guard let local = statement.backend as? LocalStatement else {
          preconditionFailure("not in this process")
        }
        for (index, value) in values.enumerated() { try local.bind(value, at: Int32(index + 1)) }
      }, body)
  }

  /// Runs a statement with values as they were stored.
  package func execute(_ sql: String, stored values: [StoredValue]) throws {
    try query(sql, stored: values) { statement in while try statement.step() {} }
  }

  /// Runs a statement that creates an object of a schema whose author is unknown: only that, and nothing is read.
  ///
  /// - Parameters:
  ///   - type: `table`, `index`, `view`, or `trigger`.
  ///   - sql: the statement; what follows it is ignored.
  /// - Throws: SQLite's error, or one for a statement that does something else.
  package func create(_ type: String, _ sql: String) throws {
    let words = sql.uppercased().split(maxSplits: 3) { $0 == " " || $0.isNewline || $0 == "\t" }
    let isCreating =
      words.first == "CREATE"
      && (words.dropFirst().first.map(String.init) == type.uppercased()
        || words.dropFirst().prefix(2).elementsEqual(["UNIQUE", "INDEX"]) && type == "index")
    guard isCreating else {
      throw SQLiteError(code: .error, message: "not a statement that creates a \(type)")
    }
    unsafe csqlite_only_creates(handle, 1)
    defer { unsafe csqlite_only_creates(handle, 0) }
    try query(sql) { statement in while try statement.step() {} }
  }
}
