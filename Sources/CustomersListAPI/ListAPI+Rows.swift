internal import CustomerStore
internal import CustomerTable
internal import CustomersFormats

/// Windows of rows.
extension ListAPI {
  /// `GET /api/rows`: rows from a position of the whole list on or around a customer.
  ///
  /// Long texts are cut.
  ///
  /// - Complexity: O(limit + sections), wherever they are.
  func rows(_ query: Query) async throws -> APIAnswer { try await answer(RowsRequest(query), nil, nil) }

  /// Rows of the list, or of what is shown instead.
  ///
  /// - Parameters:
  ///   - request: which rows.
  ///   - shown: the rows that are shown instead of the list; nil for the list.
  ///   - search: the search whose matches are described.
  /// - Returns: the answer.
  /// - Throws: `StoreError`, `ListError.damaged`.
  func answer(
    _ request: RowsRequest, _ shown: ShownRows?, _ search: TableSearch?
  ) async throws -> APIAnswer {
    try await list.read { [self] list in
      let outline = try list.outline()
      var rows = RowsOfPage(shown: shown, outline: outline)
      let row = try request.anchor.flatMap { try rows.row(of: $0, in: list) }
      let start = row.map { $0 - request.limit / 2 } ?? min(request.from, rows.count)
      let first = max(1, start)
      let end = min(first.saturatingAdding(request.limit), rows.count.saturatingAdding(1))
      let filter = search.flatMap(\.filter)
      let found = try rows.json(first..<max(first, end), of: list) { customer, position in
        json(customer, row: position, request.columns, filter, outline)
      }
      let members: [(String, JSON)] = [
        ("version", .version(try list.version())), ("count", .int(rows.count)),
        ("readOnly", .bool(isReadOnly)), ("outline", outline.json(unless: request.outline)),
        ("first", .int(first)), ("rows", .array(found)),
        ("anchor", row == nil ? .null : request.anchor.map(JSON.id) ?? .null),
      ]
      return APIAnswer(
        200, .object(members + (search.map { [("found", $0.json)] } ?? []) + (try offers.members(list))))
    }
  }

  private func json(
    _ customer: Customer, row: Int, _ columns: [CustomerField], _ filter: RowFilter?, _ outline: ListOutline
  ) -> JSON {
    let subtitle = policy.subtitle(customer)
    let cells = columns.map { ($0.nameInRequests, ListColumn.field($0).cell(customer, outline).text) }
      .filter { !$0.1.isEmpty }.map { ($0.0, JSON.shown($0.1)) }
    let match = filter.flatMap { filter in
      filter.matches(customer)
        ? filter.matchingTexts(of: customer).described(besides: [customer.name, subtitle]) : nil
    }
    let rest: [(String, JSON?)] = [
      ("subtitle", subtitle.isEmpty ? nil : .shown(subtitle)),
      ("match", match.map(JSON.shown)),
      ("favorite", customer.fields.isFavorite ? .bool(true) : nil),
      ("canEdit", policy.canEdit(customer) ? nil : .bool(false)),
      ("canMove", policy.canMove(customer) ? nil : .bool(false)),
      ("columns", cells.isEmpty ? nil : .object(cells)),
    ]
    return .object(
      [("id", .id(customer.id)), ("row", .int(row)), ("name", .shown(customer.name))]
        + rest.compactMap { name, value in value.map { (name, $0) } })
  }
}

/// The rows that a page shows: those of the list or others instead.
private struct RowsOfPage {
  var shown: ShownRows?
  let outline: ListOutline

  var count: Int { shown?.count ?? outline.count }

  /// The number of a customer's row, from 1; nil if it is not shown.
  func row(of id: CustomerID, in list: borrowing CustomerList) throws -> Int? {
    guard let position = try list.position(of: id, outline) else { return nil }
    return shown == nil ? position : shown?.index(of: id, row: position - 1).map { $0 + 1 }
  }

  /// Rows with some numbers, from 1; a few in memory at a time, because a customer may be large.
  ///
  /// Those that were deleted since they were found are left out from now on.
  mutating func json(
    _ numbers: Range<Int>, of list: borrowing CustomerList,
    _ json: (_ customer: Customer, _ position: Int) -> JSON
  ) throws -> [JSON] {
    var rows: [JSON] = []
    while rows.count < numbers.count {
      let next = numbers.lowerBound + rows.count
      let some = next..<min(next + 20, numbers.upperBound)
      guard let ids = shown?.ids(some.lowerBound - 1..<some.upperBound - 1) else {
        rows += try list.customers(at: some, of: outline).enumerated().map { json($1, next + $0) }
        continue
      }
      let found = try list.customers(ids)
      let gone = Set(ids).subtracting(found.keys)
      guard gone.isEmpty else {
        shown?.remove(gone)
        continue
      }
      guard !ids.isEmpty else { break }
      rows += ids.compactMap { found[$0] }.map { json($0, outline.position(of: $0.place)) }
    }
    return rows
  }
}

extension TableSearch {
  /// How many matches were found and in how many rows.
  fileprivate var json: JSON {
    .object([("count", .int(hits.count)), ("read", .int(readCount)), ("complete", .bool(isComplete))])
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
