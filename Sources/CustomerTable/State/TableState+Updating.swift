internal import CustomerStore

extension TableState {
  /// Handles an event.
  ///
  /// - Returns: what the owner of the table must do, in this order; the result of each effect is an event.
  /// - Complexity: O(screen + sections), however long the list is; O(n log n) for the rows of a sorted view, once
  ///   they were read.
  public mutating func update(_ event: TableEvent) -> [TableEffect] {
    var effects = respond(event)
    // Reads rows that are missing on the screen; after a failure, at the next event.
    if case .failed = event { return effects }
    let isLoading = effects.contains { if case .load = $0 { true } else { false } }
    if !isLoading, !coversScreen { effects.append(.load(.keep)) }
    return effects
  }

  private mutating func respond(_ event: TableEvent) -> [TableEffect] {
    switch event {
    case .resize(let height, let heights):
      let isSeen = isCursorSeen
      (self.height, self.heights) = (min(max(1, height), Self.mostLines), heights.clamped)
      if isSeen { revealCursor() } else { clampTop() }
      return []
    case .scroll(let distance):
      top = max(0, top.saturatingAdding(distance))
      clampTop()
      return []
    case .tryAgain:
      trouble = nil
      return [.load(.keep)]
    case .openReadOnly: return openReadOnly()
    case .fade:
      flashing = []
      return []
    case .adopt(let steps):
      ownSteps.formUnion(steps)
      return []
    case .loaded(let contents): return loaded(contents)
    case .changed(let steps, let contents): return changed(steps, contents)
    case .wrote(let write, let result, let contents): return wrote(write, result, contents)
    case .offered(let step, let reversal): return offered(step, reversal)
    case .scanned(let scan, let result): return scanned(scan, result)
    case .sorted(let sort, let result): return sorted(sort, result)
    case .failed(let effect, let error): return failed(effect, error)
    default:
      notice = nil
      return respondToPerson(event)
    }
  }

  private mutating func respondToPerson(_ event: TableEvent) -> [TableEffect] {
    if form != nil {
      // The form gets all keys.
      if case .form(let event) = event { return updateForm(event) }
      if case .escape = event { return waiting == nil ? updateForm(.cancel) : escape() }
      return []
    }
    if confirmation != nil || question != nil { return answer(event) }
    if drag != nil { return respondInDrag(event) }
    if search?.isTyping == true, let effects = respondInSearch(event) { return effects }
    return respondAtRest(event)
  }

  /// A visible button or question takes the next key or click.
  private mutating func answer(_ event: TableEvent) -> [TableEffect] {
    if case .confirm = event { return confirm() }
    (confirmation, question) = (nil, nil)
    // Only the Edit button does both: it hides the button, then starts edit mode.
    if case .setEditing = event { return respondAtRest(event) }
    return []
  }

  private mutating func respondInDrag(_ event: TableEvent) -> [TableEffect] {
    switch event {
    case .go(let motion): return moveGap(motion)
    case .drag(let target): return moveGap(over: target)
    case .drop: return drop()
    case .escape: return escape()
    default: return []
    }
  }

  private mutating func respondAtRest(_ event: TableEvent) -> [TableEffect] {
    if policy.isReadOnly, event.isEdit {
      say(.refusal, "This list is read-only.")
      return []
    }
    switch event {
    case .go(let motion): return go(motion)
    case .point(let target):
      if mayHaveCursor(target) { setCursor(target) }
      return []
    case .click(let target):
      guard mayHaveCursor(target) else { return [] }
      setCursor(target)
      return open()
    case .open: return open()
    case .add(let addition): return add(addition)
    case .setEditing(let editing): return setEditing(editing)
    case .askToDelete(let id): return askToDelete(id)
    case .toggleFavorite: return toggleFavorite()
    case .escape: return escape()
    case .shift(let distance): return shift(distance)
    case .move(let number): return move(to: number)
    case .pickUp(let id): return pickUp(id)
    case .cut: return cutSubject()
    case .put(let above): return put(above: above)
    case .mark: return mark()
    case .markRange: return markRange()
    case .invertMarks: return invertMarks()
    case .search: return beginSearch()
    case .nextHit: return hit(by: 1)
    case .previousHit: return hit(by: -1)
    case .filter: return toggleFilter()
    case .choose(let choice): return choose(choice)
    case .show(let columns): return show(columns)
    case .sort(let order): return sort(order)
    case .undo: return lookUp(.undo)
    case .redo: return lookUp(.redo)
    default: return []
    }
  }

  /// Cancels one thing.
  private mutating func escape() -> [TableEffect] {
    if waiting != nil {
      waiting = nil
      form?.refuse("Not saved.")
      say(.hint, "Canceled; nothing was changed.")
    } else if drag != nil {
      drag = nil
      revealCursor()
    } else if search != nil {
      return leaveSearch()
    } else if !cut.isEmpty {
      cut = []
    } else if !marked.isEmpty || rangeStart != nil {
      (marked, rangeStart) = ([], nil)
    } else if sorting != nil {
      return leaveSorting()
    } else if isEditing {
      return setEditing(false)
    }
    return []
  }

  /// Edit mode and with it the "add" rows.
  mutating func setEditing(_ editing: Bool) -> [TableEffect] {
    guard editing != isEditing else { return [] }
    let anchor = topAnchor()
    isEditing = editing
    if case .end? = cursor, !editing { cursor = contents.ids.last.map { .row($0) } }
    restoreTop(anchor)
    if cursor == nil, editing { cursor = contents.sections.first.map { .end(of: $0.id) } }
    revealCursor()
    return []
  }
}
