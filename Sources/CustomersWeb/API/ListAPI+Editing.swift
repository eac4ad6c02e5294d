internal import CustomerStore
internal import CustomerTable
internal import CustomersSystem
internal import CustomersText

/// Edits: each request is one transaction with a token, so that it is done once, however often it is sent.
extension ListAPI {
  /// `POST /v1/edits`.
  func edit(_ call: Route.Call) async throws -> APIAnswer {
    let members = call.body
    guard case .array(let edits) = try members.value("edits"), !edits.isEmpty else {
      throw members.wrong("edits", "at least one edit")
    }
    let asked = try edits.enumerated().map { try RequestedEdit($1, path: "edits[\($0)]") }
    let seen = try members.given("seen", members.version)
    let isTyped = try members.given("typed", members.flag) ?? false
    let edit = try EditCall(call)
    return try await perform(edit, action: asked.action, hasSeen: seen != nil) {
      [policy, carrier, settled] list in
      if isTyped { for edit in asked { try edit.refuseOpenNumbers(in: list) } }
      guard let carrier else { return try list.make(asked, of: edit, seen: seen, policy, settled) }
      var carried: [ListEdit] = []
      let last = try list.lastEdit()
      let made = try list.make(asked, of: edit, seen: seen, policy, settled) {
        carried += try carrier.translated($0, madeIn: $1)
      }
      let step = try list.lastEdit() > last ? list.history(limit: 1).first?.id : nil
      // Those that are nothing together are nothing in the list, too.
      if step != nil || asked.count == 1 {
        try carrier.make(carried, step: step, of: edit, action: asked.action)
      }
      return made
    }
  }

  /// `POST /v1/undo`, `POST /v1/redo`: the step that is expected, and no other.
  func revert(_ verb: Verb, _ call: Route.Call) async throws -> APIAnswer {
    let expected = try call.step()
    let edit = try EditCall(call)
    return try await perform(edit, action: verb.infinitive) { [carrier, person] list in
      do {
        let step = try expected.map { try list.expected($0) }
        let reverted = try verb == .undo ? list.undo(expecting: step) : list.redo(expecting: step)
        guard let reverted else { throw ListError.otherStep(expected: expected?.id ?? 0, found: nil) }
        try reverted.outcome.refusePersons(to: person)
        try carrier?.revert(reverted, verb, of: edit)
        let presenter = StepPresenter(step: reverted.step, outcome: reverted.outcome)
        return MadeEdit(text: presenter.reverted(verb, isDryRun: edit.isDryRun), outcome: reverted.outcome)
      } catch ListError.otherStep {
        let next = try verb == .undo ? list.undoable() : list.redoable()
        throw APIError(
          .conflict,
          next == nil
            ? "There is nothing to \(verb.infinitive)."
            : "Nothing was changed: another step is the next to \(verb.infinitive) now.",
          remedy: next == nil ? APIError.nothingHelps : nil,
          [
            ("reason", .string("other_step")),
            ("next", try .step(next.own(by: carrier), in: list)),
            ("version", .version(try list.version())),
          ])
      }
    }
  }

  /// `POST /v1/revert`: undoes a step and leaves what was done since.
  func revertStep(_ call: Route.Call) async throws -> APIAnswer {
    guard let step = try call.step() else { throw call.body.wrong("step", "the number of a step") }
    let edit = try EditCall(call)
    return try await perform(edit, action: "revert") { [person] list in
      // Another list may have another step of this number.
      if let time = step.time, try list.step(step.id)?.time != time { throw ListError.otherHistory }
      do {
        let outcome = try list.revert(step.id, limit: 10_000)
        try outcome.refusePersons(to: person)
        return MadeEdit(outcome, of: edit)
      } catch let error as RevertError {
        var message = "Nothing was changed: \(error)."
        if case .changedSince(let ids) = error, let first = ids.first,
          let customer = try list.customers([first])[first]
        {
          message += " The first is \(customer.fields.title(first))."
        }
        throw APIError(.refused, message, [("version", .version(try list.version()))])
      }
    }
  }
}

extension EditOutcome {
  /// Refuses a step that gives people keys, or ends them, to one of these people.
  fileprivate func refusePersons(to person: PagePerson?) throws {
    guard person != nil, entries.contains(where: { $0.either?.kind == .person }) else { return }
    throw APIError(
      .forbidden, "Nothing was changed: only who has the list gives people keys, and ends them.",
      remedy: "Ask whoever gave you the link.")
  }
}

extension Route.Call {
  /// The step that the request names, and its time, if it says it.
  fileprivate func step() throws -> (id: HistoryStep.ID, time: String?)? {
    let time = try body.given("time", body.text)
    guard let id = try body.given("step", body.number) else {
      guard time == nil else { throw body.wrong("time", "\"step\", the number of the step, beside it") }
      return nil
    }
    return (Int64(id), time)
  }
}

extension CustomerList {
  /// The step with a number, at the time that the caller knows.
  fileprivate func expected(_ step: (id: HistoryStep.ID, time: String?)) throws -> HistoryStep {
    HistoryStep(id: step.id, time: try step.time ?? self.step(step.id)?.time ?? "")
  }

  /// Makes the edits of a request, all or none.
  ///
  /// `report` is called after each edit.
  ///
  /// Rows that are named by a range or a view are those of the list before the first edit, as they were at the version that
  /// the caller has seen, and so are the rows that must not have changed since, and those that a batch names by place, if
  /// the caller has said a version.
  ///
  /// - Throws: `ListError`, `BatchError`, `FieldConflict`, `FilterError`, `APIError`.
  fileprivate mutating func make(
    _ asked: [RequestedEdit], of call: EditCall, seen: ListVersion?, _ policy: EditingPolicy,
    _ settled: (ListEdit, borrowing CustomerList) throws -> ListEdit,
    made report: (ListEdit, borrowing CustomerList) throws -> Void = { _, _ in }
  ) throws -> MadeEdit {
    if let seen {
      // An id may be another customer's in another history.
      try refuseOtherHistory(than: seen)
    }
    var edits: [(edit: ListEdit, position: Int?, words: String)] = []
    for edit in asked {
      var edit = try edit.resolved(in: self, seen: seen)
      edit.edit = try settled(edit.edit, self)
      edits.append(edit)
    }
    for index in edits.indices {
      edits[index].edit =
        try edits.count == 1 ? edits[index].edit.allowed(by: policy, in: self) : edits[index].edit
      guard let version = seen ?? edits[index].edit.seen else { continue }
      try edits[index].edit.refuseChanges(since: version, isChosen: asked[index].selects, in: self)
    }
    var notes: [String] = []
    func make(_ edit: ListEdit, at position: Int?, in list: inout CustomerList) throws -> MadeEdit {
      let placed = try edit.withoutSeen.moved(to: position, in: list).naming(columnsOf: list)
      try placed.refuseOtherSection(in: list)
      notes += try placed.wordsForDays(in: list).prefix(3)
      let outcome = try list.apply(placed)
      try report(placed, list)
      return MadeEdit(
        text: TextPresenter(outcome, isDryRun: call.isDryRun).notice(of: placed), outcome: outcome)
    }
    var result: MadeEdit
    if edits.count == 1 {
      result = try make(edits[0].edit, at: edits[0].position, in: &self)
      result.text += edits[0].words
    } else {
      let last = try lastEdit()
      result = try together { list in
        for (edit, position, _) in edits {
          // What is allowed may depend on the edits before.
          _ = try make(edit.allowed(by: policy, in: list), at: position, in: &list)
        }
        let outcome = try list.outcome(ofEditsAfter: last)
        return (MadeEdit(outcome, of: call), outcome)
      }
    }
    // For whoever reads it, such as the user of the page.
    for note in notes.prefix(3) { result.text += " \(note)." }
    return result
  }
}

extension [RequestedEdit] {
  /// The name of the step in the history.
  fileprivate var action: String { count == 1 ? self[0].action : "apply" }
}

/// What an edit has done.
struct MadeEdit: Sendable {
  /// As a sentence.
  var text: String
  var outcome: EditOutcome
  /// Further members of the answer.
  var more: [(String, JSON)] = []
}

extension MadeEdit {
  /// An edit that its outcome describes.
  fileprivate init(_ outcome: EditOutcome, of call: EditCall) {
    let sentence = TextPresenter(outcome, isDryRun: call.isDryRun).sentence
    self.init(text: sentence ?? "Nothing was changed.", outcome: outcome)
  }
}

/// The members of a request that edits, besides those that say what.
struct EditCall: Sendable {
  /// The name of the transaction.
  let token: TransactionToken
  /// What the token stands for: another request must not have it.
  let digest: String
  /// The browser that asks.
  let page: String?
  let isDryRun: Bool
  /// How many changes the answer lists.
  let mostChanges: Int

  init(_ call: Route.Call) throws {
    let body = call.body
    token = try body.given("token", body.token) ?? TransactionToken()
    isDryRun = try body.given("dry_run", body.flag) ?? false
    page = try body.given("page", body.text)
    let changes = try body.given("changes", body.number) ?? EditCall.mostChanges
    guard (0...EditCall.mostChanges).contains(changes) else {
      throw body.wrong("changes", "a number from 0 to \(EditCall.mostChanges)")
    }
    mostChanges = changes
    if let page, page.utf8.count > 64 { throw body.wrong("page", "at most 64 bytes") }
    digest = EditCall.digest(call.identity)
  }

  private static let mostChanges = 1_000

  static func digest(_ text: String) -> String { String(SHA256.hexadecimal(of: text).prefix(16)) }
}

extension JSONMembers {
  /// A token: 32 hexadecimal digits, or a UUID.
  func token(_ name: String) throws(JSONMistake) -> TransactionToken {
    let text = try text(name)
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isUUID = parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
    guard let token = TransactionToken(request: isUUID ? parts.joined() : text) else {
      throw wrong(name, "32 hexadecimal digits, or a UUID")
    }
    return token
  }
}

extension ListAPI {
  /// Edits the list, unless the transaction was committed before: then the answer is the first one.
  ///
  /// - Parameters:
  ///   - call: the members of the request.
  ///   - action: the name of the step in the history.
  ///   - hasSeen: whether the caller has named the version that it knows.
  ///   - body: makes the edit.
  /// - Returns: the answer.
  /// - Throws: `APIError`, `StoreError`, `CommitError`, `CancellationError`.
  func perform(
    _ call: EditCall, action: String, hasSeen: Bool = false,
    _ body: @escaping @Sendable (inout CustomerList) throws -> MadeEdit
  ) async throws -> APIAnswer {
    let make = { @Sendable [made, carrier] (list: inout CustomerList) throws -> MadeEdit in
      do {
        // A list that was restored since may have given the ids of the request to others.
        if carrier == nil, let known = made[call.token] { try list.refuseOtherHistory(than: known.before) }
        return try body(&list)
      } catch let error as APIError { throw error } catch {
        throw try APIError(list.error(insteadOf: error), hasSeen: hasSeen, in: list)
      }
    }
    if call.isDryRun || carrier?.addsOnly == true {
      return try await list.dryRun { [made, carrier] list in
        let version = try list.version()
        if let known = try carrier?.first(of: call, made, in: list) { return known }
        let edit = try make(&list)
        if !call.isDryRun { made.note(MadeSteps.Made(edit, step: nil, after: version, of: call), call.token) }
        return try APIAnswer(edit, of: call, step: nil, version: version)
      }
    }
    return try await list.write(action: action, token: call.token) { [made, carrier] list in
      if let known = try list.first(of: call, made) ?? carrier?.first(of: call, made, in: list) {
        return known
      }
      let before = try list.version()
      list.labelReceipt("\(call.digest).\(before.edit)")
      let edit = try make(&list)
      // Undo and redo close their step at once, so it is not always the current one.
      let step = try list.lastEdit() > before.edit ? list.history(limit: 1).first : nil
      if step == nil { try list.withdrawReceipt() }
      made.note(MadeSteps.Made(edit, step: step, after: before, of: call), call.token)
      return try APIAnswer(edit, of: call, step: step?.id, version: list.version())
    }
  }
}

extension PartEdits {
  /// The answer to a request that is repeated, if the list has what the part has forgotten; nil if it was not done.
  fileprivate func first(
    of call: EditCall, _ made: MadeSteps, in part: borrowing CustomerList
  ) throws -> APIAnswer? {
    guard !call.isDryRun, let outcome = try outcome(of: call, in: part) else { return nil }
    let text =
      made[call.token]?.notice
      ?? (outcome.rows.isEmpty ? nil : TextPresenter(outcome).sentence) ?? "This was done before."
    return try APIAnswer(
      MadeEdit(text: text, outcome: outcome), of: call, step: nil, version: part.version(),
      again: true)
  }
}

extension MadeSteps.Made {
  fileprivate init(_ edit: MadeEdit, step: HistoryStep?, after version: ListVersion, of call: EditCall) {
    self.init(
      before: version, step: step, notice: edit.text, ids: edit.outcome.ids, page: call.page,
      digest: call.digest)
  }
}

extension CustomerList {
  /// The request of which a receipt is, and its step, unless the history has forgotten that; nil if it is of none.
  func request(labeled label: String) throws -> (digest: Substring, step: HistoryStep?)? {
    let parts = label.split(separator: ".")
    guard parts.count == 2, let before = Int64(parts[1]) else { return nil }
    let step = try history(after: before).first
    return (parts[0], step?.firstEdit == before.saturatingAdding(1) ? step : nil)
  }

  /// The first answer to a request that is repeated; nil if it was not done.
  ///
  /// - Throws: `APIError` if another request had its token, or if it is too old to know.
  fileprivate func first(of call: EditCall, _ made: MadeSteps) throws -> APIAnswer? {
    do { try refuseIfSettled(call.token) } catch is CancellationError { throw APIError.settled }
    let known = made[call.token]
    // A request that changed nothing has happened, with a receipt or without one.
    if let known, known.step == nil {
      guard known.digest == call.digest else { throw APIError.otherToken }
      let nothing = MadeEdit(text: known.notice, outcome: try outcome(ofEditsAfter: .max))
      return try APIAnswer(nothing, of: call, step: nil, version: version(), again: true, ids: known.ids)
    }
    guard let label = try receipt(of: call.token) else {
      if try outcome(of: call.token) == .unknown {
        throw APIError(.tokenExpired, "The token is too old: this may have been done before.")
      }
      // One that changed something was rolled back.
      return nil
    }
    guard let made = try request(labeled: label), made.digest == call.digest else {
      throw APIError.otherToken
    }
    guard let step = made.step else {
      throw APIError(.tokenExpired, "This was done before, and the history has forgotten what it changed.")
    }
    let outcome = try outcome(of: step)
    let text = known?.notice ?? StepPresenter(step: step, outcome: outcome).summary
    return try APIAnswer(
      MadeEdit(text: text, outcome: outcome), of: call, step: step.id,
      version: step.version, again: true, ids: known?.ids)
  }
}

extension APIError {
  static let otherToken = APIError(.tokenUsed, "Another request had this token.")
  /// Its caller has learned that it was not done.
  static let settled = APIError(.canceled, "This edit was canceled.")
}

extension APIAnswer {
  /// The answer to an edit; `ids` are those of the first answer to a request that is repeated, if they are known.
  init(
    _ edit: MadeEdit, of call: EditCall, step: HistoryStep.ID?, version: ListVersion,
    again: Bool = false, ids: [CustomerID]? = nil
  ) throws {
    let outcome = edit.outcome
    self.init(
      [
        ("outcome", .string(outcome.isEmpty ? "unchanged" : "done")), ("version", .version(version)),
        ("again", .bool(again)),
      ] + (call.isDryRun ? [("dry_run", .bool(true))] : [])
        + [
          ("step", step.map { .int(Int($0)) } ?? .null), ("text", .shown(edit.text)),
          ("ids", .ids(ids ?? outcome.ids)),
        ] + edit.more + outcome.brief.members(most: call.mostChanges))
  }
}

extension EditOutcome {
  /// The changes, as many as an answer lists, and how many others there are.
  func members(most: Int) -> [(String, JSON)] {
    let changes = changes
    let rest = max(0, changes.count - most) + omitted
    return [("changes", .array(changes.prefix(most).map { JSONShapes.change.json(($0, self)) }))]
      + (rest > 0 ? [("omitted", .int(rest))] : [])
  }
}

extension OpenList {
  /// Runs edits and rolls them back.
  func dryRun<Result: Sendable>(
    _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> Result {
    let store = store
    return try await onOwnThread { () throws -> Result in try store.dryRun(rows: nil, body) }
  }
}
