internal import CustomersSQLite
internal import CustomersSystem
internal import Synchronization

/// A customers list: customers in sections, in the order people choose.
///
/// It is in a file, in memory, or on a cluster.
///
/// Everything happens in transactions. `read` sees one state of the file; `write` makes all of its edits or
/// none, even if the process is killed halfway through:
///
///     let store = try CustomerStore(path: "customers.sqlite")
///     try store.write { list in
///       let ann = try list.insert(
///         CustomerFields(firstName: "Ann"), at: .first)
///       try list.move([ann.id], to: .last)
///     }
///
/// A store may be used from several threads. It has one connection for reading and one for writing; callers
/// of the same one take turns, and a read does not wait for a write that waits for the file. A
/// `CustomerListModel` has a third one, so that it waits for neither. (A list in memory has one connection for
/// all.) In a task, `await` the async forms of `read` and `write`, which do not block a thread.
///
/// Do not use a store inside the closure of its own `read`, `write`, or `dryRun`: that is a programming error
/// and traps. A second store on the same file can be read there, but not written, because the first one holds
/// the lock.
public final class CustomerStore: Sendable {
  let options: Options
  let reader: Lane
  let writer: Lane
  /// For those who wait for nothing, not even for a long call on one of the others.
  let glance: Lane
  let location: StoreLocation
  /// A connection that no lane uses yet.
  let spare: Mutex<Connection?>
  /// The number of write transactions of this store.
  let commits = Atomic<Int64>(0)
  /// Whether the list had an older format, and was not upgraded, when it was opened.
  let isOlder: Bool
  /// Whether nothing can be written: by the options, or because the account may only read the file.
  package let isReadOnly: Bool
  /// What was done to open a list of an older format; nil for any other, or if `Options.upgrades` is false.
  package let upgrade: ListUpgrade?

  /// Opens the customers file at `path`.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - createsFile: whether to create a missing file, with one empty section, and its folders; only its owner can read it.
  ///   - upgrades: whether a list of an older format is upgraded: as a whole or not at all. Older versions of the program
  ///     can't open it afterward; the file as it was is kept beside it, as `NAME.before-upgrade`. Otherwise such a list can
  ///     be read, and an edit throws `StoreError.needsUpgrade`.
  ///   - program: the name of the program in the history.
  ///   - busyTimeout: how long its calls wait for another program's lock.
  ///   - trace: called with each SQL statement that has run and how long it took. The text has `?` in place of people's data.
  /// - Throws: `StoreError`; a file that is not a customers file is left untouched.
  public convenience init(
    path: String, createsFile: Bool = true, upgrades: Bool = false, program: String = "CustomerStore",
    busyTimeout: Duration = .seconds(10),
    trace: (@Sendable (_ sql: String, _ duration: Duration) -> Void)? = nil
  ) throws {
    var options = Options()
    (options.createsFile, options.upgrades, options.program) = (createsFile, upgrades, program)
    (options.busyTimeout, options.trace) = (busyTimeout, trace)
    try self.init(path: path, options: options)
  }

  /// Opens the customers file at `path`.
  ///
  /// - Throws: `StoreError`; a file that is not a customers file is left untouched, and so is one of an older format,
  ///   unless `Options.upgrades` is true.
  package init(path: String, options: Options) throws {
    var opening = Opening()
    let connection = try CustomerStore.translatingSQLiteErrors {
      try Connection.open(path: path, options: options, WaitPolicy(options.busyTimeout), &opening)
    }
    self.options = options
    location = .file(OpenFile(connection.localFile.path, isNew: opening.isNew))
    (isOlder, upgrade, isReadOnly) = (opening.isOlder, opening.upgrade, connection.isReadOnly)
    reader = Lane(label: "customers.read")
    // So that there is one converted copy.
    (writer, glance) =
      isOlder ? (reader, reader) : (Lane(label: "customers.write"), Lane(label: "customers.glance"))
    spare = Mutex(connection)
  }

  /// Takes the one connection of a list that no other program sees.
  init(inMemory connection: sending Connection, options: Options) {
    self.options = options
    location = .memory
    (isOlder, upgrade, isReadOnly) = (false, nil, options.isReadOnly)
    reader = Lane(label: "customers.memory", reopens: false)
    (writer, glance) = (reader, reader)
    spare = Mutex(connection)
  }

  /// Opens the list that another engine keeps.
  package init(on engine: any ListEngine, options: Options) throws {
    var opening = Opening()
    let connection = try engine.connect(options, WaitPolicy(options.busyTimeout), &opening)
    self.options = options
    location = .remote(engine)
    (isOlder, upgrade, isReadOnly) = (opening.isOlder, opening.upgrade, options.isReadOnly)
    reader = Lane(label: "customers.read")
    writer = Lane(label: "customers.write")
    glance = Lane(label: "customers.glance")
    spare = Mutex(connection)
  }

  /// Creates a list in memory, which is private to the store and disappears with it.
  package static func inMemory(options: Options = Options()) throws -> CustomerStore {
    let connection = try CustomerStore.translatingSQLiteErrors { try Connection.openInMemory() }
    if let trace = options.trace { connection.trace(trace) }
    return CustomerStore(inMemory: connection, options: options)
  }

  /// Reads the list, in one consistent state.
  ///
  /// No one can write to the file while it runs; an export reads many rows without that.
  ///
  /// - Parameters:
  ///   - busyTimeout: how long to wait for another program's lock; nil for as long as the store does.
  ///   - whileWaiting: called every few milliseconds while it waits, with the length of the last pause; if it returns
  ///     false, the call throws `StoreError.locked`.
  ///   - body: reads the list.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError` or what `body` throws.
  public func read<Result: Sendable>(
    busyTimeout: Duration? = nil,
    whileWaiting: (@Sendable (_ pause: Duration) -> Bool)? = nil,
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try read(WaitPolicy(busyTimeout ?? options.busyTimeout, whileWaiting), body)
  }

  /// Reads the list if it can do so without waiting; for a main thread.
  ///
  /// Other reads of this store don't keep it from reading, however long they take.
  ///
  /// - Returns: what `body` returns; nil if the list is being written, or if another thread reads at once.
  /// - Throws: `StoreError` except `.locked` or what `body` throws.
  package func readAtOnce<Result: Sendable>(
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result? {
    do { return try read(.none, body) } catch StoreError.locked { return nil }
  }

  /// Changes the list: all edits of `body` happen or, if it throws, none.
  ///
  /// Together they are one step of the history. Other writers wait until it ends, so never wait for a
  /// person in `body`.
  ///
  /// - Parameters:
  ///   - action: the name of the step in the history; it must not contain people's data.
  ///   - busyTimeout: how long to wait for another program's lock; nil for as long as the store does.
  ///   - whileWaiting: called every few milliseconds while it waits, with the length of the last pause; if it returns
  ///     false, the call throws `StoreError.locked`.
  ///   - body: the edits.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError` or what `body` throws, usually a `ListError`; nothing has changed. An error that says so if the
  ///   edits were or may have been made although the disk failed.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", busyTimeout: Duration? = nil,
    whileWaiting: (@Sendable (_ pause: Duration) -> Bool)? = nil,
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    try write(
      action: action, token: TransactionToken(), busyTimeout: busyTimeout, whileWaiting: whileWaiting, body)
  }

  /// The same, with the name of the transaction, to look up its outcome.
  ///
  /// - Throws: `CommitError` if the edits were or may have been made although the disk failed, and what `write` throws.
  @discardableResult
  package func write<Result: Sendable>(
    action: String = "", token: TransactionToken, busyTimeout: Duration? = nil,
    whileWaiting: Options.WhileWaiting? = nil,
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    try write(
      by: StepAuthor(options, action: action, token: token),
      WaitPolicy(busyTimeout ?? options.busyTimeout, whileWaiting),
      body)
  }

  /// Changes the list if it can do so without waiting; for a main thread.
  ///
  /// - Throws: `StoreError.locked` if a program or thread uses the list; nothing has changed. Otherwise what
  ///   `write` throws.
  package func writeAtOnce<Result: Sendable>(
    action: String, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    try write(by: StepAuthor(options, action: action), .none, body)
  }

  /// Runs `body` and rolls everything back, to see what an edit would do.
  ///
  /// If the file can't be written, it runs on a copy in memory; if the list has an older format, on the converted copy.
  ///
  /// - Parameter body: the edits.
  /// - Returns: what `body` returns.
  /// - Throws: what `write` would throw on a list of the newest format.
  public func dryRun<Result: Sendable>(_ body: (inout CustomerList) throws -> Result) throws -> Result {
    do {
      return try write(by: StepAuthor(options, action: ""), WaitPolicy(options.busyTimeout), isDryRun: true) {
        list in throw DryRun(result: try body(&list))
      }
    } catch let rehearsed as DryRun<Result> {
      return rehearsed.result
    } catch StoreError.readOnly {
      return try copyInMemory().dryRun(body)
    }
  }

  /// Copies the list into memory, with its history.
  package func copyInMemory() throws -> CustomerStore {
    if let engine { return try copyInMemory(of: engine) }
    let connection = try CustomerStore.translatingSQLiteErrors { try Connection.openInMemory() }
    try read { list in try list.connection.localFile.copy(to: connection) {} }
    return CustomerStore(inMemory: connection, options: options)
  }

  /// Copies a list into memory from its files.
  package func copyInMemory(of files: some ListFiles) throws -> CustomerStore {
    let connection = try CustomerStore.translatingSQLiteErrors { try Connection.openInMemory() }
    try files.copy(to: connection, options: options)
    return CustomerStore(inMemory: connection, options: options)
  }

  /// Carries a result out of a transaction that will be rolled back.
  private struct DryRun<Result: Sendable>: Error {
    var result: Result
  }
}

/// For tasks: these suspend instead of blocking a thread.
///
/// They run on the store's own threads. A task that is canceled ends with a `CancellationError`: at once while it
/// waits, and within some milliseconds while the list is read or changed. Nothing is changed then, unless the
/// commit has already begun.
extension CustomerStore {
  /// Reads the list, in one consistent state.
  ///
  /// - Parameters:
  ///   - busyTimeout: how long to wait for another program's lock; nil for as long as the store does.
  ///   - whileWaiting: called every few milliseconds while it waits, with the length of the last pause; if it returns
  ///     false, the call throws `StoreError.locked`.
  ///   - body: reads the list.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws.
  public func read<Result: Sendable>(
    busyTimeout: Duration? = nil,
    whileWaiting: (@Sendable (_ pause: Duration) -> Bool)? = nil,
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
  ///   - busyTimeout: how long to wait for another program's lock; nil for as long as the store does.
  ///   - whileWaiting: called every few milliseconds while it waits, with the length of the last pause; if it returns
  ///     false, the call throws `StoreError.locked`.
  ///   - body: the edits.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws.
  @discardableResult
  public func write<Result: Sendable>(
    action: String = "", busyTimeout: Duration? = nil,
    whileWaiting: (@Sendable (_ pause: Duration) -> Bool)? = nil,
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

/// Where a list is stored.
enum StoreLocation {
  /// In memory or in a temporary file: only this store sees it.
  case memory
  case file(OpenFile)
  case remote(any ListEngine)
}

extension CustomerStore {
  /// The file, if the list is stored in one.
  var file: OpenFile? {
    if case .file(let file) = location { file } else { nil }
  }

  /// The engine that keeps the list, if that is not SQLite in this process.
  package var engine: (any ListEngine)? {
    if case .remote(let engine) = location { engine } else { nil }
  }

  /// How long the list may be away before those who follow it give up: a file that is being replaced or a
  /// cluster that elects a leader.
  package var longestTrouble: Duration { .seconds(engine == nil ? 3 : 60) }

  /// The store to check: on a cluster, a copy of the leader's list, because each statement is a round trip.
  package func forChecking() throws -> CustomerStore { engine == nil ? self : try copyInMemory() }
}

/// The user and the machine that the history records for a step.
package enum LocalSystem {
  /// The login name from the environment, else from the password file: reading that takes as long as an edit.
  static let user = variable("LOGNAME") ?? variable("USER") ?? loginName(of: geteuid()) ?? "\(geteuid())"

  /// The name of the machine or an empty text.
  static let host: String = {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  /// Milliseconds since 1970, by the system clock.
  static var milliseconds: Int64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return 0 }
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// The name that the password file has for a user; a static program can't ask the C library for it.
  package static func loginName(of user: UInt32) -> String? {
    guard let bytes = try? InputFile("/etc/passwd").readAll() else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count > 2, !fields[0].isEmpty, fields[2].elementsEqual("\(user)".utf8) else { continue }
      return String(decoding: fields[0], as: UTF8.self)
    }
    return nil
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}

/// The result of a write, with the changes that other programs made before it.
///
/// A table that displays `others` and then `own` displays the list of `version`.
package struct WriteResult<Result: Sendable>: Sendable {
  /// The result of the closure.
  package let result: Result
  /// The changes between the version known to the caller and this write.
  package let others: [ListEvent]
  /// The changes of this write: one step, several if it undoes, none if it changed nothing.
  package let own: [ListEvent]
  /// The version of the list now.
  package let version: ListVersion
  /// The step of the history with the edits; nil if nothing was changed.
  package let step: HistoryStep?
}

extension CustomerStore {
  /// Changes the list like `write` and returns what has happened to it since a version.
  ///
  /// - Parameters:
  ///   - action: the name of the step in the history; it must not contain people's data.
  ///   - version: the version known to the caller: `ListSnapshot.version`.
  ///   - body: the edits.
  /// - Returns: what `body` returns and what happened.
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws; nothing was changed.
  @discardableResult
  package func write<Result: Sendable>(
    action: String = "", since version: ListVersion,
    _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> WriteResult<Result> {
    try await write(action: action) { list in
      let others = try list.events(after: version)
      let before = try list.version()
      let result = try body(&list)
      let own = try list.events(after: before)
      let after = try list.version()
      return WriteResult(
        result: result, others: others, own: own, version: after,
        step: after == before ? nil : try list.history(limit: 1).first)
    }
  }
}
