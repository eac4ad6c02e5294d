internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersTerminal

/// Customers as rows of a table: row number, id, and name, then the chosen columns, or those that distinguish
/// customers with the same name.
struct CustomerColumns: Sendable {
  private let outline: ListOutline
  private let columns: [ListColumn]
  private let isChosen: Bool
  /// The search; if a match is in a field that is not shown, the field is shown, too.
  private let search: TextSearch?
  /// The columns of the table.
  let tableColumns: [TableColumn]

  init(
    _ outline: ListOutline, largestID: Int64, columns chosen: [ListColumn]? = nil, search: TextSearch? = nil
  ) {
    self.search = search
    self.outline = outline
    isChosen = chosen != nil
    // Some are already shown.
    columns = chosen?.filter { ![.id, .position, .name].contains($0) } ?? ListColumn.usual
    let described = columns.map { column in
      var column = column.inTable
      column.isOptional = chosen == nil
      return column
    }
    let found = TableColumn(title: "Found", importance: .contact, isOptional: true)
    tableColumns =
      [
        TableColumn(title: "Row", importance: .fixed, width: String(outline.count).count),
        TableColumn(title: "Id", importance: .fixed, width: String(largestID).count + 1),
        TableColumn(title: "", importance: .fixed, isOptional: true),
        TableColumn(title: "Name", importance: .name),
      ] + described + (search == nil ? [] : [found])
  }

  func cells(_ customer: Customer) -> [TableCell] {
    let name = customer.name
    var cells: [TableCell] = []
    cells.reserveCapacity(tableColumns.count)
    cells.append(TableCell(outline.position(of: customer.place)))
    cells.append(TableCell("@" + String(customer.id.rawValue), .detail))
    cells.append(TableCell(customer.signs, .favorite))
    cells.append(name.isEmpty ? TableCell("(no name)", .detail) : TableCell(name))
    for column in columns {
      // A company that serves as the name is not shown twice.
      let isName = !isChosen && column == .field(.company) && customer.fields.company == name
      cells.append(isName ? TableCell("") : TableCell(column.cell(customer, outline)))
    }
    if let search {
      let shown = [name] + columns.map { $0.cell(customer, outline).0 }
      cells.append(TableCell(search.matchingTexts(of: customer).described(besides: shown)))
    }
    return cells
  }
}

extension Customer {
  /// A star for a favorite, a lock for a protected customer.
  fileprivate var signs: String { (fields.isFavorite ? "★" : "") + (canEdit && canMove ? "" : "🔒") }
}
