internal import CustomersSQLite

extension CustomerList {
  /// The fields with any number of values in which some customer of a section, or of the list, has one.
  ///
  /// - Complexity: O(rows).
  package func usedLists(in section: SectionID?) throws -> [CustomerField] {
    let lists = CustomerField.lists
    // Places are only looked up to find the rows of a section.
    let rows = section == nil ? "customer_record WHERE deleted_by IS NULL" : "customers WHERE section = ?"
    let columns = lists.map { "max(\($0.column) <> '')" }.joined(separator: ", ")
    return try connection.fetchOne("SELECT \(columns) FROM \(rows)", section.map { [.id($0)] } ?? []) { row in
      lists.indices.filter { row.bool(Int32($0)) }.map { lists[$0] }
    } ?? []
  }

  /// The first column of a customer with invalid UTF-8, which reading shows as U+FFFD; nil if there is none.
  ///
  /// Another client wrote it; a program that copies the list must not change it silently.
  package func unreadableColumn(of id: CustomerID) throws -> String? {
    let columns = CustomerFields.columnNames
    let sql =
      "SELECT \(columns.map { "hex(\($0))" }.joined(separator: ", ")) FROM customer_record WHERE id = ?"
    return try connection.fetchOne(sql, [.id(id)]) { row in
      columns.indices.first { !row.text(Int32($0)).isHexadecimalUTF8 }.map { columns[$0] }
    } ?? nil
  }
}

extension String {
  /// Whether the hexadecimal digits encode valid UTF-8.
  fileprivate var isHexadecimalUTF8: Bool {
    let digits = utf8.map { $0 <= 0x39 ? $0 - 0x30 : $0 - 0x41 + 10 }
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    return String(validating: bytes, as: UTF8.self) != nil
  }
}
