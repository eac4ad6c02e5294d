internal import SQLite
internal import Synchronization

/// A customers file: customers in sections, in an order that people keep by hand.
///
/// Everything happens in transactions. `read` sees one state of the file, `write` makes several
/// edits or none, also when the process is killed half-way:
///
///     let store = try CustomerStore(path: "customers.sqlite")
///     try store.write { list in
///       let ann = try list.insert(CustomerFields(firstName: "Ann"), at: .place(3))
///       try list.move([ann], to: .first)
///     }
///
/// A store may be used from several threads; they take turns.
public final class CustomerStore: Sendable {
  private let list: Mutex<CustomerList>
  private let options: Options

  /// Opens the customers file at `path`.
  ///
  /// - Throws: `StoreError`, for a file that is not ours without having changed it.
  public convenience init(path: String, options: Options = Options()) throws {
    try self.init(
      CustomerStore.translatingSQLiteErrors { try Connection.open(path: path, options: options) },
      options)
  }

  /// A list in memory, that nobody else sees and that is gone with the store.
  public static func inMemory() throws -> CustomerStore {
    try CustomerStore(translatingSQLiteErrors { try Connection.openInMemory() }, Options())
  }

  private init(_ connection: Connection, _ options: Options) {
    list = Mutex(CustomerList(connection: connection))
    self.options = options
  }

  /// Reads the list, all in one state that no other program changes meanwhile.
  ///
  /// - Throws: `StoreError`, or what `body` throws.
  public func read<Result: Sendable>(
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try list.withLock { list in
      try CustomerStore.translatingSQLiteErrors {
        try list.connection.readTransaction { try body(list) }
      }
    }
  }

  /// Changes the list: all edits of `body` happen, or, if it throws, none.
  ///
  /// Together they are one step of the history. Other programs that write wait meanwhile; so never wait
  /// for a person in `body`.
  ///
  /// - Parameters:
  ///   - action: what the step is called in the history; people's data do not belong here.
  ///   - token: what the transaction is known by, to look up its outcome.
  ///   - body: the edits.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, or what `body` throws, which is mostly a `ListError`.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", token: TransactionToken = TransactionToken(),
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    try list.withLock { list in
      defer { list.dropPlan() }
      return try CustomerStore.translatingSQLiteErrors {
        try list.connection.immediateTransaction {
          try list.refuseUnknownTriggers()
          list.beginStep(by: StepAuthor(options, action: action, token: token))
          let result = try body(&list)
          try list.endStep()
          return result
        }
      }
    }
  }

  /// Runs `body` and takes everything back: what an edit would do.
  ///
  /// - Throws: what `write` would throw.
  public func dryRun<Result: Sendable>(
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    do {
      return try write { list in throw DryRun(result: try body(&list)) }
    } catch let rehearsed as DryRun<Result> {
      return rehearsed.result
    }
  }

  /// Carries a result out of a transaction that is to be rolled back.
  private struct DryRun<Result: Sendable>: Error {
    var result: Result
  }

  /// SQLite's errors stay in here; who uses the store sees its own.
  private static func translatingSQLiteErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw StoreError(error)
    } catch let problem as DatabaseFile.Problem {
      throw StoreError(problem)
    }
  }
}
