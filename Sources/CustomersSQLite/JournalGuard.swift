internal import CSQLite
internal import CustomersPlatform
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
