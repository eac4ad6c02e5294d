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
}
