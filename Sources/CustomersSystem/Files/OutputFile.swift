/// A destination for bytes: an open file, a pipe, or a program on another machine.
package protocol ByteSink: Sendable {
  /// Writes all of the bytes, waiting as long as necessary.
  func write(_ bytes: [UInt8]) throws(SystemError)

  /// Writes as much as possible without waiting for a reader; possibly nothing.
  ///
  /// - Returns: how many of the bytes were written.
  func writeWithoutWaiting(_ bytes: [UInt8]) throws(SystemError) -> Int
}

extension FileDescriptor: ByteSink {}

/// A file that replaces an existing one only after it is completely written.
///
/// Only its owner can read it. A pipe or a device is written to directly.
package final class OutputFile {
  /// The descriptor it writes to.
  package let descriptor: FileDescriptor
  /// The path of the file once it is committed.
  package let path: String
  /// The file that is being written; nil for a pipe or a device.
  private let file: AtomicFile?

  /// Opens the file; for a pipe, waits for a reader.
  package init(_ path: String) throws(FileError) {
    self.path = path
    (file, descriptor) = try FileError.attributing(.write, path) { () throws(SystemError) in
      if let identity = FileIdentity(path), !identity.isRegular {
        return (nil, try FileDescriptor.open(path, O_WRONLY))
      }
      let file = try AtomicFile(path)
      return (file, file.descriptor)
    }
  }

  deinit { if file == nil { descriptor.close() } }

  /// The path of the file while it is being written; nil for a pipe or a device.
  package var temporaryPath: String? { file?.temporaryPath }

  /// Whether it takes the place of another file.
  package var replacesFile: Bool { unsafe access(path, F_OK) == 0 && file != nil }

  /// Whether it is a file on a disk, not a pipe or a device.
  package var isRegular: Bool { file != nil }

  /// Waits until all bytes are on disk; the file keeps its temporary name.
  package func sync() throws(FileError) {
    guard file != nil else { return }
    try FileError.attributing(.write, path) { () throws(SystemError) in try descriptor.sync() }
  }

  /// Makes the file durable and renames it to its final path.
  package func finish() throws(FileError) {
    try FileError.attributing(.write, path) { () throws(SystemError) in try file?.commit(replacing: true) }
  }
}

/// An output that never waits for its reader: what the reader does not accept at once is kept in a temporary
/// file.
///
/// The bytes come out in the order in which they were written. Uses memory for one chunk.
package struct SpooledOutput: Sendable {
  private let sink: any ByteSink
  private let pieceSize = 1 << 16
  private var file: TemporaryFile?
  /// The bytes of the file that the reader has not accepted yet.
  private var waiting = 0..<0

  package init(_ sink: any ByteSink) { self.sink = sink }

  /// Writes the kept bytes, then these; waits until the reader has accepted all.
  ///
  /// - Throws: `SystemError` if the output can't be written, `FileError` if the temporary file can't be
  ///   read.
  package mutating func write(_ bytes: [UInt8]) throws {
    while let piece = try firstPiece() {
      try sink.write(piece)
      try remove(piece.count)
    }
    file = nil
    try sink.write(bytes)
  }

  /// Writes the bytes that the reader accepts at once, and keeps the rest.
  ///
  /// - Throws: `SystemError` if the output can't be written, `FileError` if the temporary file can't be,
  ///   most likely because the disk is full.
  package mutating func writeWithoutWaiting(_ bytes: [UInt8]) throws {
    while let piece = try firstPiece() {
      let count = try sink.writeWithoutWaiting(piece)
      try remove(count)
      guard count == piece.count else { return try keep(bytes) }
    }
    let count = try sink.writeWithoutWaiting(bytes)
    if count < bytes.count { try keep(Array(bytes[count...])) }
  }

  private mutating func keep(_ bytes: [UInt8]) throws(FileError) {
    if file == nil { file = try TemporaryFile() }
    try file?.write(bytes, at: waiting.upperBound)
    waiting = waiting.lowerBound..<(waiting.upperBound + bytes.count)
  }

  private func firstPiece() throws(FileError) -> [UInt8]? {
    guard let file, !waiting.isEmpty else { return nil }
    return try file.read(at: waiting.lowerBound, upTo: min(waiting.count, pieceSize))
  }

  private mutating func remove(_ count: Int) throws(FileError) {
    waiting = (waiting.lowerBound + count)..<waiting.upperBound
    guard waiting.isEmpty else { return }
    waiting = 0..<0
    try file?.removeAll()
  }
}
