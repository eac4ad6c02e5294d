internal import CSQLite
internal import CustomersFiles
internal import CustomersPlatform

/// A database file, checked before SQLite opens it.
public enum DatabaseFile {
  /// Why a path can't be a database.
  public enum Problem: Error, Equatable, Sendable {
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
  public static func resolve(_ path: String) throws(Problem) -> String {
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
  public static func create(
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
  public static func resolveFolder(ofFile path: String) throws(Problem) -> String {
    let folder = try translating { () throws(SystemError) in try Folder.resolve(Folder(ofFile: path).path) }
    return "\(folder)/\(Folder.name(ofFile: path))"
  }

  private static func translating<Result>(_ body: () throws(SystemError) -> Result) throws(Problem) -> Result
  {
    do { return try body() } catch { throw .system(error.description) }
  }

  static func errorText() -> String { SystemError.last.description }
}
