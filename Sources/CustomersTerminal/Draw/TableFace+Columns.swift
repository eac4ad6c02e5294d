package import CustomerStore
internal import CustomerTable
package import CustomersText

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
      search: state.showsDue ? nil : state.search?.field.text,
      isUnderstood: state.search.map { $0.readCount > 0 } ?? false,
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
    session.send(.sort(order.isDescending(by: key) ? nil : SortOrder(by: [key], isDescending: true)))
  }
}

/// The customers around the screen as cells of aligned columns, for a wide screen.
///
/// The widths are those of the rows that the table has read, so they stay while the screen scrolls among them.
struct ColumnView {
  struct Cell: ColumnCell {
    var text: String
    var isNumber = false
  }

  /// What the cells depend on.
  struct Key: Equatable {
    var version: ListVersion
    var ids: [CustomerID]
    var columns: [ListColumn]?
    var order: SortOrder?
    var search: String?
    /// Whether the meaning of the search is known.
    var isUnderstood: Bool
    var width: Int
    var isEditing: Bool
  }

  let key: Key
  /// The columns: the name, the chosen ones, and nil for what a search has found elsewhere.
  let columns: [ListColumn?]
  let layout: ColumnLayout
  /// Whether some of the chosen columns did not fit.
  let isCut: Bool
  private let cells: [CustomerID: [Cell]]

  /// The longest text of a cell that is looked at.
  private static let longestText = 500

  init(_ state: TableState, _ key: Key, usual: [ListColumn]) {
    let chosen = state.columns ?? usual
    let after = chosen.filter { $0 != .name && $0 != .position }
    let customers = state.contents.ids.compactMap { state.contents[$0] }
    var cells: [CustomerID: [Cell]] = [:]
    var rows: [[Cell]] = []
    for customer in customers {
      let row = Self.cells(customer, after, state)
      cells[customer.id] = row
      rows.append(row)
    }
    let isOptional = state.columns == nil
    var described = [TableColumn(title: Self.title(.name, key.order), importance: .name)]
    for column in after {
      let shown = column.inTable
      described.append(
        TableColumn(
          title: Self.title(column, key.order), importance: shown.importance, isOptional: isOptional))
    }
    if key.search != nil {
      described.append(TableColumn(title: "Found", importance: .contact, isOptional: true))
    }
    let signs = Self.signsWidth(customers) + (key.isEditing ? 2 : 0)
    let areAll = customers.count == state.contents.only?.count ?? state.contents.customerCount
    let layout = ColumnLayout(described, rows: rows, areAll: areAll, lineWidth: max(1, key.width - signs))
    columns = [.name] + after + (key.search == nil ? [] : [nil])
    isCut = described.indices.contains { index in
      !described[index].isOptional && !layout.columns.contains { $0.index == index }
    }
    (self.key, self.layout, self.cells) = (key, layout, cells)
  }

  /// The cells of a customer, one for each of `columns`.
  func cells(_ customer: Customer, _ state: TableState) -> [Cell] {
    cells[customer.id] ?? Self.cells(customer, columns.dropFirst().compactMap(\.self), state)
  }

  private static func cells(_ customer: Customer, _ columns: [ListColumn], _ state: TableState) -> [Cell] {
    var cells = [Cell(text: customer.name)]
    for column in columns {
      // A company that serves as the name is not shown twice.
      let isName =
        state.columns == nil && column == .field(.company) && customer.fields.company == customer.name
      let cell = isName ? ("", false) : state.contents.cell(column, of: customer)
      cells.append(Cell(text: String(cell.0.prefix(longestText)), isNumber: cell.1))
    }
    guard state.search != nil else { return cells }
    let found = state.found(in: customer, besides: cells.map(\.text))
    return cells + [Cell(text: String(found.prefix(longestText)))]
  }

  /// The title, with the direction of a column that the rows are sorted by.
  private static func title(_ column: ListColumn, _ order: SortOrder?) -> String {
    guard let order, let key = column.sortKey, order.keys.contains(key) else { return column.title }
    return "\(column.title) \(order.isDescending(by: key) ? "↓" : "↑")"
  }

  /// The room for signs at the end of the rows: stars and locks.
  private static func signsWidth(_ customers: [Customer]) -> Int {
    let hasStars = customers.contains(where: \.fields.isFavorite)
    let hasLocks = customers.contains { !$0.canEdit || !$0.canMove }
    return (hasStars ? 2 : 0) + (hasLocks ? 3 : 0)
  }
}

/// The screen columns of the parts of a row, which are the same in all rows.
struct RowColumns {
  /// The column of the marker of a row.
  let sign = 0
  let control = 1
  /// The column after the number, which ends there.
  let numberEnd: Int
  /// The column where the name starts.
  let name: Int
  /// The column where the row ends.
  let end: Int

  init(_ face: TableFace) {
    let rowCount = face.state.contents.customerCount
    let digits = max(face.isNarrow ? 2 : 3, String(rowCount).count)
    numberEnd = (face.state.isEditing ? 3 : 1) + digits
    name = numberEnd + 2
    end = face.columns - 1
  }
}

extension ListColumn {
  /// The column in a table for people.
  package var inTable: TableColumn {
    switch self {
    case .id, .section, .order, .position: TableColumn(title: title, importance: .fixed)
    case .name, .field(.firstName), .field(.lastName): TableColumn(title: title, importance: .name)
    case .field(.company), .field(.email), .field(.phone): TableColumn(title: title, importance: .contact)
    default: TableColumn(title: title)
    }
  }

  /// What rows are compared by to sort them by the column; nil if they can't be.
  var sortKey: SortOrder.Key? {
    switch self {
    case .name: .name
    case .field(let field): .field(field)
    default: nil
    }
  }
}
