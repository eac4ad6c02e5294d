public import CustomerStore

/// A form for one customer: a copy of the fields, until one of three outcomes says what to do with it.
///
/// The form writes nothing itself. It can also be used without a table: its owner sends it events and acts on
/// what `update` returns, or on what `owner` is called with.
public struct FormState: Sendable {
  /// The purpose of the form.
  package enum Mode: Hashable, Sendable {
    /// A new customer.
    case add(at: Destination, in: SectionID?)
    /// A customer of the list.
    case edit(CustomerID)
  }

  /// The appearance of a form.
  package struct Options: Sendable {
    /// The fields in sections, in display order: at first one section with those of every customer.
    package var sections = [FormSection(fields: CustomerField.edited)]
    /// The fields of all sections; setting them makes one section without a caption.
    package var fields: [CustomerField] {
      get { sections.flatMap(\.fields) }
      set { sections = [FormSection(fields: newValue)] }
    }
    /// The labels that differ from the fields' titles.
    package var labels: [CustomerField: String] = [:]
    /// The placeholders of empty fields.
    package var placeholders: [CustomerField: String] = [:]
    /// Whether the place is a line of the form, and the allowed places.
    package var places: ClosedRange<Int>?
    /// The kinds of the extra columns.
    package var kinds = ColumnKinds()
    /// The title.
    package var title = ""
    /// Whether labels are shown.
    package var showsLabels = true
    /// Whether there is a Delete button; nil for yes in edit mode and no in add mode.
    package var allowsDelete: Bool?
    /// The line that gets the focus first, from 0; none if there is no such line.
    package var firstFocus = 0
    /// The values of the buttons.
    package var deleteTitle = "Delete", saveTitle = "Save", cancelTitle = "Cancel"
    /// Error messages, by field.
    package var check: @Sendable (CustomerFields) -> [CustomerField: String] = { _ in [:] }

    /// The fields that every customer has.
    package init() {}

    /// The fields that every customer has, and the extra columns of a list with what their values are.
    ///
    /// - Throws: `StoreError`.
    /// - Complexity: O(customers).
    package init(_ list: borrowing CustomerList) throws {
      let columns = try list.columnsWithKinds()
      if !columns.isEmpty { sections.append(FormSection(fields: columns.map { .extra($0.name) })) }
      kinds = ColumnKinds(columns.compactMap(\.declared))
    }

    package func label(of field: CustomerField) -> String { labels[field] ?? field.title }
  }

  /// An element that can have the focus.
  package enum Focus: Hashable, Sendable {
    /// A line, from 0.
    case field(Int)
    /// A button.
    case save, cancel, delete
  }

  /// A question of the form, which takes the next key.
  package enum Question: Hashable, Sendable {
    /// Whether to delete the customer.
    case delete
    /// Whether to close the form and lose what was typed.
    case discard
  }

  /// The outcome of a form.
  package enum Outcome: Hashable, Sendable {
    /// Save these fields, at a place if the form has one and the user has changed it.
    case save(CustomerFields, place: Int?)
    /// Do nothing.
    case cancel
    /// Delete the customer.
    case delete
  }

  /// The purpose of the form.
  package let mode: Mode
  /// The appearance of the form.
  package let options: Options
  /// The lines.
  public internal(set) var fields: [FormField]
  /// The element with the focus; nil for none.
  package internal(set) var focus: Focus?
  /// The question that waits for an answer; nil for none.
  package internal(set) var question: Question?
  /// Whether the customer was deleted by someone else; saving asks for it to be added again.
  package internal(set) var isGone = false
  /// Whether the list was restored or replaced, so that the customer's id may be another customer's now.
  var isDetached = false
  /// When the form was opened.
  let start = ContinuousClock.now
  /// The form's message, such as why it was not saved.
  public internal(set) var message: String?
  /// The message, as soon as there is one; until it is withdrawn, events do nothing.
  package internal(set) var outcome: Outcome?
  /// Called once with the outcome, when `update` returns it; whoever owns the form may replace it at any time.
  package var owner: (@Sendable (Outcome) -> Void)?
  /// The fields that the form starts with, updated with others' changes.
  package internal(set) var original: CustomerFields
  let originalPlace: Int?
  let section: SectionID?

  /// Opens a form.
  ///
  /// - Parameters:
  ///   - mode: the purpose of the form.
  ///   - values: the initial fields; usually empty in add mode.
  ///   - place: the place of the customer.
  ///   - options: its appearance.
  package init(
    _ mode: Mode, _ values: CustomerFields = CustomerFields(), place: CustomerPlace? = nil,
    options: Options = Options()
  ) {
    (self.mode, self.options, original) = (mode, options, values)
    (originalPlace, section) = (place?.order, place?.section)
    fields = options.fields.flatMap { FormState.rows($0, values[$0], options) }
    if options.places != nil {
      fields.append(
        FormField(.place, .text(place.map { String($0.order) } ?? ""), label: "Place", placeholder: ""))
    }
    focus = fields.indices.contains(options.firstFocus) ? .field(options.firstFocus) : nil
  }

  /// Whether there is a Delete button.
  package var hasDelete: Bool {
    if let allows = options.allowsDelete { return allows }
    if case .edit = mode { return !isGone }
    return false
  }

  /// The current fields of the form.
  package var edited: CustomerFields {
    var edited = original
    for line in fields {
      guard case .field(let field) = line.id else { continue }
      edited[field] = field.kind == .lines ? list(field) : line.value(original: original[field])
    }
    return edited
  }

  /// The place that the user has entered; nil if it is unchanged.
  package var editedPlace: Int? {
    guard let line = fields.first(where: { $0.id == .place }) else { return nil }
    let place = line.text.flatMap { Int($0.text) }
    return place == originalPlace ? nil : place
  }

  /// Whether there is something to save.
  package var hasChanges: Bool { edited != original || editedPlace != nil }
}

/// An action of a person in a form.
package enum FormEvent: Hashable, Sendable {
  /// Sends a text key to the focused line.
  case text(FormText.Edit)
  /// Sets or removes the focused mark.
  case toggle
  /// Enter: goes to the next line or presses the focused button.
  case enter
  /// Tab, Shift-Tab: moves the focus, including the buttons.
  case next, previous
  /// Moves the cursor to the line below or above in a text of several lines, otherwise the focus.
  case down, up
  /// Takes the next day or choice, or with -1 the one before.
  case step(Int)
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
  /// What a line says, for a control that shows and sets it; no text for a line that is not there.
  ///
  /// A list, such as the tags, gets one more line when the last one is filled in.
  public subscript(id: FormField.Binding) -> FieldValue {
    get {
      let line = fields.first { $0.id == id }
      return line?.value(original: .text("")) ?? .text("")
    }
    set {
      guard let index = fields.firstIndex(where: { $0.id == id }), self[id] != newValue else { return }
      update(.focus(.field(index)))
      update(fields[index].text == nil ? .toggle : .text(.replace(newValue.text)))
    }
  }

  /// Applies an action of the user.
  ///
  /// - Returns: what to do, once: a second tap on Save while the first is being done returns nil.
  @discardableResult
  package mutating func update(_ event: FormEvent) -> Outcome? {
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
    case .step(let distance): stepValue(distance)
    case .toggle: toggle()
    case .enter: enter()
    case .next: step(1, among: lines + buttons)
    case .previous: step(-1, among: lines + buttons)
    case .down: if !moveInText(1) { step(1, among: lines) }
    case .up: if !moveInText(-1) { step(-1, among: lines) }
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
    if let kind = fields[index].kind, !kind.pickable.isEmpty {
      pick(edit, at: index, kind)
    } else if case .insert(let new) = edit, new.contains(where: \.isNewline), fields[index].splits {
      insertRows(new, at: index)
    } else if fields[index].text != nil {
      fields[index].text?.perform(edit)
      fields[index].problem = nil
      growList(at: index)
    } else if edit == .insert(" ") {
      toggle()
    }
  }

  private mutating func stepValue(_ distance: Int) {
    guard case .field(let index)? = focus, let text = fields[index].text?.text,
      let value = fields[index].kind?.value(after: text, by: distance, today: .today)
    else { return }
    fields[index].text?.perform(.replace(value))
    fields[index].problem = nil
  }

  /// Takes a choice by its first letters; Space takes the next one, and a key that deletes takes none.
  private mutating func pick(_ edit: FormText.Edit, at index: Int, _ kind: ColumnKinds.Column) {
    switch edit {
    case .insert(" "): stepValue(1)
    case .insert(let text):
      // From the one after the current one on, so that a letter goes through those that begin with it.
      let current = kind.pickable.firstIndex(of: fields[index].text?.text ?? "").map { $0 + 1 } ?? 0
      let values = kind.pickable[current...] + kind.pickable[..<current]
      guard let found = values.first(where: { searchFolded($0).hasPrefix(searchFolded(text)) }) else {
        return
      }
      fields[index].text?.perform(.replace(found))
      fields[index].problem = nil
    case .deleteBackward, .deleteForward, .deleteToStart, .deleteToEnd, .deleteWord:
      fields[index].text?.perform(.replace(""))
    case .replace: fields[index].text?.perform(edit)
    case .left, .right, .start, .end, .cursor: break
    }
  }

  /// Moves the cursor in a text of several lines.
  ///
  /// - Returns: false if there is no line in this direction.
  private mutating func moveInText(_ distance: Int) -> Bool {
    guard case .field(let index)? = focus else { return false }
    return fields[index].text?.move(lines: distance) == true
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
      let isMissing = wrong.count == 1 && fields[first].text?.text.isEmpty == true
      message =
        isMissing ? "Not saved: \(fields[first].problem ?? "")." : FormState.invalidMessage(wrong.count)
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
      case .field(let field): fields[index].problem = problems[field] ?? kindProblem(fields[index], field)
      case .value: break
      case .place: fields[index].problem = placeProblem(fields[index].text?.text ?? "")
      }
    }
  }

  /// Why what was typed is no value of the column's kind.
  private func kindProblem(_ line: FormField, _ field: CustomerField) -> String? {
    guard let kind = line.kind, let text = line.text?.text, text != original[field].text else { return nil }
    do throws(KindError) {
      _ = try kind.stored(typed: text, in: field.title, today: .today)
      return nil
    } catch {
      return "\(error.problem); \(error.hint)"
    }
  }

  private func placeProblem(_ text: String) -> String? {
    guard let places = options.places, text != originalPlace.map(String.init) ?? "" else { return nil }
    if let place = Int(text), places.contains(place) { return nil }
    return "must be \(places.lowerBound)–\(places.upperBound)"
  }
}

/// Fields with any number of values, such as tags: each value is a line of the form, and one more is empty.
extension FormState {
  /// The lines of a field.
  static func rows(_ field: CustomerField, _ value: FieldValue, _ options: Options) -> [FormField] {
    let kind: ColumnKinds.Column? =
      switch field {
      case .extra(let name): options.kinds.declared(name)
      case .next: options.kinds[field]
      default: nil
      }
    let first = FormField(
      .field(field), field.kind == .lines ? .text("") : value, label: options.label(of: field),
      placeholder: options.placeholders[field] ?? "", kind: kind)
    guard field.kind == .lines else { return [first] }
    let values = value.text.split(whereSeparator: \.isNewline).map { field.typed(line: String($0)) } + [""]
    return values.enumerated().map { index, text in
      var row =
        index == 0 ? first : FormField(.value(field, index + 1), .text(""), label: "", placeholder: "")
      row.show(.text(text))
      return row
    }
  }

  /// The value of a field as its lines say; blank ones are left out.
  func list(_ field: CustomerField) -> FieldValue {
    let values = rows(of: field).compactMap { fields[$0].text?.text }
      .filter { !$0.allSatisfy(\.isWhitespace) }.map(field.line)
    let known = original[field].text.split(whereSeparator: \.isNewline).map(String.init)
    return values == known ? original[field] : .text(values.joined(separator: "\n"))
  }

  /// Shows a value of a field in its lines.
  mutating func show(_ value: FieldValue, of field: CustomerField) {
    let old = rows(of: field)
    guard field.kind == .lines else { return old.forEach { fields[$0].show(value) } }
    let new = FormState.rows(field, value, options)
    fields.replaceSubrange(old, with: new)
    guard case .field(let index)? = focus, index >= old.lowerBound else { return }
    focus = .field(
      index < old.upperBound
        ? min(index, old.lowerBound + new.count - 1) : index + new.count - old.count)
  }

  /// Adds an empty line below a list whose last line was typed in.
  mutating func growList(at index: Int) {
    guard let field = fields[index].list, fields[index].text?.text.isEmpty == false else { return }
    let rows = rows(of: field)
    guard index == rows.upperBound - 1 else { return }
    fields.insert(
      FormField(.value(field, rows.count + 1), .text(""), label: "", placeholder: ""), at: index + 1)
  }

  /// Types lines into a list: each is a value, as after Enter, and what is after the cursor goes along.
  private mutating func insertRows(_ new: String, at index: Int) {
    guard let field = fields[index].list, let text = fields[index].text else { return }
    let (rows, tail) = (rows(of: field), String(text.characters[text.cursor...]))
    var values = rows.map { fields[$0].text?.text ?? "" }
    var parts = (text.characters[..<text.cursor] + Array(new)).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).map { String($0) }
    let last = index + parts.count - 1
    parts[parts.count - 1] += tail
    let place = index - rows.lowerBound
    values.replaceSubrange(place...place, with: parts)
    let first = fields[rows.lowerBound]
    fields.replaceSubrange(
      rows,
      with: values.enumerated().map { number, value in
        var row =
          number == 0 ? first : FormField(.value(field, number + 1), .text(""), label: "", placeholder: "")
        row.show(.text(value))
        return row
      })
    focus = .field(last)
    let end = fields[last].text?.characters.count ?? 0
    fields[last].text?.perform(.cursor(end - tail.count))
    growList(at: last)
  }

  private func rows(of field: CustomerField) -> Range<Int> {
    let start = fields.firstIndex { $0.id == .field(field) } ?? fields.endIndex
    let end = fields[start...].dropFirst().firstIndex { $0.list != field || $0.id == .field(field) }
    return start..<max(start, min(end ?? fields.endIndex, fields.endIndex))
  }
}

extension FormField {
  /// Whether a line break in it begins another value: only an address in a list has lines.
  fileprivate var splits: Bool {
    guard let list, let text = text?.text else { return false }
    return list != .otherContacts || ContactLine(text)?.kind != .address
  }

  /// The field with several values that the line belongs to.
  fileprivate var list: CustomerField? {
    switch id {
    case .field(let field) where field.kind == .lines: field
    case .value(let field, _): field
    case .field, .place: nil
    }
  }
}

/// Changes that others make to the customer while its form is open.
extension FormState {
  /// Updates the form with the customer's current state; nil if it was deleted.
  ///
  /// A field that the user has not changed is updated; if both changed a field to different values, it
  /// shows the other value.
  package mutating func follow(_ customer: CustomerFields?) {
    guard case .edit = mode, !isDetached else { return }
    guard let customer else {
      if !isGone { message = FormState.goneMessage }
      isGone = true
      return
    }
    // Undoing the deletion restored it.
    if isGone { (isGone, message) = (false, nil) }
    let mine = edited
    for field in options.fields {
      guard let index = fields.firstIndex(where: { $0.id == .field(field) }) else { continue }
      if customer[field] == original[field] {
        // The other change was undone.
        (fields[index].theirs, fields[index].mayOverwrite) = (nil, false)
        continue
      }
      if mine[field] == original[field] {
        show(customer[field], of: field)
        original[field] = customer[field]
      } else if mine[field] == customer[field] {
        original[field] = customer[field]
        (fields[index].theirs, fields[index].mayOverwrite) = (nil, false)
      } else if fields[index].theirs != customer[field] {
        (fields[index].theirs, fields[index].mayOverwrite) = (customer[field], false)
      }
    }
    let shown = Set(options.fields)
    for field in customer.differences(from: original) where !shown.contains(field) {
      original[field] = customer[field]
    }
  }

  /// Ends following, because the list is another one: what was typed can be added to it.
  mutating func detach() {
    guard case .edit = mode else { return }
    (isGone, isDetached, outcome) = (true, true, nil)
    message = "The list was restored or replaced; saving adds this customer to it."
  }

  /// Reports that the list refused to save: the form stays open.
  ///
  /// - Parameter reason: why, in one line.
  package mutating func refuse(_ reason: String) {
    outcome = nil
    message = reason
  }

  /// Reports that the list refused to save because others changed the same fields.
  package mutating func refuse(_ conflict: FieldConflict) {
    outcome = nil
    follow(conflict.theirs)
    showConflict()
  }

  /// Stops a save that would overwrite someone else's change; the next save may.
  ///
  /// - Returns: whether there is such a field.
  @discardableResult
  mutating func showConflict() -> Bool {
    let fields = self.fields.indices.filter { self.fields[$0].theirs != nil && !self.fields[$0].mayOverwrite }
    guard let first = fields.first else { return false }
    for index in fields { self.fields[index].mayOverwrite = true }
    focus = .field(first)
    message = FormState.conflictMessage
    return true
  }

  /// Resolves a field that both have changed.
  mutating func decide(mine: Bool) {
    for field in options.fields {
      guard let index = fields.firstIndex(where: { $0.id == .field(field) }),
        let theirs = fields[index].theirs
      else { continue }
      (fields[index].theirs, fields[index].mayOverwrite) = (nil, false)
      original[field] = theirs
      if !mine { show(theirs, of: field) }
    }
    message = nil
  }
}
