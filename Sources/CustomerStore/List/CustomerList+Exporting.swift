internal import SQLite

extension CustomerList {
  /// The first column of a customer with bytes that are no UTF-8, which reading shows as U+FFFD; nil if
  /// all can be read as they are.
  ///
  /// Another client has written them; a program that copies the list must not change them silently.
  public func unreadableColumn(of id: CustomerID) throws -> String? {
    let columns = CustomerFields.columns.split(separator: ", ").map(String.init)
    let sql =
      "SELECT \(columns.map { "hex(\($0))" }.joined(separator: ", ")) FROM customer_record WHERE id = ?"
    return try connection.fetchOne(sql, [.id(id)]) { row in
      columns.indices.first { !row.text(Int32($0)).isHexadecimalUTF8 }.map { columns[$0] }
    } ?? nil
  }

  /// The names of all extra columns that customers of a section, or of the whole list, have, in the order
  /// in which they came into the list.
  ///
  /// Byte by byte: to JSON two spellings of one letter are two names.
  ///
  /// - Complexity: O(customers); memory for the names alone.
  public func extraColumnNames(in section: SectionID? = nil) throws -> [String] {
    // Only to name a section is a reason to look for everybody's place.
    let from =
      section == nil
      ? "customer_record AS c WHERE deleted_by IS NULL" : "customers AS c WHERE section = ?"
    var names: [String] = []
    var known: Set<[UInt8]> = []
    let extra = "SELECT \(Customer.extra) AS extra FROM \(from) AND extra <> '{}'"
    try connection.query(
      "SELECT key FROM (\(extra)) AS c JOIN json_each(c.extra)", section.map { [.id($0)] } ?? []
    ) { row in
      while try row.step() {
        let name = row.text(0)
        if known.insert(Array(name.utf8)).inserted { names.append(name) }
      }
    }
    return names
  }
}

extension String {
  /// Whether the hexadecimal digits are those of a text in UTF-8.
  fileprivate var isHexadecimalUTF8: Bool {
    let digits = utf8.map { $0 <= 0x39 ? $0 - 0x30 : $0 - 0x41 + 10 }
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    return String(validating: bytes, as: UTF8.self) != nil
  }
}
