internal import CustomerStore
internal import CustomersText

extension Command {
  static let log = Command(
    name: "log", summary: "log what was said or done",
    description: [
      "The line has the time and your name; for several customers it is one step. TEXT is the last word, in",
      "quotes.",
    ],
    forms: [.plain([.many(.row), .one(.text())], LogRequest.options)]
      + [.plain([.one(.text())], [.required(RowChoice.option)] + LogRequest.options)],
    examples: [
      CommandExample("Call again on Friday", "customers log 3 \"left a message\" --next friday"),
      CommandExample("Move it, too", "customers log 3 sold --next none --to leads"),
    ],
    seeAlso: ["done", "next", "list", "rows"],
    editing: Editing { invocation in
      let request = try LogRequest(invocation)
      return { resolver, list in try request.edit(resolver, list) }
    })

  static let done = Command(
    name: "done", summary: "log that nothing is left to do, and move rows to the end",
    description: [
      "Adds TEXT, or \"done\", to the log, clears the next date, and moves the rows to the ends of their",
      "sections, or to where `customers config done` says, as one step. The last of several words is TEXT,",
      "unless it names a row; done refuses what may be either.",
    ],
    forms: [.plain([.many(.row), .optional(.text())])]
      + [.plain([.optional(.text())], [.required(RowChoice.option)])],
    examples: [
      CommandExample("End it for the first row", "customers done 1"),
      CommandExample("End it for three rows, with a word", "customers done 1-3 \"sold out\""),
    ],
    seeAlso: ["log", "next", "undo", "rows"],
    editing: DoneRequest.editing,
    run: { session in
      let rule = try session.doneRule()
      let editing = Editing { invocation in
        let request = try DoneRequest(invocation)
        return { resolver, list in try request.edit(resolver, list, rule).following(rule, resolver, list) }
      }
      return try editing.run(session)
    })
}

private struct LogRequest {
  static let next = Option.value("--next", .text("WHEN"), "set the next date, or clear it with none")
  static let place = Option.value(
    Placement.to.name, .placeOrSection, "move the rows to a place, or to the end of a section")
  private static let move = Option.spelling("--move", place.value, of: place, "--to PLACE") { $0 }
  static let options: [OptionGroup] = [.optional(next), .optional(place), .optional(move)]

  private let choice: RowChoice
  private let text: String
  /// The next date as it is stored; nil to leave it as it is.
  private let next: String?
  private let placement: Placement?

  init(_ invocation: Invocation) throws {
    choice = try RowChoice(invocation, operands: invocation.operands.dropLast())
    text = try invocation.logText(invocation.operands.last ?? "")
    next = try invocation[LogRequest.next].map { word in
      guard !word.allSatisfy(\.isWhitespace) else {
        throw Failure.usage("\(LogRequest.next.name) needs a date", hint: "to clear the date: --next none")
      }
      do throws(KindError) { return try ColumnKinds.stored(next: word, today: invocation.today) } catch {
        throw Failure.usage(
          "\(LogRequest.next.name): \(printable(error.problem))", hint: printable(error.hint),
          offendingArgument: word)
      }
    }
    placement = try invocation[LogRequest.place].map { word in
      try Placement(PlaceName(word) ?? PlaceName(endOf: word))
    }
  }

  func edit(_ resolver: RowResolver, _ list: borrowing CustomerList) throws -> ListEdit {
    let rows = try choice.rows(resolver, in: list)
    guard let placement else { return .log(rows.map(\.id), text, next: next) }
    try placement.refuseSeveralSections(rows)
    let target = try placement.target(moving: resolver.inOrder(rows), resolver, in: list)
    return .log(rows.map(\.id), text, next: next, to: target?.destination ?? .last, in: target?.section)
  }
}

private struct DoneRequest {
  static let editing = Editing { invocation in
    let request = try DoneRequest(invocation)
    return { resolver, list in try request.edit(resolver, list) }
  }

  private let choice: RowChoice
  private let text: String
  /// The text, if it may as well be the name of a row.
  private let doubtful: String?

  init(_ invocation: Invocation) throws {
    var operands = invocation.operands
    let isRows = invocation[RowChoice.option].isEmpty
    var text: String?
    if isRows ? operands.count > 1 && DoneRequest.mayBeText(operands[operands.count - 1]) : !operands.isEmpty
    {
      text = operands.removeLast()
    }
    choice = try RowChoice(invocation, operands: operands)
    self.text = try text.map(invocation.logText) ?? ListEdit.doneText
    doubtful = isRows ? text : nil
  }

  /// Whether a word is no row number, id, or the like.
  private static func mayBeText(_ word: String) -> Bool {
    guard let selectors = try? RowSelector.parse(word) else { return false }
    return selectors == [.name(word)]
  }

  /// The edit, before it follows where the list says that rows move.
  func edit(
    _ resolver: RowResolver, _ list: borrowing CustomerList, _ rule: String? = nil
  ) throws -> ListEdit {
    let rows = try choice.rows(resolver, in: list)
    if let doubtful, let name = try list.name(having: doubtful) {
      let rows = rows.map { "@\($0.id.rawValue)" }.joined(separator: " ")
      throw Failure.usage(
        "\(quoted(doubtful)) may be the text or \(quoted(name))",
        hint: "for the row, write \(typed("name:" + doubtful)); for the text: "
          + "customers log \(rows) \(typed(doubtful)) --next none"
          + (rule == "stay" ? "" : " --to \(typed(rule ?? "last"))"), offendingArgument: doubtful)
    }
    return .done(rows.map(\.id), text)
  }
}

extension Invocation {
  /// A text for the log.
  fileprivate func logText(_ word: String) throws -> String {
    guard !word.allSatisfy(\.isWhitespace) else {
      throw Failure.usage(
        "\(command?.name ?? "") needs a text", hint: "for example: customers log 3 \"left a message\"")
    }
    return word
  }
}
