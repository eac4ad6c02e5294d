internal import CustomerStore
internal import CustomerTable
internal import CustomersTerminalText

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
    return "\(column.title) \(order.isDescending ? "↓" : "↑")"
  }

  /// The room for signs at the end of the rows: stars and locks.
  private static func signsWidth(_ customers: [Customer]) -> Int {
    let hasStars = customers.contains(where: \.fields.isFavorite)
    let hasLocks = customers.contains { !$0.canEdit || !$0.canMove }
    return (hasStars ? 2 : 0) + (hasLocks ? 3 : 0)
  }
}
