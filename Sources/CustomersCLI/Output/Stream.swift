internal import Glibc
internal import Synchronization

/// Standard output, standard error or a file: written in large pieces, and seen as a terminal or not.
final class Stream: Sendable {
  private let descriptor: Int32
  private let name: String
  private let buffer = Mutex<[UInt8]>([])
  /// Whether a person is looking.
  let isTerminal: Bool

  /// - Parameters:
  ///   - descriptor: where the bytes go.
  ///   - name: what it is called in errors.
  init(_ descriptor: Int32, as name: String = "the output") {
    self.descriptor = descriptor
    self.name = name
    isTerminal = isatty(descriptor) == 1
  }

  /// The columns of the terminal.
  var width: Int {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  func write(_ text: String) throws { try write { $0.append(contentsOf: text.utf8) } }

  /// Writes what `body` appends.
  func write(_ body: (inout [UInt8]) throws -> Void) throws {
    let isFull = try buffer.withLock { buffer in
      try body(&buffer)
      return buffer.count >= 1 << 16
    }
    if isFull { try flush() }
  }

  func flush() throws {
    let bytes = buffer.withLock { buffer in
      defer { buffer.removeAll(keepingCapacity: true) }
      return buffer
    }
    try unsafe bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = unsafe Glibc.write(
          descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        if count >= 0 {
          written += count
        } else if errno == EPIPE {
          endWithReader()
        } else if errno != EINTR {
          throw Failure(
            code: .failed, message: "can't write \(name): \(unsafe String(cString: strerror(errno)))")
        }
      }
    }
  }

  /// Waits; if the reader goes away meanwhile, the program ends.
  func pause(milliseconds: Int32) {
    var reader = pollfd(fd: descriptor, events: 0, revents: 0)
    if unsafe poll(&reader, 1, milliseconds) > 0, reader.revents & Int16(POLLERR) != 0 { endWithReader() }
  }

  /// The reader has seen enough; as if SIGPIPE had ended us, but without its noise.
  private func endWithReader() -> Never { exit(128 + SIGPIPE) }
}
