/// A list of names of fields that can't be understood.
package struct FieldNamesError: Error, CustomStringConvertible {
  /// The name.
  package let name: String
  /// A similar name of a field.
  package let near: String?
  /// Whether the field was already named.
  package let isRepeated: Bool

  package var description: String {
    if isRepeated { return "\"\(name)\" was given twice" }
    return "there is no field \"\(name)\"" + (near.map { "; did you mean \($0)?" } ?? "")
  }
}

extension CustomerList {
  /// The fields that a string names, separated by commas; `field` looks up each.
  ///
  /// - Throws: `FieldNamesError` for an unknown or repeated name and what `field` throws.
  package func named<Field: Equatable>(
    _ names: String, _ field: (String) throws -> Field?
  ) throws -> [Field] {
    var fields: [Field] = []
    for name in names.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(name.trimmingBlanks)
      guard let found = try field(name) else {
        throw FieldNamesError(name: name, near: try fieldName(near: name), isRepeated: false)
      }
      guard !fields.contains(found) else { throw FieldNamesError(name: name, near: nil, isRepeated: true) }
      fields.append(found)
    }
    return fields
  }

  /// The columns that a string names, in its order, separated by commas.
  ///
  /// - Throws: `FieldNamesError`, `ListError.ambiguousColumn`.
  package func columns(named names: String) throws -> [ListColumn] {
    try named(names) { name in
      try column(named: name, or: ListColumn.notFields.map { ($0.name, $0) }, ListColumn.field)
    }
  }

  /// The order by the fields that a string names, separated by commas.
  ///
  /// - Throws: what `columns(named:)` throws.
  package func sortOrder(by names: String, isDescending: Bool) throws -> SortOrder {
    let keys: [SortOrder.Key] = try named(names) { name in
      try column(named: name, or: [("name", .name)]) { .field($0) }
    }
    return SortOrder(by: keys, isDescending: isDescending)
  }
}

extension ListColumn {
  /// Those that are no fields.
  fileprivate static let notFields = all.filter { CustomerField(column: $0.name) == nil }
}
