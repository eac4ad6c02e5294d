internal import CustomersFiles
internal import CustomersPlatform

/// Shows other processes, for as long as it exists, that a writer waits for a database in a folder.
///
/// It is a shared lock (`flock`) of the folder itself, which no one else looks for, and which ends with the
/// process. (A lock of the database, on a descriptor of its own, would drop those of SQLite when that is closed.)
final class WaitingSign {
  private let folder: Int32

  /// Puts up the sign; nil if that is not possible.
  init?(beside database: String) {
    guard let folder = Self.open(database) else { return nil }
    self.folder = folder
    guard flock(folder, LOCK_SH | LOCK_NB) == 0 else { return nil }
  }

  deinit { close(folder) }

  /// Whether there is such a sign.
  static func isUp(beside database: String) -> Bool {
    guard let folder = open(database) else { return false }
    defer { close(folder) }
    return flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static func open(_ database: String) -> Int32? {
    let path = Folder(ofFile: database).path
    let folder = unsafe CustomersPlatform.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return folder >= 0 ? folder : nil
  }
}
