/// For tasks: these suspend instead of blocking a thread.
///
/// They run on the store's own threads. A task that is canceled ends with a `CancellationError`: at once while it
/// waits, and within some milliseconds while the list is read or changed. Nothing is changed then, unless the
/// commit has already begun.
extension CustomerStore {
  /// Reads the list, in one consistent state.
  ///
  /// - Parameters:
  ///   - busyTimeout: how long to wait for another program's lock; nil for the value in the options.
  ///   - whileWaiting: called every few milliseconds while it waits, as in the options; nil for the one there.
  ///   - body: reads the list.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws.
  public func read<Result: Sendable>(
    busyTimeout: Duration? = nil,
    whileWaiting: Options.WhileWaiting? = nil,
    _ body: @escaping @Sendable (borrowing CustomerList) throws -> Result
  ) async throws -> Result {
    let timeout = busyTimeout ?? options.busyTimeout
    return try await reader.runAsync { call in
      try self.read(WaitPolicy(timeout, call, whileWaiting), body)
    }
  }

  /// Changes the list: all edits of `body` happen or, if it throws, none.
  ///
  /// - Parameters:
  ///   - action: the name of the step in the history; it must not contain people's data.
  ///   - busyTimeout: how long to wait for another program's lock; nil for the value in the options.
  ///   - whileWaiting: called every few milliseconds while it waits, as in the options; nil for the one there.
  ///   - body: the edits.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", busyTimeout: Duration? = nil,
    whileWaiting: Options.WhileWaiting? = nil,
    _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> Result {
    try await write(
      action: action, token: TransactionToken(), busyTimeout: busyTimeout, whileWaiting: whileWaiting, body)
  }

  /// The same, with the name of the transaction, to look up its outcome.
  @discardableResult
  package func write<Result: Sendable>(
    action: String, token: TransactionToken, busyTimeout: Duration? = nil,
    whileWaiting: Options.WhileWaiting? = nil,
    _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> Result {
    let timeout = busyTimeout ?? options.busyTimeout
    return try await writer.runAsync { call in
      try self.write(
        by: StepAuthor(self.options, action: action, token: token), WaitPolicy(timeout, call, whileWaiting),
        body)
    }
  }
}
