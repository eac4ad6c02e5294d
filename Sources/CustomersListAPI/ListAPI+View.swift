internal import CustomerStore
internal import CustomerTable
internal import CustomersFormats

/// Searches and other orders, of one page; nothing is changed.
extension ListAPI {
  /// `POST /api/view`: rows of what a page shows and how many matches were found so far.
  func view(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow("page", "view", "from", "limit", "anchor", "outline", "columns")
    let request = try RowsRequest(body)
    let rows = try await rows(of: body, atLeast: request.from.saturatingAdding(request.limit))
    return try await answer(request, rows.shown, rows.search)
  }

  /// `POST /api/hit`: the next match below a row of the list or the last one above it; null if there is none yet.
  func hit(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow("page", "view", "row", "by")
    let row = Int(try body.number("row"))
    let isBelow = try body.number("by") > 0
    let rows = try await rows(of: body, atLeast: .max)
    let found = rows.search?.hits.row(isBelow ? .below : .above, of: row.saturatingAdding(-1))
    return APIAnswer(
      200,
      .object([
        ("row", found.map { .int($0 + 1) } ?? .null), ("complete", .bool(rows.search?.isComplete ?? true)),
      ]))
  }

  /// `POST /api/matches`: all customers that match, once all were found, as long as they can be edited at once.
  func matches(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow("page", "view")
    let rows = try await rows(of: body, atLeast: .max)
    guard let search = rows.search, let version = search.typed.version, search.isComplete else {
      return APIAnswer(200, .object([("complete", .bool(rows.search == nil)), ("ids", .array([]))]))
    }
    guard search.hits.count <= AskedEdit.mostCustomers else {
      throw APIRefusal(
        409, "refused", "At most \(AskedEdit.mostCustomers) customers can be marked.",
        [("reason", .string("other"))])
    }
    return APIAnswer(
      200,
      .object([
        ("complete", .bool(true)), ("version", .version(version)),
        ("ids", .array(search.hits.ids(0..<search.hits.count).map(JSON.id))),
      ]))
  }

  private func rows(of body: RequestBody, atLeast count: Int) async throws -> ViewSession.Rows {
    guard let page = try body.page() else { throw body.wrong("page", "the random id of a page") }
    let view = try ListView(body.object("view"))
    return try await views.session(of: page).rows(
      of: view, atLeast: count, in: list, mostSortedRows: policy.mostSortedRows)
  }
}
