internal import CustomerStore

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
    let isOther = await isOfAnotherList(event)
    guard await follow(event) else { return true }
    if isOther { (historyStart, own) = (.now, OwnSteps()) }
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

  /// Shows what happened to the list; reads its order if rows have other places, beside the main actor.
  ///
  /// - Returns: whether the list could be read.
  private func follow(_ event: ListEvent) async -> Bool {
    let (known, view, count) = (base, view, cache.reloads)
    if case .step(let step) = event, !step.hasOtherPlaces(in: view) || step.version.edit <= known.version.edit
    {
      var snapshot = known
      if step.version.edit > known.version.edit { snapshot.version = step.version }
      await take([event], ListView.Reading(snapshot: snapshot, isFar: false))
      return true
    }
    do {
      if case .reload(let snapshot) = event, view.condition == nil {
        await take([event], ListView.Reading(snapshot: snapshot, isFar: true))
        return true
      }
      let reading = try await store.read(busyTimeout: .seconds(86_400)) { list in
        try view.reading(of: list, after: known)
      }
      guard count == cache.reloads else { return true }
      await take([event], reading)
      return true
    } catch {
      // The feed reports a file that is gone or another one.
      if error is FilterError { fail(error) }
      return false
    }
  }

  /// Whether the list never was as it is shown: it was restored, for example.
  private func isOfAnotherList(_ event: ListEvent) async -> Bool {
    guard version != .none, case .reload = event else { return false }
    let known = version
    return (try? await store.read { list in try !list.has(known) }) ?? true
  }

  /// Takes what happened and the order after it.
  func take(_ events: [ListEvent], _ reading: ListView.Reading) async {
    var changed: Set<CustomerID> = []
    for event in events { changed.formUnion(cache.take(event)) }
    let isReloaded = events.contains { if case .reload = $0 { true } else { false } }
    // What was read first never replaces what was read later; an own edit may have shown the same list already.
    let isLater = isReloaded || reading.snapshot.version.edit >= version.edit
    let isNew = isLater && reading.snapshot.version != version
    let isReload = isReloaded || isNew && reading.isFar
    show(isLater ? reading.snapshot : base, changed: changed, isReload: isReload)
    guard isNew else { return }
    lookUpUndo()
    if !searchText.isEmpty { findMatches() }
  }

  /// Shows the order of the rows in the file with the edits that are not there yet.
  func show(_ snapshot: ListSnapshot, changed: Set<CustomerID>, isReload: Bool) {
    base = snapshot
    var sections = base.sections
    for edit in cache.pending { edit.place(in: &sections) }
    let isMoved = sections != shown
    // An own edit arrives a second time by the feed, and no view is to be drawn again for it.
    if isMoved { shown = sections }
    guard isMoved || isReload || !changed.isEmpty else { return }
    listeners.send((changed: changed, isReload: isReload))
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
  func searchTextChanged(from old: String) {
    // A view then shows the matches instead of the list, or the list again.
    if old.isEmpty != searchText.isEmpty {
      listeners.send((changed: [], isReload: base.count > 1_000))
    }
    findMatches()
  }

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
    let (text, version) = (searchText, version)
    if search.text != text || search.version.map({ $0 != version }) == true {
      guard let count = await listCount() else { return false }
      search = await Self.typed(text, rows: count, restarting: search.version != version, in: search)
      searchProblem = await findProblem(in: text)
    } else if let scan = search.next {
      guard let found = try? await store.read(busyTimeout: .seconds(86_400), { try scan.run($0) }) else {
        return false
      }
      // The rows have moved since the list was counted; the feed will say how.
      guard found.version == self.version else { return await self.version(isBeyond: version) }
      search = await Self.taken(found, in: search)
    }
    var found = search.hits.ids(0..<search.hits.count)
    if view.condition != nil { found = found.filter(Set(base.sections.flatMap(\.rows)).contains) }
    if hits != found {
      let isFar = max(hits.count, found.count) > 1_000
      hits = found
      listeners.send((changed: [], isReload: isFar))
    }
    return search.text != searchText || !search.isComplete
  }

  /// The number of all rows, whether the model shows them or not.
  private func listCount() async -> Int? {
    if view.condition == nil { return base.count }
    return try? await store.read(busyTimeout: .seconds(86_400)) { try $0.count() }
  }

  /// What is wrong with a text that looks like a question.
  private func findProblem(in text: String) async -> String? {
    guard text.contains(where: "=<>~".contains) else { return nil }
    do {
      try await store.read { list in _ = try RowFilter([FilterExpression(text)], in: list) }
    } catch let error as FilterError {
      return Self.sentence(about: error, "")
    } catch {}
    return nil
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

extension ListStep {
  /// Whether rows or sections of a view have other places, other titles, or are other ones after it.
  fileprivate func hasOtherPlaces(in view: ListView) -> Bool {
    view.condition != nil || changes.contains { $0.movesRows || $0.section != nil }
  }
}
