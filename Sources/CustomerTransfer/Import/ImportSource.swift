internal import CustomersFiles

/// The bytes of a file that is imported and their digest.
final class ImportSource {
  private let input: InputFile
  private var sha = SHA256()
  /// Bytes that were examined before reading.
  private var waiting: [UInt8]?
  /// The digest of the whole file, once known.
  private var knownDigest: String?

  /// Opens the file; a pipe is copied to an unnamed file.
  init(_ input: InputFile) throws { self.input = try input.kept() }

  var position: Int { input.position }
  var size: Int { input.size }

  /// The next bytes, without consuming them.
  func peek() throws -> [UInt8] {
    let bytes = try waiting ?? read()
    waiting = bytes
    return bytes
  }

  /// The next bytes; none at the end.
  func read() throws -> [UInt8] {
    if let waiting {
      self.waiting = nil
      return waiting
    }
    let bytes = try input.read()
    if knownDigest == nil { sha.update(bytes) }
    return bytes
  }

  /// The SHA-256 of the bytes read so far; at the end, of the whole file.
  var digest: String { knownDigest ?? sha.hexadecimal }

  /// Goes back to the start.
  func rewind() throws {
    try input.rewind()
    (sha, waiting) = (SHA256(), nil)
  }

  /// The SHA-256 of the whole file; then reads from the start again.
  func wholeDigest() throws -> String {
    if let knownDigest { return knownDigest }
    if position > 0 { try rewind() }
    while !(try read().isEmpty) {}
    let digest = sha.hexadecimal
    knownDigest = digest
    try rewind()
    return digest
  }
}
