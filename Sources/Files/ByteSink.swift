/// Where bytes go: an open file, a pipe, or a program on another machine.
public protocol ByteSink: Sendable {
  /// Writes all of the bytes, however long that takes.
  func write(_ bytes: [UInt8]) throws(SystemError)

  /// Writes what can be written without waiting for a reader, perhaps nothing.
  ///
  /// - Returns: how many of the bytes were written.
  func writeWithoutWaiting(_ bytes: [UInt8]) throws(SystemError) -> Int
}

extension FileDescriptor: ByteSink {}
