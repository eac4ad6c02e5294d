internal import CustomersPlatform
internal import Synchronization

/// The names of the unfinished files of this process, to remove them if it ends early.
///
/// They are kept so that a signal handler can read them, which must not wait or get memory: each in a slot of its own,
/// empty if its first byte is 0. Of more files than slots, the next program removes what is left.
public enum TemporaryNames {
  private static let slotCount = 8
  private static let slotLength = Int(PATH_MAX) + 16
  private static let lock = Mutex(())
  nonisolated(unsafe) private static let slots = UnsafeMutablePointer<CChar>.allocate(
    capacity: slotCount * slotLength)
  nonisolated(unsafe) private static var areReady = false

  static func note(_ path: String) {
    let bytes = path.utf8CString
    guard bytes.count <= Int(PATH_MAX) else { return }
    lock.withLock { _ in
      makeReady()
      guard let free = (0..<slotCount).first(where: { unsafe slot($0)[0] == 0 }) else { return }
      let path = unsafe slot(free)
      for index in bytes.indices.reversed() { unsafe path[index] = bytes[index] }
    }
  }

  static func forget(_ path: String) {
    let bytes = path.utf8CString
    lock.withLock { _ in
      makeReady()
      for index in 0..<slotCount {
        let path = unsafe slot(index)
        if bytes.indices.allSatisfy({ unsafe path[$0] == bytes[$0] }) { unsafe path[0] = 0 }
      }
    }
  }

  /// Removes the files; whatever still needs one fails.
  public static func removeAll() {
    guard unsafe areReady else { return }
    for index in 0..<slotCount {
      let path = unsafe slot(index)
      guard unsafe path[0] != 0 else { continue }
      unsafe unlink(path)
      // What SQLite has put beside it.
      let end = unsafe path + strlen(path)
      for index in unsafe suffixes.indices {
        unsafe strcpy(end, suffixes[index])
        unsafe unlink(path)
      }
      unsafe path[0] = 0
    }
  }

  /// From now on, removes the files when one of these signals ends the program; those that it ignores stay ignored.
  public static func removeAll(atSignals signals: [Int32]) {
    lock.withLock { _ in makeReady() }
    for number in signals where !isIgnored(number) {
      handleSignal(number) { number in
        TemporaryNames.removeAll()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  nonisolated(unsafe) private static let suffixes: [UnsafeMutablePointer<CChar>] = unsafe [
    "-journal", "-wal", "-shm",
  ].compactMap { (text: String) in unsafe strdup(text) }

  private static func slot(_ index: Int) -> UnsafeMutablePointer<CChar> { unsafe slots + index * slotLength }

  private static func makeReady() {
    guard unsafe !areReady else { return }
    for index in 0..<slotCount { unsafe slot(index)[0] = 0 }
    _ = unsafe suffixes
    unsafe areReady = true
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    return isIgnoring(action)
  }
}
