/// Writes CSV (RFC 4180); fields are quoted only where they must be.
public struct CSVWriter: Sendable {
  private let separator: UInt8
  private let isSpreadsheetSafe: Bool

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - separator: the ASCII character between fields.
  ///   - isSpreadsheetSafe: whether fields that a spreadsheet would take for formulas get an apostrophe
  ///     before them; see `SpreadsheetText`.
  public init(separator: Character = ",", isSpreadsheetSafe: Bool = false) {
    self.separator = separator.asciiValue ?? 0x2c
    self.isSpreadsheetSafe = isSpreadsheetSafe
  }

  /// Appends a row with its line end.
  ///
  /// - Returns: whether CSV can carry the fields: no NUL.
  public func append(_ fields: [String], to bytes: inout [UInt8]) -> Bool {
    var isCarried = true
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(separator) }
      let field = isSpreadsheetSafe ? SpreadsheetText.defused(field) : field
      if !append(field, to: &bytes) { isCarried = false }
    }
    // A line without anything would be no row.
    if fields == [""] { bytes += [0x22, 0x22] }
    bytes += [0x0d, 0x0a]
    return isCarried
  }

  private func append(_ field: String, to bytes: inout [UInt8]) -> Bool {
    let text = field.utf8.span
    let kind = kind(text)
    if kind.mustQuote {
      bytes.append(0x22)
      for index in text.indices {
        if text[index] == 0x22 { bytes.append(0x22) }
        bytes.append(text[index])
      }
      bytes.append(0x22)
    } else {
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
    return !kind.hasNUL
  }

  private func kind(_ text: Span<UInt8>) -> (mustQuote: Bool, hasNUL: Bool) {
    // At the start of a file a byte order mark would be taken for one.
    var mustQuote = !text.isEmpty && text[0] == 0xef
    var hasNUL = false
    let greatest = max(separator, 0x22)
    for index in text.indices where text[index] <= greatest {
      let byte = text[index]
      if byte == 0x22 || byte == 0x0a || byte == 0x0d || byte == separator { mustQuote = true }
      if byte == 0 { hasNUL = true }
    }
    return (mustQuote, hasNUL)
  }
}
