internal import CustomersPlatform
internal import Synchronization

/// The keys of a terminal; while a command runs, some are read early, to see whether one of them stops it.
public final class Keyboard: Sendable {
  /// Keys that were read early.
  private struct Early {
    var bytes: [UInt8] = []
    var lastArrival = ContinuousClock.now
  }

  /// The time after which an Escape byte alone counts as the Escape key.
  static let escapeDelay = Duration.milliseconds(50)

  private static let escape: UInt8 = 0x1B
  private static let interrupt: UInt8 = 0x03

  private let descriptor: Int32
  private let early = Mutex(Early())

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether keys were read early.
  var hasEarlyKeys: Bool { early.withLock { !$0.bytes.isEmpty } }

  /// Whether a key was pressed that has not been handled.
  public var hasKeys: Bool { hasEarlyKeys || isReadable }

  /// Whether the user has pressed Esc or Ctrl-C, which is then handled; all other keys stay.
  public func takeStop() -> Bool {
    early.withLock { early in
      if isReadable, let bytes = readNow(), !bytes.isEmpty {
        early.bytes += bytes
        early.lastArrival = .now
      }
      if let index = early.bytes.firstIndex(of: Self.interrupt) {
        early.bytes.remove(at: index)
        return true
      }
      // An arrow key begins with the same byte.
      guard early.bytes.last == Self.escape, ContinuousClock.now - early.lastArrival >= Self.escapeDelay
      else {
        return false
      }
      early.bytes.removeLast()
      return true
    }
  }

  /// Waits for keys, unless there are some already.
  ///
  /// - Returns: the keys; none if a signal came, nil if the terminal is gone.
  func read() -> [UInt8]? {
    let bytes = early.withLock { early in
      defer { early.bytes = [] }
      return early.bytes
    }
    return bytes.isEmpty ? readNow() : bytes
  }

  private var isReadable: Bool {
    var keys = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&keys, 1, 0) > 0
  }

  private func readNow() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = unsafe CustomersPlatform.read(descriptor, &bytes, bytes.count)
    if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { return nil }
    return Array(bytes.prefix(max(0, count)))
  }
}
