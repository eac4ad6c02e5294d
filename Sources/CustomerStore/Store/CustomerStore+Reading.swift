internal import CustomersSQLite

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
  ///   - busyTimeout: how long to wait for another program's lock; nil for the value in the options.
  ///   - whileWaiting: called every few milliseconds while it waits, as in the options; nil for the one there.
  ///   - body: reads the list.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, with `noCopy` if there is no room for the copy, or what `body` throws.
  public func readAtLength<Result: Sendable>(
    rows: ((borrowing CustomerList) throws -> Int)? = nil, busyTimeout: Duration? = nil,
    whileWaiting: Options.WhileWaiting? = nil,
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try readAtLength(WaitPolicy(busyTimeout ?? options.busyTimeout, whileWaiting), rows: rows, body)
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
  ///   - whileWaiting: called every few milliseconds while it waits, as in the options; nil for the one there.
  ///   - body: reads the list.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, with `noCopy` if there is no room for the copy, `CancellationError`, or what `body` throws.
  public func readAtLength<Result: Sendable>(
    rows: (@Sendable (borrowing CustomerList) throws -> Int)? = nil, busyTimeout: Duration? = nil,
    whileWaiting: Options.WhileWaiting? = nil,
    _ body: @escaping @Sendable (borrowing CustomerList) throws -> Result
  ) async throws -> Result {
    let timeout = busyTimeout ?? options.busyTimeout
    let reading = try await reader.runAsync { call in
      try self.beginReading(WaitPolicy(timeout, call, whileWaiting), rows, body)
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
  public func dryRun<Result: Sendable>(
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
    let pages = try connection.localFile.pageCount()
    // With a write-ahead log, no one waits for those who read.
    if try pages <= Self.fewPages || usesWriteAheadLog() { return true }
    guard let rows = try rows?(self) else { return false }
    return try rows == 0 || Double(rows) * Double(pages) <= Double(Self.fewPages) * Double(count())
  }
}
