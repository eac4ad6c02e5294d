package import CustomerFixtures
package import CustomerStore

/// The contents of a list in the file, for comparison with a table.
package struct ListContents: Sendable {
  package let version: ListVersion
  /// The customers of all sections, in list order.
  package let rows: [CustomerID]
  package let customers: [CustomerID: Customer]

  /// Reads a list.
  package init(_ list: borrowing CustomerList) throws {
    var all: [Customer] = []
    try list.forEach { customer in
      all.append(customer)
      return true
    }
    version = try list.version()
    rows = all.map(\.id)
    customers = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
  }

  package var ids: Set<CustomerID> { Set(rows) }
}

extension [ListChange] {
  /// The customers that the changes name.
  package var customers: Set<CustomerID> {
    var ids: Set<CustomerID> = []
    for change in self {
      switch change {
      case .insert(let id, _), .delete(let id, _), .move(let id, _, _), .update(let id, _): ids.insert(id)
      case .rows(let changes): ids.formUnion(changes.map(\.id))
      case .arrange(_, let moves): ids.formUnion(moves.map(\.id))
      case .insertMany(let first, let count, _), .deleteMany(let first, let count, _):
        ids.formUnion((0..<Int64(count)).map { CustomerID(rawValue: first.rawValue + $0) })
      default: break
      }
    }
    return ids
  }
}

extension CustomerStore {
  /// Returns the customers changed after a version.
  package func customersChanged(after version: ListVersion) throws -> Set<CustomerID> {
    try read { list in try list.changes(after: version)?.changes.customers ?? [] }
  }

  /// Returns the customers changed by the next step to undo, or to redo.
  package func customersOfNextStep(undo: Bool) throws -> Set<CustomerID> {
    try read { list in
      guard let step = try undo ? list.undoable() : list.redoable() else { return [] }
      return try list.changes(of: step.id).customers
    }
  }
}

extension ListVersion {
  /// The version of the same step at another edit, which the list need not have.
  package func at(_ edit: Int64) -> ListVersion { ListVersion(mark: mark, edit: edit) }
}

extension CustomerList {
  /// The version after an edit of the history.
  package func version(after edit: Int64) throws -> ListVersion { try version(at: edit) }

  /// Makes a random edit, as another program.
  package mutating func editAsAnother(_ random: inout SplitMix64) throws {
    let rows = try ListContents(self).rows
    let sections = try sections()
    guard let section = sections.randomElement(using: &random) else { return }
    switch (random.below(8), rows.randomElement(using: &random)) {
    case (0, let id?): try delete([id])
    case (1, let id?), (2, let id?): try move(id, to: random.oneIn(2) ? .first : .last, in: section.id)
    case (3, let id?): try update(id) { $0.note = "n\($0.note.count)" }
    case (4, let id?): try update(id) { $0.firstName += "a" }
    case (5, _) where sections.count < 4: _ = try addSection(title: "S\(lastEdit())", at: 1)
    case (6, _) where sections.count > 1 && section.count == 0: try deleteSection(section.id)
    default: try insert(CustomerFields(name: "N"), at: random.oneIn(2) ? .first : .last, in: section.id)
    }
  }
}
