internal import CustomersPlatform

extension FileDescriptor {
  /// The next bytes; none at the end.
  package func read(upTo count: Int = 1 << 16) throws(SystemError) -> [UInt8] {
    try unsafe bytes(upTo: count) { buffer in
      unsafe CustomersPlatform.read(rawValue, buffer.baseAddress, buffer.count)
    }
  }

  /// The bytes from `offset` on; none at the end.
  func read(at offset: Int, upTo count: Int) throws(SystemError) -> [UInt8] {
    try unsafe bytes(upTo: count) { buffer in
      unsafe pread(rawValue, buffer.baseAddress, buffer.count, off_t(offset))
    }
  }

  private func bytes(
    upTo count: Int, _ read: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) throws(SystemError) -> [UInt8] {
    while true {
      var found = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
        found = unsafe read(buffer)
        used = max(0, found)
      }
      if found >= 0 { return bytes }
      guard errno == EINTR else { throw .last }
    }
  }

  /// Writes all of the bytes, waiting as long as necessary.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    try unsafe all(bytes) { rest, _ in unsafe CustomersPlatform.write(rawValue, rest.baseAddress, rest.count)
    }
  }

  /// Writes all of the bytes from `offset` on.
  func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    try unsafe all(bytes) { rest, written in
      unsafe pwrite(rawValue, rest.baseAddress, rest.count, off_t(offset + written))
    }
  }

  /// Writes as much as possible without waiting for a reader; nothing if that is not supported.
  ///
  /// A pipe or a terminal is opened again for that: `O_NONBLOCK` on the descriptor itself would affect every
  /// program that shares it.
  ///
  /// - Returns: how many of the bytes were written.
  public func writeWithoutWaiting(_ bytes: [UInt8]) throws(SystemError) -> Int {
    switch try kind {
    case S_IFREG:
      try write(bytes)
      return bytes.count
    case S_IFSOCK: return try writeToSocket(bytes)
    default: return try writeToTwin(bytes)
    }
  }

  private func writeToSocket(_ bytes: [UInt8]) throws(SystemError) -> Int {
    try unsafe written(of: bytes) { rest in
      unsafe CustomersPlatform.send(rawValue, rest.baseAddress, rest.count, Int32(MSG_DONTWAIT))
    }
  }

  private func writeToTwin(_ bytes: [UInt8]) throws(SystemError) -> Int {
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY
    guard let twin = try? FileDescriptor.open(path(ofDescriptor: rawValue), flags) else { return 0 }
    defer { twin.close() }
    return try unsafe written(of: bytes) { rest in
      unsafe CustomersPlatform.write(twin.rawValue, rest.baseAddress, rest.count)
    }
  }

  /// Calls `write` with the remaining bytes until it would have to wait.
  private func written(
    of bytes: [UInt8], _ write: (_ rest: UnsafeRawBufferPointer) -> Int
  ) throws(SystemError) -> Int {
    var written = 0
    do {
      try unsafe all(bytes) { rest, done in
        written = done
        return unsafe write(rest)
      }
      return bytes.count
    } catch {
      guard error.code == EAGAIN else { throw error }
      return written
    }
  }

  /// Calls `write` with the remaining bytes and the number written so far, until all are written.
  private func all(
    _ bytes: [UInt8], _ write: (_ rest: UnsafeRawBufferPointer, _ written: Int) -> Int
  ) throws(SystemError) {
    var failure: SystemError?
    unsafe bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = unsafe write(UnsafeRawBufferPointer(rebasing: bytes[written...]), written)
        if count >= 0 {
          written += count
        } else if errno != EINTR {
          failure = .last
          return
        }
      }
    }
    if let failure { throw failure }
  }
}
