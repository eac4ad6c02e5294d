internal import CustomersSQLite
internal import CustomersSystem

/// A file that is being repaired; SQLite need not be able to open it as a database.
final class DamagedFile {
  private let path: String
  private let options: CustomerStore.Options
  private let connection: Connection
  private let journal: OriginalFiles?
  /// The state that was read; nil if SQLite can't lock or write the file.
  private var version: UInt32?

  init(_ path: String, _ options: CustomerStore.Options, journal: OriginalFiles?) throws {
    self.path = try DatabaseFile.resolve(path)
    (self.options, self.journal) = (options, journal)
    connection = try Connection(path: self.path)
    connection.wait(options, WaitPolicy(options.busyTimeout))
    try connection.localFile.acceptDamage()
  }

  /// Copies the file as it is now, and builds a new list from what can be read of it.
  ///
  /// The file is locked only while it is copied.
  func rebuild(by author: StepAuthor) throws -> Rebuilding {
    let isCancelled = options.cancellation(WaitPolicy(options.busyTimeout))
    return try namingFolder {
      let copy = try TemporaryFile()
      let size = try locked {
        let size = try connection.localFile.size()
        for offset in stride(from: 0, to: size, by: 1 << 20) {
          try copy.write(connection.localFile.bytes(at: offset, upTo: 1 << 20), at: offset)
          guard !isCancelled() else { throw CancellationError() }
        }
        return size
      }
      let source = try DamagedDatabase(size: size) { offset, count in try copy.read(at: offset, upTo: count) }
      return try Rebuilding.list(of: source, by: author, unless: isCancelled)
    }
  }

  /// Whether SQLite could lock the file when it was looked at.
  var isLockable: Bool { version != nil }

  /// Notes the state of the file, which `replace` must find.
  func look() throws { try locked {} }

  /// Writes a new list beside the file.
  ///
  /// - Returns: its path.
  func write(_ new: Connection, beside suffix: String) throws -> String {
    try keep(suffix) { file in try new.localFile.copy(to: Connection(path: file.temporaryPath)) {} }.path
  }

  /// Writes a new list into the file, so that all programs that have it open see it; first keeps the file as it is.
  ///
  /// - Parameters:
  ///   - new: the list. SQLite can lock the file.
  ///   - suffix: of the file that is kept.
  ///   - token: of the step that made the new list, for an error.
  ///   - isNew: whether a list is the new one.
  ///   - proceed: called every thousand pages; if it throws, nothing is written.
  /// - Returns: where the old file is kept; nil if it changed since it was read.
  /// - Throws: `RepairError`, `StoreError`, what `proceed` throws; `CommitError` if the disk failed.
  func replace(
    with new: Connection, keeping suffix: String, token: TransactionToken,
    isNew: (borrowing CustomerList) throws -> Bool, proceed: () throws -> Void = {}
  ) throws -> String? {
    guard !connection.isReadOnly else { throw StoreError.readOnly }
    let writing = try Overwriting(connection, from: new)
    try writing.lock()
    guard connection.localFile.pagesVersion == version else { return nil }
    let kept = try keep(suffix) { file in
      if let journal { return try journal.copy(to: file) }
      for offset in stride(from: 0, to: try connection.localFile.size(), by: 1 << 20) {
        try file.write(connection.localFile.bytes(at: offset, upTo: 1 << 20))
      }
    }
    try journal?.keep(beside: kept.path)
    let failure: any Error
    do {
      try writing.run(proceed)
      return kept.path
    } catch { failure = error }
    // Ends the transaction, unless the disk failed after it was committed.
    _ = consume writing
    let outcome = outcome(isNew)
    guard outcome == .notCommitted else {
      throw CommitError(
        outcome: outcome, token: token,
        reason: (failure as? SQLiteError).map(StoreError.init) ?? .failed("\(failure)"))
    }
    kept.withdraw()
    throw failure
  }

  /// Whether the new list is in the file.
  private func outcome(_ isNew: (borrowing CustomerList) throws -> Bool) -> TransactionOutcome {
    do {
      let options = options.forOutcome
      let list = try CustomerList.open(path: path, options, WaitPolicy(options.busyTimeout))
      return try list.connection.readTransaction { try isNew(list) } ? .committed : .notCommitted
    } catch let error as SQLiteError {
      let isOld = [.corrupt, .notADatabase, .error].contains(error.code.primary)
      return isOld ? .notCommitted : .unknown
    } catch StoreError.notACustomersFile, StoreError.upgradeFailed, StoreError.reloadedDump {
      return .notCommitted
    } catch { return .unknown }
  }

  /// Runs `body` while no program can change the file, if SQLite can lock it.
  private func locked<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<10 {
      do {
        let mode = try connection.localFile.setJournalMode(.rollback)
        if mode == .writeAheadLog { try connection.executeScript("PRAGMA wal_checkpoint(TRUNCATE)") }
        try connection.execute("BEGIN")
        _ = try connection.fetchOne("PRAGMA schema_version") { $0.integer(0) }
        version = connection.localFile.hasDamagedHeader ? nil : connection.localFile.pagesVersion
      } catch let error as SQLiteError
        where error.code.primary == .notADatabase || StoreError(error).isOfDamage
      {
        version = nil
      }
      defer { if connection.isInTransaction { try? connection.execute("ROLLBACK") } }
      // What is only in the log is not in the file.
      if DatabaseFile.isEmptyOrMissing(path + "-wal") { return try body() }
    }
    throw StoreError.locked
  }

  /// Makes a file beside the list, under the first free name.
  private func keep(_ suffix: String, _ write: (AtomicFile) throws -> Void) throws -> AtomicFile {
    do { return try CustomerStore.keep(beside: path, suffix, write) } catch let error as SystemError {
      throw RepairError.noCopy(error.description)
    } catch let error as SQLiteError where [.diskFull, .fileTooLarge].contains(StoreError(error)) {
      throw RepairError.noCopy(StoreError(error).description)
    }
  }

  /// Runs `body`, which writes to the folder for temporary files.
  private func namingFolder<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as FileError {
      throw StoreError.noCopy(folder: error.path, reason: error.reason.description)
    } catch let error as SQLiteError where [.diskFull, .fileTooLarge].contains(StoreError(error)) {
      throw StoreError.noCopy(
        folder: connection.localFile.temporaryFolder, reason: StoreError(error).description)
    } catch let failure as CommitFailure { throw failure.reason }
  }
}

/// A file and its journal, byte for byte, as they were before SQLite rolled anything back.
package final class OriginalFiles {
  private let file: TemporaryFile
  private let journals: [(suffix: String, file: TemporaryFile)]

  /// Copies a file and its journal; nil if it has none.
  package init?(_ path: String) throws {
    let suffixes = DatabaseFile.sidecars.filter { !DatabaseFile.isEmptyOrMissing(path + $0) && $0 != "-shm" }
    guard !suffixes.isEmpty else { return nil }
    file = try TemporaryFile()
    // No statement is run, so nothing is rolled back.
    let database = try Connection(path: DatabaseFile.resolve(path)).localFile
    for offset in stride(from: 0, to: try database.size(), by: 1 << 20) {
      try file.write(database.bytes(at: offset, upTo: 1 << 20), at: offset)
    }
    journals = try suffixes.map { ($0, try Self.copy(path + $0)) }
  }

  fileprivate func copy(to copy: AtomicFile) throws { try Self.copy(file, to: copy) }

  /// Puts the journals beside a copy of the file.
  fileprivate func keep(beside path: String) throws {
    for (suffix, journal) in journals {
      let copy = try AtomicFile(path + suffix)
      try Self.copy(journal, to: copy)
      try copy.commit(replacing: false)
    }
  }

  private static func copy(_ path: String) throws -> TemporaryFile {
    let (input, copy) = (try InputFile(path), try TemporaryFile())
    var offset = 0
    while case let bytes = try input.read(), !bytes.isEmpty {
      try copy.write(bytes, at: offset)
      offset += bytes.count
    }
    return copy
  }

  private static func copy(_ source: TemporaryFile, to copy: AtomicFile) throws {
    var offset = 0
    while case let bytes = try source.read(at: offset, upTo: 1 << 20), !bytes.isEmpty {
      try copy.write(bytes)
      offset += bytes.count
    }
  }
}
