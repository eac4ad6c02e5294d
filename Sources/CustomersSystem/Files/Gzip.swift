/// Compresses bytes as gzip does (RFC 1952).
///
/// - Returns: nil if that would not make them fewer.
package func gzipped(_ bytes: [UInt8]) -> [UInt8]? {
  guard bytes.count > 20 else { return nil }
  var room = [UInt8](repeating: 0, count: bytes.count - 1)
  let count = unsafe csystem_gzip(bytes, bytes.count, &room, room.count)
  return count == 0 ? nil : Array(room.prefix(count))
}
