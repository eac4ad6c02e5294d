internal import CustomerStore
internal import CustomerTable
internal import CustomersTerminalText

/// One row of the list.
extension TableFace {
  /// Draws a row.
  ///
  /// - Returns: the number of lines it takes up.
  func drawRow(_ shown: ShownRow, _ columns: RowColumns, _ row: Int, _ picture: inout Picture) -> Int {
    let isTall = state.heights.subtitle > 0 && shown.subtitle != nil
    let lines = row..<row + (isTall ? 2 : 1)
    for line in lines { picture.add(.row(shown.customer.id), row: line, columns: 0..<self.columns) }
    let style = ScreenStyle(attributes(of: shown), shown.isFlashing ? .yellow : .standard)
    picture.write(sign(of: shown), column: columns.sign, row: row, style: style)
    drawControl(shown, columns, row, &picture)
    picture.write(String(shown.number), endingAt: columns.numberEnd, row: row, style: style)
    let end = drawSigns(shown, columns, row, &picture) - 1
    if let columnView {
      drawCells(shown, columnView, columns.name..<end, row, style, &picture)
      if shown.isCursor, state.drag == nil { picture.restyle(row: row, .reverse) }
      return 1
    }
    let column = drawName(shown, columns.name..<end, row, style, &picture)
    if let subtitle = shown.subtitle {
      let place = isTall ? (columns.name, row + 1, columns.end) : (column + 3, row, end)
      if place.1 < listRows.upperBound {
        _ = picture.write(
          subtitle, marking: search, column: place.0, row: place.1,
          style: .init(style.attributes.union(.dim)), width: place.2 - place.0)
      }
    }
    if shown.isCursor, state.drag == nil {
      for line in lines where line < listRows.upperBound { picture.restyle(row: line, .reverse) }
    }
    return lines.count
  }

  /// The text of the search, until it is closed.
  var search: TextSearch? {
    guard let text = state.search?.field.text else { return nil }
    let search = TextSearch(text)
    return search.isEmpty ? nil : search
  }

  private func attributes(of shown: ShownRow) -> ScreenStyle.Attributes {
    var attributes: ScreenStyle.Attributes = []
    if shown.isDimmed || shown.isCut { attributes.insert(.dim) }
    if shown.isFlashing || shown.isInHand || shown.isMarked { attributes.insert(.bold) }
    if shown.isInHand { attributes.insert(.underline) }
    return attributes
  }

  /// A marker for states that a terminal may not show otherwise.
  private func sign(of shown: ShownRow) -> String {
    if shown.isMarked { return "+" }
    if shown.isCut { return "x" }
    return shown.isFlashing && !options.colors ? "*" : shown.isInHand ? ">" : " "
  }

  private func drawControl(_ shown: ShownRow, _ columns: RowColumns, _ row: Int, _ picture: inout Picture) {
    guard shown.control == .delete else { return }
    picture.write(
      shown.deleteTitle == nil ? "⊖" : "⊘", column: columns.control, row: row,
      style: .init(shown.isDimmed ? .dim : [], .red))
    picture.add(.control(shown.customer.id), row: row, columns: 0..<columns.control + 2)
  }

  @discardableResult
  func drawName(
    _ shown: ShownRow, _ range: Range<Int>, _ row: Int, _ style: ScreenStyle, _ picture: inout Picture
  ) -> Int {
    guard !shown.title.isEmpty else {
      return picture.write(
        "(no name)", column: range.lowerBound, row: row, style: .init(style.attributes.union(.dim)),
        width: range.count)
    }
    return picture.write(
      shown.title, marking: search, column: range.lowerBound, row: row, style: style, width: range.count)
  }

  /// The button that deletes, the handle, the star of a favorite, the lock of a protected row.
  ///
  /// - Returns: the column where they start.
  private func drawSigns(_ shown: ShownRow, _ columns: RowColumns, _ row: Int, _ picture: inout Picture)
    -> Int
  {
    var end = columns.end
    if let title = shown.deleteTitle {
      let shown = cut(printable(title), to: max(1, end - columns.name - 8))
      return picture.write(
        "[ \(shown) ]", endingAt: end, row: row, style: .init(.bold, .red), on: .deleteButton)
    }
    let dim: ScreenStyle.Attributes = shown.isDimmed ? .dim : []
    if shown.hasHandle {
      end = picture.write("≡", endingAt: end, row: row, style: .init(dim)) - 1
      picture.add(.handle(shown.customer.id), row: row, columns: end - 1..<self.columns)
    } else if state.isEditing {
      end -= 2
    }
    if shown.isFavorite { end = picture.write("★", endingAt: end, row: row, style: .init(dim, .yellow)) - 1 }
    if !shown.customer.canEdit || !shown.customer.canMove {
      end = picture.write("🔒", endingAt: end, row: row, style: .init(dim)) - 1
    }
    return end
  }
}
