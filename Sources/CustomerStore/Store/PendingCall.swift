internal import Synchronization

/// A call that a task waits for.
final class PendingCall<Value: Sendable>: Sendable {
  private struct Progress {
    var continuation: CheckedContinuation<Value, any Error>?
    var hasBegun = false
    var isCancelled = false
  }

  private let state = Mutex(Progress())

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.continuation = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  /// Records that the work has started; from now on the task waits for its end.
  func begin() throws {
    try state.withLock { state in
      guard !state.isCancelled else { throw CancellationError() }
      state.hasBegun = true
    }
  }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      return state.hasBegun ? nil : state.continuation.take()
    }?.resume(throwing: CancellationError())
  }

  func finish(_ result: Result<Value, any Error>) {
    state.withLock { $0.continuation.take() }?.resume(with: result)
  }
}
