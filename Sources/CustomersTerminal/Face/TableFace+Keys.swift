internal import CustomerStore
internal import CustomerTable

/// Keys, by the table of the bindings.
extension TableFace {
  /// The current mode of the keys.
  var mode: KeyMode {
    if question != nil { return .asking }
    if let overlay { return overlay.isFinding ? .finding : .reading }
    if let prompt { return prompt.purpose == .command ? .command : .choosing }
    switch state.trouble?.kind {
    case .damaged: return .damaged
    case .unreadable: return .unreadable
    case nil: break
    }
    if let form = state.form {
      switch form.question {
      case .delete: return .formDeleting
      case .discard: return .formLeaving
      case nil: return .form
      }
    }
    if state.confirmation != nil { return .confirming }
    if state.question != nil { return .asking }
    if state.drag != nil { return .inHand }
    if state.search?.isTyping == true { return .searching }
    if state.waiting != nil { return .waiting }
    return state.policy.isReadOnly ? .viewing : state.isEditing ? .editing : .list
  }

  /// Handles keys and the mouse.
  ///
  /// - Returns: what the owner must do, in this order.
  public mutating func handle(_ events: [InputEvent], at now: ContinuousClock.Instant) -> [Request] {
    var requests: [Request] = []
    for event in events {
      switch event {
      case .key(let press):
        message = nil
        requests += handle(press.normalized)
      case .mouse(let event):
        if event.action == .press { message = nil }
        requests += handle(event, at: now)
      case .paste(let text): if mode.isTyping { type(.insert(text)) }
      }
      layOut()
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

  /// Handles a key in the open text.
  mutating func type(_ edit: FormText.Edit) {
    switch mode {
    case .command, .choosing: prompt?.field.perform(edit)
    case .finding: overlay?.perform(edit)
    case .searching: session.send(.searchText(edit))
    case .form: session.send(.form(.text(edit)))
    default: break
    }
  }

  /// Takes the number that was typed before this key, if any.
  mutating func takeCount() -> Int? {
    defer { count = nil }
    return count
  }

  /// Whether Esc would do anything.
  var canEscape: Bool {
    let state = state
    return state.form != nil || state.waiting != nil || state.drag != nil || state.search != nil
      || !state.cut.isEmpty || !state.marked.isEmpty || state.rangeStart != nil || state.sorting != nil
      || state.isEditing
  }
}

extension TableMotion {
  /// The motion, repeated.
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
