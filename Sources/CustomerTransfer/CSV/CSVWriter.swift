/// Writes rows of a table; quotes fields only if necessary.
package struct CSVWriter: Sendable {
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
  package init(_ dialect: TableDialect = .csv, isSpreadsheetSafe: Bool = false, usesCRLF: Bool = false) {
    separator = dialect.separator
    hasEscapes = dialect.hasEscapes
    self.isSpreadsheetSafe = isSpreadsheetSafe
    lineEnd = usesCRLF ? [0x0d, 0x0a] : [0x0a]
  }

  /// Appends a row with its line end.
  ///
  /// - Returns: whether a table can hold the fields; it can't hold a NUL.
  package func append(_ fields: [String], to bytes: inout [UInt8]) -> Bool {
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

  /// Appends a field without what separates it from others.
  ///
  /// - Returns: whether a table can hold it.
  func append(_ field: String, to bytes: inout [UInt8]) -> Bool {
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

/// How a table of values is written: what separates its fields, and how a field can contain the separator.
package enum TableDialect: Equatable, Sendable {
  /// RFC 4180 with any ASCII character between fields. A field in quotes may contain everything but NUL.
  case separated(by: Character)
  /// Tabs between fields and one line per row: a tab, line feed, carriage return, or backslash in a field
  /// is written `\t`, `\n`, `\r` or `\\`.
  ///
  /// So programs that know nothing about quotes can split the rows. Quoted fields, as spreadsheets write
  /// them, can be read, too; only a field that starts with a quote is written in quotes.
  case tsv

  /// Commas between fields.
  package static let csv = TableDialect.separated(by: ",")

  /// The byte between fields.
  var separator: UInt8 {
    switch self {
    case .separated(let character): character.asciiValue ?? 0x2c
    case .tsv: 0x09
    }
  }

  /// Whether a backslash starts an escape.
  var hasEscapes: Bool { self == .tsv }
}

enum TSVEscape {
  static let backslash: UInt8 = 0x5c

  /// The letter after the backslash for a byte that must be escaped.
  static func letter(for byte: UInt8) -> UInt8? {
    switch byte {
    case 0x09: UInt8(ascii: "t")
    case 0x0a: UInt8(ascii: "n")
    case 0x0d: UInt8(ascii: "r")
    case backslash: backslash
    default: nil
    }
  }

  /// The byte for a letter after the backslash; nil if there is none.
  static func byte(for letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case backslash: backslash
    default: nil
    }
  }
}

/// Defuses values that spreadsheets would take for formulas
/// (https://owasp.org/www-community/attacks/CSV_Injection) with an apostrophe in front, which can be removed
/// again.
package enum SpreadsheetText {
  /// The text, with an apostrophe in front if it could start a formula or has been defused already.
  package static func defused(_ text: String) -> String { isFormula(text.utf8[...]) ? "'" + text : text }

  /// The text before it was defused.
  package static func original(_ text: String) -> String {
    text.utf8.first == 0x27 && isFormula(text.utf8.dropFirst())
      ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// Whether the text starts, perhaps after apostrophes, with = + - @, a tab, a CR, or an LF.
  private static func isFormula(_ text: Substring.UTF8View) -> Bool {
    switch text.first(where: { $0 != 0x27 }) {
    case 0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0d, 0x0a: true
    default: false
    }
  }
}
