internal import CustomerStore
internal import CustomersTerminalText

extension CustomerFields {
  /// Refuses to clear every field of a customer, and names the fields.
  ///
  /// - Parameter row: the current customer.
  /// - Throws: a `Failure` with code `refused`.
  func refuseBlank(of row: Customer) throws {
    guard isBlank, !row.fields.isBlank else { return }
    let known = CustomerField.texts + row.fields.extraColumns.names.map(CustomerField.extra)
    let cleared = known.filter { !row.fields[$0].text.isEmpty }
    let id = row.id.rawValue
    throw Failure(
      code: .refused,
      message: "nothing would be left of customer @\(id): this clears "
        + listed(
          cleared.map { CustomerField.texts.contains($0) ? $0.title.lowercased() : quoted($0.title) }, "and"),
      hint: "to delete the customer: customers delete @\(id)")
  }
}
