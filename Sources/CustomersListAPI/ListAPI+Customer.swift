internal import CustomerStore
internal import CustomerTable
internal import CustomersFormats

/// A customer and the form for one.
extension ListAPI {
  /// `GET /api/customer`: the customer with its fields, and the form that shows them.
  func customer(_ query: Query) async throws -> APIAnswer {
    try query.allow("id")
    let id = try query.needed("id", query.customer("id"))
    return try await list.read { [policy] list in
      let customer: Customer
      do { customer = try list.customer(id) } catch ListError.noSuchCustomer {
        throw APIRefusal(404, "gone", "There is no customer @\(id.rawValue).")
      }
      let row = try list.outline().position(of: customer.place)
      return APIAnswer(
        200,
        .object([
          ("version", .version(try list.version())),
          (
            "customer",
            .object([
              ("id", .id(id)), ("row", .int(row)), ("section", .id(customer.place.section)),
              ("place", .place(customer.place)), ("canEdit", .bool(policy.canEdit(customer))),
              ("canMove", .bool(policy.canMove(customer))),
              ("photo", .bool(customer.fields.photo != nil)),
            ])
          ),
          ("fields", customer.fields.json), ("form", policy.form(of: customer).json),
        ]))
    }
  }

  /// `GET /api/form`: the form for a new customer.
  func emptyForm(_ query: Query) throws -> APIAnswer {
    try query.allow()
    return APIAnswer(
      200, .object([("fields", CustomerFields().json), ("form", policy.form(of: nil).json)]))
  }
}

extension CustomerFields {
  /// All fields, by their names in requests; a mark is true or false.
  var json: JSON {
    let fields = CustomerField.standard + extraColumns.shown.map { CustomerField.extra($0.name) }
    return .object(fields.map { ($0.nameInRequests, json(of: $0)) })
  }

  /// The value of a field.
  func json(of field: CustomerField) -> JSON {
    if case .flag(let isSet) = self[field] { .bool(isSet) } else { .string(self[field].text) }
  }
}
