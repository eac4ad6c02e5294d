internal import Glibc

/// A file that is read piece by piece; `-` is standard input.
final class InputFile {
  private let descriptor: Int32
  /// Where it began; negative if it can't be read again.
  private let start: off_t

  init(_ path: String) throws {
    descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code: ExitCode = errno == ENOENT ? .notFound : .failed
      throw Failure(
        code: code, message: "can't open \(quoted(path)): \(unsafe String(cString: strerror(errno)))")
    }
    start = lseek(descriptor, 0, SEEK_CUR)
  }

  /// Copies what is left of a pipe to a file without a name, so that it can be read again.
  init(copying pipe: InputFile) throws {
    var name = Array(
      "\(unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")/customers-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&name)
    if descriptor >= 0 { unsafe unlink(&name) }
    start = 0
    guard descriptor >= 0 else { throw InputFile.failure("can't keep the input") }
    while case let bytes = try pipe.read(), !bytes.isEmpty { try keep(bytes) }
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// Whether it can be read again.
  var canRewind: Bool { start >= 0 }

  /// Goes back to where it began.
  func rewind() throws {
    guard lseek(descriptor, start, SEEK_SET) == start else { throw InputFile.failure("can't read again") }
  }

  /// The next bytes; none at the end.
  func read() throws -> [UInt8] {
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, used in
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        used = max(0, count)
      }
      if count >= 0 { return bytes }
      guard errno == EINTR else { throw InputFile.failure("can't read") }
    }
  }

  private func keep(_ bytes: [UInt8]) throws {
    var kept = 0
    while kept < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress?.advanced(by: kept), bytes.count - kept)
      }
      guard count >= 0 || errno == EINTR else { throw InputFile.failure("can't keep the input") }
      kept += max(0, count)
    }
  }

  private static func failure(_ message: String) -> Failure {
    Failure(code: .failed, message: "\(message): \(unsafe String(cString: strerror(errno)))")
  }
}
