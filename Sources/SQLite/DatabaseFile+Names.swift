internal import Files
internal import Platform

extension DatabaseFile {
  /// What SQLite adds to the name of a file for the files beside it.
  public static let sidecars = ["-journal", "-wal", "-shm"]

  /// Removes what is left beside a database that is to be deleted, or to get another name.
  public static func removeSidecars(of database: String) {
    for suffix in sidecars { unsafe unlink(database + suffix) }
  }

  /// Whether something has the name, be it a link that leads nowhere.
  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether something has the name that is no plain file: a folder, a device, a link.
  public static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Whether two paths lead to one file, or would, if it were there.
  public static func isSame(_ path: String, _ other: String) -> Bool {
    if let file = FileIdentity(path), file == FileIdentity(other) { return true }
    guard let name = try? resolveFolder(ofFile: path) else { return false }
    return name == (try? resolveFolder(ofFile: other))
  }

  /// Whether the path names a file that SQLite keeps beside some database, or leads to one.
  ///
  /// By name, also if there is no database yet: SQLite would take what is there for its own.
  public static func isSidecar(_ path: String) -> Bool {
    let target = unsafe realpath(path, nil)
    defer { unsafe free(target) }
    let names = [path] + (unsafe target.map { [unsafe String(cString: $0)] } ?? [])
    return names.contains { name in sidecars.contains { name.hasSuffix($0) } }
  }

  /// Whether the path leads to a file that SQLite keeps beside the database at `database`.
  public static func isSidecar(_ path: String, of database: String) -> Bool {
    sidecars.contains { isSame(path, database + $0) }
  }
}
