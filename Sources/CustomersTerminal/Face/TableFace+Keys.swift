internal import CustomerStore
internal import CustomerTable

/// Keys, by the table of the bindings.
extension TableFace {
  /// The current mode of the keys.
  var mode: KeyMode {
    if question != nil { return .asking }
    if let overlay { return overlay.isFinding ? .finding : .reading }
    if let prompt { return prompt.purpose.mode }
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
    if state.waiting != nil || waitingCommand != nil { return .waiting }
    return state.policy.isReadOnly ? .viewing : state.isEditing ? .editing : .list
  }

  /// Handles keys and the mouse.
  ///
  /// - Returns: what the owner must do, in this order.
  package mutating func handle(_ events: [InputEvent], at now: ContinuousClock.Instant) -> [Request] {
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
    let command = KeyBindings.command(for: press, in: mode)
    // What is done while it waits would come before it.
    if waitingCommand != nil, let name = waitingName, let command { return perform(command, besides: name) }
    if let command { return perform(command) }
    if mode.isTyping {
      if let text = press.typed { type(.insert(text)) }
      return []
    }
    return KeyBindings.fallback(in: mode).map { perform($0) } ?? []
  }

  /// Handles a key in the open text.
  mutating func type(_ edit: FormText.Edit) {
    switch mode {
    case .command, .choosing, .ordering, .logging: prompt?.field.perform(edit)
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

extension TableEvent {
  /// The event of a key after a number: repeated, or to the row with this number.
  func times(_ count: Int) -> TableEvent {
    switch self {
    case .go(let motion): .go(motion.times(count))
    case .open, .drop: .go(.number(count))
    case .shift(let distance): .shift(distance * count)
    case .escape: .dismiss
    default: self
    }
  }
}

/// The effects of keys.
extension TableFace {
  /// Numbers larger than any list are not extended.
  private static let largestCount = 100_000_000

  mutating func perform(_ command: KeyCommand) -> [Request] {
    if case .digit(let digit) = command {
      count = min((count ?? 0) * 10 + digit, Self.largestCount)
      if count == 0 { count = nil }
      return []
    }
    let count = takeCount()
    if let question {
      closeQuestion()
      return if case .confirm = command { [question.request] } else { [] }
    }
    switch command {
    case .send(let event): session.send(count.map(event.times) ?? event)
    case .toggleEditing: session.send(.setEditing(!state.isEditing))
    case .confirm: session.send(state.form == nil ? .confirm : .form(.confirm))
    case .extend(let distance): extend(distance)
    case .text(let edit): type(edit)
    case .cancel: return cancel()
    case .dismiss: session.send(state.form == nil ? .dismiss : .form(.decline))
    case .copy: return copy()
    case .openCommandLine: prompt = Prompt(purpose: .command, field: FormText())
    case .openColumns: return askForColumns()
    case .openOrder: return askForOrder()
    case .reverseOrder: return reverseOrder()
    case .openLog: askForLog()
    case .recall(let distance): recall(distance)
    case .complete:
      guard let prompt, let start = prompt.purpose.completion,
        prompt.field.cursor == prompt.field.characters.count
      else { break }
      return [.complete(start + prompt.field.text)]
    case .closePrompt: prompt = nil
    case .finishPrompt: return finishPrompt()
    case .help: overlay = .help
    case .turn(let distance):
      let (height, width) = (overlayRows.count - 2, overlayColumns.count - 4)
      overlay?.turn(distance, in: height, width: width)
    case .find: overlay?.find()
    case .endFinding: overlay?.endFinding()
    case .closeOverlay: overlay = nil
    case .repair: return [.repair]
    case .toggleMouse:
      usesMouse.toggle()
      message = TableNotice(
        kind: .done, text: usesMouse ? "The mouse is on." : "The mouse is off; the terminal selects text now."
      )
      return [.setMouse(usesMouse)]
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .quit: return quit()
    case .digit: break
    }
    return []
  }

  /// Performs what a key means while a typed command waits for another program.
  private mutating func perform(_ command: KeyCommand, besides name: String) -> [Request] {
    switch command {
    case .send(.escape), .cancel: stopWaiting()
    case .redraw, .suspend: return perform(command)
    default:
      message = TableNotice(
        kind: .refusal, text: "\(name) is still waiting for another program; press Esc to cancel it.")
    }
    return []
  }

  private mutating func extend(_ distance: Int) {
    if state.rangeStart == nil { session.send(.markRange) }
    session.send(.go(.by(distance)))
  }

  private mutating func cancel() -> [Request] {
    switch mode {
    case .reading, .finding: overlay = nil
    case .command, .choosing, .ordering, .logging: prompt = nil
    case .confirming, .asking: session.send(.dismiss)
    case .formDeleting, .formLeaving: session.send(.form(.decline))
    case .damaged, .unreadable: return [.quit(130)]
    default:
      guard canEscape else { return [.quit(130)] }
      session.send(.escape)
    }
    return []
  }

  private mutating func quit(_ isForced: Bool = false) -> [Request] {
    guard let waiting = state.waiting, !isForced else { return [.quit(0)] }
    message = waiting.refusal
    return []
  }

  private mutating func copy() -> [Request] {
    let customers = state.subject
    guard !customers.isEmpty else { return [] }
    message = TableNotice(kind: .done, text: "Copied \(state.name(customers)).")
    return [.copy(customers.map(\.copied).joined(separator: "\n"))]
  }

  /// Puts an earlier or a later line into the command line; after the last one it is empty.
  private mutating func recall(_ distance: Int) {
    guard var prompt, !lines.isEmpty else { return }
    prompt.recalled = min(max((prompt.recalled ?? lines.count) + distance, 0), lines.count)
    prompt.field = FormText(prompt.recalled.flatMap { $0 < lines.count ? lines[$0] : nil } ?? "")
    self.prompt = prompt
  }

  /// The number of lines that can be recalled.
  private static let keptLines = 100

  /// Runs a line of the command line.
  mutating func run(_ line: String) -> [Request] {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard let first = words.first else { return [] }
    lines = (lines.filter { $0 != line } + [line]).suffix(Self.keptLines)
    if words.count == 1, let requests = runAsInVi(String(first)) { return requests }
    let held = state.held
    (lost, replacements) = (state.lost, state.replacements)
    guard lost != nil, held?.areOfAnotherList == true else {
      return [.command(line, on: held?.customers.map(\.id) ?? [], agreed: [])]
    }
    refuseOfAnotherList()
    return []
  }

  private mutating func refuseOfAnotherList() {
    finished("this is another list now; : and ↑ bring the line back.", isError: true)
  }

  /// Refuses a command about rows if another list has taken the place of theirs since it was typed: their ids may be those
  /// of other customers.
  ///
  /// - Returns: whether it was refused.
  mutating func refuses(_ request: Request) -> Bool {
    guard case .command(_, let rows, _) = request, !rows.isEmpty, replacements != state.replacements else {
      return false
    }
    refuseOfAnotherList()
    return true
  }

  /// Does what a command of one word means in vi or is a key of the table; nil for any other.
  private mutating func runAsInVi(_ word: String) -> [Request]? {
    switch word {
    case "q", "quit", "wq", "x", "xit": return quit()
    case "q!", "quit!", "wq!", "x!": return quit(true)
    case "w", "w!", "write":
      guard state.waiting == nil else { return quit() }
      message = TableNotice(kind: .done, text: "Everything is saved already.")
    case "$": session.send(.go(.last))
    case "delete", "rm": session.send(.askToDelete(nil))
    case _ where word.allSatisfy(\.isASCII):
      guard let row = Int(word) else { return nil }
      session.send(.go(.number(row)))
    default: return nil
    }
    return []
  }

  /// Takes a question of a command off the screen, with the lines that belong to it.
  mutating func closeQuestion() { (question, overlay) = (nil, nil) }
}
