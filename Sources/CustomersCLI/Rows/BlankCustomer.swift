internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

extension CustomerFields {
  /// Refuses to clear every field of a customer and names the fields.
  ///
  /// - Parameters:
  ///   - row: the current customer.
  ///   - label: how the user named it.
  /// - Throws: a `Failure` with code `refused`.
  func refuseBlank(of row: Customer, _ label: CustomerLabel) throws {
    guard isBlank, !row.fields.isBlank else { return }
    let known = CustomerField.texts + row.fields.extraColumns.names.map(CustomerField.extra)
    let cleared = known.filter { !row.fields[$0].text.isEmpty }
    throw Failure(
      code: .refused,
      message: "this would leave \(label.title) empty: it clears "
        + listed(
          cleared.map { CustomerField.texts.contains($0) ? $0.title.lowercased() : quoted($0.title) }, "and"),
      hint: "to delete the customer: customers delete \(label.word)")
  }
}
