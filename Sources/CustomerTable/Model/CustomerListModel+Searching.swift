public import CustomerStore

extension CustomerListModel {
  /// The number of matches found so far.
  public var resultCount: Int { hits.count }

  /// The match with a number from 0, in list order; nil for any other number.
  public func result(_ number: Int) -> CustomerID? { hits[number] }

  /// Begins or goes on to look for the text.
  func findMatches() {
    isSearching = true
    guard searching == nil else { return }
    searching = Task { [weak self] in
      while await self?.findMore() == true {}
      self?.endSearch()
    }
  }

  private func endSearch() {
    (searching, isSearching) = (nil, false)
  }

  /// Takes a string that was typed or searches the next few thousand rows.
  ///
  /// - Returns: whether there is more to do.
  private func findMore() async -> Bool {
    let (text, version, count) = (searchText, version, draft.base.count)
    if search.text != text || search.version.map({ $0 != version }) == true {
      search = await Self.typed(text, rows: count, restarting: search.version != version, in: search)
    } else if let scan = search.next {
      guard let found = try? await store.read(busyTimeout: .seconds(86_400), { try scan.run($0) }) else {
        return false
      }
      // The rows have moved since the list was counted; the feed will say how.
      guard found.version == self.version else { return await self.version(isBeyond: version) }
      search = await Self.taken(found, in: search)
    }
    if hits != search.hits { hits = search.hits }
    return search.text != searchText || !search.isComplete
  }

  /// Waits a moment for the feed.
  private func version(isBeyond version: ListVersion) async -> Bool {
    if version == self.version { try? await Task.sleep(for: .milliseconds(20)) }
    return !Task.isCancelled
  }

  @concurrent private static func typed(
    _ text: String, rows: Int, restarting: Bool, in search: TypedSearch
  ) async -> TypedSearch {
    var search = search
    search.type(text, rows: rows)
    if restarting { search.restart(rows: rows) }
    return search
  }

  @concurrent private static func taken(_ found: SearchScan.Result, in search: TypedSearch) async
    -> TypedSearch
  {
    var search = search
    search.take(found)
    return search
  }
}
