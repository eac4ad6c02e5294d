internal import CustomersMigrations
internal import CustomersSQLite

extension CustomerStore {
  /// How a file is opened.
  package struct Options: Sendable {
    /// Whether to create a missing file, with one empty section; only its owner can read it.
    package var createsFile = true
    /// Whether to create missing folders, too.
    package var createsFolders = true
    /// Whether to use a write-ahead log instead of a rollback journal: faster for a process that stays
    /// connected and commits often, but three files instead of one.
    ///
    /// Refused if this version of the SQLite library is not safe with it.
    package var usesWriteAheadLog = false
    /// What a call does while it waits: it returns whether to keep waiting.
    package typealias WhileWaiting = @Sendable (_ pause: Duration) -> Bool

    /// Whether a list of an older format is upgraded when it is opened: as a whole or not at all.
    ///
    /// Older versions of the program can't open it afterward. The file as it was is kept beside it, as
    /// `NAME.before-upgrade`; `CustomerStore.upgrade` says so. Otherwise such a list can be read, in a converted copy that
    /// only this process has, and an edit throws `StoreError.needsUpgrade`.
    package var upgrades = false

    /// How long to wait for another program's lock: ten seconds, unless you set it.
    package var busyTimeout: Duration = Connection.usualTimeout
    /// Called every few milliseconds while a transaction waits for another program's lock.
    ///
    /// It gets the length of the last pause; if it returns false, the transaction fails with `StoreError.locked`. A
    /// call may have its own.
    package var whileWaiting: WhileWaiting = { _ in true }
    /// Called with each SQL statement that has run and how long it took, to find out what an app spends its time on.
    ///
    /// The text has `?` in place of people's data. Statements inside of triggers are part of the one that fired them.
    /// Lists on a cluster report none.
    package var trace: (@Sendable (_ sql: String, _ duration: Duration) -> Void)?
    /// Called many times while a list of an older format is converted, with about how many of its rows are done;
    /// at its end all are.
    package var whileConverting: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    /// Whether to end the transaction that runs, with a `CancellationError`; called thousands of times a second.
    package var isCancelled: @Sendable () -> Bool = { false }
    /// How many bytes of the file a transaction may change before it locks out readers.
    ///
    /// Up to this limit, changes are kept in memory. Beyond it they are written to the file at once, and
    /// readers wait until the commit. 32 MB is enough to change 250,000 customers.
    package var memoryForChanges = 32_000_000
    /// How many bytes of the file each connection keeps for its next readings; nil for SQLite's own limit, 2 MB.
    package var memoryForReading: Int?

    /// Whether a file that is upgraded is kept as it was.
    var keepsFileAtUpgrade = true
    /// Whether the list can only be read: it is neither upgraded nor recovered.
    package var isReadOnly = false
    /// Whether to refuse a path of which any part is a link, even one that someone puts there at the last
    /// moment.
    package var refusesLinks = false

    /// Whether to turn a file restored from a `.dump` of the `sqlite3` shell, which omits the file's
    /// application id, into a customers file again.
    package var adoptsDump = false

    /// The name of the program in the history.
    package var program = "CustomerStore"
    /// The user who runs it, in the history.
    package var user = LocalSystem.user
    /// Who uses the program, if that is known by a key; the history shows this person instead of the account.
    package var person = ""
    /// The machine that it runs on, in the history.
    package var host = LocalSystem.host

    /// The options for a program that runs one command.
    package init() {}

    func shouldKeepWaiting(_ waitPolicy: WaitPolicy) -> @Sendable (_ pause: Duration) -> Bool {
      let whileWaiting = waitPolicy.whileWaiting ?? whileWaiting
      return { pause in whileWaiting(pause) && !waitPolicy.isCancelled() }
    }

    /// The options for a copy that no one else has, which is upgraded.
    var ofCopy: Options {
      var options = self
      (options.createsFile, options.upgrades, options.keepsFileAtUpgrade) = (false, true, false)
      return options
    }

    /// The options to look up the outcome of a transaction, even of one that the user no longer wants.
    var forOutcome: Options {
      var options = self
      (options.createsFile, options.isCancelled) = (false, { false })
      return options
    }

    /// Whether a call was canceled, by its task or by the user.
    func cancellation(_ waitPolicy: WaitPolicy) -> @Sendable () -> Bool {
      let isCancelled = isCancelled
      return { waitPolicy.isCancelled() || isCancelled() }
    }
  }
}

/// What was found and done when a list was opened.
struct Opening {
  /// Whether the file was created.
  var isNew = false
  /// Whether the list has an older format, and must be converted to be read.
  var isOlder = false
  /// How it was upgraded.
  var upgrade: ListUpgrade?
}

extension Connection {
  /// Opens a file so that a foreign one is left untouched: its kind is determined before anything is written.
  ///
  /// One of an older format, which is not to be upgraded, is left untouched, too.
  static func open(
    path: String, options: CustomerStore.Options, _ waitPolicy: WaitPolicy, _ opening: inout Opening
  ) throws -> sending Connection {
    if options.usesWriteAheadLog, !LocalFile.hasSafeWriteAheadLog {
      throw StoreError.unsafeWriteAheadLog(version: CustomerStore.sqliteVersion)
    }
    let connection = try Connection(
      path: fileReady(path, options, isNew: &opening.isNew), isReadOnly: options.isReadOnly,
      refusesLinks: options.refusesLinks)
    if let trace = options.trace { connection.trace(trace) }
    connection.wait(options, waitPolicy)
    try connection.localFile.harden()
    try connection.keepChangesInMemory(upTo: options.memoryForChanges)
    if let bytes = options.memoryForReading { try connection.keepPagesInMemory(upTo: bytes) }
    if options.adoptsDump { try connection.adoptDump() }
    let isOlder = try connection.validate(mayBeNew: options.createsFile).isOlder
    // A copy that is converted would have the same header.
    if isOlder, connection.localFile.hasDamagedHeader { throw SQLiteError.damagedHeader }
    try connection.localFile.refuseCutFile()
    if isOlder, !options.upgrades {
      opening.isOlder = true
      try connection.localFile.keepWriteAheadLog()
      return connection
    }
    if !connection.isReadOnly {
      _ = try connection.localFile.setJournalMode(options.usesWriteAheadLog ? .writeAheadLog : .rollback)
    }
    let author = StepAuthor(options, action: "migrate")
    guard isOlder else {
      do { try connection.migrate(by: author) } catch let failure as CommitFailure { throw failure.reason }
      return connection
    }
    guard !connection.isReadOnly else { throw StoreError.readOnly }
    let conversion = Conversion(of: connection, options.whileConverting)
    connection.wait(options, waitPolicy, reporting: conversion)
    defer { conversion.end() }
    opening.upgrade = try connection.upgrade(by: author, keepingFile: options.keepsFileAtUpgrade)
    connection.wait(options, waitPolicy)
    return connection
  }

  /// Connects to a list of another engine, which protects its own files.
  static func open(
    on engine: some ListEngine, options: CustomerStore.Options, _ waitPolicy: WaitPolicy,
    _ opening: inout Opening
  ) throws -> sending Connection {
    let connection = Connection(engine.database())
    connection.wait(options, waitPolicy)
    let state = try connection.validate(mayBeNew: options.createsFile)
    guard state != .known(format: Migrations.format) else { return connection }
    if case .known(let format) = state {
      guard options.upgrades else {
        opening.isOlder = true
        return connection
      }
      opening.upgrade = ListUpgrade(format: format, backup: nil)
    }
    do { try connection.migrate(by: StepAuthor(options, action: "migrate")) } catch let failure
      as CommitFailure
    { throw failure.reason }
    return connection
  }

  /// An empty list in memory: a copy with an identity of its own, because creating the schema takes ten times as
  /// long.
  static func openInMemory() throws -> sending Connection {
    let connection = try Connection(path: ":memory:")
    try connection.localFile.harden()
    try Connection(image: emptyList.get()).localFile.copy(to: connection) {}
    try connection.executeScript("DELETE FROM identity; \(CustomerList.newIdentity)")
    return connection
  }

  private static let emptyList = Result {
    let connection = try Connection(path: ":memory:")
    try connection.migrate(by: StepAuthor(CustomerStore.Options(), action: "migrate"))
    return try connection.localFile.image()
  }

  /// Sets how the following statements wait, and what ends their transaction.
  func wait(
    _ options: CustomerStore.Options, _ waitPolicy: WaitPolicy, reporting conversion: Conversion? = nil
  ) {
    let isCancelled = options.cancellation(waitPolicy)
    wait(
      waitPolicy.timeout, while: options.shouldKeepWaiting(waitPolicy),
      unless: {
        conversion?.countProgress()
        return isCancelled()
      })
  }

  private static func fileReady(
    _ path: String, _ options: CustomerStore.Options, isNew: inout Bool
  ) throws -> String {
    do {
      return try resolve(path, options)
    } catch DatabaseFile.Problem.missing where options.createsFile {
      isNew = try DatabaseFile.create(
        path, withFolders: options.createsFolders, refusesLinks: options.refusesLinks)
      return try resolve(path, options)
    }
  }

  private static func resolve(_ path: String, _ options: CustomerStore.Options) throws -> String {
    let resolved = try DatabaseFile.resolve(path)
    guard !options.refusesLinks || resolved == path else { throw StoreError.notARegularFile }
    return resolved
  }

  /// The format of a list that has our tables, but not our application id; nil if it is none.
  private func formatOfDump() throws -> Int? {
    let version = try fetchOne("PRAGMA user_version") { $0.integer(0) }
    guard try Migrations.migrator.state(of: self) == .foreign(applicationID: 0), version == 0 else {
      return nil
    }
    let found = Set(try schema().map(\.name))
    guard found.isSuperset(of: ["section_record", "customer_record", "node", "place", "history_edit"]) else {
      return nil
    }
    // What the format before does not have.
    return found.contains("edit_record") ? Migrations.format : found.contains("identity") ? 11 : 10
  }

  private func adoptDump() throws {
    guard let format = try formatOfDump() else { return }
    let isNewest = format == Migrations.format
    try immediateTransaction {
      try executeScript(
        """
        PRAGMA application_id = \(isNewest ? Migrations.applicationID : Migrations.releasedApplicationID);
        PRAGMA user_version = \(format);
        """)
    }
  }

  /// The state of a list that can be opened.
  func validate(mayBeNew: Bool = false) throws -> Migrator.State {
    let state = try Migrations.migrator.state(of: self)
    switch state {
    case .foreign(Migrations.unreleasedApplicationID): throw StoreError.prereleaseFormat
    case .foreign: throw try formatOfDump() == nil ? StoreError.notACustomersFile : .reloadedDump
    case .known(let found) where found > Migrations.format:
      throw StoreError.newerFormat(found: found, known: Migrations.format)
    // An empty file is not a list yet, and a reader must not turn it into one.
    case .new where !mayBeNew: throw StoreError.missing
    case .new, .known: break
    }
    return state
  }
}

extension CustomerStore {
  /// The format of the files that this version writes.
  package static var formatVersion: Int { Migrations.format }

  /// The version of the SQLite library, such as `3.40.1`.
  package static var sqliteVersion: String {
    let version = Connection.libraryVersion
    return "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
  }
}

extension Migrator.State {
  /// Whether it is a list of an older format.
  var isOlder: Bool {
    if case .known(let format) = self { format < Migrations.format } else { false }
  }
}

/// Looks for triggers by other programs, which could break what ours guarantee; once for each state of the schema.
struct SchemaGuard {
  /// The `PRAGMA schema_version` whose triggers were checked.
  private var known: Int64?

  /// Refuses a file that has any.
  ///
  /// - Throws: `StoreError.unknownTriggers`.
  mutating func refuseUnknownTriggers(_ connection: Connection) throws {
    if let known, try connection.fetchOne("PRAGMA schema_version", [], { $0.integer(0) }) == known { return }
    // Nearly all files have our triggers in our order: comparing each with the next one takes a fifth of a set's time.
    var expected = Migrations.triggers[...]
    // The name of the table is kept as the trigger's author wrote it.
    let triggers = try connection.fetchAll(
      """
      SELECT name, lower(tbl_name), sql, schema_version FROM pragma_schema_version CROSS JOIN sqlite_schema
      WHERE type = 'trigger'
      """
    ) { row in
      let text = row.text(2)
      let isNext = text == expected.first
      if isNext { expected.removeFirst() }
      let isOurs =
        isNext || Migrations.triggers.contains(text) || !Migrations.tables.contains(row.text(1))
      return (unknown: isOurs ? nil : row.text(0), version: row.integer(3))
    }
    let unknown = triggers.compactMap(\.unknown)
    guard unknown.isEmpty else { throw StoreError.unknownTriggers(unknown) }
    known = triggers.first?.version
  }
}

/// A copy of a list that only this process sees, in a temporary file of SQLite.
///
/// The file has no name, only its owner can read it (mode 0600), and it disappears with the process, however that ends.
/// The copy has the identity and the version of the list. It is made through the connection that reads the list: closing a
/// second descriptor of the file would drop the locks of this process on it
/// (https://sqlite.org/howtocorrupt.html, 2.2).
struct PrivateCopy: Sendable {
  private let store: CustomerStore
  private let folder: String

  /// Copies the list inside its transaction.
  ///
  /// - Throws: `StoreError.noCopy` if there is no room for it; `CancellationError`, `StoreError`.
  init(of list: borrowing CustomerList, _ options: CustomerStore.Options) throws {
    let source = list.connection
    let folder = source.localFile.temporaryFolder
    self.folder = folder
    // Nothing of it stays with the connection from which it was filled.
    nonisolated(unsafe) let connection = try source.privateCopy()
    unsafe store = CustomerStore(inMemory: connection, options: options)
  }

  /// Passes the copy to `body`.
  ///
  /// - Throws: what `body` throws; `StoreError.noCopy` if the copy grew, and there is no room for that.
  func use<Result: Sendable>(_ body: (CustomerStore) throws -> Result) throws -> Result {
    try Self.naming(folder) { try body(store) }
  }

  /// The same for tasks, for `CustomerStore.read`.
  func read<Result: Sendable>(
    _ timeout: Duration, _ body: @escaping @Sendable (borrowing CustomerList) throws -> Result
  ) async throws -> Result {
    try await store.reader.runAsync { call in try use { try $0.read(WaitPolicy(timeout, call), body) } }
  }

  /// Runs `body`, which writes to a copy in this folder.
  static func naming<Result: Sendable>(
    _ folder: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try CustomerStore.translatingSQLiteErrors { try body() }
    } catch let error as StoreError where [.diskFull, .fileTooLarge].contains(error) {
      throw StoreError.noCopy(folder: folder, reason: error.description)
    }
  }
}

extension Connection {
  /// Copies the database, in the state of the transaction, into a temporary file of SQLite.
  ///
  /// - Throws: `StoreError.noCopy` if there is no room for it; `CancellationError`, `StoreError`.
  func privateCopy() throws -> Connection {
    let folder = localFile.temporaryFolder
    let copy = try Connection(path: "")
    try copy.localFile.harden()
    try PrivateCopy.naming(folder) {
      do {
        try localFile.copy(to: copy) { try checkCancellation() }
      } catch let error as SQLiteError
        where error.code.primary == .cannotOpen || error.code == .noTemporaryFolder
      {
        throw StoreError.noCopy(folder: folder, reason: error.message)
      }
    }
    return copy
  }
}
