internal import CustomerStore
internal import CustomersText

/// What is read of the list, besides rows.
extension ListAPI {
  /// `GET /v1/rows/{id}`.
  func row(_ call: Route.Call) async throws -> APIAnswer {
    try await list.read { list in
      let customer = try list.customer(CustomerID(rawValue: call.id))
      return APIAnswer([
        ("version", .version(try list.version())),
        ("row", JSONShapes.shown.json((customer, try list.outline(), try list.log(of: customer.id)))),
      ])
    }
  }

  /// `GET /v1/next`.
  func next(_ call: Route.Call) async throws -> APIAnswer {
    let selection = try RowSelection(call.query)
    let today = selection.due ?? .today
    @Sendable func filter(_ list: borrowing CustomerList) throws -> RowFilter {
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
        [("version", .version(try list.version())), ("row", row ?? .null)]
          + (skipped.counts.isEmpty ? [] : [("skipped", skipped.counts.json)]))
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
      APIAnswer([
        ("version", .version(try list.version())),
        ("sections", .array(try list.sections().map(JSONShapes.section.json))),
      ])
    }
  }

  /// `GET /v1/duplicates`.
  func duplicates(_ call: Route.Call) async throws -> APIAnswer {
    try await list.readAtLength { list in
      let (all, outline) = (try list.duplicates(), try list.outline())
      let groups = try all.prefix(200).map { group in
        let ids = Array(group.customers.prefix(20))
        let known = try list.customers(ids)
        let rows = ids.compactMap { known[$0] }.map { JSONShapes.customer.json(($0, outline)) }
        return JSON.object([
          ("reasons", .lines(group.reasons.map(\.rawValue))), ("rows", .array(rows)),
          ("count", .int(group.customers.count)),
        ])
      }
      return APIAnswer([
        ("version", .version(try list.version())), ("groups", .array(groups)), ("count", .int(all.count)),
      ])
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
      return APIAnswer([("version", .version(try list.version())), ("columns", .array(columns))])
    }
  }
}

extension JSON {
  /// A version, as text.
  static func version(_ version: ListVersion) -> JSON { .string(version.text) }
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
  /// The version in which a range or a view was chosen; nil for that which the caller has seen.
  private var chosenAt: ListVersion?
  /// Customers who are meant besides.
  private var also: [CustomerID] = []
  /// Customers who are not meant.
  private var except: [CustomerID] = []
  /// Whether an edit may leave out the rows whose values the conditions can't compare.
  private(set) var leavesOut = false

  /// Those of the parameters `section`, `where`, `search`, `text`, and `due`.
  init(_ query: Query) throws {
    due = try query.day("due")
    section = try query.number("section", in: 1...Int.max).map { SectionID(rawValue: Int64($0)) }
    try choose(query["where"], query["search"], query["text"])
  }

  /// Those of the parameters of `GET /v1/ids`: also `first` and `last`.
  init(ids query: Query) throws {
    try self.init(query)
    guard let first = try query.number("first", in: 1...Int.max) else {
      guard query["last"] == nil else { throw APIError(.badRequest, "The parameter first is missing.") }
      return
    }
    guard isAll else { throw APIError(.badRequest, "Rows are chosen by number, or by what they have.") }
    guard let last = try query.number("last", in: first...Int.max) else {
      throw APIError(.badRequest, "The parameter last is missing.")
    }
    range = first...last
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
    try change(members)
  }

  private mutating func change(_ members: JSONMembers) throws {
    chosenAt = try members.given("at", members.version)
    also = try members.given("also", members.numbers)?.map { CustomerID(rawValue: Int64($0)) } ?? []
    except = try members.given("except", members.numbers)?.map { CustomerID(rawValue: Int64($0)) } ?? []
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
    leavesOut = try members.given("leave_out", members.flag) ?? false
    try change(members)
  }

  /// Whether these are all rows of the list or of a section.
  var isAll: Bool { questions.isEmpty && search == nil && text == nil && range == nil && due == nil }

  /// The filter that finds the rows in the list as it is.
  ///
  /// - Throws: `ListError.noSuchSection`, `FilterError`.
  func filter(in list: borrowing CustomerList) throws -> RowFilter {
    if let section { _ = try list.section(section) }
    return try filterOfAnyTime(in: list)
  }

  /// The filter for rows as they were, too, when the list may have had a section that is gone.
  private func filterOfAnyTime(in list: borrowing CustomerList) throws -> RowFilter {
    var filter =
      try text.map { text throws in try RowFilter(searching: text, in: list) }
      ?? RowFilter(
        questions, search: search.map { TextSearch($0) }, today: due ?? .today, in: list)
    (filter.section, filter.due) = (section, due)
    return filter
  }

  /// The customers as they were chosen at a version, in the order of the list: those who have moved since are meant,
  /// those who were added are not.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - version: when they were chosen, if the selection does not say it; nil for now.
  /// - Returns: the customers, and how many of those who were chosen are deleted.
  /// - Throws: `ListError`, `FilterError`, `APIError` if the history does not reach back so far.
  /// - Complexity: O(rows + edits since the version).
  func ids(in list: borrowing CustomerList, at version: ListVersion? = nil) throws -> Chosen {
    var chosen =
      try list.past(at: chosenAt ?? version).map { try ids(in: list, $0) } ?? now(in: list)
    if !except.isEmpty {
      let except = Set(except)
      chosen.ids.removeAll(where: except.contains)
    }
    if !also.isEmpty {
      let (known, present) = (Set(chosen.ids), try list.customers(also))
      chosen.deleted += also.count { present[$0] == nil }
      chosen.ids += also.filter { present[$0] != nil && !known.contains($0) }
    }
    return chosen
  }

  /// The customers, unless a filter of the list as it is finds them.
  func unlisted(in list: borrowing CustomerList, at version: ListVersion?) throws -> Chosen? {
    if range == nil, also.isEmpty, except.isEmpty, try list.past(at: chosenAt ?? version) == nil {
      return nil
    }
    return try ids(in: list, at: version)
  }

  /// Who was chosen.
  struct Chosen {
    var ids: [CustomerID]
    /// How many more there were.
    var deleted = 0
    /// The values that the question could not compare.
    var skipped = SkippedValues()

    /// Sentences about those who are deleted and those whose values could not be compared, after another one; empty for none.
    var words: String {
      (deleted == 0 ? "" : " \(deleted) of the rows had been deleted.")
        + (skipped.sentence.map { " \($0); these rows were left out." } ?? "")
    }
  }

  private func now(in list: borrowing CustomerList) throws -> Chosen {
    guard let range else {
      var chosen = Chosen(ids: [])
      try list.forEach(matching: filter(in: list), noting: chosen.skipped) { customer in
        chosen.ids.append(customer.id)
        return true
      }
      return chosen
    }
    let outline = try list.outline()
    let count = try section.map { try list.section($0).count } ?? outline.count
    try refuse(beyond: count)
    let start = section.map { outline.position(of: CustomerPlace(section: $0, order: 1)) } ?? 1
    let rows = start + range.lowerBound - 1..<start + range.upperBound
    return Chosen(ids: try list.customers(numbered: rows, of: outline).map(\.id))
  }

  private func refuse(beyond count: Int) throws {
    guard let range, range.upperBound > count else { return }
    throw ListError.placeOutOfRange(asked: range.upperBound, allowed: 1..<count + 1)
  }

  private func ids(in list: borrowing CustomerList, _ past: ListPast) throws -> Chosen {
    let now = try list.arrangement { _ in true }
    let then = try past.arrangement(now: now)
    let (present, chosen): (Set<CustomerID>, [CustomerID])
    let skipped = SkippedValues()
    if let range {
      let rows = section.map { id in then.parts.first { $0.section == id }?.rows ?? [] } ?? then.rows
      try refuse(beyond: rows.count)
      (present, chosen) = (Set(now.rows), Array(rows[range.lowerBound - 1..<range.upperBound]))
    } else {
      (present, chosen) = (Set(now.rows), try matches(in: list, past, now.rows, then.rows, noting: skipped))
    }
    let ids = chosen.filter(present.contains)
    return Chosen(ids: ids, deleted: chosen.count - ids.count, skipped: skipped)
  }

  /// Those who matched then, whether or not they do now.
  private func matches(
    in list: borrowing CustomerList, _ past: ListPast, _ now: [CustomerID], _ then: [CustomerID],
    noting skipped: SkippedValues
  ) throws -> [CustomerID] {
    // Only the list knows who was due.
    guard due == nil else {
      throw APIError(
        .conflict, "Nothing was changed: the list has changed since, and so may the rows that are meant.",
        [("reason", .string("changed")), ("version", .version(try list.version()))])
    }
    let filter = try filterOfAnyTime(in: list)
    var ids: [CustomerID] = []
    try list.forEach { customer in
      if let then = past.customer(customer.id, now: customer), filter.matches(then, noting: skipped) {
        ids.append(then.id)
      }
      return true
    }
    for id in Set(then).subtracting(now) {
      if let then = past.customer(id, now: nil), filter.matches(then, noting: skipped) { ids.append(id) }
    }
    return ids
  }

  static let range = JSONObjectType(
    "range", "Rows by their numbers.",
    [
      .always("from", .number, "the first, from 1"), .always("to", .number, "the last"),
      .optional("section", .number, "the section in which they are counted; without it, the whole list"),
    ] + changes)
  static let view = JSONObjectType(
    "view", "The rows that `GET /v1/rows` gives for these parameters; without any, all rows.",
    [
      .optional("where", .text, "conditions"), .optional("search", .text, "words that occur"),
      .optional("text", .text, "instead of both: what people type to search"),
      .optional("section", .number, "the id of a section"), .optional("due", .text, dueMeaning),
      .optional(
        "leave_out", .flag,
        "whether an edit leaves out the rows whose values the conditions can't compare; without it, it is refused"
      ),
    ] + changes)
  private static let changes: [JSONObjectType.Member] = [
    .optional("at", .text, "the version in which the rows were chosen; without it, `seen`"),
    .optional("also", .list(.number), "the ids of customers who are meant besides"),
    .optional("except", .list(.number), "the ids of customers who are not meant"),
  ]
  static let dueMeaning = "the day of the caller, such as 2026-12-24, or today: only customers that are due"
}

extension CustomerList {
  /// The rows as they were at a version.
  ///
  /// - Throws: `ListError.otherHistory`, `APIError` if the history does not reach back so far.
  /// - Complexity: O(rows + edits since the version).
  func arrangement(at version: ListVersion) throws -> ListArrangement {
    let now = try arrangement { _ in true }
    return try past(at: version)?.arrangement(now: now) ?? now
  }

  /// What was in the list at a version; nil for now, if nothing was done since.
  ///
  /// - Throws: `ListError.otherHistory`, `APIError` if the history does not reach back so far.
  fileprivate func past(at version: ListVersion?) throws -> ListPast? {
    guard let version, try version != self.version() else { return nil }
    try refuseOtherHistory(than: version)
    guard let past = try past(at: version, beforeEditsAfter: lastEdit()) else {
      throw APIError(
        .conflict, "Nothing was changed: the history has forgotten the list in which these rows were chosen.",
        remedy: "Choose the rows again.",
        [("reason", .string("changed")), ("version", .version(try self.version()))])
    }
    return past
  }
}

extension CalendarDay {
  /// The day of the caller, or that of the machine if it is `today`; nil for any other text.
  init?(due text: String) {
    if text == "today" { self = .today } else { self.init(text) }
  }
}

/// The history.
extension ListAPI {
  /// How many lines and changes of a step are listed.
  private static let mostLines = 100

  /// A step of the history.
  static let step = JSONObjectType(
    "step", JSONShapes.step.type.meaning,
    JSONShapes.step.type.members + HistoryStep.words + [
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
      if let customer, try !list.hasHad(customer) { throw ListError.noSuchCustomer(customer) }
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
    return APIAnswer([("version", .version(try list.version())), ("steps", .array(shown)), ("next", next)])
  }
}
