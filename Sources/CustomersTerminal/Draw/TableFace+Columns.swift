internal import CustomerStore
internal import CustomerTable
internal import CustomersTerminalText

/// The columns of a wide screen.
extension TableFace {
  /// Whether the rows have columns, instead of a string beside or below each name: those that were chosen if there is
  /// any room, the usual ones if there is enough for them.
  var hasColumns: Bool { columns >= (state.columns == nil ? 100 : 60) && !isTooSmall }

  /// Adapts the height of the list and the columns to what is shown.
  mutating func layOut() {
    let heights = isNarrow ? LineHeights(header: 1, subtitle: 1) : LineHeights(header: 2)
    if state.height != listRows.count || state.heights != heights {
      session.send(.resize(listRows.count, heights: heights))
    }
    guard hasColumns else { return columnView = nil }
    let (state, parts) = (state, RowColumns(self))
    let key = ColumnView.Key(
      version: state.contents.version, ids: state.contents.ids, columns: state.columns,
      order: state.sorting?.order,
      search: state.search?.field.text, isUnderstood: state.search.map { $0.readCount > 0 } ?? false,
      width: parts.end - parts.name, isEditing: state.isEditing)
    if columnView?.key != key { columnView = ColumnView(state, key, usual: ListColumn.usual) }
  }

  /// The titles of the columns, which sort by them.
  func drawHeader(_ view: ColumnView, _ parts: RowColumns, _ picture: inout Picture) {
    let row = listRows.lowerBound - 1
    let style = ScreenStyle(.bold)
    picture.write(ListColumn.position.title, endingAt: parts.numberEnd, row: row, style: style)
    picture.add(.column(.position), row: row, columns: 0..<parts.name)
    var column = parts.name
    for part in view.layout.columns {
      let blanks = part.isNumber ? max(0, part.width - columnCount(of: part.title)) : 0
      picture.write(part.title, column: column + blanks, row: row, style: style, width: part.width - blanks)
      if let listColumn = view.columns[part.index] {
        picture.add(.column(listColumn), row: row, columns: column..<column + part.width)
      }
      column += part.width + ColumnLayout.gap.count
    }
    if view.isCut { picture.write("…", column: parts.end, row: row, style: style) }
  }

  /// Draws the cells of a row after the name.
  func drawCells(
    _ shown: ShownRow, _ view: ColumnView, _ range: Range<Int>, _ row: Int, _ style: ScreenStyle,
    _ picture: inout Picture
  ) {
    let cells = view.cells(shown.customer, state)
    var column = range.lowerBound
    for part in view.layout.columns {
      let width = min(part.width, range.upperBound - column)
      guard width > 0 else { return }
      if part.index == 0 {
        drawName(shown, column..<column + width, row, style, &picture)
      } else {
        let text = cells[part.index].text
        let blanks = part.isNumber ? max(0, width - columnCount(of: text)) : 0
        _ = picture.write(
          text, marking: search, column: column + blanks, row: row, style: style, width: width - blanks)
      }
      column += part.width + ColumnLayout.gap.count
    }
  }
}

extension TableFace {
  /// Sorts the view by a column: first ascending, then descending, then no longer.
  mutating func sort(by column: ListColumn) {
    guard column != .position else { return session.send(.sort(nil)) }
    guard let key = column.sortKey else {
      message = TableNotice(kind: .refusal, text: "Rows can't be sorted by \(column.title).")
      return
    }
    guard let order = state.sorting?.order, order.keys == [key] else {
      return session.send(.sort(SortOrder(by: [key])))
    }
    session.send(.sort(order.isDescending ? nil : SortOrder(by: [key], isDescending: true)))
  }
}
