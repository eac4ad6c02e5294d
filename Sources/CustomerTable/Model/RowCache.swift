internal import CustomerStore

/// The rows that a table has shown lately.
struct RowCache {
  /// As many as hundreds of screens have.
  private static let most = 5_000

  private var customers: [CustomerID: Customer] = [:]
  /// Rows that were asked for and not there.
  private var missing: Set<CustomerID> = []

  subscript(id: CustomerID) -> Customer? { customers[id] }

  /// Whether a row was asked for and not there.
  func isMissing(_ id: CustomerID) -> Bool { missing.contains(id) }

  /// Adds rows that were read; makes room if there are too many, for those around them.
  mutating func add(_ found: [CustomerID: Customer]) {
    if customers.count + found.count > Self.most { customers.removeAll() }
    customers.merge(found) { $1 }
    missing.subtract(found.keys)
  }

  /// Notes rows that were asked for.
  mutating func note(missing ids: [CustomerID]) { missing.formUnion(ids) }

  /// Whether there are such rows.
  var hasMissing: Bool { !missing.isEmpty }

  /// Takes the rows to read.
  mutating func takeMissing() -> Set<CustomerID> {
    defer { missing = [] }
    return missing
  }

  /// Applies what happened to the list.
  mutating func take(_ events: [ListEvent]) {
    for event in events {
      switch event {
      case .step(let step):
        if step.changes.contains(where: \.isOfAllRows) { customers.removeAll() }
        for (id, customer) in step.customers where customers[id] != nil { customers[id] = customer }
      case .reload: customers.removeAll()
      case .waiting: break
      }
    }
  }
}

extension ListChange {
  /// Whether it changes fields of rows that it does not name.
  fileprivate var isOfAllRows: Bool { if case .column = self { true } else { false } }
}
