internal import CustomersSQLite

/// Customers that may be the same.
public struct DuplicateGroup: Hashable, Sendable {
  /// The properties that customers have in common.
  public enum Reason: String, CaseIterable, Sendable {
    /// The full name, or the company if there is no name.
    case name
    /// An e-mail address.
    case email
    /// The digits of a phone number.
    case phone
  }

  /// The properties that all of them have in common: at least one.
  public var reasons: [Reason]
  /// The customers in list order, at least two.
  public var customers: [CustomerID]
}

extension CustomerList {
  /// The customers that have an e-mail address, the digits of a phone number or the name in common with another
  /// one; case, accents, and whitespace are ignored.
  ///
  /// - Returns: groups in the order of their first customers; a customer may be in several.
  /// - Complexity: O(customers) time and memory.
  public func duplicates() throws -> [DuplicateGroup] {
    var ids: [CustomerID] = []
    var owners: [DuplicateGroup.Reason: [String: [Int]]] = [:]
    try forEach { customer in
      for reason in DuplicateGroup.Reason.allCases {
        for key in reason.keys(of: customer.fields) {
          owners[reason, default: [:]][key, default: []].append(ids.count)
        }
      }
      ids.append(customer.id)
      return true
    }
    var reasons: [[Int]: [DuplicateGroup.Reason]] = [:]
    for reason in DuplicateGroup.Reason.allCases {
      for group in owners[reason, default: [:]].values where group.count > 1 {
        // They may have two addresses in common.
        if reasons[group]?.last != reason { reasons[group, default: []].append(reason) }
      }
    }
    return reasons.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { group, reasons in
      DuplicateGroup(reasons: reasons, customers: group.map { ids[$0] })
    }
  }
}

extension CustomerList {
  /// The customers that have exactly the same fields, columns, other contacts, and tags as one before them, in list
  /// order.
  ///
  /// - Complexity: O(customers) time and memory.
  package func exactDuplicates() throws -> [CustomerID] {
    var known: Set<[String]> = []
    var found: [CustomerID] = []
    try forEach { customer in
      let fields = customer.fields
      let extra = fields.extraColumns.columns.map { [$0.name, $0.value.text] }
      let key =
        fields.texts + [fields.isFavorite ? "1" : "0"] + extra.sorted { $0[0] < $1[0] }.joined()
      if !known.insert(key).inserted { found.append(customer.id) }
      return true
    }
    return found
  }
}

extension CustomerFields {
  /// Whether the two have the name, an e-mail address, or the digits of a phone number in common.
  package func mayBeSamePerson(as other: CustomerFields) -> Bool {
    DuplicateGroup.Reason.allCases.contains { reason in
      !reason.keys(of: self).isDisjoint(with: reason.keys(of: other))
    }
  }
}

extension DuplicateGroup.Reason {
  /// The keys of which such customers share one.
  fileprivate func keys(of fields: CustomerFields) -> Set<String> {
    switch self {
    case .name:
      keys([fields.name]) { searchFolded($0).split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    case .email: keys(fields.values(of: .email)) { searchFolded($0).filter { !$0.isWhitespace } }
    case .phone:
      keys(fields.values(of: .phone), least: PhoneDigits.least) { phone in
        String(phone.unicodeScalars.filter { ("0"..."9").contains($0) })
      }
    }
  }

  private func keys(_ values: [String], least: Int = 1, _ key: (String) -> String) -> Set<String> {
    Set(values.map(key).filter { $0.utf8.count >= least })
  }
}
