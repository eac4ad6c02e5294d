internal import Platform

/// A file that is read piece by piece; `-` is standard input.
public final class InputFile {
  /// The path as it was given.
  public let path: String
  /// How many bytes have been read.
  public private(set) var position = 0
  /// How many bytes there are; 0 if the file does not know, as a pipe.
  public let size: Int
  package let descriptor: FileDescriptor
  /// What has the bytes of a pipe.
  private let copy: TemporaryFile?
  /// Where it began; negative if it can't be read again.
  private let start: off_t

  private let standardInput: FileDescriptor

  /// Opens the file; `-` is the descriptor that stands for standard input.
  public init(_ path: String, standardInput: FileDescriptor = .standardInput) throws(FileError) {
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

  /// The most bytes of a pipe that are copied, so that one without end does not fill the disk.
  public static let pipeLimit = 8 << 30

  /// Copies what is left of a pipe.
  private init(copying pipe: InputFile, upTo limit: Int) throws(FileError) {
    let copy = try TemporaryFile()
    var count = 0
    while case let bytes = try pipe.read(), !bytes.isEmpty {
      try copy.write(bytes, at: count)
      count += bytes.count
      guard count <= limit else {
        throw FileError(operation: .readAll, path: pipe.path, reason: .tooLarge)
      }
    }
    (path, size, descriptor, start) = (pipe.path, count, copy.descriptor, 0)
    standardInput = pipe.standardInput
    self.copy = copy
  }

  /// Takes the bytes of a file that is elsewhere, piece by piece.
  ///
  /// - Parameters:
  ///   - path: what the file is called there.
  ///   - next: the next bytes; none at the end.
  /// - Throws: what `next` throws; `FileError` if the bytes can't be kept.
  public init(_ path: String, receiving next: () throws -> [UInt8]) throws {
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

  /// The file itself, or a copy of a pipe, that is read to its end for that.
  ///
  /// It can be read again, and nobody else has to write for it while the list is locked.
  ///
  /// - Parameter limit: the most bytes of a pipe.
  /// - Returns: the file, or the copy.
  /// - Throws: `FileError`, also if the pipe has more bytes.
  public func kept(upTo limit: Int = InputFile.pipeLimit) throws(FileError) -> InputFile {
    start >= 0 ? self : try InputFile(copying: self, upTo: limit)
  }

  /// Goes back to where it began.
  public func rewind() throws(FileError) {
    guard lseek(descriptor.rawValue, start, SEEK_SET) == start else {
      throw FileError(operation: .read, path: path, reason: .last)
    }
    position = 0
  }

  /// The next bytes; none at the end.
  public func read() throws(FileError) -> [UInt8] {
    let bytes = try FileError.attributing(.read, path) { () throws(SystemError) in try descriptor.read() }
    position += bytes.count
    return bytes
  }
}
