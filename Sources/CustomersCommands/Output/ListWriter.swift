internal import CustomerStore
internal import CustomerTransfer
internal import CustomersTerminal
internal import CustomersText

/// Writes customers one after another, under the titles of their sections if the form has any.
protocol ListWriter: AnyObject {
  func begin() throws
  /// Begins a section.
  func header(_ section: CustomerSection) throws
  func row(_ customer: Customer) throws
  /// Ends a section.
  func footer(_ section: CustomerSection) throws
  func end() throws
}

extension ListWriter {
  func begin() throws {}
  func header(_ section: CustomerSection) throws {}
  func footer(_ section: CustomerSection) throws {}
  func end() throws {}
}

/// Writes a table for people; with several sections, each has a title.
final class TableListWriter: ListWriter {
  private let table: TableWriter
  private let customers: CustomerColumns
  private let hasSections: Bool

  init(_ table: TableWriter, _ customers: CustomerColumns, hasSections: Bool) {
    self.table = table
    self.customers = customers
    self.hasSections = hasSections
  }

  func header(_ section: CustomerSection) throws {
    if hasSections { try table.title(section.title.isEmpty ? "(no title)" : section.title) }
  }

  func row(_ customer: Customer) throws { try table.row(customers.cells(customer)) }

  func footer(_ section: CustomerSection) throws {
    if hasSections, !section.footer.isEmpty { try table.footer(section.footer) }
  }

  func end() throws { try table.end() }
}

/// Writes one id per line.
final class IDListWriter: ListWriter {
  private let output: Stream

  init(_ output: Stream) { self.output = output }

  func row(_ customer: Customer) throws { try output.write("@\(customer.id.rawValue)\n") }
}

/// Writes objects: an array or one per line.
final class JSONListWriter: ListWriter {
  private let output: Stream
  private let outline: ListOutline
  /// nil for all.
  private let columns: [ListColumn]?
  private var json: JSONWriter
  private let isArray: Bool
  private let isOneLine: Bool

  init(
    _ output: Stream, _ outline: ListOutline, _ columns: [ListColumn]?, isArray: Bool, isOneLine: Bool
  ) {
    self.output = output
    self.outline = outline
    self.columns = columns
    json = JSONWriter(output, isOneLine: isOneLine)
    self.isArray = isArray
    self.isOneLine = isOneLine
  }

  func begin() throws { if isArray { try json.beginArray() } }

  func row(_ customer: Customer) throws {
    let record = OutputRecord.json(customer, outline, columns)
    if isArray { try json.element(record) } else { try output.write(record.text + "\n") }
  }

  func end() throws {
    guard isArray else { return }
    try json.endArray()
    if !isOneLine { try output.write("\n") }
  }
}

/// Writes the e-mail addresses as mutt's `query_command` reads them: after a line for the user, one line per
/// address with the name and what distinguishes it.
final class MuttListWriter: ListWriter {
  private let output: Stream

  init(_ output: Stream) { self.output = output }

  func begin() throws { try output.write("customers\n") }

  func row(_ customer: Customer) throws {
    for address in customer.fields.contacts where address.kind == .email {
      let words = [
        address.value, customer.name, address.label.isEmpty ? customer.fields.company : address.label,
      ]
      // A tab or line end would begin another field or address.
      try output.write(words.map(printable).joined(separator: "\t") + "\n")
    }
  }
}

/// Customers as rows of a table: row number, id, and name, then the chosen columns, or those that distinguish
/// customers with the same name.
struct CustomerColumns: Sendable {
  private let outline: ListOutline
  private let columns: [ListColumn]
  private let isChosen: Bool
  /// The search; if a match is in a field that is not shown, the field is shown, too.
  private let search: TextSearch?
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
    var shown = search == nil ? [] : [name]
    for column in columns {
      // A company that serves as the name is not shown twice.
      let isName = !isChosen && column == .field(.company) && customer.fields.company == name
      let cell = column.cell(customer, outline)
      cells.append(isName ? TableCell("") : TableCell(cell))
      if search != nil { shown.append(cell.text) }
    }
    if let search {
      cells.append(TableCell(search.matchingTexts(of: customer).described(besides: shown)))
    }
    return cells
  }
}

extension Customer {
  /// A star for a favorite, a lock for a protected customer.
  fileprivate var signs: String { (fields.isFavorite ? "★" : "") + (canEdit && canMove ? "" : "🔒") }
}
