internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

/// What was done, by whom, and what it changed.
extension ListAPI {
  /// How many lines of a step are shown.
  private static let mostLines = 100

  /// `GET /api/history`: the latest steps or those before one; of the whole list or of a customer.
  func history(_ query: Query) async throws -> APIAnswer {
    try query.allow("before", "limit", "customer")
    let before = try query.number("before", in: 1...Int.max) ?? .max
    let limit = try query.number("limit", in: 1...50) ?? 20
    let customer = try query.customer("customer")
    let body = { @Sendable [self] (list: borrowing CustomerList, steps: [HistoryStep]) in
      try answer(steps, of: customer, hasMore: steps.count == limit, in: list)
    }
    let known = try await list.read { list in
      let steps = try list.steps(of: customer, before: Int64(before), limit: limit)
      let last = try list.lastEdit()
      return try steps.allSatisfy { $0.isShort(at: last) } ? body(list, steps) : nil
    }
    // What was done long ago takes long to describe.
    if let known { return known }
    return try await list.readAtLength { list in
      try body(list, list.steps(of: customer, before: Int64(before), limit: limit))
    }
  }

  private func answer(
    _ steps: [HistoryStep], of customer: CustomerID?, hasMore: Bool, in list: borrowing CustomerList
  ) throws -> APIAnswer {
    let shown = try zip(steps, list.outcomes(of: steps, limit: 1_000)).map { step, all -> JSON in
      let outcome = customer.map { all.only($0) ?? all } ?? all
      let presenter = StepPresenter(step: step, outcome: outcome)
      let by = [step.command, step.person ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
      let lines = step.editCount == 0 ? [presenter.summary] : presenter.presenter.detailedLines
      return .object([
        ("id", .int(Int(step.id))), ("time", .string(step.time)), ("by", .shown(by)),
        ("text", .shown(presenter.summary)), ("lines", .lines(lines, most: ListAPI.mostLines)),
        ("canRevert", .bool(!isReadOnly && step.kind == .edit && step.state == .done && step.editCount > 0)),
      ])
    }
    let next = hasMore ? steps.last.map { JSON.int(Int($0.id)) } ?? .null : .null
    return APIAnswer(
      200, .object([("version", .version(try list.version())), ("steps", .array(shown)), ("next", next)]))
  }

  /// `POST /api/revert`: undoes the step that the page has shown and leaves what was done since.
  func revertStep(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow("token", "step", "time", "page")
    let (token, page) = (try body.token(), try body.page())
    let (id, time) = (try body.number("step"), try body.text("time"))
    return try await perform(token, page, action: "revert") { list in
      // Another list may have another step of this number.
      guard try list.step(id)?.time == time else { throw ListError.otherHistory }
      do {
        let outcome = try list.revert(id, limit: 10_000)
        return (TextPresenter(outcome).sentence ?? "Nothing was changed.", outcome.ids)
      } catch let error as RevertError {
        var message = "Nothing was changed: \(error)."
        if case .changedSince(let ids) = error, let first = ids.first,
          let customer = try list.customers([first])[first]
        {
          message += " The first is \(customer.fields.title(first))."
        }
        throw APIRefusal(
          409, "refused", message,
          [("reason", .string("other")), ("version", .version(try list.version()))])
      }
    }
  }
}

extension CustomerList {
  /// Steps before one, the last one first.
  fileprivate func steps(of customer: CustomerID?, before: Int64, limit: Int) throws -> [HistoryStep] {
    if let customer {
      return Array(try history(of: customer).lazy.filter { $0.id < before }.prefix(limit))
    }
    guard let last = try history(limit: 1).first?.id else { return [] }
    var steps: [HistoryStep] = []
    var id = min(last, before - 1)
    // The numbers have no gaps, but the history forgets the first ones.
    while steps.count < limit, let step = try step(id) {
      // An erased history still has one step, so that numbering continues.
      if step.editCount > 0 || step.action == "repair" { steps.append(step) }
      id -= 1
    }
    return steps
  }
}
