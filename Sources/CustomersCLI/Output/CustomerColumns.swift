internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersTerminal

/// Customers as rows of a table: row number, id and name, then the chosen columns, or those that distinguish
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
    let shown = columns.map { column in
      // A company that serves as the name is not shown twice.
      !isChosen && column == .field(.company) && customer.fields.company == name
        ? ("", false) : column.cell(customer, outline)
    }
    let found = search?.matchingTexts(of: customer).described(besides: [name] + shown.map(\.0))
    return [
      TableCell(outline.position(of: customer.place)), TableCell("@\(customer.id.rawValue)", .detail),
      TableCell(customer.signs, .favorite),
      name.isEmpty ? TableCell("(no name)", .detail) : TableCell(name),
    ] + shown.map(TableCell.init) + (found.map { [TableCell($0)] } ?? [])
  }
}

extension Customer {
  /// A star for a favorite, a lock for a protected customer.
  fileprivate var signs: String { (fields.isFavorite ? "★" : "") + (canEdit && canMove ? "" : "🔒") }
}
