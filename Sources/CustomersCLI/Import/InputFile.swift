internal import Glibc

/// A file that is read piece by piece; `-` is standard input.
final class InputFile {
  private let descriptor: Int32
  private let context: Context
  /// What the file is called in messages.
  let name: String
  /// How many bytes have been read.
  private(set) var position = 0
  /// How many bytes there are; 0 if the file does not know, as a pipe.
  private(set) var size: Int
  /// Where it began; negative if it can't be read again.
  private let start: off_t

  init(_ path: String, _ context: Context) throws {
    self.context = context
    name = path == "-" ? "standard input" : printable(path)
    descriptor = path == "-" ? context.input.descriptor : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code: ExitCode = errno == ENOENT ? .notFound : .failed
      throw Failure(
        code: code, message: "can't open \(quoted(path)): \(unsafe String(cString: strerror(errno)))")
    }
    start = lseek(descriptor, 0, SEEK_CUR)
    var status = stat()
    size = unsafe fstat(descriptor, &status) == 0 ? max(0, Int(status.st_size)) : 0
  }

  /// Copies what is left of a pipe to a file without a name.
  private init(copying pipe: InputFile) throws {
    name = pipe.name
    context = pipe.context
    var path = Array("\(context.temporaryFolder)/customers-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&path)
    if descriptor >= 0 { unsafe unlink(&path) }
    start = 0
    size = 0
    guard descriptor >= 0 else { throw failure("can't keep what it gives") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let copy = Stream(descriptor, as: "a copy of \(name)")
    while case let bytes = try pipe.read(), !bytes.isEmpty {
      try copy.write { $0 += bytes }
      size += bytes.count
    }
    try copy.flush()
    try rewind()
  }

  deinit { if descriptor != context.input.descriptor { close(descriptor) } }

  /// The file itself, or a copy of a pipe, that is read to its end for that.
  ///
  /// It can be read again, and nobody else has to write for it while the list is locked.
  var kept: InputFile { get throws { start >= 0 ? self : try InputFile(copying: self) } }

  /// Goes back to where it began.
  func rewind() throws {
    guard lseek(descriptor, start, SEEK_SET) == start else { throw failure("can't read again") }
    position = 0
  }

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
      guard errno == EINTR else { throw failure("can't read") }
    }
  }

  private func failure(_ message: String) -> Failure {
    Failure(code: .failed, message: "\(name): \(message): \(unsafe String(cString: strerror(errno)))")
  }
}
