package import CustomerStore

extension TableState {
  /// Handles an event.
  ///
  /// - Returns: what the owner of the table must do, in this order; the result of each effect is an event.
  /// - Complexity: O(screen + sections), however long the list is; O(n log n) for the rows of a sorted view, once
  ///   they were read.
  package mutating func update(_ event: TableEvent) -> [TableEffect] {
    var effects = respond(event)
    if let range = unreadRange {
      unreadRange = nil
      effects.append(.load(.mark(range)))
    }
    // Reads rows that are missing on the screen; after a failure, and if it was too much, at the next event.
    switch event {
    case .failed: return effects
    case .loaded, .changed, .wrote: if contents.isCut { return effects }
    default: break
    }
    let isLoading = effects.contains { if case .load = $0 { true } else { false } }
    if !isLoading, !coversScreen || shownLog == nil { effects.append(.load(.keep)) }
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
    case .hold:
      held = subject.isEmpty ? nil : HeldRows(customers: subject)
      return []
    case .letGo:
      held = nil
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
      defer { hasLostQuestion = false }
      if hasLostQuestion, form == nil, case .open = event { return [] }
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
    case .toggleDue: return toggleDue()
    case .log(let text, let next): return log(text, next: next)
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
      if form?.outcome != nil { form?.refuse("Not saved.") }
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

/// The form of a row and its outcome.
extension TableState {
  mutating func open() -> [TableEffect] {
    switch cursor {
    case .end(let section): openForm(.add(at: .last, in: section))
    case .row(let id):
      guard let customer = contents[id] else { return [] }
      guard policy.canEdit(customer) else { return refuseEditing(customer) }
      openForm(.edit(id), customer)
    case nil: break
    }
    return []
  }

  mutating func add(_ addition: TableAddition) -> [TableEffect] {
    guard policy.allowsAdding else { return [] }
    if !showsWholeList, addition != .last {
      _ = refuseOutOfOrder("added between others")
      return []
    }
    switch (cursor, addition) {
    case (.row(let id)?, .above): openForm(.add(at: .before(id), in: nil))
    case (.row(let id)?, .below): openForm(.add(at: .after(id), in: nil))
    case (.row(let id)?, .last): openForm(.add(at: .last, in: contents[id]?.place.section))
    case (.end(let section)?, _): openForm(.add(at: .last, in: section))
    case (nil, _): openForm(.add(at: .last, in: contents.sections.first?.id))
    }
    return []
  }

  private mutating func openForm(_ mode: FormState.Mode, _ customer: Customer? = nil) {
    var options = policy.form(
      of: customer, contents.columns, beside: contents.ids.compactMap { contents[$0] })
    if let customer, policy.canMove(customer),
      let section = contents.sections.first(where: { $0.id == customer.place.section })
    {
      options.places = 1...max(1, section.count)
    }
    form = FormState(mode, customer?.fields ?? CustomerFields(), place: customer?.place, options: options)
  }

  mutating func toggleFavorite() -> [TableEffect] {
    let isSet = !subject.allSatisfy(\.fields.isFavorite)
    return writeOfSubject("edit") { .update($0, [.isFavorite: .flag(isSet)]) }
  }

  /// Makes an edit of those it is about, unless one of them is protected.
  private mutating func writeOfSubject(
    _ action: String, _ edit: ([CustomerID]) -> ListEdit
  ) -> [TableEffect] {
    let rows = subject
    guard !rows.isEmpty else { return [] }
    if let customer = rows.first(where: { !policy.canEdit($0) }) { return refuseEditing(customer) }
    return write(.edits([edit(rows.map(\.id))]), action)
  }

  /// The customer whose log is shown: the one in the form, or the one about whom a line is being typed.
  var wantedLog: CustomerID? {
    switch form?.mode {
    case .edit(let id): id
    case .add: nil
    case nil: held?.customers.count == 1 ? held?.customers[0].id : nil
    }
  }

  /// The log that is shown, the latest line first; nil if it must be read.
  package var shownLog: [LogLine]? {
    guard let id = wantedLog, contents.isRead else { return [] }
    return contents.logged == id ? contents.log : nil
  }

  private mutating func log(_ text: String, next: String?) -> [TableEffect] {
    if let lost { return refuse(lost) }
    return writeOfSubject("log") { .log($0, text, next: next) }
  }

  /// Refuses an edit of a customer that is no longer in the list.
  mutating func refuse(_ lost: Customer) -> [TableEffect] {
    say(.refusal, "\"\(lost.name)\" is no longer in the list.")
    return []
  }

  mutating func refuseEditing(_ customer: Customer) -> [TableEffect] {
    say(.refusal, "\"\(customer.name)\" is protected against editing and deleting.")
    return []
  }

  mutating func updateForm(_ event: FormEvent) -> [TableEffect] {
    form?.update(event) == nil ? [] : finishForm()
  }

  /// Does what the open form has asked for; if an earlier edit waits, only once that one is done.
  mutating func finishForm() -> [TableEffect] {
    guard let form, let outcome = form.outcome else { return [] }
    switch (outcome, form.mode) {
    case (.cancel, _), (.delete, .add):
      self.form = nil
      return []
    case _ where waiting != nil: return []
    // With what others have done since it was asked for.
    case (.save, .edit(let id)): return save(form, id, form.edited, form.editedPlace)
    case (.save(let fields, _), .add(let destination, let section)):
      return writeForm(.edits([.insert([NewCustomer(fields)], at: destination, in: section)]), "add")
    case (.delete, .edit(let id)):
      return writeForm(.edits([.delete([id], asSeenAt: contents.version)]), "delete")
    }
  }

  private func writeForm(_ work: TableWrite.Work, _ action: String) -> [TableEffect] {
    [.write(TableWrite(work: work, action: action, isOfForm: true))]
  }

  private mutating func save(
    _ form: FormState, _ id: CustomerID, _ fields: CustomerFields, _ place: Int?
  ) -> [TableEffect] {
    if form.isGone {
      let section =
        contents.sections.contains { $0.id == form.section } ? form.section : contents.sections.first?.id
      let count = contents.sections.first { $0.id == section }?.count ?? 0
      let order = min(place ?? form.originalPlace ?? count + 1, count + 1)
      return writeForm(.edits([.insert([NewCustomer(fields)], at: .place(order), in: section)]), "add")
    }
    guard form.hasChanges else {
      self.form = nil
      return []
    }
    return writeForm(.save(id, from: form.original, to: fields, place: place), "edit")
  }
}

/// Undo and redo: of this table's steps at once, of another program's after a question.
extension TableState {
  mutating func lookUp(_ reversal: TableWrite.Reversal) -> [TableEffect] {
    waiting == nil ? [.lookUp(reversal)] : refuseWhileWaiting()
  }

  mutating func offered(_ step: HistoryStep?, _ reversal: TableWrite.Reversal) -> [TableEffect] {
    guard form == nil, drag == nil, confirmation == nil else { return [] }
    guard let step else {
      say(.hint, "Nothing to \(reversal == .undo ? "undo" : "redo").")
      return []
    }
    if ownSteps.contains(step.id) { return revert(step, reversal) }
    question = UndoQuestion(step: step, reversal: reversal)
    let program = step.program.isEmpty ? "another program" : step.program
    let action = step.action.isEmpty ? "an edit" : "\"\(step.action)\""
    say(.hint, "\(reversal == .undo ? "Undo" : "Redo") \(action) by \(program)?")
    return []
  }

  mutating func revert(_ step: HistoryStep, _ reversal: TableWrite.Reversal) -> [TableEffect] {
    write(.revert(reversal, expecting: step), reversal == .undo ? "undo" : "redo")
  }
}
