internal import CustomersSQLite
internal import CustomersSystem
internal import Dispatch
internal import Synchronization

/// Readings that take long, and keep no other program waiting.
extension CustomerStore {
  /// Reads many rows, in one consistent state.
  ///
  /// While a transaction reads the file, no one can write to it. So if `body` reads much, it gets a copy of the list: a
  /// temporary file, deleted at once and only for this process, in the folder that SQLite uses for such files
  /// (`$SQLITE_TMPDIR`, else `$TMPDIR`, else `/var/tmp`). Others wait only while it is copied.
  ///
  /// - Parameters:
  ///   - rows: how many rows `body` reads at most; nil for all.
  ///   - body: reads the list.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, with `noCopy` if there is no room for the copy, or what `body` throws.
  package func readAtLength<Result: Sendable>(
    rows: ((borrowing CustomerList) throws -> Int)? = nil,
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try readAtLength(WaitPolicy(options.busyTimeout), rows: rows, body)
  }

  func readAtLength<Result: Sendable>(
    _ waitPolicy: WaitPolicy, rows: ((borrowing CustomerList) throws -> Int)?,
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    switch try beginReading(waitPolicy, rows, body) {
    case .done(let result): return result
    case .copied(let copy): return try copy.use { try $0.read(waitPolicy, body) }
    }
  }

  /// Reads many rows, in one consistent state; for tasks.
  ///
  /// Other calls of this store do not wait for `body` either, if it gets a copy.
  ///
  /// - Parameters:
  ///   - rows: how many rows `body` reads at most; nil for all.
  ///   - busyTimeout: how long to wait for another program's lock; nil for the value in the options.
  ///   - body: reads the list.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, with `noCopy` if there is no room for the copy, `CancellationError`, or what `body` throws.
  package func readAtLength<Result: Sendable>(
    rows: (@Sendable (borrowing CustomerList) throws -> Int)? = nil, busyTimeout: Duration? = nil,
    _ body: @escaping @Sendable (borrowing CustomerList) throws -> Result
  ) async throws -> Result {
    let timeout = busyTimeout ?? options.busyTimeout
    let reading = try await reader.runAsync { call in
      try self.beginReading(WaitPolicy(timeout, call), rows, body)
    }
    switch reading {
    case .done(let result): return result
    case .copied(let copy): return try await copy.read(timeout, body)
    }
  }

  /// Runs `body` and rolls everything back, to see what an edit of many rows would do.
  ///
  /// If that takes longer than copying the list, it runs on a copy as in `readAtLength`, and no other program waits.
  ///
  /// - Parameters:
  ///   - rows: how many rows `body` finds and changes at most; nil for any number.
  ///   - body: the edits.
  /// - Returns: what `body` returns.
  /// - Throws: what `write` would throw or `StoreError.noCopy`.
  package func dryRun<Result: Sendable>(
    rows: ((borrowing CustomerList) throws -> Int)?, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    guard file != nil,
      let copy = try read({ list in try list.isShort(rows) ? nil : PrivateCopy(of: list, options) })
    else { return try dryRun(body) }
    return try copy.use { try $0.dryRun(body) }
  }

  private enum Reading<Result: Sendable>: Sendable {
    case done(Result)
    case copied(PrivateCopy)
  }

  /// Reads the list if little of it is read; otherwise copies it in the same transaction.
  private func beginReading<Result: Sendable>(
    _ waitPolicy: WaitPolicy, _ rows: ((borrowing CustomerList) throws -> Int)?,
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Reading<Result> {
    try read(waitPolicy) { list in
      try file == nil || list.isShort(rows)
        ? .done(try body(list)) : .copied(try PrivateCopy(of: list, options))
    }
  }
}

extension CustomerList {
  /// The most pages whose rows are read in the file itself: about 25,000 rows of usual length, some tenths of a second.
  private static let fewPages = 1_000

  /// Whether so few rows are read that other programs can wait for it.
  fileprivate func isShort(_ rows: ((borrowing CustomerList) throws -> Int)?) throws -> Bool {
    // No one waits for those who read a copy.
    if original != nil { return true }
    let pages = try connection.localFile.pageCount()
    // With a write-ahead log, no one waits for those who read.
    if try pages <= Self.fewPages || usesWriteAheadLog() { return true }
    guard let rows = try rows?(self) else { return false }
    return try rows == 0 || Double(rows) * Double(pages) <= Double(Self.fewPages) * Double(count())
  }
}

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
        queue.async(execute: CallersClock.carried { call.finish(.init { try body(call) }) })
      }
    } onCancel: {
      call.cancel()
    }
  }
}

/// Runs something that waits on a thread of its own, with the clock of the caller.
package func onOwnThread<Value, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> sending Value
) async throws(Failure) -> sending Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    DispatchQueue(label: "customers.work").async(
      execute: CallersClock.carried {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      })
  }
  return try result.get()
}

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

/// How long a call waits for the file, and who may end the wait.
struct WaitPolicy: Sendable {
  let timeout: Duration
  /// Whether it waits for its turn, too, while other calls of the same store run.
  var takesTurns = true
  /// Called while it waits, instead of the store's.
  let whileWaiting: CustomerStore.Options.WhileWaiting?
  let begin: @Sendable () throws -> Void
  let isCancelled: @Sendable () -> Bool

  init(
    _ timeout: Duration, _ whileWaiting: CustomerStore.Options.WhileWaiting? = nil,
    begin: @escaping @Sendable () throws -> Void = {},
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.timeout = timeout
    self.whileWaiting = whileWaiting
    self.begin = begin
    self.isCancelled = isCancelled
  }
}

extension WaitPolicy {
  /// For a main thread: waits neither for the file nor for other calls of the same store.
  static let none = {
    var waitPolicy = WaitPolicy(.zero)
    waitPolicy.takesTurns = false
    return waitPolicy
  }()

  init<Value>(
    _ timeout: Duration, _ call: PendingCall<Value>, _ whileWaiting: CustomerStore.Options.WhileWaiting? = nil
  ) {
    self.init(timeout, whileWaiting, begin: { try call.begin() }, isCancelled: { call.isCancelled })
  }
}
