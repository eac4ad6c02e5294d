internal import CustomersFiles
internal import CustomersTerminalText

/// A stream to a file that a command writes.
///
/// It replaces an existing file only when it is complete. A pipe does not keep a transaction waiting.
struct FileStream {
  let stream: Stream
  private let file: any NamedOutput

  init(_ path: String, in files: any NamedFiles) throws {
    file = try files.create(path)
    stream = Stream(file.sink, as: quoted(path), isHeld: true)
  }

  /// Makes the written bytes durable; does not wait for a pipe.
  func sync() throws {
    guard file.isRegular else { return try stream.flush() }
    try file.sync(finishing: stream.release)
  }

  /// Writes the rest and puts the file in its place.
  func finish(_ session: Session) throws {
    try stream.release()
    try session.finish(file)
  }
}

extension Session {
  /// Puts a file in its place; if only the disk fails to keep its name for certain, warns.
  func finish(_ file: any NamedOutput) throws {
    do { try file.finish() } catch let error as FileError where error.reason.isOfPlacedFile {
      try warn(ofDisk: "\(error.reason)")
    }
  }

  /// Warns that a file was written, but may be lost if the machine stops.
  func warn(ofDisk error: String) throws {
    try writeAside("warning: the file was written, but then the disk failed: \(error)")
  }

  /// Asks before replacing an existing file and refuses a file that must not be replaced.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - inputs: the files that are being read.
  /// - Returns: whether it may be written.
  /// - Throws: a `Failure` with code `refused` if it must not be written.
  func mayWrite(_ path: String, besides inputs: [String] = []) throws -> Bool {
    let target = WriteTarget(path: path, inputs: inputs, list: try list.address.path)
    return try context.files.consent(to: target, in: self) != .declined
  }
}
