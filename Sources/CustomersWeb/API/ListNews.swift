internal import CustomerStore
internal import CustomersText
internal import Synchronization

/// Looks for changes of the list, without waiting.
struct NewsLook: Sendable {
  /// What a look has found.
  enum Result: Sendable {
    /// No change; the list may be locked for a moment.
    case nothing
    /// The list can be read and has not changed.
    case well
    /// The list is read for the first time or is another one now.
    case start(ListVersion)
    /// The list was changed, by these steps.
    case edit(ListVersion, steps: [JSON])
    /// The list can't be read.
    case trouble(String)
  }

  /// The most steps that an event describes.
  private static let stepLimit = 20

  private let list: OpenList
  private let made: MadeSteps
  private var feed: ListFeed
  private var wasInTrouble = false
  private var idleLooks = 0
  /// How long to wait until the next look.
  var pause: Duration { .milliseconds(list.isOnCluster ? 300 : idleLooks < 200 ? 25 : 50) }
  /// Whether a look waits for other machines.
  var isSlow: Bool { list.isOnCluster }

  init(_ list: OpenList, _ made: MadeSteps) {
    (self.list, self.made) = (list, made)
    feed = ListFeed(list.store, after: nil) { try list.openAgain() }
  }

  /// Looks once.
  mutating func look() -> Result {
    idleLooks += 1
    guard feed.mayHaveNews else { return .nothing }
    do {
      if let found = try feed.follow(found) {
        (wasInTrouble, idleLooks) = (false, 0)
        return found
      }
    } catch {
      wasInTrouble = true
      return .trouble("The list can't be read: \(error).")
    }
    if let start = feed.lockedSince, ContinuousClock.now - start >= .milliseconds(500) {
      wasInTrouble = true
      return .trouble(list.obstacle)
    }
    guard wasInTrouble, !feed.isInTrouble else { return .nothing }
    wasInTrouble = false
    return .well
  }

  private func found(
    _ list: borrowing CustomerList, after known: ListVersion?
  ) throws -> (result: Result, version: ListVersion) {
    let version = try list.version()
    guard let known else { return (.start(version), version) }
    return (.edit(version, steps: try steps(list, after: known.edit, to: version.edit)), version)
  }

  /// The latest steps after an edit; none if there were many, because the page reads the list again anyway.
  private func steps(_ list: borrowing CustomerList, after edit: Int64, to last: Int64) throws -> [JSON] {
    guard last > edit, edit >= last &- HistoryStep.describedEdits else { return [] }
    let steps = Array(
      try list.history(after: edit).suffix(NewsLook.stepLimit).filter { $0.isShort(at: last) })
    return zip(steps, try list.outcomes(of: steps)).map { $0.event($1, page: made.page(of: $0)) }
  }
}

extension HistoryStep {
  /// The most changes of a step that an event lists.
  private static let mostChanges = 100

  /// The step as an event reports it, with the name of the caller that made it, if it is known.
  func event(_ outcome: EditOutcome, page: String?) -> JSON {
    json(
      outcome, mostChanges: HistoryStep.mostChanges,
      [("page", page.map(JSON.string) ?? .null), ("ids", .ids(outcome.ids))])
  }
}

extension APIEvent {
  static func hello(_ version: ListVersion, _ program: ListAPI.Program, isReadOnly: Bool) -> APIEvent {
    APIEvent(
      "hello",
      [
        ("version", .version(version)), ("program", .string(program.version)),
        ("build", .string(program.build)), ("read_only", .bool(isReadOnly)),
      ] + (program.list.map { [("list", .string($0))] } ?? []))
  }

  static func edit(_ version: ListVersion, _ steps: [JSON]) -> APIEvent {
    APIEvent("edit", [("version", .version(version)), ("steps", .array(steps))])
  }

  static func reload(_ version: ListVersion) -> APIEvent {
    APIEvent("reload", [("version", .version(version))])
  }

  package static func trouble(_ message: String) -> APIEvent {
    APIEvent("trouble", [("message", .string(message))])
  }

  static let well = APIEvent("well")
}

/// Lets a few tasks at a time do what others wait for.
actor Turns {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  /// Runs `body` when it is its turn, in the order of the calls.
  ///
  /// - Throws: what `body` throws; `CancellationError` if no one wants it any more.
  func take<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
    try Task.checkCancellation()
    return try await body()
  }
}

/// Work that takes longer than a request: the first request begins it, each other one of the same name gets how far it
/// is or, when it is done, its answer.
actor LongWork {
  /// How far a work is.
  final class Progress: Sendable {
    private struct State {
      var done = 0
      var total = 0
      var isCanceled = false
    }

    private let state = Mutex(State())

    /// Takes note of how far it is.
    ///
    /// - Throws: `CancellationError` if no one wants it any more.
    func advance(to done: Int, of total: Int) throws {
      try state.withLock { state in
        guard !state.isCanceled else { throw CancellationError() }
        (state.done, state.total) = (done, total)
      }
    }

    fileprivate var isCanceled: Bool { state.withLock(\.isCanceled) }

    fileprivate func cancel() { state.withLock { $0.isCanceled = true } }

    fileprivate var answer: APIAnswer {
      let (done, total) = state.withLock { ($0.done, $0.total) }
      return APIAnswer(
        202, .object([("outcome", .string("running")), ("done", .int(done)), ("total", .int(total))]))
    }
  }

  private final class Work {
    let progress = Progress()
    /// Nil when it is done.
    var task: Task<Void, Never>?
    /// Nil until it is done.
    var answer: APIAnswer?
  }

  /// The maximum number of works at a time.
  static let most = 4
  /// How many answers are kept for pages that have not got them.
  private static let mostKept = 16

  private var works: [String: Work] = [:]
  /// What requests do that are not answered before it is done.
  private var waited: [(token: TransactionToken, progress: Progress)] = []
  /// The names, the oldest first.
  private var order: [String] = []

  /// Begins a work or looks after the one that has its name.
  ///
  /// - Parameters:
  ///   - token: the token of the request.
  ///   - digest: what it stands for: another request may have its token.
  ///   - body: does it and throws if its progress can't advance.
  /// - Returns: the answer or after a quarter of a second how far it is.
  /// - Throws: `APIError` if too much is done already.
  func answer(
    _ token: TransactionToken, _ digest: String, _ body: @escaping @Sendable (Progress) async -> APIAnswer
  ) async throws -> APIAnswer {
    let name = "\(token.rawValue) \(digest)"
    let work = if let known = works[name] { known } else { try begin(name, body) }
    for _ in 0..<25 {
      if let answer = work.answer {
        // What may succeed another time is begun again by the next request.
        if answer.isForNow, works[name] === work { forget(name) }
        return answer
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    return work.progress.answer
  }

  /// Does what the request waits for, so that `cancel` ends it.
  ///
  /// - Throws: `APIError` if it was canceled, or what `body` throws.
  func watching<Answer: Sendable>(
    _ progress: Progress, as token: TransactionToken, _ body: @Sendable () async throws -> Answer
  ) async throws -> Answer {
    waited.append((token, progress))
    defer { waited.removeAll { $0.progress === progress } }
    do { return try await body() } catch is CancellationError where progress.isCanceled {
      throw APIError.wasCanceled
    }
  }

  private func begin(
    _ name: String, _ body: @escaping @Sendable (Progress) async -> APIAnswer
  ) throws -> Work {
    guard works.values.count(where: { $0.answer == nil }) < LongWork.most else {
      throw APIError(.busy, "\(LongWork.most) files are read or written already; try again then.")
    }
    if order.count >= LongWork.mostKept, let old = order.first(where: { works[$0]?.answer != nil }) {
      forget(old)
    }
    let work = Work()
    works[name] = work
    order.append(name)
    work.task = Task { end(work, with: await body(work.progress)) }
    return work
  }

  private func end(_ work: Work, with answer: APIAnswer) { (work.task, work.answer) = (nil, answer) }

  /// Ends a work that no one wants any more.
  func cancel(_ token: TransactionToken) {
    for work in waited where work.token == token { work.progress.cancel() }
    for (name, work) in works where name.hasPrefix(token.rawValue) {
      work.progress.cancel()
      work.task?.cancel()
    }
  }

  private func forget(_ name: String) {
    works[name] = nil
    order.removeAll { $0 == name }
  }
}

extension APIAnswer {
  /// Whether the same request may get another answer soon.
  var isForNow: Bool { status == 423 || status >= 500 }
}
