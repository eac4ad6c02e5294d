/// A destination for bytes: an open file, a pipe, or a program on another machine.
public protocol ByteSink: Sendable {
  /// Writes all of the bytes, waiting as long as necessary.
  func write(_ bytes: [UInt8]) throws(SystemError)

  /// Writes as much as possible without waiting for a reader; possibly nothing.
  ///
  /// - Returns: how many of the bytes were written.
  func writeWithoutWaiting(_ bytes: [UInt8]) throws(SystemError) -> Int
}

extension FileDescriptor: ByteSink {}
