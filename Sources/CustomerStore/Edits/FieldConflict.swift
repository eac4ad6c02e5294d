/// Fields of a customer that two people have changed, to different values: the caller, and somebody else
/// after the caller read them.
///
/// Nothing is changed then. Who shows `theirs` and is answered "mine all the same" saves again, from
/// `theirs`.
public struct FieldConflict: Error, Hashable, Sendable {
  /// The customer.
  public var id: CustomerID
  /// The fields as the caller wants them.
  public var mine: CustomerFields
  /// The fields as they are now.
  public var theirs: CustomerFields
  /// The fields in which the two contradict each other.
  public var fields: [CustomerField]

  /// Makes a conflict.
  public init(id: CustomerID, mine: CustomerFields, theirs: CustomerFields, fields: [CustomerField]) {
    (self.id, self.mine, self.theirs, self.fields) = (id, mine, theirs, fields)
  }
}

extension FieldConflict: CustomStringConvertible {
  /// Which fields of which customer, in one line, without their values.
  public var description: String {
    "customer @\(id.rawValue) was changed in the meantime: \(fields.map(\.column).joined(separator: ", "))"
  }
}

extension CustomerFields {
  /// Writes values.
  mutating func set(_ values: [CustomerField: FieldValue]) {
    // New extra columns come in an order that does not depend on the hash.
    for field in values.keys.sorted(by: { $0.column < $1.column }) {
      self[field] = values[field] ?? self[field]
    }
  }

  /// These fields with the changes from `base` to `mine`.
  ///
  /// - Returns: the merged fields, and those that were changed here too, to another value.
  func merging(_ mine: CustomerFields, from base: CustomerFields) -> (
    CustomerFields, conflicts: [CustomerField]
  ) {
    var merged = self
    var conflicts: [CustomerField] = []
    for field in mine.differences(from: base) where self[field] != mine[field] {
      if self[field] == base[field] { merged[field] = mine[field] } else { conflicts.append(field) }
    }
    // Keeps the order and the names of columns as they were arranged.
    if extra == base.extra { merged.extra = mine.extra }
    return (merged, conflicts)
  }
}

extension CustomerList {
  /// Saves what a person changed in a form.
  ///
  /// Those are the fields that differ between `from`, as the person saw them, and `to`. What somebody else
  /// changed in the meantime stays.
  ///
  /// - Returns: the customer afterwards.
  /// - Throws: `FieldConflict` for a field that both changed, to different values; `ListError.noSuchCustomer`,
  ///   `editForbidden`.
  @discardableResult
  public mutating func update(
    _ id: CustomerID, from: CustomerFields, to: CustomerFields
  ) throws -> Customer {
    try update(id) { fields in
      let (merged, conflicts) = fields.merging(to, from: from)
      guard conflicts.isEmpty else {
        throw FieldConflict(id: id, mine: to, theirs: fields, fields: conflicts)
      }
      fields = merged
    }
  }
}
