internal import CustomerStore

/// Finds the customer of the list that a customer of a file is.
///
/// It is the one with the same e-mail address, whatever its capital letters; or, in a file that
/// `customers list` has written, the one with the same id, if the name or the address is the same too:
/// the file may be of another list. Some memory for each customer.
struct Duplicates {
  /// Who has a key; nil if several have it.
  private var owners: [String: CustomerID?] = [:]

  init(_ list: borrowing CustomerList) throws {
    try list.forEach { customer in
      add(customer.fields, customer.id)
      return true
    }
  }

  /// Knows a customer, or one that has changed, from now on.
  mutating func add(_ fields: CustomerFields, _ id: CustomerID) {
    for key in Duplicates.keys(fields, id.rawValue) {
      if let owner = owners[key], owner != id { owners[key] = .some(nil) } else { owners[key] = id }
    }
  }

  /// Whether the list has the customer; and which it is, if there is but one.
  func match(_ row: ImportRows.Row) -> (isThere: Bool, id: CustomerID?) {
    for key in Duplicates.keys(row.customer.fields, row.customer.id) {
      if let owner = owners[key] { return (true, owner) }
    }
    return (false, nil)
  }

  /// What a customer is known by, the surest first.
  private static func keys(_ fields: CustomerFields, _ id: Int64?) -> [String] {
    let email = caseFolded(String(trimmed(fields.email)))
    let known = email.isEmpty ? [] : [email]
    guard let id else { return known }
    return known.map { "\(id)@\($0)" } + ["\(id) \(fields.name)"] + known
  }

  private static func trimmed(_ text: String) -> Substring {
    let start = text.drop { $0.isWhitespace }
    return start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
  }
}
