internal import CustomerStore
internal import CustomersText
internal import Synchronization

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
  ///   - isRemembered: whether `body` itself knows what it has done, and answers that it did so before.
  ///   - body: does it and throws if its progress can't advance.
  /// - Returns: the answer or after a quarter of a second how far it is.
  /// - Throws: `APIError` if too much is done already.
  func answer(
    _ token: TransactionToken, _ digest: String, isRemembered: Bool = false,
    _ body: @escaping @Sendable (Progress) async -> APIAnswer
  ) async throws -> APIAnswer {
    let name = "\(token.rawValue) \(digest)"
    let work = if let known = works[name] { known } else { try begin(name, body) }
    for _ in 0..<25 {
      if let answer = work.answer {
        // What may succeed another time is begun again by the next request.
        if answer.isForNow || isRemembered && answer.status == 200, works[name] === work { forget(name) }
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
