internal import CustomersSQLite

extension CustomerList {
  /// The values of customers and sections that can't be read: they are not valid UTF-8 or longer than
  /// 16,000,000 bytes.
  ///
  /// Such a string is shown as far as possible, and stays as it is until it is edited. Values that only the history
  /// keeps are no problem. O(rows)
  public func unreadableTexts() throws -> [ListViolation] {
    let fields =
      CustomerField.texts.map { (column: $0.column, title: $0.title) }
      + [("extra", "extra columns")]
    let customers = try unreadable(fields, in: "customer_record").map { id, title in
      let customer = CustomerID(rawValue: id)
      let place = try? self.place(of: customer)
      return ListViolation(
        message: "the \(title.lowercased()) is not valid UTF-8 or is too long", section: place?.section,
        order: place?.order, customer: customer)
    }
    let sections = try unreadable([("title", "title"), ("footer", "footer")], in: "section_record")
    return customers
      + sections.map { id, title in
        ListViolation(
          message: "the \(title) is not valid UTF-8 or is too long", section: SectionID(rawValue: id))
      }
  }

  private func unreadable(
    _ columns: [(column: String, title: String)], in table: String
  ) throws -> [(id: Int64, title: String)] {
    var found: [(Int64, String)] = []
    let names = columns.map(\.column).joined(separator: ", ")
    try connection.query("SELECT id, \(names) FROM \(table) WHERE deleted_by IS NULL ORDER BY id") { row in
      while try row.step() {
        for (index, column) in columns.enumerated() where !row.isText(Int32(index + 1)) {
          found.append((row.integer(0), column.title))
        }
      }
    }
    return found
  }
}
