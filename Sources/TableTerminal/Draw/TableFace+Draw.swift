internal import CustomerStore
internal import CustomerTable

/// The screen: which part is drawn where.
extension TableFace {
  /// Smaller screens have room for nothing.
  private static let smallest = (columns: 20, rows: 5)

  var isTooSmall: Bool { columns < Self.smallest.columns || rows < Self.smallest.rows }

  /// Whether subtitles come below the names.
  var isNarrow: Bool { columns < 60 }

  /// The rows of the screen for the list: between the title, and what is said and the keys.
  var listRows: Range<Int> { 1..<max(2, rows - 2) }

  /// The row with what is said, above the one with the keys.
  var noticeRow: Int { rows - 2 }

  /// The screen as it is now.
  public func draw() -> ScreenBuffer { picture().screen }

  /// The screen, and what the pointer is on.
  func picture() -> Picture {
    var picture = Picture(columns: columns, rows: rows)
    guard !isTooSmall else {
      picture.write("too small", column: 0, row: 0)
      return picture
    }
    if let trouble = state.trouble {
      draw(trouble, &picture)
    } else if let form = state.form {
      draw(form, &picture)
    } else {
      drawTitle(&picture)
      if state.page.edit >= 0, state.layout.rowCount == 0, !state.isFiltered {
        drawEmptyList(&picture)
      }
      drawList(&picture)
    }
    drawNotice(&picture)
    if let overlay { draw(overlay, &picture) }
    picture.write(
      KeyBindings.hints(in: mode, width: columns - 2), column: 1, row: rows - 1, width: columns - 2)
    return picture
  }
}
