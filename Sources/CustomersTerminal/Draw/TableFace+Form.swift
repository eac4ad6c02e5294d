internal import CustomerStore
internal import CustomerTable
internal import CustomersText

/// The form.
extension TableFace {
  private enum FormLine {
    case caption(String)
    /// A field and the number of a line of its text, from 0.
    case field(Int, line: Int)
    case problem(String)
    case theirs(String)
    /// A line of the log.
    case log(String)
    case blank, delete
  }

  func draw(_ form: FormState, _ picture: inout Picture) {
    drawFormTitle(form, &picture)
    let lines = lines(of: form)
    let area = isNarrow ? listRows : listRows.lowerBound + (rows > 16 ? 2 : 1)..<listRows.upperBound
    // The line with the focus is in the middle of a form that does not fit.
    let focus = lines.firstIndex { isFocus($0, form) } ?? 0
    let top = max(0, min(focus - area.count / 2, lines.count - area.count))
    for (row, line) in zip(area, lines[top...]) { draw(line, form, row, &picture) }
  }

  private func drawFormTitle(_ form: FormState, _ picture: inout Picture) {
    func style(_ focus: FormState.Focus) -> ScreenStyle {
      .init(form.focus == focus ? [.bold, .reverse] : .bold)
    }
    let start = picture.write(
      "[\(form.options.cancelTitle)]", column: 1, row: 0, style: style(.cancel), on: .form(.cancel))
    let end = picture.write(
      "[\(form.options.saveTitle)]", endingAt: columns - 1, row: 0, style: style(.save), on: .form(.save))
    let room = max(0, end - start - 4)
    let title = min(columnCount(of: form.options.title), room)
    let column = min(max(start + 2, (columns - title) / 2), end - 2 - title)
    picture.write(form.options.title, column: column, row: 0, style: .init(.bold), width: room)
  }

  private func lines(of form: FormState) -> [FormLine] {
    var lines: [FormLine] = []
    for section in form.sections {
      if !section.caption.isEmpty { lines.append(.caption(section.caption)) }
      for index in section.lines {
        let count = form.fields[index].text?.lines.count ?? 1
        lines += (0..<count).map { .field(index, line: $0) }
        if let problem = form.fields[index].problem {
          lines += wrapped("^ \(problem)", to: columns - labels(of: form).value - 1).map(FormLine.problem)
        }
        if let theirs = form.fields[index].theirs { lines.append(.theirs(theirs.text)) }
      }
    }
    if !loggedLines.isEmpty { lines += [.blank] + loggedLines.map(FormLine.log) }
    return form.hasDelete ? lines + [.blank, .delete] : lines
  }

  /// The log of the customer in the form or of the one about whom a line is typed, the latest line first.
  private var loggedLines: [String] {
    (state.shownLog ?? []).map { line in
      [localTime(line.time), line.author].filter { !$0.isEmpty }.joined(separator: " ") + ": \(line.text)"
    }
  }

  /// Who is called, and the last lines of the log; about whom a command is, if the cursor is on others now.
  func lines(above prompt: Prompt) -> [String] {
    let state = state
    switch prompt.purpose.mode {
    case .logging: return ([about] + loggedLines.prefix(3)).map(printable)
    case .command where state.holdsOthers: return [printable(about)]
    default: return prompt.names
    }
  }

  /// The customers about whom a line is being typed.
  private var about: String {
    let state = state
    let customers = state.held?.customers ?? []
    guard customers.count == 1, let held = customers.first else {
      return customers.map(\.name).joined(separator: ", ")
    }
    if state.lost != nil { return "\(held.name) · no longer in the list" }
    let customer = state.contents[held.id] ?? held
    let fields = [customer.name, customer.fields.phone, customer.fields.note, customer.fields.next]
    return fields.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// Where the labels begin, how wide they are, and where the values begin.
  private func labels(of form: FormState) -> (column: Int, width: Int, value: Int) {
    let column = isNarrow ? 1 : 3
    let widest = form.options.showsLabels ? form.fields.map { columnCount(of: $0.label) }.max() ?? 0 : 0
    let width = min(widest, columns / 3)
    return (column, width, column + width + (width > 0 ? 2 : 0))
  }

  private func isFocus(_ line: FormLine, _ form: FormState) -> Bool {
    switch line {
    case .field(let index, let line):
      form.focus == .field(index) && (form.fields[index].text?.line ?? 0) == line
    case .delete: form.focus == .delete
    case .caption, .problem, .theirs, .log, .blank: false
    }
  }

  private func draw(_ line: FormLine, _ form: FormState, _ row: Int, _ picture: inout Picture) {
    let (label, labelWidth, value) = labels(of: form)
    switch line {
    case .field(let index, let line):
      let isFocus = form.focus == .field(index)
      picture.add(.form(.field(index)), row: row, columns: 0..<columns)
      if labelWidth > 0, line == 0 {
        picture.write(
          form.fields[index].label, column: label, row: row, style: .init(isFocus ? .bold : []),
          width: labelWidth)
      }
      draw(form, index, line, value..<columns - 2, row, &picture)
    case .log(let text):
      picture.write(printable(text), column: label, row: row, style: .init(.dim), width: columns - label - 1)
    case .caption(let text):
      picture.write(text, column: label, row: row, style: .init(.dim), width: columns - label - 1)
    case .problem(let text):
      picture.write(
        text, column: value, row: row, style: .init(.bold, .red), width: columns - value - 1)
    case .theirs(let text):
      picture.write(
        "changed elsewhere to (\(KeyBindings.takeTheirs.label) uses it): \(text.isEmpty ? "nothing" : text)",
        column: value, row: row, style: .init(.bold, .yellow),
        width: columns - value - 1)
    case .delete:
      picture.write(
        "[\(form.options.deleteTitle)]", column: label, row: row,
        style: .init(form.focus == .delete ? [.bold, .reverse] : .bold, .red), on: .form(.delete))
    case .blank: break
    }
  }

  /// The mark, or a line of the text.
  private func draw(
    _ form: FormState, _ index: Int, _ line: Int, _ range: Range<Int>, _ row: Int, _ picture: inout Picture
  ) {
    let field = form.fields[index]
    let focus = FormState.Focus.field(index)
    var hasFocus = form.focus == focus && form.question == nil
    guard let whole = field.text else {
      picture.write(field.isSet ? "[x]" : "[ ]", column: range.lowerBound, row: row)
      if hasFocus { picture.cursor = .init(column: range.lowerBound + 1, row: row) }
      return
    }
    let (start, text) = (whole.lines[line].lowerBound, whole[whole.lines[line]])
    hasFocus = hasFocus && whole.line == line
    let places = field.id == .place ? form.options.places : nil
    let width = places == nil ? range.count : min(range.count, 8)
    let view = FieldView(text, width: width, hasFocus: hasFocus)
    if let placeholder = field.shownPlaceholder {
      picture.write("‹\(placeholder)›", column: range.lowerBound, row: row, style: .init(.dim), width: width)
    }
    let end = picture.write(view.text, column: range.lowerBound, row: row, width: width)
    for column in range.lowerBound..<range.lowerBound + width {
      picture.add(
        .letter(focus, start + view.index(at: column - range.lowerBound)), row: row,
        columns: column..<column + 1)
    }
    if let places {
      picture.write(
        " of \(places.upperBound)", column: max(end, range.lowerBound + 2), row: row, style: .init(.dim))
    }
    if let reading = field.reading {
      picture.write(
        "  = \(reading)", column: end, row: row, style: .init(.dim), width: range.upperBound - end)
    }
    guard hasFocus else { return }
    picture.restyle(row: row, columns: range.lowerBound..<range.lowerBound + width, .underline)
    if overlay == nil { picture.cursor = .init(column: range.lowerBound + view.cursorColumn, row: row) }
  }
}

/// The visible part of a string that is being typed, which includes the cursor.
struct FieldView {
  /// The text, with an ellipsis if its start is cut off.
  private(set) var text = ""
  /// The number of the first visible character.
  private var first = 0
  /// The columns where the visible characters start and where the last one ends.
  private var starts: [Int] = []
  private(set) var cursorColumn = 0
  let width: Int

  /// Lays out a string: with the focus, so that the cursor is visible; otherwise from its start.
  init(_ field: FormText, width: Int, hasFocus: Bool = true) {
    self.width = max(1, width)
    let characters = field.characters
    if hasFocus {
      // The cursor takes up a column, and some text after it should be visible.
      let after = min(characters.count - field.cursor, self.width / 3)
      first = field.cursor
      var room = self.width - 1 - after
      while first > 0 {
        room -= columnCount(of: String(characters[first - 1]))
        if room < (first > 1 ? 1 : 0) { break }
        first -= 1
      }
    }
    var column = first > 0 ? 1 : 0
    text = first > 0 ? "…" : ""
    var rest = characters[first...]
    while let character = rest.first, column + columnCount(of: String(character)) <= self.width {
      starts.append(column)
      text += printable(String(character))
      column += columnCount(of: String(character))
      rest = rest.dropFirst()
    }
    starts.append(column)
    if !rest.isEmpty { text = cut(text + "… ", to: self.width) }
    let index = field.cursor - first
    cursorColumn = starts.indices.contains(index) ? min(starts[index], self.width - 1) : 0
  }

  /// The number of characters before a column.
  func index(at column: Int) -> Int { first + (starts.lastIndex { $0 <= column } ?? 0) }
}
