internal import CustomersSQLite

/// The result of a write, with the changes that other programs made before it.
///
/// A table that displays `others` and then `own` displays the list of `version`.
public struct WriteResult<Result: Sendable>: Sendable {
  /// The result of the closure.
  public let result: Result
  /// The changes between the version known to the caller and this write.
  public let others: [ListEvent]
  /// The changes of this write: one step, several if it undoes, none if it changed nothing.
  public let own: [ListEvent]
  /// The version of the list now.
  public let version: ListVersion
  /// The step of the history with the edits; nil if nothing was changed.
  public let step: HistoryStep?
}

extension CustomerStore {
  /// Changes the list like `write` and returns what has happened to it since a version.
  ///
  /// - Parameters:
  ///   - action: the name of the step in the history; it must not contain people's data.
  ///   - version: the version known to the caller: `ListSnapshot.version`.
  ///   - busyTimeout: how long to wait for another program's lock; nil for the value in the options.
  ///   - body: the edits.
  /// - Returns: what `body` returns and what happened.
  /// - Throws: `StoreError` or what `body` throws; nothing was changed.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", since version: ListVersion, busyTimeout: Duration? = nil,
    _ body: (inout CustomerList) throws -> Result
  ) throws -> WriteResult<Result> {
    try write(by: StepAuthor(options, action: action), WaitPolicy(busyTimeout ?? options.busyTimeout)) {
      list in
      try list.written(since: version, body)
    }
  }

  /// Changes the list like `write` and returns what has happened to it since a version; for tasks.
  ///
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws; nothing was changed.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", since version: ListVersion, busyTimeout: Duration? = nil,
    _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> WriteResult<Result> {
    let timeout = busyTimeout ?? options.busyTimeout
    return try await writer.runAsync { call in
      try self.write(by: StepAuthor(self.options, action: action), WaitPolicy(timeout, call)) { list in
        try list.written(since: version, body)
      }
    }
  }
}

extension CustomerList {
  fileprivate mutating func written<Result: Sendable>(
    since version: ListVersion, _ body: (inout CustomerList) throws -> Result
  ) throws -> WriteResult<Result> {
    let others = try events(after: version)
    let before = try self.version()
    let result = try body(&self)
    let own = try events(after: before)
    let after = try self.version()
    return WriteResult(
      result: result, others: others, own: own, version: after,
      step: after == before ? nil : try history(limit: 1).first)
  }
}
