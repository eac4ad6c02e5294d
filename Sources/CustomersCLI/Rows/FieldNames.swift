internal import CustomerStore
internal import CustomersTerminalText

extension CustomerList {
  /// The fields named by an option, separated by commas; `field` looks up each.
  ///
  /// - Throws: a `Failure` with code `usage` for an unknown or repeated name.
  func named<Field: Equatable>(
    _ names: String, by option: some DeclaredOption, _ field: (String) throws -> Field?
  ) throws -> [Field] {
    var fields: [Field] = []
    for name in names.split(separator: ",", omittingEmptySubsequences: false).map({
      String($0.trimmingBlanks)
    }) {
      guard let found = try field(name) else {
        throw Failure.noField(name, of: option, near: try fieldName(near: name))
      }
      guard !fields.contains(found) else {
        throw Failure.usage("\(option.name): \(quoted(name)) was given twice")
      }
      fields.append(found)
    }
    return fields
  }

  /// The sort order for names of fields, separated by commas.
  func sortOrder(by names: String, isDescending: Bool, option: some DeclaredOption) throws -> SortOrder {
    let keys: [SortOrder.Key] = try named(names, by: option) { name in
      try column(named: name, or: [("name", .name)]) { .field($0) }
    }
    return SortOrder(by: keys, isDescending: isDescending)
  }
}
