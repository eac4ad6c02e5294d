internal import CustomersSQLite
internal import CustomersSystem
internal import CustomersText

/// Why a backup was not restored.
///
/// The list is unchanged.
package enum RestoreError: Error, Hashable, Sendable {
  /// The backup is the list itself, or a file that SQLite keeps beside some list.
  case isReserved(CustomerStore.Reservation)
  /// The file or its schema is damaged: it has this many problems.
  case isDamaged(Int)
  /// Other programs kept changing the list.
  case isBusy
  /// An error of the system.
  case failed(String)
}

extension CustomerStore {
  /// A checked backup that can be restored once: a private copy, which no program changes.
  package struct CheckedBackup {
    /// The number of customers in it.
    package let count: Int
    /// The problems of the list when it was backed up: wrong numbers, which `repair` corrects, and unreadable values.
    package let violations: [ListViolation]
    let file: AtomicFile
  }

  /// Checks a backup, without changing it.
  ///
  /// It first copies the backup beside the list, upgrades the copy to the current format, and gives it a history
  /// of its own.
  ///
  /// - Parameters:
  ///   - path: the backup.
  ///   - listPath: the list that the backup is for, which need not exist yet.
  ///   - options: how the files are opened.
  /// - Returns: the backup, for `restore`.
  /// - Throws: `RestoreError`; `StoreError` if it is not a customers file.
  package static func checkBackup(
    at path: String, forListAt listPath: String, options: Options = Options()
  ) throws -> CheckedBackup {
    if let reservation = reservation(of: path, byListAt: listPath) {
      throw RestoreError.isReserved(reservation)
    }
    return try translatingSQLiteErrors {
      let source = try Connection(path: DatabaseFile.resolve(path), busyTimeout: options.busyTimeout)
      try source.localFile.harden()
      try source.localFile.refuseCutFile()
      let place = Folder.pathInExistingFolder(listPath)
      try DatabaseFile.validateLength(of: place, adding: AtomicFile.addedLength)
      let copy = try RestoreError.translating { try AtomicFile(place) }
      defer { DatabaseFile.removeSidecars(of: copy.temporaryPath) }
      try source.readTransaction {
        try source.localFile.copy(to: Connection(path: copy.temporaryPath)) {}
      }
      let list = try CustomerList.open(
        path: copy.temporaryPath, options.ofCopy, WaitPolicy(options.busyTimeout))
      let damage = try list.checkStructure()
      guard damage.isEmpty else { throw RestoreError.isDamaged(damage.count) }
      let violations = try list.checkContent()
      // Numbers can be corrected; rows that are gone can't.
      guard try violations.isEmpty || list.readableRows().missingCount == 0 else {
        throw RestoreError.isDamaged(violations.count)
      }
      // What other programs have seen of the list that it replaces is not in its history.
      try list.connection.execute("INSERT INTO renew_history VALUES (1)")
      return CheckedBackup(count: try list.count(), violations: violations, file: copy)
    }
  }

  /// Writes a backup into the file of this list, so that all programs that have it open see it.
  ///
  /// The whole list is replaced, with its history, so this can't be undone. A copy of the list that pulls from it goes back,
  /// too. The list as it was just before is
  /// kept in another file. If anything fails or the process is killed, the list is unchanged. The private copy
  /// is removed in any case. If the list is so damaged that it can't be opened, it is kept byte for byte.
  ///
  /// - Parameters:
  ///   - backup: the backup.
  ///   - path: where to keep the old list; the file must not exist. Nil keeps nothing.
  ///   - proceed: called every thousand pages; if it throws, nothing is restored.
  /// - Returns: where the old list is kept.
  /// - Throws: `RestoreError`, `BackupError`, `StoreError`, or what `proceed` throws; nothing was restored.
  ///   `CommitError` if the disk failed when the list was restored or may have been: the old one is kept.
  @discardableResult
  package func restore(
    _ backup: CheckedBackup, keepingListAt path: String?, proceed: () throws -> Void = {}
  ) throws -> String? {
    guard let file else { preconditionFailure("a list in memory has no file to restore") }
    try refuseOlderFormat()
    // Not when the caller lets go of the backup: a signal that it holds back during the call may end it then.
    defer { backup.file.discard() }
    do {
      try replace(file.path, with: backup, keepingListAt: path, proceed)
      return path
    } catch let error as StoreError where error.isOfDamage && path != nil {
      return try Self.restore(backup, overDamagedListAt: file.path, options: options, proceed: proceed)
    }
  }

  /// Writes a backup over a list that is so damaged that it can't be opened, which is kept beside it, byte for byte.
  ///
  /// - Parameters:
  ///   - backup: the backup.
  ///   - path: the list.
  ///   - options: how it is opened.
  ///   - original: the file before SQLite opened it, if it had a journal.
  ///   - proceed: called every thousand pages; if it throws, nothing is restored.
  /// - Returns: where the old file is kept.
  /// - Throws: what `restore` of a list throws; `StoreError.notACustomersFile` if SQLite can't lock the file.
  package static func restore(
    _ backup: CheckedBackup, overDamagedListAt path: String, options: Options, original: OriginalFiles? = nil,
    proceed: () throws -> Void = {}
  ) throws -> String {
    defer { backup.file.discard() }
    return try translatingSQLiteErrors {
      let source = try open(backup.file.temporaryPath, options)
      defer { DatabaseFile.removeSidecars(of: backup.file.temporaryPath) }
      // Its history is new, and has an id of its own.
      let history = try history(of: source)
      let file = try DamagedFile(path, options, journal: original)
      for _ in 0..<10 {
        try file.look()
        guard file.isLockable else { throw StoreError.notACustomersFile }
        if let kept = try file.replace(
          with: source, keeping: "before-restore", token: TransactionToken(),
          isNew: { try $0.identity().history == history }, proceed: proceed)
        {
          return kept
        }
      }
      throw RestoreError.isBusy
    }
  }

  private func replace(
    _ list: String, with backup: CheckedBackup, keepingListAt path: String?, _ proceed: () throws -> Void
  ) throws {
    try CustomerStore.translatingSQLiteErrors {
      let source = try Self.open(backup.file.temporaryPath, options)
      defer { DatabaseFile.removeSidecars(of: backup.file.temporaryPath) }
      let target = try Self.open(list, options)
      for _ in 0..<10 {
        let kept = try path.map { path in try RestoreError.translating { try AtomicFile(path) } }
        let (version, history, states) = try target.readTransaction {
          if let kept { try target.localFile.copy(to: Connection(path: kept.temporaryPath), proceed) }
          return (target.localFile.pagesVersion, try Self.history(of: target), try? Self.states(of: target))
        }
        if let states {
          try source.immediateTransaction { try CustomerList(connection: source).outdo(states) }
        }
        let writing = try Overwriting(target, from: source)
        try writing.lock()
        // Otherwise, what other programs have written since the copy would be lost.
        guard target.localFile.pagesVersion == version else { continue }
        do { try RestoreError.translating { try kept?.commit(replacing: false) } } catch {
          // The disk may have failed when it had its name.
          kept?.withdraw()
          throw error
        }
        let failure: any Error
        do { return try writing.run(proceed) } catch { failure = error }
        // Ends the transaction, unless the disk failed after it was committed.
        _ = consume writing
        let now = try? Self.history(of: Self.open(list, options.forOutcome))
        guard now == history else {
          throw CommitError(
            outcome: now == nil ? .unknown : .committed, token: TransactionToken(),
            reason: (failure as? SQLiteError).map(StoreError.init) ?? .failed("\(failure)"))
        }
        kept?.withdraw()
        throw failure
      }
      throw RestoreError.isBusy
    }
  }

  private static func states(of connection: Connection) throws -> ReplacedStates {
    let list = CustomerList(connection: connection)
    return ReplacedStates(list: try list.identity().list, known: try list.knownStates())
  }

  private static func history(of connection: Connection) throws -> String {
    try CustomerList(connection: connection).identity().history
  }

  private static func open(_ path: String, _ options: Options) throws -> Connection {
    var options = options
    options.createsFile = false
    return try CustomerList.open(path: path, options, WaitPolicy(options.busyTimeout)).connection
  }
}

/// The states of a list that a backup replaces.
private struct ReplacedStates {
  let list: String
  let known: KnownStates
}

extension CustomerList {
  /// Adds a step without edits that has the states of the list that this one replaces, so that a copy which pulls from it
  /// goes back, too, instead of bringing back what was replaced.
  ///
  /// There is none if the list has all of these states, or if they are of another list.
  fileprivate func outdo(_ replaced: ReplacedStates) throws {
    guard try identity().list == replaced.list else { return }
    let known = try knownStates()
    let states = replaced.known.marks.filter { !known.has(mark: $0) }
    guard !states.isEmpty else { return }
    try connection.executeScript(
      """
      INSERT INTO open_step (kind, action) VALUES ('edit', 'restore');
      UPDATE history_step SET state = 'dropped', is_open = 0 WHERE id = (SELECT max(id) FROM history_step)
      """)
    try note(states, takenInBy: try connection.fetchOne("SELECT id FROM last_step") { $0.integer(0) } ?? 0)
  }
}

extension RestoreError {
  fileprivate static func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SystemError { throw failed(error.description) }
  }
}

extension RestoreError: ExplainedError {
  package func task(with file: String) -> String? { "restore \(quoted(file))" }

  package var explanation: Explanation {
    switch self {
    case .isReserved(let reservation): .refused("\(reservation)")
    case .isDamaged(let count):
      .failed(
        "the backup is damaged (\(counted(count, "problem")))", .run(.checkFile, to: "see what is wrong"),
        nothing: "changed")
    case .isBusy: .failed("other programs keep changing the list")
    case .failed(let text): .failed(text)
    }
  }
}

extension CustomerStore {
  /// Why a path must not be written to.
  package enum Reservation: Hashable, Sendable {
    /// It leads to the list itself.
    case list
    /// SQLite keeps such a file beside a list.
    case sidecar
  }

  /// Returns why a file must not be written or replaced, because of the list at `list` or any other.
  ///
  /// It considers the name and the file that the path leads to; neither file has to exist. Nil means that
  /// the list is in no file of this machine.
  ///
  /// - Returns: nil if it may be written.
  package static func reservation(of path: String, byListAt list: String?) -> Reservation? {
    if let list, DatabaseFile.isSame(path, list) { return .list }
    if let list, DatabaseFile.isSidecar(path, of: list) { return .sidecar }
    return DatabaseFile.isSidecar(path) ? .sidecar : nil
  }

  /// Why a file must not be written or replaced, because of this list or any other; nil if it may be.
  package func reservation(of path: String) -> Reservation? {
    Self.reservation(of: path, byListAt: file?.path)
  }
}

extension CustomerStore.Reservation: CustomStringConvertible {
  /// The reason, in one line without the file's name.
  package var description: String {
    switch self {
    case .list: "this is the list itself"
    case .sidecar: "a name that ends in -journal, -wal, or -shm belongs to SQLite"
    }
  }
}
