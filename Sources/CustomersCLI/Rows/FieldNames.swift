internal import CustomerStore
internal import CustomersTerminalText

/// Names of fields in options, separated by commas.
///
/// Each throws a `Failure` with code `usage` for an unknown or repeated name.
extension CustomerList {
  /// The fields named by an option; `field` looks up each.
  func named<Field: Equatable>(
    _ names: String, by option: some DeclaredOption, _ field: (String) throws -> Field?
  ) throws -> [Field] {
    try explaining(option) { try named(names, field) }
  }

  /// The columns named by an option.
  func columns(named names: String, by option: some DeclaredOption) throws -> [ListColumn] {
    try explaining(option) { try columns(named: names) }
  }

  /// The sort order for the fields named by an option.
  func sortOrder(by names: String, isDescending: Bool, option: some DeclaredOption) throws -> SortOrder {
    try explaining(option) { try sortOrder(by: names, isDescending: isDescending) }
  }

  private func explaining<Result>(_ option: some DeclaredOption, _ body: () throws -> Result) throws -> Result
  {
    do {
      return try body()
    } catch let error as FieldNamesError {
      guard error.isRepeated else {
        // A column that can be shown, and nothing else.
        guard error.near == nil, ListColumn.isNamed(error.name) else {
          throw Failure.noField(error.name, of: option, near: error.near)
        }
        throw Failure.usage(
          "\(option.name): can't use \(quoted(error.name)) here",
          hint: "the fields are name, \(CustomerField.standard.map(\.column).joined(separator: ", "))",
          offendingArgument: error.name)
      }
      throw Failure.usage("\(option.name): \(quoted(error.name)) was given twice")
    }
  }
}
