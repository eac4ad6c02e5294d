internal import Glibc

/// A file that takes the place of an older one only when all of it is written.
///
/// Its owner alone can read it. A pipe or a device is written to as it is.
final class OutputFile {
  /// Where its bytes go.
  let stream: Stream
  private let descriptor: Int32
  private let path: String
  /// The name that the file has until it is finished; nil for a pipe or a device.
  private var temporary: String?

  init(_ path: String) throws {
    self.path = path
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    } else {
      var name = Array("\(path).XXXXXX".utf8CString)
      descriptor = unsafe mkstemp(&name)
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let failure = OutputFile.failure(path)
    stream = Stream(descriptor, as: quoted(path))
    guard descriptor >= 0 else {
      temporary = nil
      throw failure
    }
  }

  deinit {
    if let temporary { unsafe unlink(temporary) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Puts the file, safe on the disk, in its place.
  func finish() throws {
    try stream.flush()
    guard let temporary else { return }
    guard fsync(descriptor) == 0, unsafe rename(temporary, path) == 0 else { throw OutputFile.failure(path) }
    self.temporary = nil
  }

  private static func failure(_ path: String) -> Failure {
    Failure(code: .failed, message: "can't write \(quoted(path)): \(unsafe String(cString: strerror(errno)))")
  }
}

extension Session {
  /// Asks before a file that is there is written anew, and refuses where it is one of `others`.
  ///
  /// - Returns: whether it may be written.
  func mayWrite(_ path: String, besides others: [String]) throws -> Bool {
    guard let file = FileIdentity(path) else { return true }
    for other in others where FileIdentity(other) == file {
      throw Failure(
        code: .refused, message: "\(quoted(path)) is the file of the list, or the one that is read")
    }
    guard file.isRegular else { return true }
    return try confirm("Replace \(quoted(path))?", to: "replacing \(quoted(path))")
  }
}

/// Which file a path leads to.
private struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t
  let isRegular: Bool

  /// Nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}
