internal import CustomerStore
internal import CustomersText

/// What is read of the list, besides rows.
extension ListAPI {
  /// `GET /v1/rows/{id}`.
  func row(_ call: Route.Call) async throws -> APIAnswer {
    try await list.read { list in
      let customer = try list.customer(CustomerID(rawValue: call.id))
      return APIAnswer(
        200,
        .object([
          ("version", .version(try list.version())),
          ("row", JSONShapes.shown.json((customer, try list.outline(), try list.log(of: customer.id)))),
        ]))
    }
  }

  /// `GET /v1/next`.
  func next(_ call: Route.Call) async throws -> APIAnswer {
    let selection = try RowSelection(call.query)
    let today = selection.due ?? .today
    @Sendable func filter(_ list: borrowing CustomerList) throws -> RowFilter {
      if let section = selection.section { _ = try list.section(section) }
      var filter = try selection.filter(in: list)
      filter.due = nil
      return filter
    }
    @Sendable func answer(_ list: borrowing CustomerList) throws -> APIAnswer {
      let (customer, skipped) = try list.firstDue(on: today, matching: filter(list))
      let row = try customer.map {
        JSONShapes.shown.json(($0, try list.outline(), try list.log(of: $0.id, limit: 3)))
      }
      return APIAnswer(
        200,
        .object(
          [("version", .version(try list.version())), ("row", row ?? .null)]
            + (skipped.counts.isEmpty ? [] : [("skipped", skipped.counts.json)])))
    }
    // Whoever is next is mostly near the top.
    let near = try await list.read { list in
      try list.rowsRead(toFirstDueOn: today, matching: filter(list)) == 0 ? answer(list) : nil
    }
    if let near { return near }
    return try await list.readAtLength(answer)
  }

  /// `GET /v1/sections`.
  func sections(_ call: Route.Call) async throws -> APIAnswer {
    try await list.read { list in
      APIAnswer(
        200,
        .object([
          ("version", .version(try list.version())),
          ("sections", .array(try list.sections().map(JSONShapes.section.json))),
        ]))
    }
  }

  /// `GET /v1/columns`.
  func columns(_ call: Route.Call) async throws -> APIAnswer {
    try await list.readAtLength { list in
      let fields = CustomerField.standard.map { ($0, Int?.none) }
      let extra = try list.columnsWithKinds().map { (CustomerField.extra($0.name), Optional($0.count)) }
      let kinds = try list.columnKinds()
      let columns = (fields + extra).map { field, count in
        let (kind, choices) = (kinds[field].kind.rawValue, kinds[field].choices.map(JSON.string))
        return JSON.object(
          [("name", .string(field.nameInRequests)), ("title", .string(field.title)), ("kind", .string(kind))]
            + (choices.isEmpty ? [] : [("choices", .array(choices))])
            + (count.map { [("count", .int($0))] } ?? []))
      }
      return APIAnswer(
        200, .object([("version", .version(try list.version())), ("columns", .array(columns))]))
    }
  }
}

extension JSON {
  /// A version, as text.
  static func version(_ version: ListVersion) -> JSON { .string(version.description) }
}

/// Which rows a request is about, besides those that are named by id.
struct RowSelection: Sendable {
  /// Numbers in the list or in the section, from 1.
  private var range: ClosedRange<Int>?
  private(set) var section: SectionID?
  private var questions: [FilterExpression] = []
  private var search: String?
  /// What people type to search.
  private var text: String?

  /// The day on which the customers are due; nil for those that are not due, too.
  private(set) var due: CalendarDay?

  /// Those of the parameters `section`, `where`, `search`, `text`, and `due`.
  init(_ query: Query) throws {
    due = try query["due"].map { text in
      guard let day = CalendarDay(due: text) else {
        throw APIError(.badRequest, "The parameter due needs a day such as 2026-12-24, or today.")
      }
      return day
    }
    section = try query.number("section", in: 1...Int.max).map { SectionID(rawValue: Int64($0)) }
    try choose(query["where"], query["search"], query["text"])
  }

  private mutating func choose(_ question: String?, _ search: String?, _ text: String?) throws {
    questions = try question.map { [try FilterExpression($0)] } ?? []
    (self.search, self.text) = (search, text)
    guard let text else { return }
    guard question == nil, search == nil else {
      throw APIError(.badRequest, "Rows are chosen by text, or by where and search.")
    }
    // Without words, it finds no one, and must not stand for all.
    guard !TextSearch(text).isEmpty else { throw APIError(.invalid, "The text has no words.") }
  }

  /// Reads the member `range` of an edit.
  init(range members: JSONMembers) throws {
    try members.allow(RowSelection.range.members.map(\.name))
    let (from, to) = (try members.number("from"), try members.number("to"))
    guard from >= 1, to >= from else {
      throw members.wrong("to", "a number from \"from\" on, which is at least 1")
    }
    range = from...to
    section = try members.given("section", members.number).map { SectionID(rawValue: Int64($0)) }
  }

  /// Reads the member `view` of an edit.
  init(view members: JSONMembers) throws {
    try members.allow(RowSelection.view.members.map(\.name))
    section = try members.given("section", members.number).map { SectionID(rawValue: Int64($0)) }
    due = try members.given("due", members.text).map { text in
      guard let day = CalendarDay(due: text) else {
        throw members.wrong("due", "a day such as 2026-12-24, or today")
      }
      return day
    }
    try choose(
      members.given("where", members.text), members.given("search", members.text),
      members.given("text", members.text))
  }

  /// Whether these are all rows of the list or of a section.
  var isAll: Bool { questions.isEmpty && search == nil && text == nil && range == nil && due == nil }

  func filter(in list: borrowing CustomerList) throws -> RowFilter {
    var filter =
      try text.map { text throws in try RowFilter(searching: text, in: list) }
      ?? RowFilter(
        questions, search: search.map { TextSearch($0) }, today: due ?? .today, in: list)
    (filter.section, filter.due) = (section, due)
    return filter
  }

  /// The customers, in the order of the list.
  ///
  /// - Throws: `ListError`, `FilterError`.
  func ids(in list: borrowing CustomerList) throws -> [CustomerID] {
    let outline = try list.outline()
    if let section, outline.section(section) == nil { throw ListError.noSuchSection(section) }
    guard let range else {
      var ids: [CustomerID] = []
      try list.forEach(matching: filter(in: list)) { customer in
        ids.append(customer.id)
        return true
      }
      return ids
    }
    let count = section.flatMap { outline.section($0)?.count } ?? outline.count
    guard range.upperBound <= count else {
      throw ListError.placeOutOfRange(asked: range.upperBound, allowed: 1..<count + 1)
    }
    let start = section.map { outline.position(of: CustomerPlace(section: $0, order: 1)) } ?? 1
    return try list.customers(at: start + range.lowerBound - 1..<start + range.upperBound, of: outline).map(
      \.id)
  }

  static let range = JSONObjectType(
    name: "range", meaning: "Rows by their numbers.",
    members: [
      .always("from", .number, "the first, from 1"), .always("to", .number, "the last"),
      .optional("section", .number, "the section in which they are counted; without it, the whole list"),
    ])
  static let view = JSONObjectType(
    name: "view", meaning: "The rows that `GET /v1/rows` gives for these parameters; without any, all rows.",
    members: [
      .optional("where", .text, "conditions"), .optional("search", .text, "words that occur"),
      .optional("text", .text, "instead of both: what people type to search"),
      .optional("section", .number, "the id of a section"), .optional("due", .text, dueMeaning),
    ])
  static let dueMeaning = "the day of the caller, such as 2026-12-24, or today: only customers that are due"
}

extension CalendarDay {
  /// The day of the caller, or that of the machine if it is `today`; nil for any other text.
  fileprivate init?(due text: String) {
    if text == "today" { self = .today } else { self.init(text) }
  }
}

/// The history.
extension ListAPI {
  /// How many lines and changes of a step are listed.
  private static let mostLines = 100

  /// A step of the history.
  static let step = JSONObjectType(
    name: "step", meaning: JSONShapes.step.type.meaning,
    members: JSONShapes.step.type.members + HistoryStep.words + [
      .always("lines", .list(.text), "what it did, in a line for each change"),
      .always("can_revert", .flag, "whether it can be undone alone"),
    ])

  /// `GET /v1/history`.
  func steps(_ call: Route.Call) async throws -> APIAnswer { try await history(call, of: nil) }

  /// `GET /v1/rows/{id}/history`.
  func stepsOfRow(_ call: Route.Call) async throws -> APIAnswer {
    try await history(call, of: CustomerID(rawValue: call.id))
  }

  private func history(_ call: Route.Call, of customer: CustomerID?) async throws -> APIAnswer {
    let before = Int64(try call.query.number("before", in: 1...Int.max) ?? .max)
    let limit = try call.query.number("limit", in: 1...50) ?? 20
    let body = { @Sendable [self] (list: borrowing CustomerList, steps: [HistoryStep]) in
      try answer(steps, of: customer, hasMore: steps.count == limit, in: list)
    }
    let known = try await list.read { list in
      let steps = try list.steps(of: customer, before: before, limit: limit)
      let last = try list.lastEdit()
      return try steps.allSatisfy { $0.isShort(at: last) } ? body(list, steps) : nil
    }
    // What was done long ago takes long to describe.
    if let known { return known }
    return try await list.readAtLength { list in
      try body(list, list.steps(of: customer, before: before, limit: limit))
    }
  }

  private func answer(
    _ steps: [HistoryStep], of customer: CustomerID?, hasMore: Bool, in list: borrowing CustomerList
  ) throws -> APIAnswer {
    let shown = try zip(steps, list.outcomes(of: steps, limit: 1_000)).map { step, all -> JSON in
      let outcome = customer.map { all.only($0) ?? all } ?? all
      let presenter = StepPresenter(step: step, outcome: outcome)
      let lines = step.editCount == 0 ? [presenter.summary] : presenter.presenter.detailedLines
      let canRevert = !isReadOnly && step.kind == .edit && step.state == .done && step.editCount > 0
      return step.json(
        outcome, mostChanges: ListAPI.mostLines,
        [("lines", .lines(lines, most: ListAPI.mostLines)), ("can_revert", .bool(canRevert))])
    }
    let next = hasMore ? steps.last.map { JSON.int(Int($0.id)) } ?? .null : .null
    return APIAnswer(
      200, .object([("version", .version(try list.version())), ("steps", .array(shown)), ("next", next)]))
  }
}
