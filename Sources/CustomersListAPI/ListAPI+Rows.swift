internal import CustomerStore
internal import CustomerTable
internal import CustomersFormats

/// Windows of rows.
extension ListAPI {
  /// `GET /api/rows`: rows from a position of the whole list on, or around a customer.
  ///
  /// Long texts are cut.
  ///
  /// - Complexity: O(limit + sections), wherever they are.
  func rows(_ query: Query) async throws -> APIAnswer {
    try query.allow("from", "limit", "anchor", "outline")
    let from = try query.number("from") ?? 1
    let limit = try query.number("limit", in: 1...500) ?? 100
    let (anchor, tag) = (try query.customer("anchor"), query["outline"])
    return try await list.read { [self] list in
      let outline = try list.outline()
      let row = try anchor.flatMap { try list.position(of: $0, outline) }
      let start = row.map { $0 - limit / 2 } ?? min(from, outline.count)
      let first = max(1, start)
      let end = min(first.saturatingAdding(limit), outline.count.saturatingAdding(1))
      var rows: [JSON] = []
      // A few in memory at a time, because a customer may be large.
      for row in stride(from: first, to: end, by: 20) {
        let some = try list.customers(at: row..<min(row + 20, end), of: outline)
        rows += some.enumerated().map { json($1, row: row + $0) }
      }
      let steps = try offers.members(list)
      return APIAnswer(
        200,
        .object(
          [
            ("version", .version(try list.version())), ("count", .int(outline.count)),
            ("readOnly", .bool(isReadOnly)), ("outline", outline.json(unless: tag)), ("first", .int(first)),
            ("rows", .array(rows)),
            ("anchor", row == nil ? .null : anchor.map(JSON.id) ?? .null),
          ] + steps))
    }
  }

  private func json(_ customer: Customer, row: Int) -> JSON {
    let fields = customer.fields
    let subtitle = policy.subtitle(customer)
    let columns = [("company", fields.company), ("email", fields.email), ("phone", fields.phone)]
      .filter { !$0.1.isEmpty }.map { ($0.0, JSON.shown($0.1)) }
    let rest: [(String, JSON?)] = [
      ("subtitle", subtitle.isEmpty ? nil : .shown(subtitle)),
      ("favorite", fields.isFavorite ? .bool(true) : nil),
      ("canEdit", policy.canEdit(customer) ? nil : .bool(false)),
      ("canMove", policy.canMove(customer) ? nil : .bool(false)),
      ("columns", columns.isEmpty ? nil : .object(columns)),
    ]
    return .object(
      [("id", .id(customer.id)), ("row", .int(row)), ("name", .shown(customer.name))]
        + rest.compactMap { name, value in value.map { (name, $0) } })
  }
}

extension CustomerList {
  /// The position of a customer in the whole list; nil if it is not in it.
  func position(of id: CustomerID, _ outline: ListOutline) throws -> Int? {
    do { return outline.position(of: try place(of: id)) } catch ListError.noSuchCustomer { return nil }
  }
}

extension ListOutline {
  /// The sections, or only their tag if the page has them already.
  fileprivate func json(unless known: String?) -> JSON {
    var hasher = Hasher()
    hasher.combine(sections)
    // Another one in each run of the program, which only costs the sections once more.
    let tag = String(UInt(bitPattern: hasher.finalize()), radix: 36)
    guard tag != known else { return .object([("tag", .string(tag))]) }
    let sections = sections.map { section in
      JSON.object([
        ("id", .id(section.id)), ("title", .shown(section.title)), ("footer", .shown(section.footer)),
        ("first", .int(position(of: CustomerPlace(section: section.id, order: 1)))),
        ("count", .int(section.count)),
      ])
    }
    return .object([("tag", .string(tag)), ("sections", .array(sections))])
  }
}
