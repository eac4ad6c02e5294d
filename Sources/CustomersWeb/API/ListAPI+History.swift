internal import CustomerStore
internal import CustomersText
internal import Synchronization

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
          .refused, message,
          [("reason", .string("other")), ("version", .version(try list.version()))])
      }
    }
  }
}

extension CustomerList {
  /// Steps before one, the last one first.
  func steps(of customer: CustomerID?, before: Int64, limit: Int) throws -> [HistoryStep] {
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

extension ListAPI {
  /// `POST /api/undo`, `POST /api/redo`: reverts the step that the user was shown, and no other.
  func revert(_ verb: Verb, _ body: RequestBody) async throws -> APIAnswer {
    try body.allow("token", "expecting", "time", "page")
    let (token, page) = (try body.token(), try body.page())
    let expected = HistoryStep(id: try body.number("expecting"), time: try body.text("time"))
    return try await perform(token, page, action: verb.infinitive) { list in
      do {
        let reverted = try verb == .undo ? list.undo(expecting: expected) : list.redo(expecting: expected)
        guard let reverted else { throw ListError.otherStep(expected: expected.id, found: nil) }
        let presenter = StepPresenter(step: reverted.step, outcome: reverted.outcome)
        return (presenter.reverted(verb, isDryRun: false), reverted.outcome.ids)
      } catch ListError.otherStep {
        let next = try verb == .undo ? list.undoable() : list.redoable()
        throw APIRefusal(
          .refused,
          next == nil
            ? "There is nothing to \(verb.infinitive)."
            : "Nothing was changed: another step is the next to \(verb.infinitive) now.",
          [
            ("reason", .string("otherStep")), (verb.infinitive, try .step(next, in: list)),
            ("version", .version(try list.version())),
          ])
      }
    }
  }
}

extension ListAPI {
  /// `GET /api/outcome`: whether an edit was made; with `settle=1`, one that was not made can't be made later.
  func outcome(_ query: Query) async throws -> APIAnswer {
    try query.allow("token", "settle")
    guard let token = TransactionToken(request: try query.needed("token", query["token"])) else {
      throw APIRefusal.bad("The parameter token needs 32 hexadecimal digits.")
    }
    let settles = try query.number("settle", in: 0...1) == 1 && !isReadOnly
    let outcome =
      try await settles ? list.settle(token) : list.read { list in try list.outcome(of: token) }
    let word =
      switch outcome {
      case .committed: "committed"
      case .notCommitted: "notCommitted"
      case .unknown: "unknown"
      }
    let edit = outcome == .committed ? made[token] : nil
    return APIAnswer(
      200,
      .object(
        [("outcome", .string(word))] + (edit ?? MadeSteps.Made(notice: "", ids: [])).members))
  }
}

/// What the pages have done through this program: to answer a repeated request as before, and to say in the
/// stream which browser made a step.
///
/// It is kept in memory only, and only of the latest edits: without it, an answer says less.
final class MadeSteps: Sendable {
  /// An edit that was done.
  struct Made: Sendable {
    /// The step of the history; nil if nothing was changed.
    var step: HistoryStep?
    /// What it did, for a person.
    var notice: String
    /// The customers, at most `idLimit`.
    var ids: [CustomerID]
    /// The browser.
    var page: String?
    /// What the request was.
    var digest = ""
  }

  private struct Edits {
    var byToken: [TransactionToken: Made] = [:]
    var tokens: [HistoryStep.ID: TransactionToken] = [:]
    var order: [TransactionToken] = []
    /// Where the next token goes once there are `limit`.
    var next = 0

    mutating func forget(_ token: TransactionToken) {
      guard let step = byToken.removeValue(forKey: token)?.step?.id, tokens[step] == token else { return }
      tokens[step] = nil
    }
  }

  private static let limit = 10_000
  /// The most customers that an answer or an event names.
  static let idLimit = 200

  private let edits = Mutex(Edits())

  /// Takes note of an edit, in its transaction: the stream may report the step as soon as that ends.
  func note(_ made: Made, _ token: TransactionToken) {
    edits.withLock { edits in
      if edits.byToken.updateValue(made, forKey: token) == nil {
        if edits.order.count < MadeSteps.limit {
          edits.order.append(token)
        } else {
          edits.forget(edits.order[edits.next])
          edits.order[edits.next] = token
          edits.next = (edits.next + 1) % MadeSteps.limit
        }
      }
      if let step = made.step { edits.tokens[step.id] = token }
    }
  }

  /// The edit with a token, if known; ask the list whether it was committed.
  subscript(token: TransactionToken) -> Made? { edits.withLock { $0.byToken[token] } }

  /// The browser that made a step; nil if it is unknown or another program did.
  ///
  /// The time is compared, because the commit of a known step may have failed.
  func page(of step: HistoryStep) -> String? {
    edits.withLock { edits in
      guard let made = edits.tokens[step.id].flatMap({ edits.byToken[$0] }), made.step?.time == step.time
      else { return nil }
      return made.page
    }
  }
}

/// The steps that undo and redo would revert, with their descriptions, as they were at the last look: scrolling
/// doesn't change them.
final class OfferedSteps: Sendable {
  /// The steps at a version.
  struct Offer: Sendable {
    var version: ListVersion
    /// The next steps; null for none.
    var undo: JSON
    var redo: JSON
  }

  private let last = Mutex<Offer?>(nil)

  /// The members of an answer.
  func members(_ list: borrowing CustomerList) throws -> [(String, JSON)] {
    let version = try list.version()
    let known = last.withLock(\.self)
    let offer =
      if let known, known.version == version { known } else {
        Offer(
          version: version, undo: try .step(list.undoable(), in: list),
          redo: try .step(list.redoable(), in: list))
      }
    last.withLock { $0 = offer }
    return [("undo", offer.undo), ("redo", offer.redo)]
  }
}

extension JSON {
  /// A step that can be undone or redone; null for none.
  static func step(_ step: HistoryStep?, in list: borrowing CustomerList) throws -> JSON {
    guard let step else { return .null }
    return .object(step.members(try step.isShort(at: list.lastEdit()) ? list.outcome(of: step) : nil))
  }
}
