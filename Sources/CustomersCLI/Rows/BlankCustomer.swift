internal import CustomerStore
internal import TerminalText

extension CustomerFields {
  /// Whether nothing is known of the customer; to be a favorite says nothing.
  var isBlank: Bool { extra == "{}" && texts.allSatisfy { $0.allSatisfy(\.isWhitespace) } }

  /// Refuses to leave a customer of whom nothing would be known, and names the fields that would be cleared.
  ///
  /// - Parameter row: the customer as it is.
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
