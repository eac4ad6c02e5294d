internal import CustomerStore
internal import CustomerTable

/// The mouse, whose actions are table events, too.
extension TableFace {
  mutating func handle(_ event: MouseEvent, at now: ContinuousClock.Instant) -> [Request] {
    switch event.action {
    case .wheelUp: wheel(-1)
    case .wheelDown: wheel(1)
    case .press where event.button == 1: press(event, now)
    case .drag where event.button == 1: drag(event)
    case .release: release(event, now)
    case .press, .drag, .move: break
    }
    return []
  }

  private mutating func wheel(_ direction: Int) {
    if overlay != nil {
      _ = perform(.turn(direction))
    } else if state.form == nil, state.trouble == nil {
      session.send(.scroll(3 * direction))
    }
  }

  private mutating func press(_ event: MouseEvent, _ now: ContinuousClock.Instant) {
    // Only a key agrees to a command.
    guard question == nil else { return closeQuestion() }
    guard waitingCommand == nil else { return }
    let target = picture().target(column: event.column, row: event.row)
    count = nil
    switch mode {
    case .reading, .finding: overlay = nil
    case .command, .choosing, .ordering, .logging: prompt = nil
    case .form, .formDeleting, .formLeaving: pressInForm(target)
    case .confirming, .asking: answer(target)
    case .inHand:
      pointer.pressed = target
      drag(event)
    case .damaged, .unreadable: break
    case .searching, .list, .editing, .waiting, .viewing: pressInList(target, event, now)
    }
  }

  private mutating func answer(_ target: PointerTarget?) {
    switch target {
    case .deleteButton: session.send(.confirm)
    case .editButton: session.send(.setEditing(!state.isEditing))
    default: session.send(.dismiss)
    }
  }

  private mutating func pressInList(
    _ target: PointerTarget?, _ event: MouseEvent, _ now: ContinuousClock.Instant
  ) {
    switch target {
    case .editButton: session.send(.setEditing(!state.isEditing))
    case .control(let id): session.send(.askToDelete(id))
    case .handle(let id):
      session.send(.pickUp(id))
      (pointer.pressed, pointer.row) = (target, event.row)
    case .add(let section): session.send(.click(.end(of: section)))
    case .column(let column): sort(by: column)
    case .row(let id):
      session.send(.point(.row(id)))
      (pointer.pressed, pointer.row) = (target, event.row)
      if pointer.isSecond(.row(id), at: now) {
        pointer.pressed = nil
        session.send(.open)
      }
    default: break
    }
  }

  private mutating func pressInForm(_ target: PointerTarget?) {
    if let question = state.form?.question {
      let yes = question == .delete ? FormState.Focus.delete : .cancel
      session.send(.form(target == .form(yes) ? .confirm : .decline))
      return
    }
    switch target {
    case .form(.save): session.send(.form(.save))
    case .form(.cancel): session.send(.form(.cancel))
    case .form(.delete): session.send(.form(.delete))
    case .form(let focus):
      session.send(.form(.focus(focus)))
      if case .field(let index) = focus, state.form?.fields[index].text == nil {
        session.send(.form(.toggle))
      }
    case .letter(let focus, let index):
      session.send(.form(.focus(focus)))
      session.send(.form(.text(.cursor(index))))
    default: break
    }
  }

  private mutating func drag(_ event: MouseEvent) {
    if event.row != pointer.row { pointer.lastClick = nil }
    guard state.form == nil, let pressed = pointer.pressed else { return }
    if state.drag == nil {
      // In edit mode, a row is picked up as soon as the mouse leaves it.
      guard state.isEditing, case .row(let id) = pressed, event.row != pointer.row else { return }
      session.send(.pickUp(id))
    }
    guard state.drag != nil else { return }
    pointer.edge = event.row < listRows.lowerBound ? -1 : event.row >= listRows.upperBound ? 1 : 0
    switch picture().target(column: event.column, row: event.row) {
    case .row(let id), .control(let id), .handle(let id): session.send(.drag(over: .row(id)))
    case .add(let section), .footer(let section): session.send(.drag(over: .end(of: section)))
    default: break
    }
  }

  private mutating func release(_ event: MouseEvent, _ now: ContinuousClock.Instant) {
    if state.drag != nil, pointer.pressed != nil { session.send(.drop) }
    (pointer.pressed, pointer.row, pointer.edge) = (nil, nil, 0)
  }

  /// Rows in hand keep moving while the mouse is above or below the list.
  mutating func scrollAtEdge(at now: ContinuousClock.Instant) {
    guard pointer.edge != 0, state.drag != nil else { return pointer.nextScroll = nil }
    if let next = pointer.nextScroll, now < next { return }
    pointer.nextScroll = now + Pointer.scrollPause
    session.send(.go(.by(pointer.edge)))
  }
}

/// The state of the mouse.
struct Pointer {
  /// The target where the button went down, while it is down.
  var pressed: PointerTarget?
  /// The row on which it went down, which a drag picks up.
  var row: Int?
  /// Where the mouse is while rows are dragged, above (-1) or below (1) the list; it scrolls then.
  var edge = 0
  var nextScroll: ContinuousClock.Instant?
  /// The last click; another one soon after makes a double click.
  var lastClick: (target: PointerTarget, time: ContinuousClock.Instant)?

  static let doubleClick = Duration.milliseconds(400)
  static let scrollPause = Duration.milliseconds(60)

  /// Whether a click is the second of two.
  mutating func isSecond(_ target: PointerTarget, at now: ContinuousClock.Instant) -> Bool {
    if let last = lastClick, last.target == target, last.time.duration(to: now) < Self.doubleClick {
      lastClick = nil
      return true
    }
    lastClick = (target, now)
    return false
  }
}

enum PointerTarget: Hashable {
  /// The Edit or Done button.
  case editButton
  case row(CustomerID), control(CustomerID), handle(CustomerID)
  /// The title of a column.
  case column(ListColumn)
  case deleteButton
  /// The row that adds or the text below a section.
  case add(SectionID), footer(SectionID)
  /// A line or button of the form; a letter of its text, by the number of letters before it.
  case form(FormState.Focus), letter(FormState.Focus, Int)
}
