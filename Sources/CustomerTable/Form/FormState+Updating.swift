internal import CustomerStore

/// An action of a person in a form.
public enum FormEvent: Hashable, Sendable {
  /// Sends a text key to the focused line.
  case text(FormText.Edit)
  /// Sets or removes the focused mark.
  case toggle
  /// Enter: goes to the next line or presses the focused button.
  case enter
  /// Tab, Shift-Tab: moves the focus, including the buttons.
  case next, previous
  /// Moves the focus to the line below or above.
  case down, up
  /// A click on a line or button.
  case focus(FormState.Focus)
  /// The buttons.
  case save, cancel, delete
  /// Answers the question of the form.
  case confirm, decline
  /// Takes the other values for all fields that both have changed.
  case takeTheirs
}

extension FormState {
  /// Applies an action of the user.
  ///
  /// - Returns: what to do, once: a second tap on Save while the first is being done returns nil.
  @discardableResult
  public mutating func update(_ event: FormEvent) -> Outcome? {
    guard outcome == nil else { return nil }
    take(event)
    if let outcome { owner?(outcome) }
    return outcome
  }

  private mutating func take(_ event: FormEvent) {
    if let question {
      self.question = nil
      if event == .confirm || event == .enter { outcome = question == .delete ? .delete : .cancel }
      return
    }
    switch event {
    case .text(let edit): type(edit)
    case .toggle: toggle()
    case .enter: enter()
    case .next: step(1, among: lines + buttons)
    case .previous: step(-1, among: lines + buttons)
    case .down: step(1, among: lines)
    case .up: step(-1, among: lines)
    case .focus(let new): if (lines + buttons).contains(new) { focus = new }
    case .save: save()
    case .cancel: cancel()
    case .delete: if hasDelete { question = .delete }
    case .takeTheirs: decide(mine: false)
    case .confirm, .decline: break
    }
  }

  private var lines: [Focus] { fields.indices.map { .field($0) } }
  private var buttons: [Focus] { (hasDelete ? [.delete] : []) + [.save, .cancel] }

  private mutating func step(_ distance: Int, among all: [Focus]) {
    guard !all.isEmpty else { return }
    guard let focus, let index = all.firstIndex(of: focus) else { return self.focus = all[0] }
    self.focus = all[(index + distance + all.count) % all.count]
  }

  private mutating func enter() {
    switch focus {
    case .field, nil: step(1, among: lines)
    case .save: save()
    case .cancel: cancel()
    case .delete: question = .delete
    }
  }

  /// Closes the form; asks first if that would lose what was typed.
  private mutating func cancel() { if hasChanges { question = .discard } else { outcome = .cancel } }

  private mutating func type(_ edit: FormText.Edit) {
    guard case .field(let index)? = focus else { return }
    if fields[index].text != nil {
      fields[index].text?.perform(edit)
      fields[index].problem = nil
      growList(at: index)
    } else if edit == .insert(" ") {
      toggle()
    }
  }

  private mutating func toggle() {
    guard case .field(let index)? = focus, fields[index].text == nil else { return }
    fields[index].isSet.toggle()
  }

  private mutating func save() {
    validate()
    let wrong = fields.indices.filter { fields[$0].problem != nil }
    if let first = wrong.first {
      focus = .field(first)
      message = FormState.invalidMessage(wrong.count)
      return
    }
    guard !showConflict() else { return }
    decide(mine: true)
    outcome = .save(edited, place: editedPlace)
  }

  private mutating func validate() {
    let problems = options.check(edited)
    for index in fields.indices {
      switch fields[index].id {
      case .field(let field): fields[index].problem = problems[field]
      case .value: break
      case .place: fields[index].problem = placeProblem(fields[index].text?.text ?? "")
      }
    }
  }

  private func placeProblem(_ text: String) -> String? {
    guard let places = options.places, text != originalPlace.map(String.init) ?? "" else { return nil }
    if let place = Int(text), places.contains(place) { return nil }
    return "must be \(places.lowerBound)–\(places.upperBound)"
  }
}
