import CCustomersVTerm

/// A terminal in memory: libvterm, the one inside Neovim and Vim, shows what a program writes, and encodes
/// keys and the mouse in the modes that the program has really switched on.
@safe final class VirtualTerminal {
  private let vterm: OpaquePointer
  private let screen: OpaquePointer
  /// Everything that was written.
  private(set) var received: [UInt8] = []
  /// The number of columns and rows.
  private(set) var columns: Int
  private(set) var rows: Int

  /// A cell as it is shown.
  struct Cell: Equatable {
    /// The character; empty if it began in the cell before, or there is none.
    var text: String
    /// The number of cells it occupies.
    var width: Int
    var isBold: Bool
    var isUnderlined: Bool
    var isReverse: Bool
    /// The number of its color in the palette; nil for the usual one.
    var color: Int?
  }

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    unsafe vterm = vterm_new(Int32(rows), Int32(columns))
    unsafe vterm_set_utf8(vterm, 1)
    unsafe screen = vterm_obtain_screen(vterm)
    unsafe vterm_screen_enable_altscreen(screen, 1)
    unsafe vterm_screen_reset(screen, 1)
  }

  deinit { unsafe vterm_free(vterm) }

  /// Shows the output of a program.
  func feed(_ bytes: [UInt8]) {
    received += bytes
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe vterm_input_write(vterm, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }

  /// Gives the screen another size.
  func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    unsafe vterm_set_size(vterm, Int32(rows), Int32(columns))
  }

  /// A cell, from 0 at the left and top.
  func cell(row: Int, column: Int) -> Cell {
    var cell = VTermScreenCell()
    unsafe vterm_screen_get_cell(screen, VTermPos(row: Int32(row), col: Int32(column)), &cell)
    let scalars = [
      cell.chars.0, cell.chars.1, cell.chars.2, cell.chars.3, cell.chars.4, cell.chars.5,
    ].prefix { $0 != 0 }.compactMap { Unicode.Scalar($0) }
    let isUsual = unsafe Int(cell.fg.type) & Int(VTERM_COLOR_DEFAULT_FG.rawValue) != 0
    return unsafe Cell(
      text: String(String.UnicodeScalarView(scalars)), width: Int(cell.width),
      isBold: cell.attrs.bold != 0, isUnderlined: cell.attrs.underline != 0,
      isReverse: cell.attrs.reverse != 0, color: isUsual ? nil : Int(cell.fg.indexed.idx))
  }

  /// The text of a row, without the blanks at its end.
  func line(_ row: Int) -> String {
    var text = ""
    var column = 0
    while column < columns {
      let cell = cell(row: row, column: column)
      text += cell.text.isEmpty ? " " : cell.text
      column += max(1, cell.width)
    }
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  /// The text of all rows.
  var lines: [String] { (0..<rows).map(line) }

  /// The position of the cursor.
  var cursor: (row: Int, column: Int) {
    var position = VTermPos()
    unsafe vterm_state_get_cursorpos(vterm_obtain_state(vterm), &position)
    return (Int(position.row), Int(position.col))
  }

  /// The numbers of the private modes that are switched on, by what was written; 7 and 25, which every
  /// terminal begins with, only if they were switched off in between.
  var modes: Set<Int> {
    var modes: Set<Int> = []
    for match in String(decoding: received, as: UTF8.self).matches(of: /\u{1B}\[\?([0-9;]+)([hl])/) {
      for number in match.1.split(separator: ";").compactMap({ Int($0) }) {
        if match.2 == "h" { modes.insert(number) } else { modes.remove(number) }
      }
    }
    return modes
  }

  /// Returns the bytes that a terminal sends for typed text.
  func typing(_ text: String, modifiers: VTermModifier = VTERM_MOD_NONE) -> [UInt8] {
    for scalar in text.unicodeScalars { unsafe vterm_keyboard_unichar(vterm, scalar.value, modifiers) }
    return output
  }

  /// Returns the bytes that it sends for a key.
  func pressing(_ key: VTermKey, modifiers: VTermModifier = VTERM_MOD_NONE) -> [UInt8] {
    unsafe vterm_keyboard_key(vterm, key, modifiers)
    return output
  }

  /// Returns the bytes that it sends for pasted text.
  func pasting(_ text: String) -> [UInt8] {
    unsafe vterm_keyboard_start_paste(vterm)
    let start = output
    unsafe vterm_keyboard_end_paste(vterm)
    return start + Array(text.utf8) + output
  }

  /// Returns the bytes that it sends when the mouse moves to a cell, and a button (1 for the left one, 4 and 5 for the wheel)
  /// is pressed or let go.
  func mouse(row: Int, column: Int, button: Int = 1, isDown: Bool? = nil) -> [UInt8] {
    unsafe vterm_mouse_move(vterm, Int32(row), Int32(column), VTERM_MOD_NONE)
    if let isDown { unsafe vterm_mouse_button(vterm, Int32(button), isDown, VTERM_MOD_NONE) }
    return output
  }

  private var output: [UInt8] {
    var bytes = [CChar](repeating: 0, count: unsafe vterm_output_get_buffer_current(vterm))
    let count = unsafe vterm_output_read(vterm, &bytes, bytes.count)
    return bytes.prefix(count).map { UInt8(bitPattern: $0) }
  }
}
