/// The number of an open file, pipe, or terminal.
///
/// It owns nothing: the code that opened it closes it.
package struct FileDescriptor: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let standardInput = FileDescriptor(rawValue: STDIN_FILENO)
  package static let standardOutput = FileDescriptor(rawValue: STDOUT_FILENO)
  package static let standardError = FileDescriptor(rawValue: STDERR_FILENO)

  /// Opens a file that child processes do not inherit.
  static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) -> FileDescriptor
  {
    try FileDescriptor(checked: unsafe CustomersSystem.open(path, flags | O_CLOEXEC, mode))
  }

  /// Opens a file for writing at its start; creates it, readable only by its owner (0600), if necessary.
  package static func openToWrite(_ path: String) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(
      checked: unsafe CustomersSystem.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
  }

  /// Opens a file for writing at its end, wherever that is then; creates it, readable only by its owner (0600), if
  /// necessary.
  package static func openToAppend(_ path: String) throws(SystemError) -> FileDescriptor {
    try open(path, O_WRONLY | O_CREAT | O_APPEND)
  }

  /// How many letters and digits make a name unique.
  static let letterCount = 5

  /// Creates a file that only its owner can read, under a unique name.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of the path.
  ///   - suffix: its end; between them are `letterCount` letters and digits.
  ///   - mode: the mode of the file from its first moment.
  /// - Returns: the open file and its path.
  /// - Throws: the system's error.
  static func createUnique(
    prefix: String, suffix: String = "", mode: mode_t = 0o600
  ) throws(SystemError) -> (descriptor: FileDescriptor, path: String) {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    while true {
      let name = String((0..<letterCount).map { _ in letters[Int.random(in: 0..<letters.count)] })
      let path = prefix + name + suffix
      do { return (try open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode), path) } catch {
        guard error.isExisting else { throw error }
      }
    }
  }

  /// Creates a descriptor from the result of an `open` call.
  ///
  /// If a standard stream is closed, its number is free, and what other code prints would go into our file;
  /// so the file gets a higher number.
  private init(checked number: Int32) throws(SystemError) {
    guard number >= 0 else { throw .last }
    guard number <= STDERR_FILENO else {
      self.init(rawValue: number)
      return
    }
    let higher = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let error = SystemError.last
    CustomersSystem.close(number)
    guard higher >= 0 else { throw error }
    self.init(rawValue: higher)
  }

  package func close() { _ = CustomersSystem.close(rawValue) }

  /// Waits until all written bytes are on disk.
  func sync() throws(SystemError) {
    guard synchronize(rawValue) == 0 else { throw .last }
  }

  /// The kind of file, as in `S_IFMT`; one on disk accepts any amount at once.
  var kind: mode_t {
    get throws(SystemError) {
      var status = stat()
      guard unsafe fstat(rawValue, &status) == 0 else { throw .last }
      return status.st_mode & S_IFMT
    }
  }
}

extension FileDescriptor {
  /// The next bytes; none at the end.
  package func read(upTo count: Int = 1 << 16) throws(SystemError) -> [UInt8] {
    try unsafe bytes(upTo: count) { buffer in
      unsafe CustomersSystem.read(rawValue, buffer.baseAddress, buffer.count)
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
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try unsafe all(bytes) { rest, _ in unsafe CustomersSystem.write(rawValue, rest.baseAddress, rest.count)
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
  package func writeWithoutWaiting(_ bytes: [UInt8]) throws(SystemError) -> Int {
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
      unsafe CustomersSystem.send(rawValue, rest.baseAddress, rest.count, Int32(MSG_DONTWAIT))
    }
  }

  private func writeToTwin(_ bytes: [UInt8]) throws(SystemError) -> Int {
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY
    guard let twin = try? FileDescriptor.open(path(ofDescriptor: rawValue), flags) else { return 0 }
    defer { twin.close() }
    return try unsafe written(of: bytes) { rest in
      unsafe CustomersSystem.write(twin.rawValue, rest.baseAddress, rest.count)
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

/// The owner and the permissions of a file.
package struct FileAccess: Sendable, CustomStringConvertible {
  private let mode: mode_t

  /// Follows links; nil if nothing is at the path.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    mode = status.st_mode & 0o777
    owner = status.st_uid
  }

  /// The account that it belongs to, by its number.
  package let owner: uid_t

  /// Whether users other than its owner may read or write it.
  package var isOpenToOthers: Bool { mode & 0o066 != 0 }

  /// As `chmod` takes it, in octal.
  package var description: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }
}

/// The identity of the file at a path, whatever its name.
package struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t
  /// Whether it is a regular file, not a folder, pipe, or device.
  package let isRegular: Bool

  /// Follows links; nil if nothing is at the path.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates an identity from the result of `stat`.
  package init(_ status: stat) {
    (device, number) = (status.st_dev, status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}
