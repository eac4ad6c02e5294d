internal import CustomerTable
internal import CustomersTerminalText

/// The visible part of a string that is being typed, which includes the cursor.
struct FieldView {
  /// The text, with an ellipsis if its start is cut off.
  private(set) var text = ""
  /// The number of the first visible character.
  private var first = 0
  /// The columns where the visible characters start and where the last one ends.
  private var starts: [Int] = []
  /// The column of the cursor.
  private(set) var cursorColumn = 0
  let width: Int

  /// Lays out a string: with the focus, so that the cursor is visible; otherwise from its start.
  init(_ field: FormText, width: Int, hasFocus: Bool = true) {
    self.width = max(1, width)
    let characters = field.characters
    if hasFocus {
      // The cursor takes up a column, and some text after it should be visible.
      let after = min(characters.count - field.cursor, self.width / 3)
      first = field.cursor
      var room = self.width - 1 - after
      while first > 0 {
        room -= columnCount(of: String(characters[first - 1]))
        if room < (first > 1 ? 1 : 0) { break }
        first -= 1
      }
    }
    var column = first > 0 ? 1 : 0
    text = first > 0 ? "…" : ""
    var rest = characters[first...]
    while let character = rest.first, column + columnCount(of: String(character)) <= self.width {
      starts.append(column)
      text += printable(String(character))
      column += columnCount(of: String(character))
      rest = rest.dropFirst()
    }
    starts.append(column)
    if !rest.isEmpty { text = cut(text + "… ", to: self.width) }
    let index = field.cursor - first
    cursorColumn = starts.indices.contains(index) ? min(starts[index], self.width - 1) : 0
  }

  /// The number of characters before a column.
  func index(at column: Int) -> Int { first + (starts.lastIndex { $0 <= column } ?? 0) }
}
