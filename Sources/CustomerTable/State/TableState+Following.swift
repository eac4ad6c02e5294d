internal import CustomerStore

/// Answers from the list: rows, and the changes made by this or another program.
extension TableState {
  mutating func loaded(_ new: TableContents) -> [TableEffect] {
    adopt(new)
    return []
  }

  mutating func changed(_ steps: [ListStep]?, _ new: TableContents) -> [TableEffect] {
    if isOtherList(new) { startOver() }
    let newSteps = steps?.filter { $0.edits.upperBound > contents.version.edit } ?? []
    let foreign = newSteps.filter { !ownSteps.contains($0.id) }
    let adopted = newSteps.filter { ownSteps.contains($0.id) }
    let isNew = new.version.edit > contents.version.edit
    let touched = foreign.writtenCustomers
    let moved = foreign.movedCustomers
    adopt(new, moved: moved)
    if isNew { flashing = moved.union(touched) }
    if isNew, notice == nil || notice == news, let step = foreign.last {
      say(
        .hint,
        step.program.isEmpty
          ? "Another program changed the list." : "Another program ran: \(step.program) \(step.action)")
      news = notice
    }
    let written = adopted.writtenCustomers + adopted.customersMoved(bySorting: false)
    // A command that names no row, such as a sort, leaves the cursor where it is, and on the screen.
    let seen = written.first { contents[$0] != nil } ?? (adopted.isEmpty ? nil : current?.id)
    let reveal = seen.map { load(row: 0, ids: [$0]) }
    return (isNew ? restartSearch() + restartSort() : []) + (reveal.map { [$0] } ?? [])
  }

  mutating func wrote(
    _ write: TableWrite, _ result: TableWrite.Result, _ new: TableContents
  ) -> [TableEffect] {
    waiting = nil
    let rows = result.outcomes.flatMap(\.rows)
    adopt(new, moved: Set(rows.lazy.filter(\.isMoved).map(\.id)))
    ownSteps.formUnion([result.step?.id, result.reverted?.id].compactMap { $0 })
    if write.isOfForm { form = nil }
    var effects = restartSearch() + restartSort()
    switch write.work {
    case .edits(let edits): effects += wrote(edits, rows, result.outcomes)
    case .save: revealCursor()
    case .revert(let reversal, _):
      guard let step = result.reverted else { break }
      let changes = result.outcomes.map { outcome in
        let presenter = TextPresenter(outcome, isUndo: reversal == .undo)
        return reversal == .undo ? presenter.undone : presenter.summary
      }
      let action = step.action.isEmpty ? "an edit" : step.action
      let parts = [action] + changes.filter { !$0.isEmpty }
      say(
        .done,
        Sentence(reversal == .undo ? .undo : .redo, parts.joined(separator: ": ")).text(isDryRun: false))
      if let row = rows.first(where: { $0.to != nil && $0.isChanged }) {
        effects.append(load(row: contents.row(of: row.id) ?? 0, ids: [row.id]))
      }
    }
    return effects + finishForm()
  }

  private mutating func wrote(
    _ edits: [ListEdit], _ rows: [EditOutcome.Row], _ outcomes: [EditOutcome]
  ) -> [TableEffect] {
    let words = outcomes.map { TextPresenter($0) }
    let changes = words.compactMap(\.sentence)
    if !changes.isEmpty { say(.done, changes.joined(separator: " ")) }
    switch edits.first {
    case .insert:
      guard let new = rows.last else { return [] }
      if sorting?.rows != nil {
        sorting?.goal = .cursor([new.id], row: 0)
        return []
      }
      return [load(row: 0, ids: [new.id])]
    case .log(let ids, _, _, _, _):
      marked.subtract(ids)
      guard showsDue, case .row(let id)? = cursor, ids.contains(id) else { break }
      // The row stays in the list, whether it leaves the view or not.
      let others = contents.ids.drop { $0 != id } + contents.ids.prefix { $0 != id }
      if let next = others.first(where: { !ids.contains($0) && contents[$0] != nil }) {
        setCursor(.row(next))
      }
    case .move(let ids, _, _, _):
      cut.subtract(ids)
      if changes.isEmpty, let unmoved = words.first?.unmoved { say(.hint, unmoved) }
      if case .row(let id)? = cursor, contents[id] != nil,
        contents.row(of: id).map({ contents[$0] == nil }) ?? false
      {
        return [load(row: 0, ids: [id])]
      }
      revealCursor()
    default: break
    }
    return []
  }

  mutating func failed(_ effect: TableEffect, _ error: any Error) -> [TableEffect] {
    let kind = ErrorKind(of: error)
    let isLocked = kind == .locked
    guard case .write(let write) = effect else {
      // The displayed rows stay and are read again when the file is free.
      if case .lookUp = effect {
        say(.refusal, isLocked ? "Another program is writing; try again." : "\(error)")
      }
      if case .load(let goal) = effect {
        if case .mark = goal {
          rangeStart = nil
          say(.refusal, isLocked ? "Another program is writing; nothing was marked." : sentence(error))
        } else if !isLocked {
          note(error)
        }
      }
      switch effect {
      case .scan: say(.refusal, "\(error)")
      case .choose: say(.refusal, isLocked ? "Another program is writing; try again." : sentence(error))
      case .sort:
        say(.refusal, "\(error)")
        return leaveSorting()
      default: break
      }
      return []
    }
    if isLocked {
      waiting = write
      say(.hint, "Another program is writing; \(write.action) waits for it.")
      return []
    }
    // A line of the log that waited was closed; its text is not lost.
    let text = waiting == nil ? nil : write.loggedText
    waiting = nil
    if kind == .readOnly { becomeReadOnly() }
    if let conflict = error as? FieldConflict {
      form?.refuse(conflict)
    } else if write.isOfForm {
      form?.refuse("Not saved: \(error).")
    } else if kind == .damaged {
      note(error, isOfEdit: true)
    } else {
      say(.refusal, "Nothing was changed: \(error)" + (text.map { "; what was typed: \($0)" } ?? "."))
    }
    return [.load(.keep)] + finishForm()
  }

  /// Shows what was read; the cursor and the rows on the screen stay in place.
  private mutating func adopt(_ new: TableContents, moved: Set<CustomerID> = []) {
    if isOtherList(new) { startOver() }
    if trouble?.isOfEdit == false || new.version.edit > contents.version.edit { trouble = nil }
    guard new.version.edit >= contents.version.edit else { return }
    let isSameList = new.version == contents.version && new.only == contents.only
    let anchor = topAnchor(without: moved)
    let old = contents
    contents = new
    if !new.gone.isEmpty { forget(new.gone, old) }
    // So that no later transaction looks them up again.
    if !new.deleted.isEmpty { forgetRows(new.deleted) }
    placeCursor(new)
    followConfirmation()
    if case .edit(let id)? = form?.mode, new.gone.contains(id) || new[id] != nil {
      let wasGone = form?.isGone == true
      form?.follow(new[id]?.fields)
      // What waits to be saved is no new customer.
      if !wasGone, form?.isGone == true { form?.outcome = nil }
    }
    switch new.goal {
    case .keep: if !isSameList { restoreTop(anchor, else: new.top) }
    case .mark(let marking):
      if !isSameList { restoreTop(anchor, else: new.top) }
      mark(marking, new)
    case .cursor, .position:
      let isSeen = isCursorSeen
      if !isSameList { restoreTop(anchor, else: new.top) }
      if !isSeen, let line = cursorLine, abs(line - top) > 2 * height { top = line - height / 2 }
      revealCursor()
      if case .position(let position) = new.goal, current.map(new.listRow) != position - 1 {
        say(.refusal, "Row \(position) is not shown.")
      }
    case .gap:
      if let ids = drag?.ids, let wanted = new.wanted, !ids.contains(wanted) {
        drag?.anchor = .before(wanted)
        revealCursor()
      }
    }
  }

  /// Whether what was read is another list than the one that is shown: it was restored, for example.
  private func isOtherList(_ new: TableContents) -> Bool { contents.isRead && new.other == contents.version }

  /// Forgets what was chosen, which may mean other rows and steps in another list.
  private mutating func startOver() {
    replacements += 1
    hasLostQuestion = hasLostQuestion || confirmation != nil || drag != nil
    (ownSteps, marked, cut) = ([], [], [])
    (rangeStart, drag, confirmation, question) = (nil, nil, nil, nil)
    contents = TableContents()
    held?.areOfAnotherList = true
    form?.detach()
    say(.hint, "This is another list now: it was restored, repaired, or replaced.")
  }

  private mutating func placeCursor(_ new: TableContents) {
    let old = cursor
    let isThere: Bool
    switch cursor {
    case .row(let id):
      // A match may be deleted before the search knows it.
      isThere = !new.gone.contains(id) && (new.only == nil || new.row(of: id) != nil)
    case .end(let section): isThere = isEditing && new.sections.contains { $0.id == section }
    case nil: isThere = false
    }
    let hasGoal =
      switch new.goal {
      case .cursor, .position: true
      case .keep, .gap, .mark: false
      }
    if hasGoal || !isThere {
      cursor =
        new.wanted.map { .row($0) }
        ?? (isEditing ? new.sections.first.map { .end(of: $0.id) } : nil)
    }
    if case .row(let id)? = cursor, let row = contents.row(of: id) { cursorRow = row }
    if cursor != old, rangeStart != nil { extendRange(from: old) }
  }

  /// Customers that another program has deleted.
  private mutating func forget(_ gone: Set<CustomerID>, _ old: TableContents) {
    marked.subtract(gone)
    cut.subtract(gone)
    if let start = rangeStart, gone.contains(start) { rangeStart = nil }
    guard var drag else { return }
    let lost = drag.ids.filter { gone.contains($0) }
    drag.ids.removeAll { gone.contains($0) }
    if drag.ids.isEmpty, let first = lost.first {
      (self.drag, hasLostQuestion) = (nil, true)
      say(.hint, "\(old[first].map { "\"\($0.name)\"" } ?? "The row") is already deleted.")
      return
    }
    if case .before(let id) = drag.anchor, gone.contains(id) {
      drag.anchor = anchor(after: id, in: old, without: drag.ids)
    }
    self.drag = drag
  }

  /// The row after one that is gone, if known.
  private func anchor(
    after id: CustomerID, in old: TableContents, without ids: [CustomerID]
  ) -> DragSession.Anchor {
    guard let customer = old[id] else { return .end(of: contents.sections.first?.id ?? 1) }
    let following = old.ids.drop { $0 != id }.dropFirst()
    let next = following.first {
      old[$0]?.place.section == customer.place.section
        && contents[$0]?.place.section == customer.place.section && !ids.contains($0)
    }
    return next.map { .before($0) } ?? .end(of: customer.place.section)
  }
}
