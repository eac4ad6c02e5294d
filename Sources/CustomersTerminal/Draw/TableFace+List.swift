internal import CustomerStore
internal import CustomerTable
internal import CustomersText

/// The list and the line above it.
extension TableFace {
  /// The file, the title, the number of customers, and the button of edit mode.
  func drawTitle(_ picture: inout Picture) {
    let state = state
    var end = columns - 1
    if state.policy.isReadOnly {
      end = picture.write("[read-only]", endingAt: end, row: 0, style: .init(.dim))
    } else {
      let button = state.isEditing ? "[Done]" : "[Edit]"
      end = picture.write(button, endingAt: end, row: 0, style: .init(.bold), on: .editButton)
    }
    let all = state.contents.customerCount
    let shown = state.isFiltered ? "\(state.layout.rowCount) of " : ""
    let marked = state.marked.isEmpty ? "" : "\(state.marked.count) marked, "
    let count = marked + shown + (isNarrow ? "\(all)" : counted(all, "customer"))
    end = picture.write(count, endingAt: end - (isNarrow ? 1 : 3), row: 0)
    let due = state.dueCount.map { "Today: \($0.count) due" + ($0.isComplete ? "" : "…") }
    let title = (due ?? "Customers") + (state.sorting.map { " by \(printable($0.order.titles))" } ?? "")
    let titleWidth = displayWidth(title)
    let start = max(1, min((columns - titleWidth) / 2, end - 2 - titleWidth))
    if !isNarrow { picture.write(options.fileName, column: 1, row: 0, width: start - 3) }
    let room = end - 1 - start
    if titleWidth <= room || state.sorting != nil {
      picture.write(title, column: start, row: 0, style: .init(.bold), width: room)
    }
  }

  func drawList(_ picture: inout Picture) {
    let state = state
    let columns = RowColumns(self)
    let dim: ScreenStyle.Attributes = state.confirmation == nil ? [] : .dim
    var row = listRows.lowerBound
    if let columnView { drawHeader(columnView, columns, &picture) }
    for line in state.lines where row < listRows.upperBound {
      switch line {
      case .header(let section):
        row += state.heights.header - 1
        if row < listRows.upperBound {
          picture.write(
            section.title, column: 2, row: row, style: .init(.bold, .cyan), width: self.columns - 3)
        }
      case .footer(let section):
        picture.write(
          section.footer, column: columns.name + 1, row: row, style: .init(.dim),
          width: columns.end - columns.name - 1)
        picture.add(.footer(section.id), row: row, columns: 0..<self.columns)
      case .add(let section, let title, let isCursor):
        picture.add(.add(section.id), row: row, columns: 0..<self.columns)
        picture.write("⊕", column: columns.control, row: row, style: .init(dim, .green))
        picture.write(
          title, column: columns.name, row: row, style: .init(dim), width: columns.end - columns.name)
        if isCursor { picture.restyle(row: row, .reverse) }
      case .row(let shown):
        let height = drawRow(shown, columns, row, &picture)
        row += height - 1
      case .loading: picture.write("…", column: columns.name, row: row, style: .init(.dim))
      }
      row += 1
    }
  }

  func drawEmptyList(_ picture: inout Picture) {
    let middle = (listRows.lowerBound + listRows.upperBound) / 2 - 1
    picture.write(centered: "No customers yet.", row: middle)
    if !state.policy.isReadOnly, rows > 8 {
      picture.write(centered: "a adds one    :import FILE    q quits", row: middle + 2)
    }
  }
}

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
    let isOverdue = state.isOverdue(shown.customer)
    picture.write(
      sign(of: shown, isOverdue), column: columns.sign, row: row,
      style: isOverdue ? .init(.bold, .red) : style)
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
  private func sign(of shown: ShownRow, _ isOverdue: Bool) -> String {
    if shown.isMarked { return "+" }
    if shown.isCut { return "x" }
    if isOverdue { return "!" }
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
    let next = shown.customer.fields.next
    if state.showsDue, !next.isEmpty {
      let style = ScreenStyle(dim, state.isOverdue(shown.customer) ? .red : .standard)
      end = picture.write(next, endingAt: end, row: row, style: style) - 1
    }
    if shown.isFavorite { end = picture.write("★", endingAt: end, row: row, style: .init(dim, .yellow)) - 1 }
    if !shown.customer.canEdit || !shown.customer.canMove {
      end = picture.write("🔒", endingAt: end, row: row, style: .init(dim)) - 1
    }
    return end
  }
}
