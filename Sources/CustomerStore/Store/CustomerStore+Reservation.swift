internal import CustomersSQLite

extension CustomerStore {
  /// Why a path must not be written to.
  public enum Reservation: Hashable, Sendable {
    /// It leads to the list itself.
    case list
    /// SQLite keeps such a file beside a list.
    case sidecar
  }

  /// Returns why a file must not be written or replaced, because of the list at `list` or any other.
  ///
  /// It considers the name and the file that the path leads to; neither file has to exist. Nil means that
  /// the list is in no file of this machine.
  ///
  /// - Returns: nil if it may be written.
  package static func reservation(of path: String, byListAt list: String?) -> Reservation? {
    if let list, DatabaseFile.isSame(path, list) { return .list }
    if let list, DatabaseFile.isSidecar(path, of: list) { return .sidecar }
    return DatabaseFile.isSidecar(path) ? .sidecar : nil
  }
}

extension CustomerStore.Reservation: CustomStringConvertible {
  /// The reason, in one line without the file's name.
  public var description: String {
    switch self {
    case .list: "this is the list itself"
    case .sidecar: "a name that ends in -journal, -wal, or -shm belongs to SQLite"
    }
  }
}
