internal import Dispatch
internal import CustomersPlatform
internal import CustomersSQLite
internal import Synchronization

/// A connection that threads take turns using.
final class Lane: Sendable {
  private let list = Mutex<CustomerList?>(nil)
  /// The thread whose turn it is; 0 if none.
  private let thread = Atomic<UInt>(0)
  private let queue: DispatchQueue
  /// Whether another connection can replace this one.
  private let reopens: Bool

  /// Creates a lane whose connection is opened on first use.
  init(label: String, reopens: Bool = true) {
    queue = DispatchQueue(label: label)
    self.reopens = reopens
  }

  /// Whether it is the calling thread's turn.
  var isMine: Bool { thread.load(ordering: .relaxed) == currentThreadNumber }

  /// Runs `body` when it is the caller's turn.
  ///
  /// - Throws: what `body` throws; `StoreError.locked` if another thread uses the connection and the caller does
  ///   not take turns.
  func run<Result: Sendable>(
    takingTurns: Bool, opening open: () throws -> sending CustomerList,
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    func turn(_ slot: inout sending CustomerList?) throws -> sending Result {
      try use(&slot, opening: open, body)
    }
    if takingTurns { return try list.withLock(turn) }
    guard let result = try list.withLockIfAvailable(turn) else { throw StoreError.locked }
    return result
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
      // The next caller gets a new connection.
      throw error
    } catch {
      slot = consume list
      throw error
    }
  }

  /// Runs `body` on this lane's own thread, so that it blocks neither an actor nor a thread shared by tasks.
  ///
  /// A task that is canceled before `body` starts ends at once; later it waits for the end, which comes when a
  /// statement sees that the call is canceled.
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
