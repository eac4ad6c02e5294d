internal import CustomerStore

/// Customers as rows of a table: row number, id and name, then the chosen columns, or those that distinguish
/// customers with the same name.
struct CustomerColumns: Sendable {
  private let outline: ListOutline
  private let columns: [OutputColumn]
  /// The index among `columns` of a company that is not shown where it serves as the name.
  private let companyIndex: Int?
  /// The search; if a match is in a field that is not shown, the field is shown, too.
  private let search: TextSearch?
  /// The columns of the table.
  let tableColumns: [TableColumn]

  init(
    _ outline: ListOutline, largestID: Int64, columns chosen: [OutputColumn]? = nil, search: TextSearch? = nil
  ) {
    self.search = search
    self.outline = outline
    let usual = ["company", "email", "phone", "note"]
    // Some are already shown.
    columns =
      chosen?.filter { !["id", "position", "name"].contains($0.name) }
      ?? usual.compactMap { name in OutputColumn.all.first { $0.name == name } }
    companyIndex = chosen == nil ? usual.firstIndex(of: "company") : nil
    tableColumns =
      [
        TableColumn(title: "Row", importance: .fixed, width: String(outline.count).count),
        TableColumn(title: "Id", importance: .fixed, width: String(largestID).count + 1),
        TableColumn(title: "", importance: .fixed, isOptional: true),
        TableColumn(title: "Name", importance: .name),
      ]
      + columns.map { column in
        var column = column.forTable
        column.isOptional = chosen == nil
        return column
      } + (search == nil ? [] : [TableColumn(title: "Found", importance: .contact, isOptional: true)])
  }

  func cells(_ customer: Customer) -> [TableCell] {
    let name = customer.name
    var cells: [TableCell] = []
    cells.reserveCapacity(tableColumns.count)
    cells.append(TableCell(outline.position(of: customer.place)))
    cells.append(TableCell("@" + String(customer.id.rawValue), .detail))
    cells.append(TableCell(customer.signs, .favorite))
    cells.append(name.isEmpty ? TableCell("(no name)", .detail) : TableCell(name))
    for (index, column) in columns.enumerated() {
      let isName = index == companyIndex && customer.fields.company == name
      cells.append(isName ? TableCell("") : column.cell(customer, outline))
    }
    if search != nil { cells.append(TableCell(otherMatches(customer))) }
    return cells
  }

  /// The fields with matches that have no column, with their titles.
  private func otherMatches(_ customer: Customer) -> String {
    let shown = Set(columns.map(\.name) + [CustomerField.firstName, .lastName].map(\.column))
    let found = search?.matchingTexts(of: customer).filter { field, _ in
      !shown.contains(field.column) && !(field == .company && customer.fields.company == customer.name)
    }
    return (found ?? []).map { "\($0.title): \($1)" }.joined(separator: ", ")
  }
}

extension Customer {
  /// A star for a favorite, a lock for a protected customer.
  fileprivate var signs: String { (fields.isFavorite ? "★" : "") + (canEdit && canMove ? "" : "🔒") }
}
