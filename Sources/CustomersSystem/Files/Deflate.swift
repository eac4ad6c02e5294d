/// A stream of bytes that is compressed with deflate, or taken apart, piece by piece (RFC 1951).
@safe package final class Deflate {
  private let state: OpaquePointer
  private var room = [UInt8](repeating: 0, count: 1 << 16)
  /// Whether the last piece was read or written.
  package private(set) var isAtEnd = false

  /// Creates a stream.
  package init(inflating: Bool) {
    guard let state = unsafe csystem_deflate_open(inflating ? 1 : 0) else { preconditionFailure("no memory") }
    unsafe self.state = state
  }

  deinit { unsafe csystem_deflate_close(state) }

  /// Compresses bytes, or takes them apart, and appends what comes out.
  ///
  /// - Parameters:
  ///   - bytes: the next bytes, all of which are used, unless the stream ends before.
  ///   - isLast: whether no others come.
  ///   - output: gets the bytes.
  /// - Returns: how many bytes were used; nil if the stream is damaged.
  package func take(_ bytes: [UInt8], isLast: Bool = false, to output: inout [UInt8]) -> Int? {
    var used = 0
    while !isAtEnd {
      var (count, size) = (bytes.count - used, room.count)
      let result = unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe room.withUnsafeMutableBufferPointer { room in
          let start = unsafe bytes.baseAddress.map { unsafe $0 + used }
          return unsafe csystem_deflate_run(state, start, &count, room.baseAddress, &size, isLast ? 1 : 0)
        }
      }
      used += count
      output += room[..<size]
      if result < 0 { return nil }
      isAtEnd = result > 0
      if size < room.count, used == bytes.count, !isLast || isAtEnd { break }
      if size == 0, count == 0 { break }
    }
    return used
  }
}

/// The checksum of zip, of bytes after those with a checksum; 0 of none.
package func crc32(_ bytes: [UInt8], after crc: UInt32 = 0) -> UInt32 {
  unsafe csystem_crc32(crc, bytes, bytes.count)
}
