internal import CustomerStore
internal import CustomerTable

/// The layout of the screen.
extension TableFace {
  /// The minimum size of a screen.
  private static let smallest = (columns: 20, rows: 5)

  var isTooSmall: Bool { columns < Self.smallest.columns || rows < Self.smallest.rows }

  /// Whether subtitles are below the names.
  var isNarrow: Bool { columns < 60 }

  /// The screen rows in the list: between the title, or the titles of the columns, and the notice.
  var listRows: Range<Int> {
    let first = hasColumns ? 2 : 1
    return first..<max(first + 1, rows - 2)
  }

  /// The row of the notice, above the row of the keys.
  var noticeRow: Int { rows - 2 }

  /// The screen as it is now.
  public func draw() -> ScreenBuffer { picture().screen }

  /// The screen, with targets for the pointer.
  func picture() -> Picture {
    var picture = Picture(columns: columns, rows: rows)
    guard !isTooSmall else {
      picture.write("Terminal too small", column: 0, row: 0)
      return picture
    }
    if let trouble = state.trouble {
      draw(trouble, &picture)
    } else if let form = state.form {
      draw(form, &picture)
    } else {
      drawTitle(&picture)
      if state.contents.isRead, state.layout.rowCount == 0, !state.isFiltered {
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
