internal import CustomerStore
internal import Synchronization

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
