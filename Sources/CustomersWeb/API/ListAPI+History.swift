internal import CustomerStore
internal import CustomersText
internal import Synchronization

extension JSON {
  /// A text that the page shows and does not edit; a long one is cut, so that no answer is large because of one.
  static func shown(_ text: String) -> JSON {
    let scalars = text.unicodeScalars.prefix(300)
    return .string(scalars.endIndex == text.endIndex ? text : String(scalars) + "…")
  }

  /// The value with its texts cut.
  var cut: JSON {
    switch self {
    case .string(let text): .shown(text)
    case .object(let members): .object(members.map { ($0, $1.cut) })
    case .array(let values): .array(values.map(\.cut))
    case .int, .bool, .raw: self
    }
  }

  /// The first lines, which the page shows, and how many more there are.
  static func lines(_ lines: [String], most: Int = 200) -> JSON {
    let more = lines.count > most ? ["… and \(lines.count - most) more."] : []
    return .array((lines.prefix(most) + more).map(JSON.shown))
  }

  static func id(_ id: CustomerID) -> JSON { .int(Int(id.rawValue)) }
  static func id(_ id: SectionID) -> JSON { .int(Int(id.rawValue)) }

  /// The first of these customers.
  static func ids(_ ids: some Sequence<CustomerID>) -> JSON {
    .array(ids.prefix(MadeSteps.idLimit).map(JSON.id))
  }
}

/// Steps of the history.
extension HistoryStep {
  /// The most edits that are worked out to describe a step; more would keep other programs waiting.
  static let describedEdits: Int64 = 5_000

  /// Whether so few edits were made since its beginning that its changes are soon worked out.
  func isShort(at lastEdit: Int64) -> Bool { firstEdit > lastEdit &- HistoryStep.describedEdits }

  /// The step as in `--json`, with what it did in words.
  ///
  /// - Parameters:
  ///   - outcome: what it did.
  ///   - most: how many of its changes are listed; nil for a step without them.
  ///   - more: further members.
  /// - Returns: the step.
  func json(_ outcome: EditOutcome, mostChanges most: Int?, _ more: [(String, JSON)] = []) -> JSON {
    let brief = outcome.brief
    let members = JSONShapes.step.pairs((self, brief), besides: ["changes", "omitted"])
    let text = StepPresenter(step: self, outcome: outcome).summary
    return .object(members + (most.map { brief.members(most: $0) } ?? []) + words(text) + more)
  }

  /// The members that say it in words; without what it did, who made it.
  func words(_ text: String?) -> [(String, JSON)] {
    let by = [command, author ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
    return [("by", .shown(by)), ("text", .shown(text ?? command)), ("version", .version(version))]
  }

  /// These members in the reference.
  static let words: [JSONObjectType.Member] = [
    .always("by", .text, "the command and the user, for people"),
    .always("text", .text, "what it did, as a sentence"),
    .always("version", .text, "the version after it"),
  ]
}

extension EditOutcome {
  /// The first customers that the edit named or changed.
  var ids: [CustomerID] {
    var ids = rows.prefix(MadeSteps.idLimit).map(\.id)
    for run in runs where ids.count < MadeSteps.idLimit {
      let count = min(run.count, MadeSteps.idLimit - ids.count)
      ids += (0..<Int64(count)).map { CustomerID(rawValue: run.first.rawValue &+ $0) }
    }
    return ids
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
      if step.isShown { steps.append(step) }
      id -= 1
    }
    return steps
  }
}

extension CustomerList {
  /// The step of a request that was done, and what it did as a sentence; nil if neither is known.
  fileprivate func made(_ token: TransactionToken) throws -> (step: HistoryStep, text: String)? {
    guard let step = try receipt(of: token).flatMap({ try request(labeled: $0)?.step }) else { return nil }
    return (step, StepPresenter(step: step, outcome: try outcome(of: step)).summary)
  }
}

extension ListAPI {
  /// `POST /v1/settle`: whether an edit was made; one that was not made can't be made later.
  func settle(_ call: Route.Call) async throws -> APIAnswer {
    try await settle(call.body.token("token"))
  }

  /// What became of an edit, and, if the caller may know it, its step.
  func settle(_ token: TransactionToken, showingStep: Bool = true) async throws -> APIAnswer {
    let outcome =
      try await isReadOnly ? list.read { try $0.outcome(of: token) } : list.settle(token)
    let word =
      switch outcome {
      case .committed: "done"
      case .notCommitted: "not_done"
      case .unknown: "unknown"
      }
    let isShown = outcome == .committed && showingStep
    let made = isShown ? made[token] : nil
    // After a restart, or on another server, only the list knows it.
    let found = try await isShown && made == nil ? list.readAtLength { try $0.made(token) } : nil
    let (step, text) = (made?.step ?? found?.step, made?.notice ?? found?.text)
    return APIAnswer([
      ("outcome", .string(word)), ("step", step.map { .int(Int($0.id)) } ?? .null),
      ("version", step.map { .version($0.version) } ?? .null), ("text", .shown(text ?? "")),
    ])
  }
}

/// What the pages have done through this program: to answer a repeated request as before, and to say in the
/// stream which browser made a step.
///
/// It is kept in memory only, and only of the latest edits: without it, an answer says less.
final class MadeSteps: Sendable {
  /// An edit that was done.
  struct Made: Sendable {
    /// The version of the list before it.
    var before: ListVersion
    /// The step of the history; nil if nothing was changed.
    var step: HistoryStep?
    /// What it did, for a person.
    var notice: String
    /// The first customers that it named or changed.
    var ids: [CustomerID] = []
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
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - carrier: of a part of a list: what its key has done.
  /// - Returns: the members.
  /// - Throws: `StoreError`.
  func members(
    _ list: borrowing CustomerList, of carrier: PartEdits?
  ) throws -> [(String, JSON)] {
    let version = try list.version()
    let known = last.withLock(\.self)
    let offer =
      if let known, known.version == version { known } else {
        Offer(
          version: version, undo: try .step(list.undoable().own(by: carrier), in: list),
          redo: try .step(list.redoable().own(by: carrier), in: list))
      }
    last.withLock { $0 = offer }
    return [("undo", offer.undo), ("redo", offer.redo)]
  }
}

extension HistoryStep? {
  /// The step, if the caller may undo it; of a part of a list, that is what its key has done.
  func own(by carrier: PartEdits?) -> HistoryStep? { flatMap { carrier?.isOwn($0) == false ? nil : $0 } }
}

extension JSON {
  /// A step that can be undone or redone, without its changes; null for none.
  static func step(_ step: HistoryStep?, in list: borrowing CustomerList) throws -> JSON {
    guard let step else { return .null }
    guard try step.isShort(at: list.lastEdit()) else {
      return .object([("step", .int(Int(step.id))), ("time", .string(step.time))] + step.words(nil))
    }
    return step.json(try list.outcome(of: step), mostChanges: nil)
  }
}
