/// Fields of a customer that were changed to different values by the caller and, after the caller read them,
/// by someone else.
///
/// Nothing is changed. To overwrite after asking the user, save again from `theirs`.
public struct FieldConflict: Error, Hashable, Sendable {
  /// The customer.
  public var id: CustomerID
  /// The fields as the caller wants them.
  public var mine: CustomerFields
  /// The current fields.
  public var theirs: CustomerFields
  /// The fields in which the two conflict.
  public var fields: [CustomerField]

  /// Creates a conflict.
  public init(id: CustomerID, mine: CustomerFields, theirs: CustomerFields, fields: [CustomerField]) {
    (self.id, self.mine, self.theirs, self.fields) = (id, mine, theirs, fields)
  }
}

extension FieldConflict: CustomStringConvertible {
  /// The customer and the fields in one line, without their values.
  public var description: String {
    "customer @\(id.rawValue) has been changed since: \(fields.map(\.column).joined(separator: ", "))"
  }
}

extension CustomerFields {
  /// These fields with the changes from `base` to `mine`.
  ///
  /// - Returns: the merged fields, and the fields that both changed, to different values.
  package func merging(_ mine: CustomerFields, from base: CustomerFields) -> (
    CustomerFields, conflicts: [CustomerField]
  ) {
    var merged = self
    var conflicts: [CustomerField] = []
    for field in mine.differences(from: base) where self[field] != mine[field] {
      if self[field] == base[field] {
        let isList = field.kind == .lines
        merged[field] = isList ? .text(mine[field].text.withoutBlankLines) : mine[field]
      } else if !self[field].isSame(as: mine[field]) {
        conflicts.append(field)
      }
    }
    // Keeps the current order and names of the columns.
    if extra == base.extra { merged.extra = mine.extra }
    return (merged, conflicts)
  }
}

extension CustomerList {
  /// Saves the changes that a person made in a form.
  ///
  /// These are the fields that differ between `from`, as the user saw them, and `to`. What someone else
  /// changed since is kept.
  ///
  /// - Returns: the customer after the edit.
  /// - Throws: `FieldConflict` for a field that both changed to different values; `ListError.noSuchCustomer`,
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
