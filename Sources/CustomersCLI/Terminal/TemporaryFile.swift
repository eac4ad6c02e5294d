internal import Glibc

/// A new file with a text in it, that only its owner can read.
struct TemporaryFile {
  let path: String

  init(_ text: String, in folder: String) throws {
    let suffix = ".txt"
    var name = Array("\(folder)/customers-XXXXXX\(suffix)".utf8CString)
    let descriptor = unsafe mkstemps(&name, Int32(suffix.utf8.count))
    guard descriptor >= 0 else { throw TemporaryFile.failure("can't make a file in \(quoted(folder))") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    do {
      let stream = Stream(descriptor)
      try stream.write(text)
      try stream.flush()
      close(descriptor)
    } catch {
      close(descriptor)
      remove()
      throw error
    }
  }

  func remove() { unsafe unlink(path) }

  /// What is in the file now; nothing, if it was deleted.
  func read(_ context: Context) throws -> [UInt8] {
    guard unsafe access(path, F_OK) == 0 else { return [] }
    let file = try InputFile(path, context)
    var bytes: [UInt8] = []
    while case let piece = try file.read(), !piece.isEmpty { bytes += piece }
    return bytes
  }

  private static func failure(_ message: String) -> Failure {
    Failure(code: .failed, message: "\(message): \(unsafe String(cString: strerror(errno)))")
  }
}
