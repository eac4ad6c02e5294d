internal import CustomerStore
internal import CustomerTable
internal import CustomersText

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
        .refused, "At most \(AskedEdit.mostCustomers) customers can be marked.",
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
    return try await views.session(of: page).rows(of: view, atLeast: count, in: list)
  }
}

/// What a page shows of the list: the matches of a text, or all rows with the matches among them, in the order of
/// the list or in another one.
struct ListView: Sendable {
  /// What was typed to search: words or a question such as `City=Berlin`; empty for no search.
  var text = ""
  /// Whether only matches are shown.
  var isFiltering = true
  /// The order of the rows; nil for that of the list.
  var order: SortOrder?

  /// Reads the member `view` of a request.
  init(_ body: RequestBody) throws {
    try body.allow("text", "only", "sort", "descending")
    text = try body.text("text", most: 1_000)
    isFiltering = try body.flag("only")
    guard let name = try body.given("sort", { try body.text($0, most: 1_000) }) else { return }
    guard name == "name" || CustomerField(nameInRequests: name) != nil else {
      throw APIRefusal.bad("There is no field \(name.quotedShort).")
    }
    let key = CustomerField(nameInRequests: name).map(SortOrder.Key.field) ?? .name
    order = SortOrder(by: [key], isDescending: try body.given("descending", body.flag) ?? false)
  }
}

/// Which rows a page reads of what it shows.
struct RowsRequest: Sendable {
  /// The number of the first row, from 1, and of rows.
  var from: Int, limit: Int
  /// The customer around whom the rows are read instead.
  var anchor: CustomerID?
  /// The tag of the sections that the page has.
  var outline: String?
  /// The columns that the page shows.
  var columns = [CustomerField.company, .email, .phone]

  private static let limits = 1...500

  init(_ query: Query) throws {
    try query.allow("from", "limit", "anchor", "outline")
    from = try query.number("from") ?? 1
    limit = try query.number("limit", in: Self.limits) ?? 100
    (anchor, outline) = (try query.customer("anchor"), query["outline"])
  }

  init(_ body: RequestBody) throws {
    from = Int(try body.number("from"))
    limit = Int(try body.number("limit"))
    guard Self.limits.contains(limit) else { throw body.wrong("limit", "a number from 1 to 500") }
    anchor = try body.given("anchor", body.number).map { CustomerID(rawValue: $0) }
    outline = try body.given("outline") { try body.text($0, most: 64) }
    if let names = try body.given("columns", { try body.text($0, most: 10_000) }) {
      columns = try Self.columns(names)
    }
  }

  /// The fields that a text names, one in each line.
  private static func columns(_ names: String) throws -> [CustomerField] {
    let fields = names.split(separator: "\n").compactMap { CustomerField(nameInRequests: String($0)) }
    guard fields.count <= 50 else { throw APIRefusal.bad("A page has at most 50 columns.") }
    return fields
  }
}

extension RequestBody {
  /// A text with a maximum number of bytes.
  func text(_ name: String, most: Int) throws -> String {
    let text = try text(name)
    guard text.utf8.count <= most else { throw wrong(name, "at most \(most) bytes") }
    return text
  }
}

/// What one page has searched and sorted so far, so that the next key only narrows it.
///
/// It is kept in memory only and may be lost: then the list is read again.
actor ViewSession {
  /// What was found and sorted.
  struct Rows: Sendable {
    /// The rows that are shown instead of the whole list; nil for the list.
    var shown: ShownRows?
    /// The matches so far and their meaning; nil without a search.
    var search: TableSearch?
  }

  /// How long a request works on a search that needs more time.
  private static let budget = Duration.milliseconds(100)

  private var search: TableSearch?
  private var sorted: (order: SortOrder, version: ListVersion, rows: SortedRows)?
  /// The number of the latest request: an earlier one gives up.
  private var turn = 0
  /// Whether the text is new, so that the first matches are answered as soon as they are found.
  private var isNew = false

  /// Searches and sorts, for a moment.
  ///
  /// - Parameters:
  ///   - view: what the page shows.
  ///   - count: the number of matches that its screen needs.
  ///   - list: the list, of which only a few thousand rows are read at a time.
  /// - Returns: what was found so far; the search goes on with the next request.
  /// - Throws: `APIRefusal` if another request of the page came.
  func rows(of view: ListView, atLeast count: Int, in list: OpenList) async throws -> Rows {
    turn &+= 1
    let mine = turn
    let (version, rows) = try await list.read { (try $0.version(), try $0.count()) }
    try check(mine)
    type(view.text, rows: rows, version)
    try await sort(by: view.order, in: list, version)
    try check(mine)
    let end = ContinuousClock.now + Self.budget
    while let scan = search?.typed.next, ContinuousClock.now < end, !isNew || hits.count < count {
      let result = try await list.read { try scan.run($0) }
      try check(mine)
      if let known = search?.typed.version, known != result.version {
        search?.restart(rows: try await list.read { try $0.count() })
        try check(mine)
      } else {
        search?.take(result)
      }
    }
    isNew = false
    return Rows(shown: shown(view), search: search)
  }

  private var hits: SearchHits { search?.hits ?? SearchHits() }

  private func check(_ mine: Int) throws {
    if turn != mine { throw APIRefusal(409, "superseded", "Another request of this page came.") }
  }

  private func type(_ text: String, rows: Int, _ version: ListVersion) {
    guard !text.isEmpty else { return search = nil }
    var next = search ?? TableSearch()
    // Its memory is in one place, so that it is not copied when it grows.
    search = nil
    let known = next.typed.version
    if next.field.text != text {
      next.field = FormText(text)
      next.type(rows: rows)
      isNew = true
    }
    if let known, known != version { next.restart(rows: rows) }
    search = next
  }

  private func sort(by order: SortOrder?, in list: OpenList, _ version: ListVersion) async throws {
    guard let order else { return sorted = nil }
    guard sorted?.order != order || sorted?.version != version else { return }
    let read = try await list.readAtLength { list in
      (version: try list.version(), values: try list.values(by: order))
    }
    sorted = (order, read.version, SortedRows(read.values.sorted()))
  }

  private func shown(_ view: ListView) -> ShownRows? {
    let only = view.isFiltering ? search?.known : nil
    guard let rows = sorted?.rows else { return only.map(ShownRows.matches) }
    return .sorted(only.map(rows.matching) ?? rows)
  }
}

/// The sessions of the pages that were used last.
actor ViewSessions {
  // Each may need 20 MB. One that is in use is kept nevertheless: its search would begin again and never end.
  private static let limit = 4
  private static let mostInUse = 32
  private static let longestPause = Duration.seconds(30)

  private struct Kept {
    let page: String
    let session: ViewSession
    var lastUse: ContinuousClock.Instant
  }

  /// In the order of their last use.
  private var sessions: [Kept] = []

  func session(of page: String) -> ViewSession {
    let known = sessions.firstIndex { $0.page == page }.map { sessions.remove(at: $0).session }
    let session = known ?? ViewSession()
    let inUse = sessions.count { .now - $0.lastUse < Self.longestPause }
    sessions = sessions.suffix(min(max(inUse, Self.limit - 1), Self.mostInUse - 1))
    sessions.append(Kept(page: page, session: session, lastUse: .now))
    return session
  }
}
