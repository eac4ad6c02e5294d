/// The place of a cell in a sheet, as in `BC12`.
struct CellPlace: CustomStringConvertible {
  /// From 1.
  var column: Int
  /// From 1.
  var row: Int

  /// The most columns and rows of any sheet.
  static let (columns, rows) = (16_384, 1_048_576)

  init(column: Int, row: Int) { (self.column, self.row) = (column, row) }

  /// Parses a place; nil if it is none of a sheet.
  init?(_ text: String) {
    (column, row) = (0, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z") where row == 0: column = column * 26 + Int(byte) - 0x40
      case UInt8(ascii: "0")...UInt8(ascii: "9") where column > 0: row = row * 10 + Int(byte) - 0x30
      default: return nil
      }
      guard column <= CellPlace.columns, row <= CellPlace.rows else { return nil }
    }
    guard column > 0, row > 0 else { return nil }
  }

  var description: String {
    var (letters, rest) = ("", column)
    while rest > 0 {
      letters = String(UnicodeScalar(UInt8(0x41 + (rest - 1) % 26))) + letters
      rest = (rest - 1) / 26
    }
    return letters + String(row)
  }
}

/// An escape in the text of a cell for what XML can't hold, as in `_x001B_`.
struct CellEscape {
  /// How many bytes it has.
  static let length = 7

  let scalar: Unicode.Scalar

  /// The escape with which bytes begin; nil if they don't.
  init?(_ bytes: ArraySlice<UInt8>) {
    let text = bytes.prefix(CellEscape.length)
    guard text.count == CellEscape.length, text.starts(with: "_x".utf8), text.last == UInt8(ascii: "_"),
      let number = UInt16(String(decoding: text.dropFirst(2).dropLast(), as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    self.scalar = scalar
  }
}
