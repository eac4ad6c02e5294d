internal import CustomerStore
internal import Files
internal import TerminalText

/// A stream into a file that a command was told to write.
///
/// It takes the place of an older file only when it is finished. A pipe keeps no transaction waiting.
struct FileStream {
  let stream: Stream
  private let file: OutputFile

  init(_ path: String) throws {
    file = try OutputFile(path)
    stream = Stream(file.descriptor, as: quoted(path), isHeld: true)
  }

  /// Brings what was written to the disk; a pipe is not waited for.
  func sync() throws {
    try stream.flush()
    try file.sync()
  }

  /// Writes what is left, and puts the file in its place.
  func finish() throws {
    try stream.release()
    try file.finish()
  }
}

extension Session {
  /// Asks before a file that is there is replaced, and refuses one that must not be.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - inputs: the files that are read.
  /// - Returns: whether it may be written.
  /// - Throws: a `Failure` with code `refused` if it must not be.
  func mayWrite(_ path: String, besides inputs: [String] = []) throws -> Bool {
    if let reserved = CustomerStore.reservation(of: path, byListAt: try dataFile().path) {
      throw Failure(
        code: .refused, message: "\(quoted(path)): \(reserved)", hint: "name another file")
    }
    guard let file = FileIdentity(path) else { return true }
    for input in inputs where FileIdentity(input) == file {
      throw Failure(
        code: .refused, message: "\(quoted(path)) is the file that is read", hint: "name another file")
    }
    guard file.isRegular else { return true }
    return try confirm("Replace \(quoted(path))?", to: "replacing \(quoted(path))")
  }
}
