internal import CustomerStore
internal import CustomerTable
internal import CustomersFormats

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
  ///   - mostSortedRows: the most rows that are sorted.
  /// - Returns: what was found so far; the search goes on with the next request.
  /// - Throws: `APIRefusal` if another request of the page came, or if there is too much to sort.
  func rows(
    of view: ListView, atLeast count: Int, in list: OpenList, mostSortedRows: Int
  ) async throws -> Rows {
    turn &+= 1
    let mine = turn
    let (version, rows) = try await list.read { (try $0.version(), try $0.count()) }
    try check(mine)
    type(view.text, rows: rows, version)
    try await sort(by: view.order, in: list, version, rows, most: mostSortedRows)
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

  private func sort(
    by order: SortOrder?, in list: OpenList, _ version: ListVersion, _ rows: Int, most: Int
  ) async throws {
    guard let order else { return sorted = nil }
    guard rows <= most else {
      throw APIRefusal(
        409, "refused", "The page sorts up to \(most) customers.", [("reason", .string("sort"))])
    }
    guard sorted?.order != order || sorted?.version != version else { return }
    let read = try await list.readAtLength { list in
      var rows: [SortOrder.Row] = []
      try list.forEach { customer in
        rows.append(order.row(customer))
        return true
      }
      return (version: try list.version(), rows: rows)
    }
    sorted = (order, read.version, SortedRows(order.sorted(read.rows).map(\.id)))
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

  /// The session of a page.
  func session(of page: String) -> ViewSession {
    let known = sessions.firstIndex { $0.page == page }.map { sessions.remove(at: $0).session }
    let session = known ?? ViewSession()
    let inUse = sessions.count { .now - $0.lastUse < Self.longestPause }
    sessions = sessions.suffix(min(max(inUse, Self.limit - 1), Self.mostInUse - 1))
    sessions.append(Kept(page: page, session: session, lastUse: .now))
    return session
  }
}
