internal import CustomersText

/// The content of a screen: rows of cells and the cursor.
package struct ScreenBuffer: Hashable, Sendable {
  /// The number of columns.
  package let columns: Int
  /// The number of rows.
  package let rows: Int
  /// The cursor of the terminal, from 0; nil hides it.
  package var cursor: Position?
  private(set) var cells: [ScreenCell]

  /// A cell, from 0 at the left and top.
  package struct Position: Hashable, Sendable {
    package var column, row: Int

    package init(column: Int, row: Int) { (self.column, self.row) = (column, row) }
  }

  /// An empty screen.
  package init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(0, columns), max(0, rows))
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  /// The cell in a column and a row, both from 0.
  package subscript(column: Int, row: Int) -> ScreenCell { cells[row * columns + column] }

  func row(_ row: Int) -> ArraySlice<ScreenCell> { cells[row * columns..<(row + 1) * columns] }

  /// Writes a string into a row.
  ///
  /// Control characters are shown as escapes, and what does not fit is cut.
  ///
  /// - Returns: the column after the text.
  @discardableResult
  package mutating func write(
    _ text: String, column: Int, row: Int, style: ScreenStyle = .plain, width: Int = .max
  ) -> Int {
    guard (0..<rows).contains(row), (0..<columns).contains(column) else { return column }
    let end = width < columns - column ? column + max(0, width) : columns
    // A longer text would not fit even with one cell per character.
    let start = printable(String(text.prefix(end - column + 1)))
    var column = column
    for character in cut(start, to: end - column) {
      let width = displayWidth(character)
      guard width > 0 else { continue }
      guard column + width <= end else { break }
      place(character, width, style, row * columns + column, row)
      column += width
    }
    return column
  }

  /// Changes the style of cells of a row.
  package mutating func restyle(
    row: Int, columns range: Range<Int>? = nil, _ change: (inout ScreenStyle) -> Void
  ) {
    guard (0..<rows).contains(row) else { return }
    for column in (range ?? 0..<columns).clamped(to: 0..<columns) {
      change(&cells[row * columns + column].style)
    }
  }

  /// Empties cells of a row.
  package mutating func clear(row: Int, columns range: Range<Int>) {
    guard (0..<rows).contains(row) else { return }
    for column in range.clamped(to: 0..<columns) { place(" ", 1, .plain, row * columns + column, row) }
  }

  /// Replaces the cells of a row or clears them.
  mutating func replace(_ row: Int, with new: ArraySlice<ScreenCell>?) {
    let new = new.map(Array.init) ?? Array(repeating: .blank, count: columns)
    cells.replaceSubrange(row * columns..<(row + 1) * columns, with: new)
  }

  private mutating func place(
    _ character: Character, _ width: Int, _ style: ScreenStyle, _ index: Int, _ row: Int
  ) {
    // The rest of an overwritten wide character is blank.
    for index in index..<index + width {
      guard cells[index].width != 1 else { continue }
      var start = index
      while cells[start].width == 0 { start -= 1 }
      for part in start..<start + cells[start].width {
        cells[part] = ScreenCell(text: " ", width: 1, style: cells[part].style)
      }
    }
    // More combining marks than this on one letter are unreadable.
    let text = String(String.UnicodeScalarView(character.unicodeScalars.prefix(24)))
    cells[index] = ScreenCell(text: text, width: width, style: style)
    for part in index + 1..<index + width { cells[part] = ScreenCell(text: "", width: 0, style: style) }
  }
}

/// A cell of the screen.
package struct ScreenCell: Hashable, Sendable {
  /// One character as a user sees it; empty in the further cells of a wide one.
  package var text: String
  /// The number of cells of the character; 0 if it starts in a cell further left.
  package var width: Int
  /// Its style.
  package var style: ScreenStyle

  /// A cell without text.
  package static let blank = ScreenCell(text: " ", width: 1, style: .plain)

  /// Whether every terminal uses `width` cells for the character.
  var isSure: Bool {
    var scalars = text.unicodeScalars.makeIterator()
    guard let scalar = scalars.next() else { return true }
    guard scalars.next() == nil else { return false }
    if scalar.isASCII { return true }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .otherLetter: return true
    default: return false
    }
  }

  /// Whether the character has parts that some terminals show side by side.
  var isJoined: Bool { text.unicodeScalars.count > 1 }
}

/// The style of a screen cell.
package struct ScreenStyle: Hashable, Sendable {
  /// Attributes that a terminal without colors shows, too.
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let underline = Attributes(rawValue: 4)
    package static let reverse = Attributes(rawValue: 8)
  }

  /// One of the colors of every terminal.
  package enum Color: UInt8, Sendable { case standard = 0, red = 31, green, yellow, cyan = 36 }

  /// Attributes that a terminal without colors shows, too.
  package var attributes: Attributes
  /// The color of the text.
  package var color: Color

  /// Creates a style; without arguments, plain text.
  package init(_ attributes: Attributes = [], _ color: Color = .standard) {
    (self.attributes, self.color) = (attributes, color)
  }

  /// The style of plain text.
  package static let plain = ScreenStyle()

  /// The escape sequence that sets the style, whatever the previous one (ECMA-48, SGR).
  func sequence(colors: Bool) -> String {
    var parameters: [String] = []
    if attributes.contains(.bold) { parameters.append("1") }
    if attributes.contains(.dim) { parameters.append("2") }
    if attributes.contains(.underline) { parameters.append("4") }
    if attributes.contains(.reverse) { parameters.append("7") }
    if colors, color != .standard { parameters.append(String(color.rawValue)) }
    return parameters.isEmpty ? "\u{1B}[m" : "\u{1B}[0;\(parameters.joined(separator: ";"))m"
  }
}
