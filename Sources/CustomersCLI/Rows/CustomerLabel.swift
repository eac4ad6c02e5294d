internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

/// How a message names a customer: as the user did, by row or by id.
struct CustomerLabel: Sendable {
  /// The name and the row, as in `"Ann Lee" (row 3)`; or `"Ann Lee" (@17)`.
  let title: String
  /// The word that names the customer in a command: `3` or `@17`.
  let word: String

  init(_ customer: Customer, at position: Int, isByID: Bool) {
    let id = "@\(customer.id.rawValue)"
    word = isByID ? id : "\(position)"
    let place = isByID ? id : "row \(position)"
    title =
      customer.name.isEmpty
      ? (isByID ? "customer \(id)" : place) : "\(customer.fields.title(customer.id)) (\(place))"
  }
}

extension RowResolver {
  /// How messages name a customer of the list.
  func label(_ customer: Customer) -> CustomerLabel {
    CustomerLabel(
      customer, at: outline.position(of: customer.place), isByID: namedByID.contains(customer.id))
  }

  /// The error of an edit of rows that this resolver has found, which has not changed the list; if it is about a
  /// customer or a section, it names the customer as the user did, or the section by its title.
  func naming(_ error: any Error, in list: borrowing CustomerList) -> any Error {
    let refusal: ListError
    switch error {
    case let error as ListError: refusal = error
    case BatchError.refused(_, let error): refusal = error
    default: return error
    }
    if case .sectionNotEmpty(let id, let count) = refusal, let section = outline.section(id) {
      var failure = Failure(refusal)
      failure.message = "section \(quoted(section.title)) is not empty (\(customerCount(count)))"
      return failure
    }
    guard let id = refusal.customer, let customer = try? found.customers[id] ?? list.customer(id) else {
      return error
    }
    return Failure(refusal, label(customer))
  }
}
