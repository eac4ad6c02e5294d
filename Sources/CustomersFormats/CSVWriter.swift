/// Writes rows of a table; quotes fields only if necessary.
public struct CSVWriter: Sendable {
  private let separator: UInt8
  private let hasEscapes: Bool
  private let isSpreadsheetSafe: Bool
  private let lineEnd: [UInt8]

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - dialect: how fields are separated and protected.
  ///   - isSpreadsheetSafe: whether to put an apostrophe before fields that a spreadsheet would take for
  ///     formulas; see `SpreadsheetText`.
  ///   - usesCRLF: whether rows end with CR LF, as in RFC 4180, instead of LF.
  public init(_ dialect: TableDialect = .csv, isSpreadsheetSafe: Bool = false, usesCRLF: Bool = false) {
    separator = dialect.separator
    hasEscapes = dialect.hasEscapes
    self.isSpreadsheetSafe = isSpreadsheetSafe
    lineEnd = usesCRLF ? [0x0d, 0x0a] : [0x0a]
  }

  /// Appends a row with its line end.
  ///
  /// - Returns: whether a table can hold the fields; it can't hold a NUL.
  public func append(_ fields: [String], to bytes: inout [UInt8]) -> Bool {
    var isCarried = true
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(separator) }
      let field = isSpreadsheetSafe ? SpreadsheetText.defused(field) : field
      if !append(field, to: &bytes) { isCarried = false }
    }
    // An empty line would not be a row.
    if fields.count == 1, fields[0].isEmpty { bytes += [0x22, 0x22] }
    bytes += lineEnd
    return isCarried
  }

  private func append(_ field: String, to bytes: inout [UInt8]) -> Bool {
    let text = field.utf8.span
    let kind = kind(text)
    guard kind.isSpecial else {
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
      return true
    }
    if kind.mustQuote { bytes.append(0x22) }
    for index in text.indices {
      let byte = text[index]
      if hasEscapes, let letter = TSVEscape.letter(for: byte) {
        bytes += [TSVEscape.backslash, letter]
      } else {
        if byte == 0x22, kind.mustQuote { bytes.append(0x22) }
        bytes.append(byte)
      }
    }
    if kind.mustQuote { bytes.append(0x22) }
    return !kind.hasNUL
  }

  private func kind(_ text: Span<UInt8>) -> (isSpecial: Bool, mustQuote: Bool, hasNUL: Bool) {
    // At the start of a file it would be taken for a byte order mark.
    var mustQuote = !text.isEmpty && (text[0] == 0xef || text[0] == 0x22)
    var isSpecial = mustQuote
    var hasNUL = false
    let greatest = hasEscapes ? TSVEscape.backslash : max(separator, 0x22)
    for index in text.indices where text[index] <= greatest {
      let byte = text[index]
      if byte == 0 { (isSpecial, hasNUL) = (true, true) }
      if hasEscapes {
        if TSVEscape.letter(for: byte) != nil { isSpecial = true }
      } else if byte == 0x22 || byte == 0x0a || byte == 0x0d || byte == separator {
        (isSpecial, mustQuote) = (true, true)
      }
    }
    return (isSpecial, mustQuote, hasNUL)
  }
}
