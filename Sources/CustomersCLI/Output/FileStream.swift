internal import CustomerStore
internal import Files
internal import TerminalText

/// A stream to a file that a command writes.
///
/// It replaces an existing file only when it is complete. A pipe does not keep a transaction waiting.
struct FileStream {
  let stream: Stream
  private let file: OutputFile

  init(_ path: String) throws {
    file = try OutputFile(path)
    stream = Stream(file.descriptor, as: quoted(path), isHeld: true)
  }

  /// Makes what was written durable; does not wait for a pipe.
  func sync() throws {
    try stream.flush()
    try file.sync()
  }

  /// Writes the rest and commits the file.
  func finish() throws {
    try stream.release()
    try file.finish()
  }
}

extension Session {
  /// Asks before replacing an existing file, and refuses a file that must not be replaced.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - inputs: the files that are being read.
  /// - Returns: whether it may be written.
  /// - Throws: a `Failure` with code `refused` if it must not be written.
  func mayWrite(_ path: String, besides inputs: [String] = []) throws -> Bool {
    if let reserved = CustomerStore.reservation(of: path, byListAt: try dataFile().path) {
      throw Failure(
        code: .refused, message: "\(quoted(path)): \(reserved)", hint: "name another file")
    }
    guard let file = FileIdentity(path) else { return true }
    for input in inputs where FileIdentity(input) == file {
      throw Failure(
        code: .refused, message: "\(quoted(path)) is also the input", hint: "name another file")
    }
    guard file.isRegular else { return true }
    return try confirm("Replace \(quoted(path))?", to: "replacing \(quoted(path))")
  }
}
