internal import SQLite

/// What a write did, and what others had done before it.
///
/// A table that shows `others` and then `own` shows the list as it is after edit `edit`.
public struct Written<Result: Sendable>: Sendable {
  /// What the closure returned.
  public let result: Result
  /// What happened between the edit that the caller knew and this write.
  public let others: [ListEvent]
  /// What this write did: one step, more if it undoes, none if it changed nothing.
  public let own: [ListEvent]
  /// The number of the last edit now.
  public let edit: Int64
  /// The step of the history that the edits are; nil if nothing was changed.
  public let step: HistoryStep?
}

extension CustomerStore {
  /// Changes the list as `write` does, and tells what has happened to it since an edit.
  ///
  /// - Parameters:
  ///   - action: what the step is called in the history; people's data do not belong here.
  ///   - edit: the last edit that the caller knows: `ListSnapshot.edit`.
  ///   - busyTimeout: how long to wait for another program's lock; nil for what the options say.
  ///   - body: the edits.
  /// - Returns: what `body` returns, and what happened.
  /// - Throws: `StoreError`, or what `body` throws; then nothing was changed.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", since edit: Int64, busyTimeout: Duration? = nil,
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Written<Result> {
    try write(by: StepAuthor(options, action: action), Patience(busyTimeout ?? options.busyTimeout)) { list in
      try list.written(since: edit, body)
    }
  }

  /// Changes the list as `write` does, and tells what has happened to it since an edit; for tasks.
  ///
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws; then nothing was changed.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", since edit: Int64, busyTimeout: Duration? = nil,
    _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> Written<Result> {
    let timeout = busyTimeout ?? options.busyTimeout
    return try await writer.runAsync { call in
      try self.write(by: StepAuthor(self.options, action: action), Patience(timeout, call)) { list in
        try list.written(since: edit, body)
      }
    }
  }
}

extension CustomerList {
  fileprivate mutating func written<Result: Sendable>(
    since edit: Int64, _ body: (inout CustomerList) throws -> Result
  ) throws -> Written<Result> {
    let others = try events(after: edit)
    let before = try lastEdit()
    let result = try body(&self)
    let own = try events(after: before)
    let after = try lastEdit()
    return Written(
      result: result, others: others, own: own, edit: after,
      step: after == before ? nil : try history(limit: 1).first)
  }
}
