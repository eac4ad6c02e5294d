internal import SQLite
internal import Synchronization

/// A customers list: customers in sections, in an order that people keep by hand.
///
/// It is in a file, in memory or on a cluster.
/// Everything happens in transactions. `read` sees one state of the file, `write` makes several
/// edits or none, also when the process is killed half-way:
///
///     let store = try CustomerStore(path: "customers.sqlite")
///     try store.write { list in
///       let ann = try list.insert(CustomerFields(firstName: "Ann"), at: .first)
///       try list.move([ann.id], to: .last)
///     }
///
/// A store may be used from several threads. It has one connection for reading and one for writing; those
/// who want the same one take turns, and a read does not wait for a write that waits for the file. (A
/// list in memory has one connection for both.) In a task, `await` the forms of `read` and `write` that
/// block no thread of Swift's.
///
/// A store is not used inside the closure of one of its own `read`, `write` and `dryRun`: that is a
/// mistake in the program, and ends it. A second store on the same file can be read there, but not
/// written, because the first one holds the file.
public final class CustomerStore: Sendable {
  let options: Options
  let reader: Lane
  let writer: Lane
  let location: StoreLocation
  /// A connection that neither lane has taken yet.
  let spare: Mutex<Connection?>
  /// How many transactions of this store have written.
  let commits = Atomic<Int64>(0)

  /// Opens the customers file at `path`.
  ///
  /// - Throws: `StoreError`, for a file that is not ours without having changed it.
  public init(path: String, options: Options = Options()) throws {
    let connection = try CustomerStore.translatingSQLiteErrors {
      try Connection.open(path: path, options: options, Patience(options.busyTimeout))
    }
    self.options = options
    location = .file(OpenFile(connection.localFile.path))
    reader = Lane(label: "customers.read")
    writer = Lane(label: "customers.write")
    spare = Mutex(connection)
  }

  private init(inMemory connection: sending Connection, options: Options) {
    self.options = options
    location = .memory
    reader = Lane(label: "customers.memory", reopens: false)
    writer = reader
    spare = Mutex(connection)
  }

  init(on cluster: OpenCluster, _ connection: sending Connection, options: Options) {
    self.options = options
    location = .cluster(cluster)
    reader = Lane(label: "customers.read")
    writer = Lane(label: "customers.write")
    spare = Mutex(connection)
  }

  /// A list in memory, that nobody else sees and that is gone with the store.
  public static func inMemory(options: Options = Options()) throws -> CustomerStore {
    let connection = try CustomerStore.translatingSQLiteErrors { try Connection.openInMemory() }
    return CustomerStore(inMemory: connection, options: options)
  }

  /// Reads the list, all in one state that no other program changes in the meantime.
  ///
  /// - Parameters:
  ///   - busyTimeout: how long to wait for another program's lock; nil for what the options say.
  ///   - body: the reading.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, or what `body` throws.
  public func read<Result: Sendable>(
    busyTimeout: Duration? = nil, _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try read(Patience(busyTimeout ?? options.busyTimeout), body)
  }

  /// Reads the list if that is possible at once; for a main thread that must not wait.
  ///
  /// - Returns: what `body` returns; nil if another program or thread is in the way.
  /// - Throws: `StoreError` but `.locked`, or what `body` throws.
  public func readAtOnce<Result: Sendable>(
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result? {
    refuseReentry()
    do {
      let patience = Patience(.zero)
      return try reader.runIfFree(opening: { try connect(patience) }) { list in
        try use(&list, patience) { list in try list.connection.readTransaction { try body(list) } }
      }
    } catch StoreError.locked {
      return nil
    }
  }

  /// Changes the list: all edits of `body` happen, or, if it throws, none.
  ///
  /// Together they are one step of the history. Other programs that write wait in the meantime; so never wait
  /// for a person in `body`.
  ///
  /// - Parameters:
  ///   - action: what the step is called in the history; people's data do not belong here.
  ///   - token: what the transaction is known by, to look up its outcome.
  ///   - busyTimeout: how long to wait for another program's lock; nil for what the options say.
  ///   - body: the edits.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, or what `body` throws, which is mostly a `ListError`; then nothing has changed.
  ///   `CommitError` if it was done but the disk failed afterwards, or if that can't be known.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", token: TransactionToken = TransactionToken(), busyTimeout: Duration? = nil,
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    try write(
      by: StepAuthor(options, action: action, token: token), Patience(busyTimeout ?? options.busyTimeout),
      body)
  }

  /// Runs `body` and takes everything back: what an edit would do.
  ///
  /// In a file that can't be written it runs on a copy in memory.
  ///
  /// - Throws: what `write` would throw.
  public func dryRun<Result: Sendable>(
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    do {
      return try write { list in throw DryRun(result: try body(&list)) }
    } catch let rehearsed as DryRun<Result> {
      return rehearsed.result
    } catch StoreError.readOnly {
      return try copyInMemory().dryRun(body)
    }
  }

  /// Copies the list into memory, with its history.
  public func copyInMemory() throws -> CustomerStore {
    let connection = try CustomerStore.translatingSQLiteErrors { try Connection.openInMemory() }
    if let cluster {
      try cluster.copy(to: connection, options: options)
    } else {
      try read { list in try list.connection.localFile.copy(to: connection) {} }
    }
    return CustomerStore(inMemory: connection, options: options)
  }

  /// Carries a result out of a transaction that is to be rolled back.
  private struct DryRun<Result: Sendable>: Error {
    var result: Result
  }
}
