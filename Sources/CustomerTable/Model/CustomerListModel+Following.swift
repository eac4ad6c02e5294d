public import CustomerStore

extension CustomerListModel {
  /// Follows the list until the file is another one or can't be read.
  ///
  /// The model is looked up for each event, so that it lives only as long as someone else uses it.
  static func follow(_ model: () -> CustomerListModel?, every interval: Duration) async {
    guard let store = model()?.store, let version = model()?.knownVersion else { return }
    do {
      for try await event in store.events(after: version, every: interval) {
        guard await model()?.take(event) == true else { return }
      }
    } catch {
      model()?.fail(error)
      try? await Task.sleep(for: .seconds(1))
      await model()?.openAgain()
    }
  }

  /// Takes an event of the feed.
  ///
  /// - Returns: whether the feed goes on; not if the store is another one now.
  private func take(_ event: ListEvent) async -> Bool {
    if case .waiting = event {
      status = .waiting
      lookUpUndo(waiting: .seconds(86_400))
      return true
    }
    await apply([event])
    isReopened = false
    refresh()
    guard case .reload = event else { return true }
    // After a reload the store may be that of a file which is no longer there.
    do {
      try await store.read { _ in }
      return true
    } catch StoreError.replaced {
      await openAgain()
      return false
    } catch { return true }
  }

  /// What is known of the list in the store.
  private var knownVersion: ListVersion { isReopened ? .none : version }

  private func refresh() {
    if case .current = status { return }
    status = .current
  }

  private func fail(_ error: any Error) { status = .failed(error) }

  /// Opens the list that has the name of this one now; the feed starts with all of it.
  private func openAgain() async {
    let store = store
    do {
      (self.store, isReopened) = (try await Self.open(store), true)
    } catch { fail(error) }
  }

  @concurrent private static func open(_ store: CustomerStore) async throws -> CustomerStore {
    try store.openedAgain()
  }

  /// Shows what happened to the list, and that a drop is in the list now or was refused; computed beside the main
  /// actor, because it takes time for each row.
  func apply(_ events: [ListEvent], settling settled: DraftSnapshot.Drop.ID? = nil) async {
    var events = events
    while true {
      let isOther = await isOfAnotherList(events)
      let number = draftNumber
      do {
        let (draft, updates) = try await Self.applied(events, to: draft, settled)
        // A row may have been dropped since.
        guard number == draftNumber else { continue }
        rows.take(events)
        if isOther { historyStart = .now }
        install(draft, updates)
        return
      } catch {
        // Events are missing, so the list is read again.
        guard let snapshot = try? await store.read({ try $0.snapshot() }) else { return }
        events = [.reload(snapshot)]
      }
    }
  }

  /// Whether the list never was as it is shown: it was restored, for example.
  private func isOfAnotherList(_ events: [ListEvent]) async -> Bool {
    guard version != .none, events.contains(where: { if case .reload = $0 { true } else { false } }) else {
      return false
    }
    let known = version
    return (try? await store.read { list in try !list.has(known) }) ?? true
  }

  @concurrent private static func applied(
    _ events: [ListEvent], to draft: DraftSnapshot, _ settled: DraftSnapshot.Drop.ID?
  ) async throws -> (DraftSnapshot, [TableUpdate]) {
    var draft = draft
    let updates = try draft.apply(events, settling: settled)
    return (draft, updates)
  }

  private func install(_ draft: DraftSnapshot, _ updates: [TableUpdate]) {
    let isOther = draft.base.version != self.draft.base.version
    // An own edit arrives a second time by the feed, and no view is to be drawn again for it.
    guard isOther || !updates.isEmpty || draft.drops.count != self.draft.drops.count else { return }
    self.draft = draft
    draftNumber += 1
    rowsNumber += 1
    if !updates.isEmpty { onUpdates(updates) }
    if rows.hasMissing { readMissing() }
    guard isOther else { return }
    lookUpUndo()
    if !searchText.isEmpty { findMatches() }
  }

  /// Reads what can be undone and redone.
  func lookUpUndo(waiting limit: Duration = .seconds(10)) {
    reading?.cancel()
    reading = Task { [weak self, store] in
      guard
        let steps = try? await store.read(
          busyTimeout: limit, { list in (try list.undoable(), try list.redoable()) })
      else { return }
      self?.take(steps)
    }
  }

  private func take(_ steps: (HistoryStep?, HistoryStep?)) {
    (undoable, redoable) = steps
    if case .waiting = status { refresh() }
  }
}

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
