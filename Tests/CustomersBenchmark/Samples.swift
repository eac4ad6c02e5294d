internal import CustomerStore
internal import CustomersSQLite

extension CustomerFields {
  /// The fields of customer `number`.
  static func sample(_ number: Int) -> CustomerFields {
    CustomerFields(
      firstName: "First \(number)", lastName: "Last \(number)", company: "Company \(number % 97)",
      email: "customer\(number)@example.com", phone: "+49 30 \(number)",
      address: "Road \(number)\n10115 Berlin", note: sampleNote)
  }

  private static let sampleNote = String(repeating: "A note. ", count: 25)

  /// The fields of `count` customers, one after another.
  static func samples(_ count: Int) -> some IteratorProtocol<CustomerFields> {
    (1...count).lazy.map(sample).makeIterator()
  }

  /// The text columns of a table that is compared with a list.
  static let sampleColumns = "first_name, last_name, company, email, phone, address, note"

  /// The definition of `sampleColumns`.
  static let sampleColumnTypes = sampleColumns.split(separator: ", ").map { "\($0) TEXT NOT NULL" }
    .joined(separator: ", ")

  /// The values of `sampleColumns`.
  var sampleValues: [SQLiteValue] {
    [firstName, lastName, company, email, phone, address, note].map { .text($0) }
  }
}
