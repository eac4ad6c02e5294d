internal import CustomerStore
internal import CustomersText

/// What programs read of the list.
extension ListAPI {
  /// `GET /v1/rows`.
  ///
  /// - Complexity: O(limit + sections) in the order of the list; O(rows) with conditions or another order.
  func rows(_ call: Route.Call) async throws -> APIAnswer {
    let (from, limit) = (
      try call.query.number("from", in: 1...Int.max) ?? 1, try call.query.number("limit", in: 0...1000) ?? 100
    )
    let selection = try RowSelection(call.query)
    let columns = try call.query["fields"].map { try ListColumn.columns($0) } ?? ListColumn.all
    let order = try call.query["sort"].map { try SortOrder(request: $0) }
    let read = { @Sendable (list: borrowing CustomerList) in
      let (outline, filter) = (try list.outline(), try selection.filter(in: list))
      var rows: [JSON] = []
      let count = try selection.isAll ? list.count(of: filter.section, outline) : list.count(matching: filter)
      if selection.isAll, order == nil {
        let start = (try filter.section.map { try list.first(of: $0, outline) } ?? 1).saturatingAdding(
          from - 1)
        let customers = try list.customers(
          at: start..<start.saturatingAdding(min(limit, max(0, count - from + 1))), of: outline)
        rows = customers.map { $0.json(columns, outline) }
      } else if limit > 0 {
        var listed = ListedRows(filter)
        if let order { listed.order = .sorted(order) }
        (listed.offset, listed.limit) = (from - 1, limit)
        _ = try list.forEach(listed, row: { rows.append($0.json(columns, outline)) })
      }
      return APIAnswer(
        200,
        .object([
          ("version", .version(in: try list.version())), ("count", .int(count)), ("from", .int(from)),
          ("rows", .array(rows)),
        ]))
    }
    return try await selection.isAll && order == nil ? list.read(read) : list.readAtLength(read)
  }

  /// `GET /v1/rows/{id}`.
  func row(_ call: Route.Call) async throws -> APIAnswer {
    try await list.read { list in
      let customer = try list.customer(CustomerID(rawValue: call.id))
      return APIAnswer(
        200, .object([("version", .version(in: try list.version())), ("row", try list.json(customer))]))
    }
  }

  /// `GET /v1/sections`.
  func sections(_ call: Route.Call) async throws -> APIAnswer {
    try await list.read { list in
      APIAnswer(
        200,
        .object([
          ("version", .version(in: try list.version())),
          ("sections", .array(try list.sections().map(JSONShapes.section.json))),
        ]))
    }
  }

  /// `GET /v1/columns`.
  func columns(_ call: Route.Call) async throws -> APIAnswer {
    try await list.readAtLength { list in
      let fields = CustomerField.standard.map { ($0, Int?.none) }
      let extra = try list.extraColumns().map { (CustomerField.extra($0.name), Optional($0.count)) }
      let columns = (fields + extra).map { field, count in
        JSON.object(
          [("name", .string(field.nameInRequests)), ("title", .string(field.title))]
            + (count.map { [("count", .int($0))] } ?? []))
      }
      return APIAnswer(
        200, .object([("version", .version(in: try list.version())), ("columns", .array(columns))]))
    }
  }
}

extension Customer {
  /// Some members of the customer; the id always.
  fileprivate func json(_ columns: [ListColumn], _ outline: ListOutline) -> JSON {
    let columns = columns.contains(.id) ? columns : [.id] + columns
    return .object(columns.map { ($0.nameInRequests, $0.value(self, outline)) })
  }
}

extension ListColumn {
  /// The name in JSON: `extra.` and the name for an extra column.
  fileprivate var nameInRequests: String {
    if case .field(let field) = self { field.nameInRequests } else { name }
  }

  /// The columns that a text names, with commas between them.
  ///
  /// - Throws: `APIError`.
  fileprivate static func columns(_ text: String) throws -> [ListColumn] {
    var columns: [ListColumn] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      let column = all.first { $0.name == name } ?? CustomerField(nameInRequests: name).map(ListColumn.field)
      guard let column else { throw APIError(.badRequest, "There is no field \(name.quotedShort).") }
      guard !columns.contains(column) else {
        throw APIError(.badRequest, "The field \(name.quotedShort) is named twice.")
      }
      columns.append(column)
    }
    return columns
  }
}

extension SortOrder {
  /// The order that a text names: fields with commas between them, and a minus before all if it is descending.
  ///
  /// - Throws: `APIError`.
  init(request text: String) throws {
    let isDescending = text.hasPrefix("-")
    let names = text.dropFirst(isDescending ? 1 : 0).split(separator: ",", omittingEmptySubsequences: false)
    self.init(
      by: try names.map { name in
        guard let key = Key(name: String(name)) else {
          throw APIError(.badRequest, "There is no field \(String(name).quotedShort).")
        }
        return key
      }, isDescending: isDescending)
  }
}

extension JSON {
  /// A version, as text.
  static func version(in version: ListVersion) -> JSON { .string(version.description) }
}

extension CustomerList {
  /// The number of rows of a section, or of the list.
  fileprivate func count(of section: SectionID?, _ outline: ListOutline) throws -> Int {
    guard let section else { return outline.count }
    guard let section = outline.section(section) else { throw ListError.noSuchSection(section) }
    return section.count
  }

  /// The number of a section's first row in the list.
  fileprivate func first(of section: SectionID, _ outline: ListOutline) throws -> Int {
    outline.position(of: CustomerPlace(section: section, order: 1))
  }
}

/// Which rows a request is about, besides those that are named by id.
struct RowSelection: Sendable {
  /// Numbers in the list or in the section, from 1.
  private var range: ClosedRange<Int>?
  private var section: SectionID?
  private var questions: [FilterExpression] = []
  private var search: String?

  /// Those of the parameters `section`, `where`, and `search`.
  init(_ query: Query) throws {
    section = try query.number("section", in: 1...Int.max).map { SectionID(rawValue: Int64($0)) }
    questions = try query["where"].map { [try FilterExpression($0)] } ?? []
    search = query["search"]
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
    questions = try members.given("where", members.text).map { [try FilterExpression($0)] } ?? []
    search = try members.given("search", members.text)
  }

  /// Whether these are all rows of the list or of a section.
  var isAll: Bool { questions.isEmpty && search == nil && range == nil }

  func filter(in list: borrowing CustomerList) throws -> RowFilter {
    try RowFilter(questions, section: section, search: search.map { TextSearch($0) }, in: list)
  }

  /// The customers, in the order of the list.
  ///
  /// - Throws: `ListError`, `FilterError`.
  func ids(in list: borrowing CustomerList) throws -> [CustomerID] {
    let outline = try list.outline()
    guard let range else {
      var ids: [CustomerID] = []
      if let section { _ = try list.count(of: section, outline) }
      try list.forEach(matching: filter(in: list)) { customer in
        ids.append(customer.id)
        return true
      }
      return ids
    }
    let count = try list.count(of: section, outline)
    guard range.upperBound <= count else {
      throw ListError.placeOutOfRange(asked: range.upperBound, allowed: 1..<count + 1)
    }
    let start = try section.map { try list.first(of: $0, outline) } ?? 1
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
      .optional("section", .number, "the id of a section"),
    ])
}

/// The history.
extension ListAPI {
  /// How many lines and changes of a step are listed.
  private static let mostLines = 100

  /// A step, with what it did in words.
  static let step = JSONObjectType(
    name: "step", meaning: JSONShapes.step.type.meaning,
    members: JSONShapes.step.type.members + [
      .always("by", .text, "the command and the user, for people"),
      .always("text", .text, "what it did, as a sentence"),
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
      let by = [step.command, step.author ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
      let lines = step.editCount == 0 ? [presenter.summary] : presenter.presenter.detailedLines
      let members = JSONShapes.step.pairs((step, outcome.brief)).filter {
        !["changes", "omitted"].contains($0.0)
      }
      return .object(
        members + outcome.brief.members(most: ListAPI.mostLines) + [
          ("by", .shown(by)), ("text", .shown(presenter.summary)),
          ("lines", .lines(lines, most: ListAPI.mostLines)),
          (
            "can_revert",
            .bool(!isReadOnly && step.kind == .edit && step.state == .done && step.editCount > 0)
          ),
        ])
    }
    let next = hasMore ? steps.last.map { JSON.int(Int($0.id)) } ?? .null : .null
    return APIAnswer(
      200, .object([("version", .version(in: try list.version())), ("steps", .array(shown)), ("next", next)]))
  }
}
