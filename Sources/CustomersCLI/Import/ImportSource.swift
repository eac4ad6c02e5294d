internal import Files

/// The bytes of a file that is imported, and their digest.
final class ImportSource {
  private let input: InputFile
  private var sha = SHA256()
  /// Bytes that were looked at before they are read.
  private var waiting: [UInt8]?

  /// Opens the file; what a pipe has is kept in a file without a name.
  init(_ input: InputFile) throws { self.input = try input.kept() }

  var path: String { input.path }
  var name: String { input.name }
  var position: Int { input.position }
  var size: Int { input.size }

  /// The next bytes, which stay.
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

  /// The SHA-256 of the bytes that were read: at the end, of the file.
  var digest: String { sha.hexadecimal }

  /// The SHA-256 of the whole file, which is read from the start then.
  func wholeDigest() throws -> String {
    while !(try read().isEmpty) {}
    let digest = digest
    try input.rewind()
    (sha, waiting) = (SHA256(), nil)
    return digest
  }
}
