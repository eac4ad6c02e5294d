internal import CustomersFormats
internal import Dispatch
internal import Synchronization

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
  /// The names, the oldest first.
  private var order: [String] = []

  /// Begins a work or looks after the one that has its name.
  ///
  /// - Parameters:
  ///   - name: a random name that the page has chosen.
  ///   - body: does it and throws if its progress can't advance.
  /// - Returns: the answer or after a quarter of a second how far it is.
  /// - Throws: `APIRefusal` if too much is done already.
  func answer(
    _ name: String, _ body: @escaping @Sendable (Progress) async -> APIAnswer
  ) async throws -> APIAnswer {
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

  private func begin(
    _ name: String, _ body: @escaping @Sendable (Progress) async -> APIAnswer
  ) throws -> Work {
    guard works.values.count(where: { $0.answer == nil }) < LongWork.most else {
      throw APIRefusal(409, "refused", "\(LongWork.most) files are read or written already; try again then.")
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
  func cancel(_ name: String) {
    works[name]?.progress.cancel()
    works[name]?.task?.cancel()
  }

  private func forget(_ name: String) {
    works[name] = nil
    order.removeAll { $0 == name }
  }

  /// Runs something that waits on a thread of its own.
  static func onOwnThread<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      DispatchQueue(label: "customers.work").async {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}

extension APIAnswer {
  /// Whether the same request may get another answer soon.
  var isForNow: Bool { status == 423 || status >= 500 }
}
