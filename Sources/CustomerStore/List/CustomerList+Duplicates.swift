internal import CustomersSQLite

/// Customers that may be the same.
public struct DuplicateGroup: Hashable, Sendable {
  /// The properties that customers have in common.
  public enum Reason: String, CaseIterable, Sendable {
    /// The full name, or the company if there is no name.
    case name
    /// The e-mail address.
    case email
    /// The digits of the phone number.
    case phone
  }

  /// The properties that all of them have in common: at least one.
  public var reasons: [Reason]
  /// The customers in list order, at least two.
  public var customers: [CustomerID]
}

extension CustomerList {
  /// The customers that have the same e-mail address, phone digits or name as another one; case and
  /// whitespace are ignored.
  ///
  /// - Returns: groups in the order of their first customers; a customer may be in several.
  /// - Complexity: O(customers) time and memory.
  public func duplicates() throws -> [DuplicateGroup] {
    var ids: [CustomerID] = []
    var owners: [DuplicateGroup.Reason: [String: [Int]]] = [:]
    try forEach { customer in
      for reason in DuplicateGroup.Reason.allCases {
        guard let key = reason.key(of: customer.fields) else { continue }
        owners[reason, default: [:]][key, default: []].append(ids.count)
      }
      ids.append(customer.id)
      return true
    }
    var reasons: [[Int]: [DuplicateGroup.Reason]] = [:]
    for reason in DuplicateGroup.Reason.allCases {
      for group in owners[reason, default: [:]].values where group.count > 1 {
        reasons[group, default: []].append(reason)
      }
    }
    return reasons.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { group, reasons in
      DuplicateGroup(reasons: reasons, customers: group.map { ids[$0] })
    }
  }
}

extension CustomerList {
  /// The customers that have exactly the same fields, columns, other contacts and tags as one before them, in list
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
  /// Whether the two have the same name, e-mail address or phone digits.
  package func mayBeSamePerson(as other: CustomerFields) -> Bool {
    DuplicateGroup.Reason.allCases.contains { reason in
      reason.key(of: self).map { $0 == reason.key(of: other) } ?? false
    }
  }
}

extension DuplicateGroup.Reason {
  /// The key that such customers share; nil if it is empty.
  fileprivate func key(of fields: CustomerFields) -> String? {
    switch self {
    case .name: known(searchFolded(fields.name).split(whereSeparator: \.isWhitespace).joined(separator: " "))
    case .email: known(searchFolded(fields.email).filter { !$0.isWhitespace })
    case .phone:
      known(String(fields.phone.unicodeScalars.filter { ("0"..."9").contains($0) }), least: PhoneDigits.least)
    }
  }

  private func known(_ key: String, least: Int = 1) -> String? { key.utf8.count >= least ? key : nil }
}
