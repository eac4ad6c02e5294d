internal import Glibc

/// A file that is read piece by piece; `-` is standard input.
final class InputFile {
  private let descriptor: Int32
  /// What the file is called in messages.
  let name: String
  /// How many bytes have been read.
  private(set) var position = 0
  /// How many bytes there are; 0 if the file does not know, as a pipe.
  let size: Int

  init(_ path: String) throws {
    name = path == "-" ? "standard input" : printable(path)
    descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code: ExitCode = errno == ENOENT ? .notFound : .failed
      throw Failure(
        code: code, message: "can't open \(quoted(path)): \(unsafe String(cString: strerror(errno)))")
    }
    var status = stat()
    size = unsafe fstat(descriptor, &status) == 0 ? max(0, Int(status.st_size)) : 0
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// The next bytes; none at the end.
  func read() throws -> [UInt8] {
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, used in
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        used = max(0, count)
      }
      position += bytes.count
      if count >= 0 { return bytes }
      guard errno == EINTR else {
        throw Failure(
          code: .failed, message: "\(name): can't read: \(unsafe String(cString: strerror(errno)))")
      }
    }
  }
}
