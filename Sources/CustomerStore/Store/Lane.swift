internal import Dispatch
internal import Platform
internal import SQLite
internal import Synchronization

/// A connection, and whose turn it is to use it.
final class Lane: Sendable {
  private let list = Mutex<CustomerList?>(nil)
  /// The thread whose turn it is; 0 if there is none.
  private let thread = Atomic<UInt>(0)
  private let queue: DispatchQueue
  /// Whether another connection can take the place of this one.
  private let reopens: Bool

  /// Makes a lane whose connection is opened when it is needed first.
  init(label: String, reopens: Bool = true) {
    queue = DispatchQueue(label: label)
    self.reopens = reopens
  }

  /// Whether it is the turn of the calling thread.
  var isMine: Bool { thread.load(ordering: .relaxed) == currentThreadNumber }

  /// Runs `body` when it is the caller's turn.
  func run<Result: Sendable>(
    opening open: () throws -> sending CustomerList, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    func turn(_ slot: inout sending CustomerList?) throws -> sending Result {
      try use(&slot, opening: open, body)
    }
    return try list.withLock(turn)
  }

  /// Runs `body` if it can be at once.
  ///
  /// - Returns: what `body` returns; nil if it is the turn of somebody else.
  func runIfFree<Result: Sendable>(
    opening open: () throws -> sending CustomerList, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result? {
    func turn(_ slot: inout sending CustomerList?) throws -> sending Result {
      try use(&slot, opening: open, body)
    }
    return try list.withLockIfAvailable(turn)
  }

  private func use<Result: Sendable>(
    _ slot: inout sending CustomerList?, opening open: () throws -> sending CustomerList,
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    thread.store(currentThreadNumber, ordering: .relaxed)
    defer { thread.store(0, ordering: .relaxed) }
    var list = if let known = slot.take() { known } else { try open() }
    do {
      let result = try body(&list)
      slot = consume list
      return result
    } catch let error as CommitFailure where reopens {
      // The next one gets a connection of its own.
      throw error
    } catch {
      slot = consume list
      throw error
    }
  }

  /// Runs `body` on a thread of this lane's own, so that neither an actor nor one of the threads that
  /// tasks share is blocked.
  ///
  /// A task that is cancelled before `body` was begun ends at once; later it waits for
  /// the end, and `body` can ask whether it is cancelled.
  func runAsync<Result: Sendable>(
    _ body: @escaping @Sendable (PendingCall<Result>) throws -> Result
  ) async throws -> Result {
    let call = PendingCall<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.wait(continuation)
        queue.async { call.finish(.init { try body(call) }) }
      }
    } onCancel: {
      call.cancel()
    }
  }
}
