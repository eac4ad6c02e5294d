internal import CSQLite
internal import CustomersSystem
internal import Synchronization

/// Refuses a file beside a database that someone else may have put there.
///
/// SQLite takes the pages in `LIST-journal` for those of the list and rolls them back into it. So in a folder
/// where others may create files, a neighbor who can't even read the list could replace it, or make everyone
/// wait forever with a pipe of that name. Only those who may write the list may leave a file beside it.
///
/// The open file is checked, not its name: between a look at a name and opening it, someone could put
/// another file there. SQLite opens its files with a system call that can be replaced
/// (https://sqlite.org/c3ref/vfs.html); the replacement leaves other databases of the process alone.
enum JournalGuard {
  private typealias Open = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32

  private struct Guarded {
    var connections = 0
    var refused: String?
    /// Whether no part of the path may be a link when the database is opened.
    var refusesLinks = false
  }

  /// The open databases, by path.
  private static let databases = Mutex<[String: Guarded]>([:])

  /// Guards the files beside a database from now on.
  ///
  /// - Parameters:
  ///   - database: the path of the database; empty if it is in no file.
  ///   - refusingLinks: whether the database, too, is opened only if no part of its path is a link.
  static func begin(_ database: String, refusingLinks: Bool = false) {
    guard !database.isEmpty else { return }
    _ = isInstalled
    databases.withLock { databases in
      var guarded = databases[database] ?? Guarded()
      guarded.connections += 1
      guarded.refusesLinks = guarded.refusesLinks || refusingLinks
      databases[database] = guarded
    }
  }

  /// Ends what `begin` began.
  static func end(_ database: String) {
    databases.withLock {
      guard let connections = $0[database]?.connections else { return }
      if connections > 1 { $0[database]?.connections -= 1 } else { $0[database] = nil }
    }
  }

  /// The file beside a database that was refused last, once.
  static func takeRefusal(_ database: String) -> String? {
    databases.withLock { databases in
      defer { databases[database]?.refused = nil }
      return databases[database]?.refused
    }
  }

  /// The system call that was in use before.
  private static let systemOpen: Open? = {
    guard let vfs = unsafe sqlite3_vfs_find("unix"), unsafe vfs.pointee.iVersion >= 3,
      let call = unsafe vfs.pointee.xGetSystemCall(vfs, "open")
    else { return nil }
    return unsafe unsafeBitCast(call, to: Open.self)
  }()

  private static let isInstalled: Bool = {
    guard unsafe systemOpen != nil, let vfs = unsafe sqlite3_vfs_find("unix") else { return false }
    let replacement: Open = { path, flags, mode in unsafe JournalGuard.open(path, flags, mode) }
    let call = unsafe unsafeBitCast(replacement, to: sqlite3_syscall_ptr.self)
    return unsafe vfs.pointee.xSetSystemCall(vfs, "open", call) == SQLITE_OK
  }()

  private static func open(_ path: UnsafePointer<CChar>?, _ flags: Int32, _ mode: Int32) -> Int32 {
    guard let systemOpen = unsafe systemOpen,
      let name = unsafe path.map({ unsafe String(cString: $0) })
    else { return -1 }
    if databases.withLock({ $0[name]?.refusesLinks == true }) {
      return unsafe csystem_open_without_links(path, flags, mode)
    }
    guard let (database, refusesLinks) = guardedDatabase(beside: name) else {
      return unsafe systemOpen(path, flags, mode)
    }
    // A link is not followed, and a pipe does not block.
    let open = refusesLinks ? unsafe csystem_open_without_links : unsafe systemOpen
    let file = unsafe open(path, flags | O_NOFOLLOW | O_NONBLOCK, mode)
    if file >= 0, isTrusted(file, beside: database) { return file }
    let reason = file >= 0 ? EPERM : errno
    if file >= 0 { close(file) }
    if file >= 0 || reason == ELOOP { databases.withLock { $0[database]?.refused = name } }
    errno = reason
    return -1
  }

  private static func guardedDatabase(beside name: String) -> (path: String, refusesLinks: Bool)? {
    guard let suffix = DatabaseFile.sidecars.first(where: name.hasSuffix) else { return nil }
    let database = String(name.dropLast(suffix.count))
    return databases.withLock { $0[database] }.map { (database, $0.refusesLinks) }
  }

  /// Whether an open file is a regular one of someone who may write the database.
  private static func isTrusted(_ file: Int32, beside database: String) -> Bool {
    var (found, list) = (stat(), stat())
    guard unsafe fstat(file, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return false }
    guard unsafe stat(database, &list) == 0 else { return false }
    let owner = found.st_uid
    if [0, geteuid(), list.st_uid].contains(owner) || list.st_mode & S_IWOTH != 0 { return true }
    return list.st_mode & S_IWGRP != 0 && AccountFile.isMember(owner, of: list.st_gid)
  }
}

/// How commits get to the disk.
package enum JournalMode: Sendable {
  /// A rollback journal that is deleted, and its folder synced, at each commit (`DELETE`, `EXTRA`): the only
  /// mode that lost nothing in simulated power cuts, and a single file at rest.
  case rollback
  /// A write-ahead log, synced at each commit (`WAL`, `FULL`).
  case writeAheadLog
}

extension LocalFile {
  /// Whether this SQLite library can keep a write-ahead log that is never corrupted by two
  /// connections that write and checkpoint at the same moment (https://sqlite.org/wal.html#walresetbug).
  package static var hasSafeWriteAheadLog: Bool {
    let version = Connection.libraryVersion
    return version >= 3_051_003 || (3_050_007..<3_051_000).contains(version)
      || (3_044_006..<3_045_000).contains(version)
  }

  /// Sets the journal mode, unless another connection prevents it, and the syncing for the mode that the file
  /// is in.
  ///
  /// - Returns: the mode that the file is in now.
  package func setJournalMode(_ mode: JournalMode) throws -> JournalMode {
    var found = try connection.fetchOne("PRAGMA journal_mode") { $0.text(0) } ?? ""
    let wanted = mode == .rollback ? "delete" : "wal"
    if found != wanted, found != "memory", !connection.isReadOnly {
      do {
        found = try connection.fetchOne("PRAGMA journal_mode = \(wanted)") { $0.text(0) } ?? ""
      } catch let error as SQLiteError where error.code.primary == .busy {}
    }
    try connection.executeScript("PRAGMA synchronous = \(found == "wal" ? "FULL" : "EXTRA")")
    return found == "wal" ? .writeAheadLog : .rollback
  }

  /// Whether the file is kept with a write-ahead log now.
  package func usesWriteAheadLog() throws -> Bool {
    try connection.fetchOne("PRAGMA journal_mode") { $0.text(0) } == "wal"
  }
}

/// The name of the super-journal, at the end of a rollback journal that several databases share.
///
/// SQLite deletes that file after rolling the journal back. So anyone who can put a journal beside a list
/// could have any file of its reader deleted (https://sqlite.org/fileformat2.html#the_rollback_journal, and
/// `readSuperJournal` in SQLite's pager).
enum SuperJournal {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  /// SQLite accepts no longer name.
  private static let longestName = 512

  /// The name in the journal of a database, if SQLite would not have chosen it.
  static func plantedName(ofDatabase path: String) -> String? {
    guard let name = name(inJournal: path + "-journal") else { return nil }
    return isGenuine(name, inFolderOf: path) ? nil : name
  }

  /// Whether it is `DATABASE-mj` and 9 hexadecimal digits, the seventh of them a 9, where the database is
  /// a file in the same folder.
  private static func isGenuine(_ name: String, inFolderOf path: String) -> Bool {
    func folder(_ path: String) -> Substring { path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex) }
    let digits = name.suffix(9)
    let database = String(name.dropLast(12))
    return name.dropLast(9).hasSuffix("-mj") && digits.allSatisfy(\.isHexDigit)
      && digits.dropLast(2).last == "9" && folder(name) == folder(path)
      && DatabaseFile.exists(database) && !DatabaseFile.isSpecial(database)
  }

  private static func name(inJournal journal: String) -> String? {
    let file = unsafe open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    func bytes(_ count: Int, before end: Int) -> [UInt8]? {
      guard end >= count else { return nil }
      var bytes = [UInt8](repeating: 0, count: count)
      return unsafe pread(file, &bytes, count, off_t(end - count)) == count ? bytes : nil
    }
    guard let tail = bytes(16, before: size), Array(tail[8...]) == magic else { return nil }
    let length = tail[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard (1...longestName).contains(length) else { return nil }
    return bytes(length, before: size - 16).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
