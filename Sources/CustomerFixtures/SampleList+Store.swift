public import CustomerStore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SampleList {
  /// The current list of a store, with all fields.
  package init(_ list: borrowing CustomerList) throws {
    sections = try list.sectionsWithRows().map { section, rows in
      Section(title: section.title, customers: rows.map(\.fields))
    }
  }

  /// Adds its rows to the end of a list: its first section to the first section of the list, the others as
  /// new sections.
  ///
  /// - Throws: `ListError`, `StoreError`.
  package func add(to list: inout CustomerList) throws {
    for (index, sample) in sections.enumerated() {
      let first = index == 0 ? try list.sections().first : nil
      let section = try first ?? list.addSection(title: sample.title ?? "")
      if let title = sample.title, title != section.title { try list.renameSection(section.id, title: title) }
      var rows = sample.customers.makeIterator()
      if !sample.customers.isEmpty { try list.insert(in: section.id) { rows.next() } }
    }
  }
}

extension CustomerStore {
  /// Creates a list in memory that starts with a sample; ids count from 1 in its order.
  ///
  ///     let store = try CustomerStore.inMemory("Ann, Bob | Leads: Cid")
  public static func inMemory(_ sample: SampleList) throws -> CustomerStore {
    let store = try inMemory()
    try store.fill(with: sample)
    return store
  }

  /// Adds a sample and erases the history, so that `undo` starts with the first edit of the test.
  package func fill(with sample: SampleList) throws {
    try write { list in
      try sample.add(to: &list)
      try list.eraseHistory()
    }
  }
}

extension CustomerList {
  /// The only customer with this full name.
  ///
  /// - Throws: `FixtureError`.
  package func customer(named name: String) throws -> Customer {
    var found: [Customer] = []
    try forEach { customer in
      if customer.name == name { found.append(customer) }
      return true
    }
    guard let customer = found.first else { throw FixtureError.noCustomer(named: name) }
    guard found.count == 1 else { throw FixtureError.severalCustomers(named: name, count: found.count) }
    return customer
  }
}

/// Why a list does not have the customer that a test names.
package enum FixtureError: Error, Hashable, Sendable {
  /// No customer has this name.
  case noCustomer(named: String)
  /// Several customers have this name.
  case severalCustomers(named: String, count: Int)
}

extension FixtureError: CustomStringConvertible, LocalizedError {
  /// What is wrong, in one line, with the name that the test uses.
  package var description: String {
    switch self {
    case .noCustomer(let name): "no customer is named \(name)"
    case .severalCustomers(let name, let count): "\(count) customers are named \(name)"
    }
  }

  /// The description, for `localizedDescription` in an app.
  package var errorDescription: String? { description }
}
