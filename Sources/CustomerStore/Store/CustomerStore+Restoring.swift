internal import Files
internal import SQLite

/// Why a backup was not restored.
///
/// The list is as it was.
public enum RestoreError: Error, Hashable, Sendable {
  /// The backup is the list itself, or a file that SQLite keeps beside some list.
  case isReserved(CustomerStore.Reservation)
  /// So many things are wrong in the backup.
  case isDamaged(Int)
  /// Other programs changed the list again and again.
  case isBusy
  /// What the system said.
  case failed(String)
}

extension CustomerStore {
  /// A backup that was checked and can be restored: a copy of its own, that nobody changes any more.
  public struct CheckedBackup {
    /// The number of customers in it.
    public let count: Int
    let file: AtomicFile
  }

  /// Checks a backup, which stays as it is.
  ///
  /// It is copied beside this list first, and brought up to the format of this version there.
  ///
  /// - Throws: `RestoreError`; `StoreError` if it is not a customers file.
  public func checkBackup(at path: String) throws -> CheckedBackup {
    guard let file else { preconditionFailure("a list in memory has no file to restore") }
    if let reservation = Self.reservation(of: path, byListAt: file.path) {
      throw RestoreError.isReserved(reservation)
    }
    return try CustomerStore.translatingSQLiteErrors {
      let source = try Connection(path: DatabaseFile.resolve(path), busyTimeout: options.busyTimeout)
      try source.localFile.harden()
      let copy = try RestoreError.translating { try AtomicFile(file.path) }
      defer { DatabaseFile.removeSidecars(of: copy.temporaryPath) }
      try source.readTransaction {
        try source.localFile.copy(to: Connection(path: copy.temporaryPath)) {}
      }
      let list = CustomerList(connection: try open(copy.temporaryPath))
      let violations = try list.check()
      guard violations.isEmpty else { throw RestoreError.isDamaged(violations.count) }
      return CheckedBackup(count: try list.count(), file: copy)
    }
  }

  /// Writes a backup into the file of this list, so that all programs which have it open follow.
  ///
  /// All of the list is replaced, with its history; so it is no step that can be undone. The list as it was
  /// right before is kept in a file of its own. If anything fails or the process is killed, the list is
  /// as it was.
  ///
  /// - Parameters:
  ///   - backup: the backup.
  ///   - path: where the list as it was is kept; there must be no such file. Nil keeps nothing.
  ///   - proceed: is called every thousand pages; if it throws, nothing is restored.
  /// - Throws: `RestoreError`, `BackupError`, `StoreError`, or what `proceed` throws.
  public func restore(
    _ backup: CheckedBackup, keepingListAt path: String?, proceed: () throws -> Void = {}
  ) throws {
    guard let file else { preconditionFailure("a list in memory has no file to restore") }
    try CustomerStore.translatingSQLiteErrors {
      let source = try open(backup.file.temporaryPath)
      defer { DatabaseFile.removeSidecars(of: backup.file.temporaryPath) }
      let target = try open(file.path)
      for _ in 0..<10 {
        let kept = try path.map { path in try RestoreError.translating { try AtomicFile(path) } }
        let version = try target.readTransaction {
          if let kept { try target.localFile.copy(to: Connection(path: kept.temporaryPath), proceed) }
          return target.localFile.pagesVersion
        }
        let writing = try Overwriting(target, from: source)
        try writing.lock()
        // What others have written since the copy would be lost.
        guard target.localFile.pagesVersion == version else { continue }
        try RestoreError.translating { try kept?.commit(replacing: false) }
        do { return try writing.run(proceed) } catch {
          kept?.withdraw()
          throw error
        }
      }
      throw RestoreError.isBusy
    }
  }

  private func open(_ path: String) throws -> Connection {
    var options = options
    options.createsFile = false
    return try Connection.open(path: path, options: options, Patience(options.busyTimeout))
  }
}

extension RestoreError {
  fileprivate static func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SystemError { throw failed(error.description) }
  }
}

extension RestoreError: CustomStringConvertible {
  /// What is wrong, in one line without the file's name.
  public var description: String {
    switch self {
    case .isReserved(let reservation): reservation.description
    case .isDamaged(let count): "the backup is damaged (\(count) problems)"
    case .isBusy: "other programs keep changing the list"
    case .failed(let text): text
    }
  }
}
