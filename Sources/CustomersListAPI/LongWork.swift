internal import CustomersFormats
internal import Dispatch
internal import Synchronization

/// Work that takes longer than a request: the first request begins it, each other one of the same name gets how far it
/// is or, when it is done, its answer.
final class LongWork: Sendable {
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

  private final class Work: Sendable {
    let progress = Progress()
    let task = Mutex<Task<Void, Never>?>(nil)
    let answer = Mutex<APIAnswer?>(nil)
  }

  /// The maximum number of works at a time.
  static let most = 4
  /// How many answers are kept for pages that have not got them.
  private static let mostKept = 16

  private struct Works {
    var byName: [String: Work] = [:]
    var order: [String] = []
  }

  private let works = Mutex(Works())

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
    let work = try works.withLock { works in
      if let work = works.byName[name] { return work }
      guard works.byName.values.count(where: { $0.answer.withLock { $0 == nil } }) < LongWork.most else {
        throw APIRefusal(
          409, "refused", "\(LongWork.most) files are read or written already; try again then.")
      }
      let work = Work()
      works.byName[name] = work
      works.order.append(name)
      if works.order.count > LongWork.mostKept,
        let old = works.order.first(where: { works.byName[$0]?.answer.withLock { $0 != nil } ?? true })
      {
        works.byName[old] = nil
        works.order.removeAll { $0 == old }
      }
      work.task.withLock { task in
        task = Task { [progress = work.progress] in
          let answer = await body(progress)
          work.answer.withLock { $0 = answer }
          work.task.withLock { $0 = nil }
        }
      }
      return work
    }
    for _ in 0..<25 {
      if let answer = work.answer.withLock(\.self) {
        // What may succeed another time is begun again by the next request.
        if answer.status == 423 || answer.status >= 500 { forget(name) }
        return answer
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    return work.progress.answer
  }

  /// Ends a work that no one wants any more.
  func cancel(_ name: String) {
    guard let work = works.withLock({ $0.byName[name] }) else { return }
    work.progress.cancel()
    work.task.withLock { $0?.cancel() }
  }

  private func forget(_ name: String) {
    works.withLock { works in
      works.byName[name] = nil
      works.order.removeAll { $0 == name }
    }
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
