internal import CustomersFiles

/// The bytes of a file that is imported, and their digest.
final class ImportSource {
  private let input: InputFile
  private var sha = SHA256()
  /// Bytes that were examined before reading.
  private var waiting: [UInt8]?

  /// Opens the file; a pipe is copied to an unnamed file.
  init(_ input: InputFile) throws { self.input = try input.kept() }

  var path: String { input.path }
  var name: String { input.name }
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
    sha.update(bytes)
    return bytes
  }

  /// The SHA-256 of the bytes read so far; at the end, of the whole file.
  var digest: String { sha.hexadecimal }

  /// The SHA-256 of the whole file; then reads from the start again.
  func wholeDigest() throws -> String {
    while !(try read().isEmpty) {}
    let digest = digest
    try input.rewind()
    (sha, waiting) = (SHA256(), nil)
    return digest
  }
}
