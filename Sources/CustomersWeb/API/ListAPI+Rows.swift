internal import CustomerStore
internal import CustomerTable
internal import CustomersText

/// Rows: of the list, of those that match, or of what a page shows.
extension ListAPI {
  /// `GET /v1/rows`.
  ///
  /// - Complexity: O(limit + sections) in the order of the list; O(rows) with conditions or another order, unless a
  ///   session knows them already.
  func rows(_ call: Route.Call) async throws -> APIAnswer {
    var asked = try RowsRequest(call.query)
    if let session = try call.query.session() {
      let count = asked.near == nil ? asked.from.saturatingAdding(asked.limit) : .max
      let found = try await rows(of: session, call.query, atLeast: count)
      guard let near = asked.near else { return try await window(asked, found.shown, found.search) }
      // The nearest match is a row of the list.
      let row = found.search?.hits.row(near.direction, of: near.row.saturatingAdding(-1))
      (asked.from, asked.limit) = ((row ?? 0) + 1, row == nil ? 0 : 1)
      return try await window(asked, nil, found.search)
    }
    let (selection, order) = (try RowSelection(call.query), try SortOrder(call.query))
    if selection.isAll, order == nil { return try await window(asked, in: selection.section) }
    guard asked.folded.isEmpty else {
      throw APIError(.badRequest, "The parameter folded needs all rows, in their order.")
    }
    guard asked.around == nil else {
      throw APIError(.badRequest, "The parameter around needs a session here.")
    }
    return try await list.readAtLength { [self, asked] list in
      let (outline, filter) = (try list.outline(), try selection.filter(in: list))
      var listed = ListedRows(filter)
      if let order {
        try order.refuseUnknown(in: list)
        listed.order = .sorted(try order.naming(columnsOf: list))
      }
      (listed.offset, listed.limit) = (asked.from - 1, asked.limit)
      var rows: [JSON] = []
      var meant = MeantColumns()
      if asked.limit > 0 {
        _ = try list.forEach(
          listed, row: { rows.append(try asked.json($0, outline, policy, filter, &meant, list)) })
      }
      let all = ListedRows(filter)
      return try answer(
        asked, rows, from: asked.from, of: list.count(all), outline, skipped: all.skipped.counts, in: list)
    }
  }

  /// `GET /v1/ids`: all rows, those of a range, or those that a session has found, once it has searched the whole list.
  func ids(_ call: Route.Call) async throws -> APIAnswer {
    let (ids, version, skipped): ([CustomerID]?, ListVersion, [SkippedValues.Count])
    if let session = try call.query.session() {
      let found = try await rows(of: session, call.query, atLeast: .max)
      guard let search = found.search else { throw APIError(.badRequest, "The parameter text is missing.") }
      ids = search.isComplete ? search.hits.ids(0..<search.hits.count) : nil
      let now = try await list.read { try $0.version() }
      (version, skipped) = (search.typed.version ?? now, search.typed.skipped)
    } else {
      let (selection, seen) = (try RowSelection(ids: call.query), try call.query.version("seen"))
      (ids, version, skipped) = try await list.readAtLength {
        let chosen = try selection.ids(in: $0, at: seen)
        return (chosen.ids, try seen ?? $0.version(), chosen.skipped.counts)
      }
    }
    return APIAnswer(
      [
        ("version", .version(version)), ("complete", .bool(ids != nil)),
        ("ids", .array((ids ?? []).map(JSON.id))),
      ] + (skipped.isEmpty ? [] : [("skipped", skipped.json)]))
  }

  private func rows(
    of session: String, _ query: Query, atLeast count: Int
  ) async throws -> ViewSession.Rows {
    try await views.session(of: session).rows(of: ListView(query), atLeast: count, in: list)
  }

  /// Rows of the list or of a section, or of what is shown instead.
  private func window(
    _ asked: RowsRequest, in section: SectionID? = nil, _ shown: ShownRows? = nil,
    _ search: TableSearch? = nil
  ) async throws -> APIAnswer {
    let body = { @Sendable [self] (list: borrowing CustomerList) throws -> APIAnswer in
      let outline = try list.outline()
      var rows = try RowsInView(shown, of: section, without: asked.folded, outline)
      let row = try asked.around.flatMap { try rows.row(of: $0, in: list) }
      let first = max(1, row.map { $0 - asked.limit / 2 } ?? asked.from)
      let end = max(first, min(first.saturatingAdding(asked.limit), rows.unfolded.saturatingAdding(1)))
      var meant = MeantColumns()
      let found = try rows.json(first..<end, of: list) {
        try asked.json($0, outline, policy, search?.filter, &meant, list)
      }
      return try answer(asked, found, from: first, of: rows.count, outline, search, in: list)
    }
    // To count takes long.
    return asked.countedDay == nil ? try await list.read(body) : try await list.readAtLength(body)
  }

  private func answer(
    _ asked: RowsRequest, _ rows: [JSON], from first: Int, of count: Int, _ outline: ListOutline,
    _ search: TableSearch? = nil, skipped: [SkippedValues.Count] = [], in list: borrowing CustomerList
  ) throws -> APIAnswer {
    let skipped = search?.typed.skipped ?? skipped
    var members: [(String, JSON)] = [
      ("version", .version(try list.version())), ("count", .int(count)), ("from", .int(first)),
      ("read_only", .bool(isReadOnly)), ("rows", .array(rows)),
    ]
    if let carrier { members += carrier.shown(isReadOnly: isReadOnly) }
    if let search {
      let (hits, read) = (search.hits.count, search.readCount)
      members.append(
        (
          "found",
          .object(
            [("count", .int(hits)), ("read", .int(read)), ("complete", .bool(search.isComplete))]
              + (skipped.sentence.map { [("skipped", .shown($0))] } ?? [])
              + (search.typed.problem.map { [("problem", .shown($0))] } ?? []))
        ))
    }
    if !skipped.isEmpty { members.append(("skipped", skipped.json)) }
    if let seen = asked.seen { members.append(("other_list", .bool(try !list.has(seen)))) }
    if let known = asked.outline { members.append(("outline", outline.json(unless: known))) }
    if !asked.places.isEmpty {
      let places = try asked.places.map { id -> JSON in
        do { return .int(outline.position(of: try list.place(of: id))) } catch ListError.noSuchCustomer {
          return .null
        }
      }
      members.append(("places", .array(places)))
    }
    if let day = asked.countedDay, outline.count <= RowsRequest.mostCounted {
      var filter = RowFilter()
      filter.due = day
      members.append(("due", .int(try list.count(ListedRows(filter)))))
    }
    return APIAnswer(members + (asked.hasSteps ? try offers.members(list, of: carrier) : []))
  }
}

/// The rows that an answer is about: those of the list or of a section, or others instead.
private struct RowsInView {
  private var shown: ShownRows?
  private let outline: ListOutline
  /// Rows that follow each other, unless others are shown: how many of them are above, and their positions in the list.
  private var parts: [(above: Int, positions: Range<Int>)] = []
  /// How many rows there are, and how many without those of folded sections.
  private(set) var count = 0, unfolded = 0

  init(
    _ shown: ShownRows?, of section: SectionID?, without folded: Set<SectionID>, _ outline: ListOutline
  ) throws {
    (self.shown, self.outline) = (shown, outline)
    var position = 1
    for part in outline.sections {
      defer { position += part.count }
      guard part.id == section ?? part.id else { continue }
      count += part.count
      guard !folded.contains(part.id) else { continue }
      parts.append((unfolded, position..<position + part.count))
      unfolded += part.count
    }
    if let section, outline.section(section) == nil { throw ListError.noSuchSection(section) }
    if let shown { (count, unfolded) = (shown.count, shown.count) }
  }

  /// The number of a customer's row, from 1; nil if it is not shown.
  func row(of id: CustomerID, in list: borrowing CustomerList) throws -> Int? {
    let place: CustomerPlace
    do { place = try list.place(of: id) } catch ListError.noSuchCustomer { return nil }
    let position = outline.position(of: place)
    guard let shown else {
      return parts.first { $0.positions.contains(position) }.map {
        $0.above + position - $0.positions.lowerBound + 1
      }
    }
    return shown.index(of: id, row: position - 1).map { $0 + 1 }
  }

  /// Rows with some numbers, from 1; a few in memory at a time, because a customer may be large.
  ///
  /// Those that were deleted since they were found are left out from now on.
  mutating func json(
    _ numbers: Range<Int>, of list: borrowing CustomerList, _ json: (Customer) throws -> JSON
  ) throws -> [JSON] {
    var rows: [JSON] = []
    while rows.count < numbers.count {
      let next = numbers.lowerBound + rows.count
      let some = next..<min(next + 20, numbers.upperBound)
      guard let ids = shown?.ids(some.lowerBound - 1..<some.upperBound - 1) else {
        guard let part = parts.last(where: { $0.above < next && !$0.positions.isEmpty }) else { break }
        let distance = part.positions.lowerBound - part.above - 1
        let end = min(some.upperBound + distance, part.positions.upperBound)
        rows += try list.customers(at: next + distance..<end, of: outline).map(json)
        continue
      }
      let found = try list.customers(ids)
      let gone = Set(ids).subtracting(found.keys)
      guard gone.isEmpty else {
        shown?.remove(gone)
        continue
      }
      guard !ids.isEmpty else { break }
      rows += try ids.compactMap { found[$0] }.map(json)
    }
    return rows
  }
}

extension ListOutline {
  /// The sections, or only their tag if the caller has them already.
  fileprivate func json(unless known: String) -> JSON {
    var hasher = Hasher()
    hasher.combine(sections)
    // Another one in each run of the program, which only costs the sections once more.
    let tag = String(UInt(bitPattern: hasher.finalize()), radix: 36)
    let sections =
      tag == known ? [] : [("sections", JSON.array(sections.map { JSONShapes.section.json($0).cut }))]
    return .object([("tag", .string(tag))] + sections)
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

  /// Those of the parameters `text`, `only`, and `sort`.
  init(_ query: Query) throws {
    for name in ["section", "where", "search", "due"] where query[name] != nil {
      throw APIError(.badRequest, "With a session, rows are chosen by text, and not by \(name).")
    }
    text = query["text"] ?? ""
    guard text.utf8.count <= 1_000 else {
      throw APIError(.badRequest, "The parameter text has more than 1000 bytes.")
    }
    isFiltering = try query.flag("only") ?? true
    order = try SortOrder(query)
  }
}

/// Which rows are read, and what of them.
struct RowsRequest: Sendable {
  /// The number of the first row, from 1, and of rows.
  var from: Int, limit: Int
  /// The customer around whom the rows are read instead.
  let around: CustomerID?
  /// A row of the list, and where the nearest match is looked for.
  let near: (row: Int, direction: SearchHits.Direction)?
  /// The version that the caller has seen.
  let seen: ListVersion?
  /// The tag of the sections that the caller has; nil if it wants none.
  let outline: String?
  let hasSteps: Bool
  /// The customers whose rows are asked for besides.
  let places: [CustomerID]
  /// The sections whose rows are left out.
  let folded: Set<SectionID>
  /// The day of which those who are due are counted; nil for none.
  let countedDay: CalendarDay?
  /// nil for all.
  private var columns: [ListColumn]?
  private let isBrief: Bool

  init(_ query: Query) throws {
    from = try query.number("from", in: 1...Int.max) ?? 1
    limit = try query.number("limit", in: 0...1000) ?? 100
    (around, outline) = (try query.customer("around"), query["outline"])
    seen = try query.version("seen")
    (hasSteps, isBrief) = (try query.flag("steps") ?? false, try query.flag("brief") ?? false)
    places = try query.customers("places")
    folded = Set(try query.customers("folded").map { SectionID(rawValue: $0.rawValue) })
    countedDay = try query.day("count_due")
    let above = try query.number("above", in: 0...Int.max).map { ($0, SearchHits.Direction.above) }
    near = try above ?? query.number("below", in: 0...Int.max).map { ($0, .below) }
    columns = isBrief ? [] : query["fields"] == nil ? nil : [.id]
    for name in ["only", "above", "below"] where query[name] != nil && query["session"] == nil {
      throw APIError(.badRequest, "The parameter \(name) needs a session.")
    }
    var known: Set = ["id"]
    for name in query["fields"]?.names ?? [] where name != "id" {
      let column =
        ListColumn.all.first { $0.name == name }
        ?? CustomerField(nameInRequests: name).map(ListColumn.field)
      guard let column else { throw APIError(.badRequest, "There is no field \(name.quotedShort).") }
      guard known.insert(name).inserted else {
        throw APIError(.badRequest, "The field \(name.quotedShort) is named twice.")
      }
      if !isBrief || !RowsRequest.brief.contains(name) { columns?.append(column) }
    }
  }

  /// In a longer list, those who are due are not counted with the rows.
  static let mostCounted = 100_000

  /// What a brief row has of each customer that has it.
  private static let brief: Set = ["position", "name", "is_favorite", "can_edit", "can_move"]

  func json(
    _ customer: Customer, _ outline: ListOutline, _ policy: EditingPolicy, _ filter: RowFilter?,
    _ meant: inout MeantColumns, _ list: borrowing CustomerList
  ) throws -> JSON {
    guard let asked = columns else { return JSONShapes.customer.json((customer, outline)) }
    let columns = try asked.map {
      (name: $0.nameInRequests, column: try meant.column($0, of: customer, in: list))
    }
    guard isBrief else {
      return .object(columns.map { ($0.name, $0.column.value($0.column.owner(customer), outline)) })
    }
    let subtitle = policy.subtitle(customer)
    let match = filter.flatMap { filter in
      filter.matches(customer)
        ? filter.matchingTexts(of: customer).described(besides: [customer.name, subtitle]) : nil
    }
    let rest: [(String, JSON?)] =
      [
        ("subtitle", subtitle.isEmpty ? nil : .shown(subtitle)), ("match", match.map(JSON.shown)),
        ("is_favorite", customer.fields.isFavorite ? .bool(true) : nil),
        ("photo", CardPhoto(of: customer.fields).map { .string($0.tag) }),
        ("can_edit", policy.canEdit(customer) ? nil : .bool(false)),
        ("can_move", policy.canMove(customer) ? nil : .bool(false)),
      ]
      + columns.map { name, column in
        let text = column.cell(column.owner(customer), outline).text
        return (name, text.isEmpty ? nil : .shown(text))
      }
    return .object(
      [
        ("id", .id(customer.id)), ("position", .int(outline.position(of: customer.place))),
        ("name", .shown(customer.name)),
      ] + rest.compactMap { name, value in value.map { (name, $0) } })
  }
}

/// The extra columns that names mean which the list does not have exactly.
struct MeantColumns {
  private var names: [String: String] = [:]

  /// The column of which a customer's value is shown; the list is asked only if the customer has one of a similar name.
  ///
  /// - Throws: `ListError.ambiguousColumn`.
  fileprivate mutating func column(
    _ column: ListColumn, of customer: Customer, in list: borrowing CustomerList
  ) throws -> ListColumn {
    guard case .field(.extra(let name)) = column, customer.fields.extra != "{}" else { return column }
    if let meant = names[name] { return .field(.extra(meant)) }
    let own = customer.fields.extraColumns.names
    guard !own.contains(name), own.contains(where: { Name($0).key == Name(name).key }) else { return column }
    let meant = try list.ownName(ofColumn: name) ?? name
    names[name] = meant
    return .field(.extra(meant))
  }
}

extension ListColumn {
  /// The customer whose value is shown: an own column is asked for by its name, and so has no part of the address.
  fileprivate func owner(_ customer: Customer) -> Customer {
    guard case .field(.extra) = self else { return customer }
    var owner = customer
    owner.fields.addressParts = ""
    return owner
  }

  /// The name in JSON: `extra.` and the name for an extra column.
  fileprivate var nameInRequests: String {
    if case .field(let field) = self { field.nameInRequests } else { name }
  }
}

extension SortOrder {
  /// The order of the parameter `sort`: fields, each with a minus before it if it is descending; nil if it is not given.
  ///
  /// - Throws: `APIError`.
  init?(_ query: Query) throws {
    guard let text = query["sort"] else { return nil }
    for name in text.names where SortOrder(names: [name]) == nil {
      throw APIError(.badRequest, "There is no field \(name.quotedShort).")
    }
    self.init(names: text.names)
    takesParts = false
  }
}

extension String {
  /// Names with commas between them, or in lines, if one has a comma.
  fileprivate var names: [String] {
    (contains("\n") ? split(separator: "\n") : split(separator: ",", omittingEmptySubsequences: false)).map(
      String.init)
  }
}

extension Query {
  /// The name of a session; nil if it is not given.
  fileprivate func session() throws -> String? {
    guard let name = self["session"] else { return nil }
    guard name.utf8.count <= 64 else {
      throw APIError(.badRequest, "The parameter session has more than 64 bytes.")
    }
    return name
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
  /// - Throws: `APIError` if another request of the session came.
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
    if turn != mine { throw APIError(.superseded, "Replaced by a newer request.") }
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
      (version: try list.version(), values: try list.values(by: order.naming(columnsOf: list)))
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
