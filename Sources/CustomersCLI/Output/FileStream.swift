internal import Files

/// A stream into a file that a command was told to write.
///
/// It takes the place of an older file only when it is finished. A pipe keeps no transaction waiting.
struct FileStream {
  let stream: Stream
  private let file: any NamedOutput

  init(_ path: String, in files: any NamedFiles) throws {
    file = try files.create(path)
    stream = Stream(file.sink, as: quoted(path), isHeld: true)
  }

  /// Brings what was written to the disk; a pipe is not waited for.
  func sync() throws {
    guard file.isRegular else { return try stream.flush() }
    try file.sync(finishing: stream.release)
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
    let target = WriteTarget(path: path, inputs: inputs, list: try dataFile().path)
    guard try context.files.wouldReplace(target) else { return true }
    return try confirm("Replace \(quoted(path))?", to: "replacing \(quoted(path))")
  }
}
