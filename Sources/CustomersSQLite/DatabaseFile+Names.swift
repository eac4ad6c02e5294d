internal import CustomersFiles
internal import CustomersPlatform

extension DatabaseFile {
  /// The suffixes of the files that SQLite keeps beside a database.
  public static let sidecars = ["-journal", "-wal", "-shm"]

  /// Removes the files beside a database that is about to be deleted or renamed.
  public static func removeSidecars(of database: String) {
    for suffix in sidecars { unsafe unlink(database + suffix) }
  }

  /// Whether something has this name, even a broken link.
  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether there is no file with this name, or nothing in it.
  public static func isEmptyOrMissing(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) != 0 || status.st_size == 0
  }

  /// Whether something other than a regular file has this name: a folder, a device, a link.
  public static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Whether two paths lead to the same file, which need not exist.
  public static func isSame(_ path: String, _ other: String) -> Bool {
    if let file = FileIdentity(path), file == FileIdentity(other) { return true }
    guard let name = try? resolveFolder(ofFile: path) else { return false }
    return name == (try? resolveFolder(ofFile: other))
  }

  /// Whether the path names or leads to a file that SQLite keeps beside some database.
  ///
  /// It goes by the name, even if there is no database yet: SQLite would take such a file for its own.
  public static func isSidecar(_ path: String) -> Bool {
    let names = [path, (try? Folder.resolve(path)) ?? path]
    return names.contains { name in sidecars.contains { name.hasSuffix($0) } }
  }

  /// Whether the path leads to a file that SQLite keeps beside the database at `database`.
  public static func isSidecar(_ path: String, of database: String) -> Bool {
    sidecars.contains { isSame(path, database + $0) }
  }
}
