/// A file that is read piece by piece; `-` is standard input.
package final class InputFile {
  /// The path as it was given.
  package let path: String
  /// How many bytes have been read.
  package private(set) var position = 0
  /// The size in bytes; 0 if it is unknown, as for a pipe.
  package let size: Int
  package let descriptor: FileDescriptor
  /// The copy of a pipe's bytes.
  private let copy: TemporaryFile?
  /// The offset it started at; negative if it can't be read again.
  private let start: off_t

  private let standardInput: FileDescriptor

  /// Opens the file; for `-`, uses the descriptor given for standard input.
  package init(_ path: String, standardInput: FileDescriptor = .standardInput) throws(FileError) {
    self.path = path
    self.standardInput = standardInput
    descriptor = try FileError.attributing(.open, path) { () throws(SystemError) in
      path == "-" ? standardInput : try FileDescriptor.open(path, O_RDONLY)
    }
    copy = nil
    start = lseek(descriptor.rawValue, 0, SEEK_CUR)
    var status = stat()
    size = unsafe fstat(descriptor.rawValue, &status) == 0 ? max(0, Int(status.st_size)) : 0
  }

  /// The maximum number of bytes copied from a pipe, so that an endless one does not fill the disk.
  package static let pipeLimit = 8 << 30

  /// Copies a pipe or a file from another machine, piece by piece.
  ///
  /// - Parameters:
  ///   - path: the path of the file there.
  ///   - next: returns the next bytes; none at the end.
  /// - Throws: any error of `next`; `FileError` if the copy can't be written.
  package init(_ path: String, receiving next: () throws -> [UInt8]) throws {
    let copy = try TemporaryFile()
    var count = 0
    while case let bytes = try next(), !bytes.isEmpty {
      try copy.write(bytes, at: count)
      count += bytes.count
    }
    (self.path, size, descriptor, start) = (path, count, copy.descriptor, 0)
    standardInput = .standardInput
    self.copy = copy
  }

  deinit { if copy == nil, descriptor != standardInput { descriptor.close() } }

  /// The file itself or a copy of a pipe after reading it to the end.
  ///
  /// It can be read again, and the list is not locked while another program writes to the pipe.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes of a pipe.
  ///   - checking: receives the bytes of a pipe, piece by piece; if it throws, the rest is not read.
  /// - Returns: the file or the copy.
  /// - Throws: `FileError`, including when the pipe is longer than the limit, or what `checking` throws.
  package func kept(
    upTo limit: Int = InputFile.pipeLimit, checking: ([UInt8]) throws -> Void = { _ in }
  ) throws -> InputFile {
    guard start < 0 else { return self }
    var count = 0
    return try InputFile(path) {
      let bytes = try read()
      if !bytes.isEmpty { try checking(bytes) }
      count += bytes.count
      guard count <= limit else { throw FileError(operation: .readAll, path: path, reason: .tooLarge) }
      return bytes
    }
  }

  /// Goes back to the start.
  package func rewind() throws(FileError) {
    guard lseek(descriptor.rawValue, start, SEEK_SET) == start else {
      throw FileError(operation: .read, path: path, reason: .last)
    }
    position = 0
  }

  /// The bytes from an offset on, wherever reading is; none at the end, and for a pipe, which has no offsets.
  package func read(at offset: Int, upTo count: Int) throws(FileError) -> [UInt8] {
    try FileError.attributing(.read, path) { () throws(SystemError) in
      try descriptor.read(at: Int(start) + offset, upTo: count)
    }
  }

  /// All bytes from here on, of a file that is short.
  package func readAll() throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while case let piece = try read(), !piece.isEmpty { bytes += piece }
    return bytes
  }

  /// The next bytes; none at the end.
  package func read() throws(FileError) -> [UInt8] {
    let bytes = try FileError.attributing(.read, path) { () throws(SystemError) in try descriptor.read() }
    position += bytes.count
    return bytes
  }
}
