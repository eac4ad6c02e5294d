internal import CustomersPlatform

/// Finds the fields of one row of CSV and its end.
struct CSVScan {
  /// The range of a field's text, without its quotes; offsets from the row's first byte.
  struct Field {
    var start: Int
    var end: Int
    /// Whether the quotes in it are doubled.
    var hasDoubledQuotes = false
  }

  private(set) var fields: [Field] = []
  /// The offset after the row and its line end, and whether nothing else follows.
  private(set) var end = (offset: 0, isBlank: false)
  /// How many lines the row has.
  private(set) var lineCount = 0
  /// The error in the row and its position.
  private(set) var fault: (text: String, offset: Int)?
  /// The opening quote of the field scanned last or the start of the row.
  private(set) var openQuote = 0

  /// Scans the row that starts with the first byte.
  ///
  /// - Parameters:
  ///   - bytes: the row and what follows it.
  ///   - separator: the byte between fields.
  ///   - isLast: whether nothing follows the bytes.
  /// - Returns: whether the bytes include the end of the row.
  @unsafe mutating func row(_ bytes: UnsafeBufferPointer<UInt8>, _ separator: UInt8, isLast: Bool) -> Bool {
    fields.removeAll(keepingCapacity: true)
    (lineCount, fault, openQuote) = (1, nil, 0)
    var index = 0
    repeat {
      let isQuoted = unsafe index < bytes.count && bytes[index] == 0x22
      let isWhole = unsafe isQuoted ? quoted(bytes, &index, isLast) : plain(bytes, &index, separator)
      guard isWhole, index < bytes.count || isLast else { return false }
      if unsafe isQuoted && index < bytes.count && !isEnd(bytes[index], separator) {
        fault = fault ?? ("text after a closing quote; a quote inside a field is doubled", index)
        while unsafe index < bytes.count && bytes[index] != 0x0a { index += 1 }
        guard index < bytes.count || isLast else { return false }
      }
    } while unsafe stepOverSeparator(bytes, &index, separator)
    guard let next = unsafe lineEnd(bytes, index, isLast) else { return false }
    end = (next, fields.count == 1 && index == 0)
    if fault == nil, let offset = unsafe find(0, bytes, 0..<next) { fault = ("a NUL byte", offset) }
    return true
  }

  /// Scans a field without quotes; what ends it is not consumed.
  @unsafe private mutating func plain(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ separator: UInt8
  ) -> Bool {
    let start = index
    let greatest = max(separator, 0x0d)
    while index < bytes.count {
      let byte = unsafe bytes[index]
      if byte <= greatest, byte == separator || byte == 0x0a || byte == 0x0d { break }
      index += 1
    }
    fields.append(Field(start: start, end: index))
    return true
  }

  /// Scans a field in quotes.
  ///
  /// - Returns: whether the closing quote is there.
  @unsafe private mutating func quoted(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ isLast: Bool
  ) -> Bool {
    openQuote = index
    index += 1
    var field = Field(start: index, end: index)
    while let quote = unsafe find(0x22, bytes, index..<bytes.count) {
      index = quote + 1
      guard index < bytes.count || isLast else { return false }
      guard unsafe index < bytes.count && bytes[index] == 0x22 else {
        field.end = quote
        fields.append(field)
        unsafe countLines(bytes, field)
        return true
      }
      field.hasDoubledQuotes = true
      index += 1
    }
    return false
  }

  @unsafe private mutating func countLines(_ bytes: UnsafeBufferPointer<UInt8>, _ field: Field) {
    var index = field.start
    while let end = unsafe find(0x0a, bytes, index..<field.end) {
      lineCount += 1
      index = end + 1
    }
  }

}

private func isEnd(_ byte: UInt8, _ separator: UInt8) -> Bool {
  byte == separator || byte == 0x0a || byte == 0x0d
}

@unsafe private func stepOverSeparator(
  _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ separator: UInt8
) -> Bool {
  guard unsafe index < bytes.count && bytes[index] == separator else { return false }
  index += 1
  return true
}

/// The offset after the line end at `index`; nil if it may continue after the bytes.
@unsafe private func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ isLast: Bool) -> Int? {
  guard index < bytes.count else { return index }
  guard unsafe bytes[index] == 0x0d else { return index + 1 }
  guard index + 1 < bytes.count else { return isLast ? index + 1 : nil }
  return unsafe bytes[index + 1] == 0x0a ? index + 2 : index + 1
}

/// The offset of the first such byte in the range.
@unsafe private func find(_ byte: UInt8, _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
  guard !range.isEmpty, let base = bytes.baseAddress else { return nil }
  guard let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count) else { return nil }
  return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
}
