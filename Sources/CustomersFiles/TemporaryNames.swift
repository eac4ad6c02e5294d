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
  ///
  /// - Parameters:
  ///   - signals: the signals.
  ///   - code: the exit code with which they end it; nil if they end it as signals do.
  public static func removeAll(atSignals signals: [Int32], exitingWith code: Int32? = nil) {
    if let code { csystem_exit_at_signals_with(code) }
    for number in signals { csystem_remove_temporaries_at(number) }
  }
}
