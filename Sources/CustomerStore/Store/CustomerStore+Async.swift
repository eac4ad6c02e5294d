/// For tasks: these suspend where the others block a thread.
///
/// They run on threads of the store's own. A task that is cancelled while it waits ends at once, with a
/// `CancellationError`; once the closure runs, it runs to its end.
extension CustomerStore {
  /// Reads the list, all in one state that no other program changes in the meantime.
  ///
  /// - Parameters:
  ///   - busyTimeout: how long to wait for another program's lock; nil for what the options say.
  ///   - body: the reading.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws.
  public func read<Result: Sendable>(
    busyTimeout: Duration? = nil, _ body: @escaping @Sendable (borrowing CustomerList) throws -> Result
  ) async throws -> Result {
    let timeout = busyTimeout ?? options.busyTimeout
    return try await reader.runAsync { call in
      try self.read(Patience(timeout, call), body)
    }
  }

  /// Changes the list: all edits of `body` happen, or, if it throws, none.
  ///
  /// - Parameters:
  ///   - action: what the step is called in the history; people's data do not belong here.
  ///   - busyTimeout: how long to wait for another program's lock; nil for what the options say.
  ///   - body: the edits.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", busyTimeout: Duration? = nil,
    _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> Result {
    let timeout = busyTimeout ?? options.busyTimeout
    return try await writer.runAsync { call in
      try self.write(by: StepAuthor(self.options, action: action), Patience(timeout, call), body)
    }
  }
}
