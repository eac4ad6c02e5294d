internal import CSQLite
internal import CustomersSystem

/// A database file, checked before SQLite opens it.
package enum DatabaseFile {
  /// Why a path can't be a database.
  package enum Problem: Error, Equatable, Sendable {
    /// There is nothing at the path.
    case missing
    /// A folder, a pipe, a device …
    case notARegularFile
    /// The file has a second name; SQLite would keep a second journal for it and confuse the two
    /// (https://sqlite.org/howtocorrupt.html, 2.5).
    case hasSeveralNames
    /// The file is not empty, but smaller than the smallest database.
    case tooShort
    /// The journal beside the file names a super-journal that SQLite would not have named so: rolling it back
    /// would delete the file of that name.
    case hasPlantedJournal(String)
    /// The system refused, with this message.
    case system(String)
  }

  /// The path with links followed, if it can be a database.
  package static func resolve(_ path: String) throws(Problem) -> String {
    let found: String
    do {
      found = try Folder.resolve(path)
    } catch {
      // The limit for a list is lower than the system's.
      if error.code == ENAMETOOLONG { try validateLength(of: path) }
      throw error.isMissing ? .missing : .system(error.description)
    }
    try validateResolvedLength(of: found)
    var status = stat()
    guard unsafe lstat(found, &status) == 0 else { throw .system(errorText()) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
    guard status.st_nlink == 1 else { throw .hasSeveralNames }
    // SQLite treats a file smaller than a page as empty and would overwrite it.
    guard status.st_size == 0 || status.st_size >= 512 else { throw .tooShort }
    // SQLite would only report that it is unable to open it.
    guard unsafe faccessat(AT_FDCWD, found, R_OK, AT_EACCESS) == 0 else { throw .system(errorText()) }
    if let name = SuperJournal.plantedName(ofDatabase: found) { throw .hasPlantedJournal(name) }
    return found
  }

  /// Creates an empty file that only its owner can read (mode 0600), and on request its missing folders
  /// (0700).
  ///
  /// A file that another program has created since is left as it is.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - withFolders: whether to create missing folders.
  ///   - refusesLinks: whether to fail if any part of the path is a link.
  /// - Returns: whether it has created the file.
  /// - Throws: `Problem`.
  @discardableResult
  package static func create(
    _ path: String, withFolders: Bool = true, refusesLinks: Bool = false
  ) throws(Problem) -> Bool {
    try validateLength(of: path)
    if withFolders { try translating { () throws(SystemError) in try Folder(ofFile: path).create() } }
    let flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDWR
    let file =
      refusesLinks ? unsafe csystem_open_without_links(path, flags, 0o600) : unsafe open(path, flags, 0o600)
    guard file >= 0 else {
      if errno == EEXIST { return false }
      throw .system(errorText())
    }
    close(file)
    return true
  }

  /// The path with the links of its folder followed.
  package static func resolveFolder(ofFile path: String) throws(Problem) -> String {
    let folder = try translating { () throws(SystemError) in try Folder.resolve(Folder(ofFile: path).path) }
    return "\(folder)/\(Folder.name(ofFile: path))"
  }

  private static func translating<Result>(_ body: () throws(SystemError) -> Result) throws(Problem) -> Result
  {
    do { return try body() } catch { throw .system(error.description) }
  }

  static func errorText() -> String { SystemError.last.description }
}

extension DatabaseFile {
  /// The suffixes of the files that SQLite keeps beside a database.
  package static let sidecars = ["-journal", "-wal", "-shm"]

  /// Removes the files beside a database that is about to be deleted or renamed.
  package static func removeSidecars(of database: String) {
    for suffix in sidecars { unsafe unlink(database + suffix) }
  }

  /// Whether something has this name, even a broken link.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether there is no file with this name, or nothing in it.
  package static func isEmptyOrMissing(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) != 0 || status.st_size == 0
  }

  /// Whether something other than a regular file has this name: a folder, a device, a link.
  package static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Whether two paths lead to the same file, which need not exist.
  package static func isSame(_ path: String, _ other: String) -> Bool {
    if let file = FileIdentity(path), file == FileIdentity(other) { return true }
    guard let name = try? resolveFolder(ofFile: path) else { return false }
    return name == (try? resolveFolder(ofFile: other))
  }

  /// Whether the path names or leads to a file that SQLite keeps beside some database.
  ///
  /// It goes by the name, even if there is no database yet: SQLite would take such a file for its own.
  package static func isSidecar(_ path: String) -> Bool {
    let names = [path, (try? Folder.resolve(path)) ?? path]
    return names.contains { name in sidecars.contains { name.hasSuffix($0) } }
  }

  /// Whether the path leads to a file that SQLite keeps beside the database at `database`.
  package static func isSidecar(_ path: String, of database: String) -> Bool {
    sidecars.contains { isSame(path, database + $0) }
  }
}

/// How long the path of a database may be.
///
/// SQLite would report a longer one only after the file has been created: "unable to open database file".
extension DatabaseFile {
  /// The maximum number of bytes of a path, with links followed: SQLite's limit is 512 (`MAX_PATHNAME` in its
  /// `os_unix.c`) with the suffix of the journal.
  private static let longestPath = 504
  /// The maximum number of bytes of a name: the names of the files beside it are longer.
  private static let longestName = Folder.longestName - (sidecars.map(\.utf8.count).max() ?? 0)

  /// Verifies that a new database may be at a path, whose folder need not exist yet.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - added: how many bytes longer a path is that the database has for a time.
  /// - Throws: `Problem.system`, with the limit.
  package static func validateLength(of path: String, adding added: Int = 0) throws(Problem) {
    let name = Folder.name(ofFile: path).utf8.count
    guard name <= longestName else {
      throw .system(
        "the name has \(name) bytes; that of a list has at most \(longestName), because SQLite adds -journal")
    }
    try validateResolvedLength(of: resolveFuture(path), limit: longestPath - added)
  }

  /// Verifies that SQLite can open a path in which all links were followed.
  static func validateResolvedLength(of path: String, limit: Int = longestPath) throws(Problem) {
    guard path.utf8.count > limit else { return }
    throw .system("the path has \(path.utf8.count) bytes, and SQLite allows at most \(limit)")
  }

  /// The path with the links of those of its folders followed that exist.
  private static func resolveFuture(_ path: String) throws(Problem) -> String {
    do { return try resolveFolder(ofFile: path) } catch {
      let folder = Folder(ofFile: path).path
      // The system says later why the folder can't be used.
      guard unsafe access(folder, F_OK) != 0, folder != Folder(ofFile: folder).path else { return path }
      return try "\(resolveFuture(folder))/\(Folder.name(ofFile: path))"
    }
  }
}

/// Operations that need the database to be in a local file or in memory.
///
/// Another engine would do these in its own way, or not at all.
package struct LocalFile {
  let connection: Connection

  /// The path of the file, with links followed; empty for a database in memory.
  package var path: String {
    guard let name = unsafe sqlite3_db_filename(connection.handle, "main") else { return "" }
    return unsafe String(cString: name)
  }

  /// A number that changes when another connection changes the file; changes made by this connection do not
  /// count.
  ///
  /// No transaction is open afterwards (https://sqlite.org/pragma.html#pragma_data_version).
  package func dataVersion() throws -> Int64 {
    try connection.fetchOne("PRAGMA data_version") { $0.integer(0) } ?? 0
  }

  /// The number of pages of the database.
  package func pageCount() throws -> Int { try connection.fetchOne("PRAGMA page_count") { $0.int(0) } ?? 0 }

  /// The problems that SQLite itself finds in the file; empty if there are none. O(size of the file)
  package func findings() throws -> [String] {
    // Its first part is one instruction of SQLite, however long it takes.
    let messages = try unsafe connection.progressHandler.ask(about: connection.handle) {
      try connection.fetchAll("PRAGMA integrity_check") { $0.text(0) }
    }
    let findings =
      messages.filter { $0 != "ok" }
      + (hasDamagedHeader ? ["the header of the file is damaged, so SQLite does not write to it"] : [])
    // A page that could not be read now may still be intact.
    for finding in findings {
      guard let number = finding.split(separator: "error code=").last, finding.contains("error code=") else {
        continue
      }
      let code = ResultCode(rawValue: Int32(number.prefix { $0.isNumber }) ?? 0)
      if code.primary == .inputOutput { throw SQLiteError(code: code, message: "disk I/O error") }
    }
    return findings
  }
}

extension LocalFile {
  /// Refuses a file of which the end is missing: SQLite would read the rest of its last page as zeros.
  ///
  /// - Throws: `SQLiteError.cutFile`.
  package func refuseCutFile() throws {
    let pageSize = try connection.fetchOne("PRAGMA page_size") { $0.int(0) } ?? 1
    guard try size() % pageSize != 0 else { return }
    // Another program may be writing that page, or it may be in a write-ahead log.
    try connection.readTransaction {
      _ = try connection.fetchOne("PRAGMA schema_version") { $0.integer(0) }
      if try size() % pageSize != 0 && !usesWriteAheadLog() { throw SQLiteError.cutFile }
    }
  }
}

extension Connection {
  /// Operations for a local database.
  package var localFile: LocalFile { LocalFile(connection: self) }
}

extension LocalFile {
  /// The number of pages that this connection has written to the file, besides those of the journal
  /// (https://sqlite.org/c3ref/c_dbstatus_options.html#sqlitedbstatuscachewrite).
  package var pagesWritten: Int {
    var (count, peak): (Int32, Int32) = (0, 0)
    unsafe sqlite3_db_status(connection.handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &peak, 0)
    return Int(count)
  }
}

extension LocalFile {
  /// Rewrites the whole file from its tables, so that nothing else is left in it.
  ///
  /// - Throws: SQLite's error; the file is unchanged. Needs space for two more copies.
  package func vacuum() throws {
    // It attaches a database for the copy, which need not fit into memory.
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 1)
    try connection.executeScript("PRAGMA temp_store = FILE")
    defer {
      unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0)
      try? connection.executeScript("PRAGMA temp_store = MEMORY")
    }
    try connection.executeScript("VACUUM")
  }
}

/// When a file was last changed, according to the system: a cheap way to see whether it has changed since.
package struct FileStamp: Equatable, Sendable {
  private let identity: FileIdentity?
  private let size: Int64
  private let time: Int64

  /// The stamp of a database file and its write-ahead log, if it can be trusted.
  ///
  /// A file that was just changed may be changed again within one tick of the system clock and then have the
  /// same stamp. So it has none until a tenth of a second has passed.
  package init?(_ path: String) {
    guard let found = Self.look(path), abs(currentNanoseconds() - found.time) > 100_000_000 else {
      return nil
    }
    identity = FileIdentity(found.file)
    size = Int64(found.file.st_size) &+ Int64(found.log.st_size)
    time = found.time
  }

  /// When a database file or its write-ahead log was last written, in nanoseconds since 1970; nil if there is none.
  static func lastChange(_ path: String) -> Int64? { look(path)?.time }

  private static func look(_ path: String) -> (file: stat, log: stat, time: Int64)? {
    var (file, log) = (stat(), stat())
    guard unsafe stat(path, &file) == 0 else { return nil }
    _ = unsafe stat(path + "-wal", &log)
    return (file, log, max(file.modificationNanoseconds, log.modificationNanoseconds))
  }
}

/// The accounts and groups of this machine, as its files list them.
///
/// The C library would ask other services, too, but can't in a statically linked program. Then a member that
/// only such a service knows is taken for a stranger.
enum AccountFile {
  /// Whether a user belongs to a group.
  static func isMember(_ user: uid_t, of group: gid_t) -> Bool {
    guard let account = lines("/etc/passwd").first(where: { $0.count > 3 && $0[2] == "\(user)" }) else {
      return false
    }
    if account[3] == "\(group)" { return true }
    let members = lines("/etc/group").first { $0.count > 3 && $0[2] == "\(group)" }.map { $0[3] } ?? ""
    return members.split(separator: ",").contains(account[0])
  }

  private static func lines(_ path: String) -> [[Substring]] {
    guard let bytes = try? InputFile(path).readAll() else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ":", omittingEmptySubsequences: false)
    }
  }
}
