internal import CustomersPlatform
internal import Synchronization

/// The names of the unfinished files of this process, to remove them if it ends early.
public enum TemporaryNames {
  private static let lock = Mutex(())

  static func note(_ path: String) { lock.withLock { _ in unsafe csystem_note_temporary(path) } }

  static func forget(_ path: String) { lock.withLock { _ in unsafe csystem_forget_temporary(path) } }

  /// Removes the files; whatever still needs one fails.
  public static func removeAll() { csystem_remove_temporaries() }

  /// From now on, removes the files when one of these signals ends the program; those that it ignores stay ignored.
  public static func removeAll(atSignals signals: [Int32]) {
    for number in signals { csystem_remove_temporaries_at(number) }
  }
}
