internal import CustomersFormats

/// Names the columns of a table without a header by what is in them.
enum ColumnsByContent {
  /// The names that the values leave no doubt about: `email`, `phone`, and `name`, or `first_name` and
  /// `last_name`; nil for the others.
  static func names(_ head: [UInt8], _ dialect: TableDialect) -> [Int: String] {
    let rows = firstRows(head, dialect)
    let width = rows.map(\.count).max() ?? 0
    let columns = (0..<width).map { index in
      rows.compactMap { $0.count > index && !$0[index].isEmpty ? $0[index] : nil }
    }
    var names: [Int: String] = [:]
    func first(_ fits: (String) -> Bool) -> Int? {
      columns.indices.first { index in
        names[index] == nil && !columns[index].isEmpty && columns[index].allSatisfy(fits)
      }
    }
    if let index = first(\.isEMail) { names[index] = "email" }
    if let index = first(\.isPhone) { names[index] = "phone" }
    if let index = first({ $0.isName && $0.contains(" ") }) {
      names[index] = "name"
    } else if width > 1, (columns[0] + columns[1]).allSatisfy(\.isName), !columns[0].isEmpty {
      (names[0], names[1]) = ("first_name", "last_name")
    } else if let index = first(\.isName) {
      names[index] = "name"
    }
    return names
  }

  private static func firstRows(_ head: [UInt8], _ dialect: TableDialect) -> [[String]] {
    var pieces = [head]
    var reader = CSVReader(dialect) { pieces.popLast() ?? [] }
    var rows: [[String]] = []
    while rows.count < 20, let row = try? reader.next() { rows.append(row.fields) }
    return rows
  }
}

extension String {
  /// Whether it has the form of an e-mail address.
  var isEMail: Bool {
    guard utf8.contains(UInt8(ascii: "@")) else { return false }
    let parts = split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].dropFirst().contains(".")
      && !contains(where: \.isWhitespace)
  }

  /// Whether it has the form of a phone number.
  fileprivate var isPhone: Bool {
    count(where: \.isNumber) >= 6 && allSatisfy { $0.isNumber || " +-()/".contains($0) }
  }

  /// Whether it may be a name.
  fileprivate var isName: Bool {
    contains(where: \.isLetter) && allSatisfy { $0.isLetter || " .'’-".contains($0) }
  }
}
