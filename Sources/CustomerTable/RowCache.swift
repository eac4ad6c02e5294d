internal import CustomerStore

/// Rows that were read, each as it was after the latest edit it was read at.
struct RowCache {
  private var rows: [CustomerID: (customer: Customer, readAt: Int64)] = [:]

  /// More than on any screen; beyond it, rows are read again when they are shown.
  private static let most = 2_000

  subscript(id: CustomerID) -> Customer? { rows[id]?.customer }

  /// Takes rows in; one that was read later stays.
  mutating func add(_ customers: [CustomerID: Customer], readAt edit: Int64) {
    if rows.count + customers.count > Self.most { rows = [:] }
    for (id, customer) in customers where rows[id].map({ $0.readAt <= edit }) ?? true {
      rows[id] = (customer, edit)
    }
  }
}
