internal import CustomerStore
internal import CustomersTerminalText

/// A column name as a person may write it: case, spaces, `-` and `_` are ignored.
struct ColumnName: Hashable {
  private let key: String

  init(_ name: String) {
    key = CustomerField.key(name)
  }

  /// The index of the column: one with exactly this name, otherwise the only similar one.
  ///
  /// - Throws: a `Failure` with code `usage` if several match.
  static func index(of name: String, in columns: [String], for option: String) throws -> Int? {
    if let exact = columns.firstIndex(of: name) { return exact }
    let key = ColumnName(name)
    let alike = columns.indices.filter { ColumnName(columns[$0]) == key }
    guard alike.count < 2 else {
      throw Failure.usage(
        "\(option): \(quoted(name)) may be \(listed(alike.map { quoted(columns[$0]) }))",
        hint: "write the name exactly as in the file")
    }
    return alike.first
  }
}
