internal import CustomerStore
internal import CustomersText
internal import Synchronization

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
