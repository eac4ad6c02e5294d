package import CustomerStore
package import CustomersTerminalText

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
