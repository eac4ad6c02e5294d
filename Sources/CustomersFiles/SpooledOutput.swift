/// An output that never waits for its reader: what the reader does not accept at once is kept in a temporary
/// file.
///
/// The bytes come out in the order in which they were written. Uses memory for one chunk.
public struct SpooledOutput: Sendable {
  private let sink: any ByteSink
  private let pieceSize = 1 << 16
  private var file: TemporaryFile?
  /// The bytes of the file that the reader has not accepted yet.
  private var waiting = 0..<0

  public init(_ sink: any ByteSink) { self.sink = sink }

  /// Writes the kept bytes, then these; waits until the reader has accepted all.
  ///
  /// - Throws: `SystemError` if the output can't be written, `FileError` if the temporary file can't be
  ///   read.
  public mutating func write(_ bytes: [UInt8]) throws {
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
  public mutating func writeWithoutWaiting(_ bytes: [UInt8]) throws {
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
