internal import CustomersPlatform
internal import Synchronization

/// The names of the unfinished files of this process, to remove them if it ends early.
public enum TemporaryNames {
  private static let paths = Mutex<Set<String>>([])

  static func note(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  static func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes the files; whatever still needs one fails.
  public static func removeAll() {
    paths.withLock { paths in
      for path in paths { unsafe unlink(path) }
      paths = []
    }
  }
}
