internal import CustomerStore
internal import TerminalText

extension CustomerList {
  /// The fields that an option names, separated by commas; each is looked up by `field`.
  ///
  /// - Throws: a `Failure` with code `usage` for a name that no field has, or that comes twice.
  func named<Field: Equatable>(
    _ names: String, by option: String, _ field: (String) throws -> Field?
  ) throws -> [Field] {
    var fields: [Field] = []
    for name in names.split(separator: ",", omittingEmptySubsequences: false).map({
      String($0.trimmingBlanks)
    }) {
      guard let found = try field(name) else {
        throw Failure.noField(name, of: option, near: try fieldName(near: name))
      }
      guard !fields.contains(found) else { throw Failure.usage("\(option): \(quoted(name)) is given twice") }
      fields.append(found)
    }
    return fields
  }

  /// The order that names of fields mean, separated by commas.
  func sortOrder(by names: String, isDescending: Bool, option: String) throws -> SortOrder {
    let keys: [SortOrder.Key] = try named(names, by: option) { name in
      CustomerField.key(name) == "name" ? .name : try field(named: name).map { .field($0) }
    }
    return SortOrder(by: keys, isDescending: isDescending)
  }
}
