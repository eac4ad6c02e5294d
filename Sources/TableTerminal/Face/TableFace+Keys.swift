internal import CustomerStore
internal import CustomerTable

/// Keys, by the table of the bindings.
extension TableFace {
  /// What the keys are for now.
  var mode: KeyMode {
    if let overlay { return overlay.isFinding ? .finding : .reading }
    if commandLine != nil { return .command }
    switch state.trouble?.kind {
    case .damaged: return .damaged
    case .unreadable: return .unreadable
    case nil: break
    }
    if let form = state.form { return form.isConfirmingDelete ? .formDeleting : .form }
    if state.confirmation != nil { return .confirming }
    if state.question != nil { return .asking }
    if state.drag != nil { return .inHand }
    if state.search?.isTyping == true { return .searching }
    if state.waiting != nil { return .waiting }
    return state.policy.isReadOnly ? .viewing : state.isEditing ? .editing : .list
  }

  /// Does what keys and the mouse say.
  ///
  /// - Returns: what the owner is to do, in this order.
  public mutating func handle(_ events: [InputEvent], at now: ContinuousClock.Instant) -> [Request] {
    var requests: [Request] = []
    for event in events {
      message = nil
      switch event {
      case .key(let press): requests += handle(press.normalized)
      case .mouse(let event): requests += handle(event, at: now)
      case .paste(let text): if mode.isTyping { type(.insert(text)) }
      }
    }
    return requests
  }

  private mutating func handle(_ press: KeyPress) -> [Request] {
    let mode = mode
    if let command = KeyBindings.command(for: press, in: mode) { return perform(command) }
    if mode.isTyping {
      if let text = press.typed { type(.insert(text)) }
      return []
    }
    return KeyBindings.fallback(in: mode).map { perform($0) } ?? []
  }

  /// A key in the text that is open.
  mutating func type(_ edit: TextField.Edit) {
    switch mode {
    case .command: commandLine?.perform(edit)
    case .finding: overlay?.perform(edit)
    case .searching: session.send(.searchText(edit))
    case .form: session.send(.form(.text(edit)))
    default: break
    }
  }

  /// The number that was typed before this key, if any; it is used up.
  mutating func takeCount() -> Int? {
    defer { count = nil }
    return count
  }

  /// Whether Esc would do something.
  var canEscape: Bool {
    let state = state
    return state.form != nil || state.waiting != nil || state.drag != nil || state.search != nil
      || !state.cut.isEmpty || !state.marked.isEmpty || state.rangeStart != nil || state.isEditing
  }
}

extension TableMotion {
  /// The motion, so many times.
  func times(_ count: Int) -> TableMotion {
    switch self {
    case .by(let distance): .by(distance * count)
    case .pages(let pages): .pages(pages * count)
    case .halfPages(let pages): .halfPages(pages * count)
    case .sections(let distance): .sections(distance * count)
    case .first, .last, .number: .number(count)
    }
  }
}
