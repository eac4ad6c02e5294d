internal import CustomerStore
internal import CustomerTable
internal import CustomersText

/// Edits: each is one transaction with the page's token, so that it is done once, however often it is sent.
extension ListAPI {
  /// `POST /api/edit`: an edit of what a person saw.
  func edit(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow("token", "seen", "edit", "page")
    let (token, page) = (try body.token(), try body.page())
    let seen = try body.object("seen").version()
    let asked = try AskedEdit(body.object("edit"))
    return try await perform(token, page, action: asked.action) { [policy] list in
      let edit = try asked.edit(asSeenAt: seen, in: list, policy)
      let outcome = try list.apply(edit)
      return (TextPresenter(outcome).notice(of: edit), outcome.ids)
    }
  }

  /// Edits the list, unless the transaction was committed before.
  ///
  /// - Parameters:
  ///   - token: the name of the transaction.
  ///   - page: the browser that asks for it.
  ///   - action: the name of the step in the history.
  ///   - body: makes the edit and returns a sentence about it and the first customers.
  /// - Returns: the answer; the same for a repeated token, as long as known.
  /// - Throws: `APIRefusal`, `StoreError`, `CommitError`, `CancellationError`.
  func perform(
    _ token: TransactionToken, _ page: String?, action: String,
    _ body: @escaping @Sendable (inout CustomerList) throws -> (notice: String, ids: [CustomerID])
  ) async throws -> APIAnswer {
    try await list.write(action: action, token: token) { [made] list in
      if try list.isCommitted(token) {
        return try made[token].answer(again: true, in: list)
      }
      let last = try list.lastEdit()
      let done: (notice: String, ids: [CustomerID])
      do { done = try body(&list) } catch { throw try APIRefusal(error, in: list) }
      // Undo and redo close their step at once, so it is not always the current one.
      let step = try list.lastEdit() > last ? list.history(limit: 1).first : nil
      let edit = MadeSteps.Made(step: step, notice: done.notice, ids: done.ids, page: page)
      if step != nil { made.note(edit, token) }
      return try Optional(edit).answer(again: false, in: list)
    }
  }
}

extension MadeSteps.Made? {
  /// The answer to the request that made it; less of it if no longer known.
  fileprivate func answer(again: Bool, in list: borrowing CustomerList) throws -> APIAnswer {
    let edit = self ?? MadeSteps.Made(notice: "This was done before.", ids: [])
    return APIAnswer(
      200,
      .object(
        [
          ("version", .version(try list.version())), ("outcome", .string("done")), ("again", .bool(again)),
        ] + edit.members + [("ids", .ids(edit.ids))]))
  }
}

extension MadeSteps.Made {
  /// The step and the sentence.
  var members: [(String, JSON)] {
    [("step", step.map { .int(Int($0.id)) } ?? .null), ("notice", .shown(notice))]
  }
}

extension CustomerList {
  /// Whether a transaction was committed before; ask at the beginning of a repetition.
  ///
  /// - Throws: `APIRefusal` if it must not be repeated.
  fileprivate func isCommitted(_ token: TransactionToken) throws -> Bool {
    do { try refuseIfSettled(token) } catch is CancellationError {
      throw APIRefusal(.refused, "This was given up before.", [("reason", .string("other"))])
    }
    switch try outcome(of: token) {
    case .committed: return true
    case .notCommitted: return false
    case .unknown:
      throw APIRefusal(
        .refused, "This may have been done before: the request is too old.",
        [("reason", .string("other"))])
    }
  }
}

extension RequestBody {
  /// The random id of a browser.
  func page() throws -> String? {
    guard let page = try given("page", text) else { return nil }
    guard page.utf8.count <= 64 else { throw wrong("page", "at most 64 bytes") }
    return page
  }

  fileprivate func version() throws -> ListVersion {
    try allow("history", "edit")
    return ListVersion(mark: try text("history"), edit: try number("edit"))
  }
}

/// What a page asks for in `POST /api/edit`.
enum AskedEdit: Sendable {
  /// Where rows shall be.
  enum Place: Sendable {
    case before(CustomerID)
    case end(of: SectionID, Destination)
    /// A position in the whole list, from 1.
    case row(Int)
  }

  case move([CustomerID], Place)
  case delete([CustomerID])
  case insert([CustomerField: FieldValue], SectionID, Destination)
  case update(CustomerID, from: [CustomerField: FieldValue], to: [CustomerField: FieldValue])
  case protect([CustomerID], canEdit: Bool?, canMove: Bool?)
  case section(SectionEdit)

  /// The most customers of one edit or export: their ids fit in a request.
  static let mostCustomers = 100_000

  /// The name of the step in the history.
  var action: String {
    switch self {
    case .move: "move"
    case .delete: "delete"
    case .insert: "add"
    case .update: "edit"
    case .protect: "protect"
    case .section: "section"
    }
  }

  /// Reads the member `edit` of a request.
  init(_ body: RequestBody) throws {
    let kind = try body.onlyMember(of: "edit")
    let object = { try body.object(kind) }
    switch kind {
    case "move": self = try AskedEdit(move: object())
    case "delete":
      let edit = try object()
      try edit.allow("ids")
      self = .delete(try edit.customers("ids"))
    case "insert":
      let edit = try object()
      try edit.allow("fields", "section", "at")
      self = .insert(try edit.object("fields").fields(), try edit.section(), try edit.end())
    case "update": self = try AskedEdit(update: object())
    case "protect":
      let edit = try object()
      try edit.allow("ids", "canEdit", "canMove")
      let rights = (try edit.given("canEdit", edit.flag), try edit.given("canMove", edit.flag))
      self = .protect(try edit.customers("ids"), canEdit: rights.0, canMove: rights.1)
    case "section": self = .section(try SectionEdit(object()))
    default: throw APIRefusal.bad("There is no edit \(kind.quotedShort).")
    }
  }

  private init(move edit: RequestBody) throws {
    try edit.allow("ids", "before", "section", "at", "row")
    guard ["before", "section", "row"].count(where: edit.has) == 1, edit.has("at") == edit.has("section")
    else {
      throw APIRefusal.bad("A move needs one place: \"before\", \"row\", or \"section\" and \"at\".")
    }
    let place: Place =
      if edit.has("before") {
        .before(CustomerID(rawValue: try edit.number("before")))
      } else if edit.has("row") {
        .row(Int(try edit.number("row")))
      } else {
        .end(of: try edit.section(), try edit.end())
      }
    self = .move(try edit.customers("ids"), place)
  }

  private init(update edit: RequestBody) throws {
    try edit.allow("id", "from", "to")
    let (from, to) = (try edit.object("from").fields(), try edit.object("to").fields())
    if let field = to.keys.first(where: { from[$0] == nil }) {
      throw APIRefusal.bad("The field \(field.nameInRequests.quotedShort) is in \"to\" and not in \"from\".")
    }
    self = .update(CustomerID(rawValue: try edit.number("id")), from: from, to: to)
  }
}

extension SectionEdit {
  /// Reads the member `section` of an edit.
  fileprivate init(_ body: RequestBody) throws {
    let kind = try body.onlyMember(of: "section")
    let edit = try body.object(kind)
    switch kind {
    case "add":
      try edit.allow("title", "at")
      self = .add(title: try edit.title(), at: try edit.given("at", edit.number).map { Int($0) })
    case "rename":
      try edit.allow("id", "title")
      self = .rename(try edit.section("id"), title: try edit.title())
    case "move":
      try edit.allow("id", "to")
      self = .move(try edit.section("id"), to: Int(try edit.number("to")))
    case "delete":
      try edit.allow("id", "withCustomers")
      self = .delete(try edit.section("id"), withCustomers: try edit.flag("withCustomers"))
    default: throw APIRefusal.bad("There is no edit of a section \(kind.quotedShort).")
    }
  }
}

extension RequestBody {
  /// The title of a section, as a person has typed it.
  fileprivate func title() throws -> String {
    let title = try text("title", most: 10_000)
    guard !title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw wrong("title", "no control characters")
    }
    return title
  }

  /// The ids of customers, at least `fewest`.
  func customers(_ name: String, fewest: Int = 1) throws -> [CustomerID] {
    try numbers(name, fewest: fewest, most: AskedEdit.mostCustomers).map { CustomerID(rawValue: $0) }
  }

  fileprivate func section(_ name: String = "section") throws -> SectionID {
    SectionID(rawValue: try number(name))
  }

  fileprivate func onlyMember(of name: String) throws -> String {
    guard names.count == 1, let only = names.first else {
      throw APIRefusal.bad("The member \"\(name)\" needs exactly one edit.")
    }
    return only
  }

  /// The top or the end of a section.
  fileprivate func end() throws -> Destination {
    switch try text("at") {
    case "first": .first
    case "last": .last
    default: throw wrong("at", "\"first\" or \"last\"")
    }
  }

  /// Fields by their names, as a person has typed them.
  fileprivate func fields() throws -> [CustomerField: FieldValue] {
    var fields: [CustomerField: FieldValue] = [:]
    for name in names {
      guard let field = CustomerField(nameInRequests: name) else {
        throw APIRefusal.bad("There is no field \(name.quotedShort).")
      }
      do { fields[field] = try field.value(parsing: try entry(name)) } catch let error as FieldError {
        throw APIRefusal.invalid([field: "\(error)"])
      }
    }
    return fields
  }
}

/// The edit of the list that a page asks for.
extension AskedEdit {
  /// The edit, as far as the policy allows it.
  ///
  /// - Parameters:
  ///   - version: the version that the user saw.
  ///   - list: the list in the transaction of the edit.
  ///   - policy: what may be edited.
  /// - Returns: the edit.
  /// - Throws: `ListError`, `APIRefusal`.
  func edit(
    asSeenAt version: ListVersion, in list: borrowing CustomerList, _ policy: EditingPolicy
  ) throws -> ListEdit {
    // An id may be another customer's in another history.
    try list.refuseOtherHistory(than: version)
    switch self {
    case .move(let ids, let place):
      let rows = try ids.map { try list.customer($0) }
      if let row = rows.first(where: { !policy.canMove($0) }) { throw ListError.moveForbidden(row.id) }
      let target = try place.target(of: rows, in: list)
      return .move(ids, to: target.destination, in: target.section, asSeenAt: version)
    case .delete(let ids):
      for id in ids { try policy.checkEdit(of: list.customer(id)) }
      return .delete(ids, asSeenAt: version)
    case .insert(let values, let section, let destination):
      guard policy.allowsAdding else { throw APIRefusal.readOnly }
      try policy.form(of: nil).checkTyped(values)
      var fields = CustomerFields()
      fields.set(FieldChanges(values))
      try policy.check(fields)
      return .insert([NewCustomer(fields)], at: destination, in: section)
    case .update(let id, let from, let to):
      guard let customer = try list.customers([id])[id] else { throw try APIRefusal.gone(list) }
      try policy.checkEdit(of: customer)
      try policy.form(of: customer).checkTyped(to, over: from)
      let seen = customer.fields.typed(from)
      let wanted = seen.typed(to)
      try policy.check(wanted)
      return .save(id, from: seen, to: wanted)
    case .protect(let ids, let canEdit, let canMove):
      return .protect(ids, canEdit: canEdit, canMove: canMove)
    case .section(let edit):
      if case .delete(let id, withCustomers: true) = edit {
        try list.refuseChangedSection(id, since: version)
        try list.forEach(in: id) { customer in
          try policy.checkEdit(of: customer)
          return true
        }
      }
      return .section(edit)
    }
  }
}

extension AskedEdit.Place {
  fileprivate func target(
    of rows: [Customer], in list: borrowing CustomerList
  ) throws -> (destination: Destination, section: SectionID?) {
    switch self {
    case .before(let id): return (.before(id), nil)
    case .end(let section, let destination): return (destination, section)
    case .row(let position):
      let outline = try list.outline()
      let places = rows.map(\.place).sorted { outline.position(of: $0) < outline.position(of: $1) }
      guard let target = outline.target(position: position, moving: places) else {
        let end = max(1, (outline.count - places.count).saturatingAdding(2))
        throw ListError.placeOutOfRange(asked: position, allowed: 1..<end)
      }
      return target
    }
  }
}

extension EditingPolicy {
  fileprivate func checkEdit(of customer: Customer) throws {
    guard canEdit(customer) else { throw ListError.editForbidden(customer.id) }
  }

  /// Refuses fields that the form would not save.
  fileprivate func check(_ fields: CustomerFields) throws {
    let problems = form.check(fields)
    if !problems.isEmpty { throw APIRefusal.invalid(problems) }
  }
}

extension FormState.Options {
  /// Refuses what a person can't type in the form.
  ///
  /// - Parameters:
  ///   - values: what was typed.
  ///   - old: what the fields held before.
  /// - Throws: `APIRefusal` with the problem of each field.
  fileprivate func checkTyped(
    _ values: [CustomerField: FieldValue], over old: [CustomerField: FieldValue] = [:]
  ) throws {
    var problems: [CustomerField: String] = [:]
    for (field, value) in values {
      if case .extra(let name) = field, !fields.contains(field), old[field]?.text.isEmpty != false {
        problems[field] = "There is no field \(name.quotedShort) in this form"
      } else if old[field]?.text != value.text, let problem = field.problem(ofTyped: value.text) {
        problems[field] = problem
      }
    }
    if !problems.isEmpty { throw APIRefusal.invalid(problems) }
  }
}

extension CustomerFields {
  /// The fields after a person has typed these over them; a text that stays the same leaves a number a number.
  fileprivate func typed(_ values: [CustomerField: FieldValue]) -> CustomerFields {
    var fields = self
    // Sorted, so that the order of new extra columns does not depend on the hash.
    for (field, value) in values.sorted(by: { $0.key.column < $1.key.column }) {
      fields[field] = field.kind == .flag ? value : self[field].replaced(by: value.text)
    }
    return fields
  }
}
