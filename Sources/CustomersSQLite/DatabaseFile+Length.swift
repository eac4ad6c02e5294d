internal import CustomersFiles
internal import CustomersPlatform

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
  public static func validateLength(of path: String, adding added: Int = 0) throws(Problem) {
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
