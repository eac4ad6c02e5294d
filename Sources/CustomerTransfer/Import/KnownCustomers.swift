package import CustomerStore

/// Customers of a file that a list has already: with the same name, and the same e-mail address or phone number.
package struct KnownCustomers {
  /// How many there are among the first ones of the file.
  package private(set) var count = 0
  /// How many customers of the file were examined.
  package private(set) var examined = 0
  /// The name of the first.
  package private(set) var firstName = ""

  /// How many customers of a file are examined: enough to notice that it was imported in another format.
  private static let limit = 200

  /// Compares the first customers of a file with a list.
  ///
  /// - Complexity: O(customers of the list).
  package init(_ importer: CustomerImporter, in list: borrowing CustomerList) throws {
    let customers = try importer.firstCustomers(KnownCustomers.limit).map(\.fields)
    examined = customers.count
    let questions = [CustomerField.email, .phone].compactMap { field -> [FilterTerm]? in
      let values = Set(customers.map { $0[field].text }).subtracting([""]).sorted()
      guard !values.isEmpty else { return nil }
      let terms = values.map { FilterTerm.Value($0, isQuoted: true) }
      return [FilterTerm(name: field.column, comparison: .equals, values: terms, word: field.column)]
    }
    guard try list.count() > 0, !questions.isEmpty else { return }
    var known: Set<Key> = []
    try list.forEach(matching: RowFilter([FilterExpression(alternatives: questions)], in: list)) { customer in
      known.formUnion(Key.all(customer.fields))
      return true
    }
    let found = customers.filter { !known.isDisjoint(with: Key.all($0)) }
    (count, firstName) = (found.count, found.first?.name ?? "")
  }

  /// A name and another value, in the form in which they are compared.
  private struct Key: Hashable {
    let name: String
    let field: CustomerField
    let value: String

    static func all(_ fields: CustomerFields) -> [Key] {
      let name = searchFolded(fields.name)
      return [CustomerField.email, .phone].compactMap { field in
        let value = searchFolded(String(fields[field].text.trimmingBlanks))
        return name.isEmpty || value.isEmpty ? nil : Key(name: name, field: field, value: value)
      }
    }
  }
}
