internal import CustomerStore
internal import CustomerTable
internal import CustomersTerminalText

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
    let count = shown + (isNarrow ? "\(all)" : counted(all, "customer"))
    end = picture.write(count, endingAt: end - (isNarrow ? 1 : 3), row: 0)
    let title = "Customers" + (state.sorting.map { " by \(printable($0.order.titles))" } ?? "")
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
