internal import CustomerStore
internal import CustomerTable
internal import CustomersText

/// The layout of the screen.
extension TableFace {
  /// The minimum size of a screen.
  private static let smallest = (columns: 20, rows: 5)

  var isTooSmall: Bool { columns < Self.smallest.columns || rows < Self.smallest.rows }

  /// Whether subtitles are below the names.
  var isNarrow: Bool { columns < 60 }

  /// The screen rows in the list: between the title, or the titles of the columns, and the notice.
  var listRows: Range<Int> {
    let first = hasColumns ? 2 : 1
    return first..<max(first + 1, rows - 2)
  }

  /// The row of the notice, above the row of the keys.
  var noticeRow: Int { rows - 2 }

  /// The screen as it is now.
  package func draw() -> ScreenBuffer { picture().screen }

  /// The screen, with targets for the pointer.
  func picture() -> Picture {
    var picture = Picture(columns: columns, rows: rows)
    guard !isTooSmall else {
      picture.write("Terminal too small", column: 0, row: 0)
      return picture
    }
    if let trouble = state.trouble {
      draw(trouble, &picture)
    } else if let form = state.form {
      draw(form, &picture)
    } else {
      drawTitle(&picture)
      if state.contents.isRead, state.layout.rowCount == 0, !state.isFiltered {
        drawEmptyList(&picture)
      }
      drawList(&picture)
    }
    drawNotice(&picture)
    if let overlay { draw(overlay, &picture) }
    // The notice line has what is typed.
    let hints = prompt == nil ? nil : message?.text
    picture.write(
      hints ?? KeyBindings.hints(in: mode, width: columns - 2), column: 1, row: rows - 1, width: columns - 2)
    return picture
  }
}

/// The line with notices of the table or text that a user types.
extension TableFace {
  func drawNotice(_ picture: inout Picture) {
    let state = state
    if let prompt {
      let names = lines(above: prompt).suffix(max(0, noticeRow - 1))
      for (row, line) in zip((noticeRow - names.count)..., names) {
        picture.clear(row: row, columns: 0..<columns)
        picture.write(line, column: 1, row: row, width: columns - 2)
      }
      drawTyping(prompt.purpose.sign, prompt.field, end: columns - 1, &picture)
    } else if let search = state.search, search.isTyping, mode == .searching {
      let start = picture.write(hits(search), endingAt: columns - 1, row: noticeRow)
      drawTyping("/", search.field, end: start - 2, &picture)
    } else {
      var end = columns - 1
      if let count { end = picture.write(String(count), endingAt: end, row: noticeRow) - 2 }
      guard let notice = notice else { return }
      let style = notice.kind == .refusal ? ScreenStyle(.bold, .yellow) : .plain
      picture.write(notice.text, column: 1, row: noticeRow, style: style, width: end - 1)
    }
  }

  private func drawTyping(_ sign: String, _ field: FormText, end: Int, _ picture: inout Picture) {
    picture.write(sign, column: 0, row: noticeRow)
    let view = FieldView(field, width: max(1, end - sign.count))
    picture.write(view.text, column: sign.count, row: noticeRow, width: view.width)
    if overlay == nil { picture.cursor = .init(column: sign.count + view.cursorColumn, row: noticeRow) }
  }

  /// What waits for another program.
  var waitingName: String? {
    switch waitingCommand {
    case .command(let line, _, _): ":\(line.prefix { !$0.isWhitespace })"
    case .some: "The repair"
    case nil: state.waiting.map { $0.action.prefix(1).uppercased() + $0.action.dropFirst() }
    }
  }

  /// The most urgent notice.
  private var notice: TableNotice? {
    let state = state
    if let question { return TableNotice(kind: .hint, text: question.text) }
    if let message { return message }
    // What was refused while an edit waits, until the next key.
    if let refusal = state.notice, refusal.kind == .refusal, state.waiting != nil { return refusal }
    if let name = waitingName {
      return TableNotice(
        kind: .hint,
        text: "\(name) waits for \(options.lockHolder() ?? "another program"): \(timers.waitingSeconds) s."
      )
    }
    switch state.form?.question {
    case .delete: return TableNotice(kind: .hint, text: "Delete this customer?")
    case .discard: return TableNotice(kind: .hint, text: "Discard what you typed?")
    case nil: break
    }
    if let message = state.form?.message { return TableNotice(kind: .refusal, text: message) }
    if let notice = state.notice { return notice }
    if let sorting = state.sorting, !sorting.isComplete, sorting.rows == nil {
      let progress = "\(sorting.readCount) of \(state.contents.customerCount) read"
      return TableNotice(kind: .hint, text: "Sorting by \(sorting.order.titles): \(progress); Esc stops it.")
    }
    if let moving = moving { return TableNotice(kind: .hint, text: moving) }
    if let due = state.dueCount, state.form == nil {
      let count = due.count == 0 && due.isComplete ? "No one is due." : "l logs and goes on."
      return TableNotice(kind: .hint, text: "\(count) T shows all rows.")
    }
    if let search = state.search, state.form == nil {
      return TableNotice(kind: .hint, text: "/\(search.field.text)  \(hits(search))")
    }
    return nil
  }

  /// The rows in hand and their destination.
  private var moving: String? {
    guard let drag = state.drag, let first = drag.ids.first, let customer = state.contents[first] else {
      return nil
    }
    let name = drag.ids.count == 1 ? "\"\(customer.name)\"" : "\(drag.ids.count) customers"
    let from = drag.ids.count == 1 ? "  \((state.contents.row(of: first) ?? 0) + 1)" : " "
    let numbers = state.lines.compactMap { line in
      if case .row(let row) = line, row.customer.id == first { row.number } else { nil }
    }
    return "Moving \(name)\(from)\(numbers.first.map { " → \($0)" } ?? "")"
  }

  private func hits(_ search: TableSearch) -> String {
    guard !search.field.text.allSatisfy(\.isWhitespace) else { return "" }
    if let problem = search.typed.problem { return problem }
    let count = search.hits.count
    let hits =
      if count == 0 {
        search.isComplete ? "no match" : "no match yet"
      } else if let number = state.hitNumber {
        "match \(number) of \(count)"
      } else { "\(count) match\(count == 1 ? "" : "es")" }
    let all = state.contents.customerCount
    return hits + (search.isComplete ? "" : ", searched \(search.readCount) of \(all)")
      + (search.typed.skipped.sentence.map { "; \($0)" } ?? "")
  }
}

/// What covers the list.
extension TableFace {
  /// The rows and columns of the frame.
  var overlayRows: Range<Int> { rows > 16 ? 2..<rows - 2 : 1..<max(2, rows - 1) }
  var overlayColumns: Range<Int> { isNarrow ? 0..<columns : 2..<columns - 2 }

  func draw(_ overlay: Overlay, _ picture: inout Picture) {
    let (frame, box) = (overlayRows, overlayColumns)
    picture.cursor = nil
    let width = box.count - 4
    let pages = overlay.pageCount(frame.count - 2, width)
    for row in frame {
      picture.clear(row: row, columns: box)
      picture.write("│", column: box.lowerBound, row: row)
      picture.write("│", column: box.upperBound - 1, row: row)
    }
    let page = pages > 1 ? " \(min(overlay.page, pages - 1) + 1)/\(pages) " : ""
    edge("┌ \(overlay.title) ", "\(page)─┐", frame.lowerBound, &picture)
    edge("└", "┘", frame.upperBound - 1, &picture)
    let lines = overlay.lines(height: frame.count - 2, width: width)
    for (row, line) in zip(frame.dropFirst(), lines) { draw(line, row, box.lowerBound + 2, width, &picture) }
    if let search = overlay.search {
      let start = box.lowerBound + 2
      let view = FieldView(search, width: width - 2, hasFocus: overlay.isFinding)
      picture.write(" /\(view.text) ", column: start, row: frame.upperBound - 1, width: width)
      if overlay.isFinding {
        picture.cursor = .init(column: start + 2 + view.cursorColumn, row: frame.upperBound - 1)
      }
    }
  }

  private func edge(_ start: String, _ end: String, _ row: Int, _ picture: inout Picture) {
    let box = overlayColumns
    let line = String(repeating: "─", count: max(0, box.count - displayWidth(start) - displayWidth(end)))
    picture.write(start + line + end, column: box.lowerBound, row: row, width: box.count)
  }

  private func draw(_ line: Overlay.Entry, _ row: Int, _ column: Int, _ width: Int, _ picture: inout Picture)
  {
    switch line {
    case .heading(let text): picture.write(text, column: column, row: row, style: .init(.bold), width: width)
    case .text(let text): picture.write(text, column: column, row: row, width: width)
    case .keys(let keys, let meaning):
      let keyWidth = Overlay.keyWidth(width)
      picture.write(keys, column: column, row: row, width: meaning.isEmpty ? width : keyWidth - 1)
      picture.write(meaning, column: column + keyWidth, row: row, width: width - keyWidth)
    }
  }
}

/// A list that can't be read.
extension TableFace {
  func draw(_ trouble: TableTrouble, _ picture: inout Picture) {
    picture.write(options.fileName, column: 1, row: 0, width: columns - 2)
    let what = trouble.kind == .damaged ? "This file is damaged" : "This file can't be read"
    var row = min(3, rows - 3)
    for text in wrapped("\(what): \(trouble.text). Nothing was changed.", to: columns - 5)
    where row < noticeRow {
      picture.write(text, column: 3, row: row, style: .init(.bold))
      row += 1
    }
    row += 1
    let bindings = KeyBindings.all.filter { $0.modes.contains(mode) }
    for binding in bindings.filter({ $0.topic == .trouble }) + bindings.filter({ $0.keys == "q" }) {
      guard row < noticeRow else { break }
      picture.write("\(binding.label)   \(binding.meaning)", column: 5, row: row, width: columns - 6)
      row += 1
    }
  }

  /// A text in lines of so many columns.
  func wrapped(_ text: String, to width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      if !lines[lines.count - 1].isEmpty, columnCount(of: lines[lines.count - 1] + " " + word) > width {
        lines.append("")
      }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines
  }
}
