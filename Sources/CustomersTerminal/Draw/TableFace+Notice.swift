internal import CustomerStore
internal import CustomerTable

/// The line with notices of the table or text that a user types.
extension TableFace {
  func drawNotice(_ picture: inout Picture) {
    let state = state
    if let prompt {
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

  /// The most urgent notice.
  private var notice: TableNotice? {
    let state = state
    if let question { return TableNotice(kind: .hint, text: question.text) }
    if let message { return message }
    if let waiting = state.waiting {
      let action = waiting.action.prefix(1).uppercased() + waiting.action.dropFirst()
      return TableNotice(
        kind: .hint,
        text:
          "\(action) waits for \(options.lockHolder() ?? "another program"): \(timers.waitingSeconds) s."
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
    let count = search.hits.count
    let hits =
      if count == 0 {
        search.isComplete ? "no match" : "no match yet"
      } else if let number = state.hitNumber {
        "match \(number) of \(count)"
      } else { "\(count) match\(count == 1 ? "" : "es")" }
    let all = state.contents.customerCount
    return hits + (search.isComplete ? "" : ", searched \(search.readCount) of \(all)")
  }
}
