internal import CustomersPlatform

/// A file without a name, for data too large for memory; only its owner can read it (mode 0600), and it
/// disappears with the process, however that ends.
public final class TemporaryFile: Sendable {
  /// The folder for temporary files: `$TMPDIR`, else `/var/tmp`, else `/tmp`, the same as for SQLite.
  ///
  /// `/tmp` comes last because it is often kept in memory, which these files are meant to save.
  public static let folder: String = {
    if let named = unsafe getenv("TMPDIR").map({ unsafe String(cString: $0) }), !named.isEmpty {
      return named
    }
    return unsafe access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp"
  }()

  public let descriptor: FileDescriptor

  public init() throws(FileError) {
    let (descriptor, path) = try TemporaryFile.create(suffix: "")
    unsafe unlink(path)
    self.descriptor = descriptor
  }

  deinit { descriptor.close() }

  /// Creates a file that still has a name.
  static func create(suffix: String) throws(FileError) -> (descriptor: FileDescriptor, path: String) {
    try FileError.attributing(.makeTemporaryFile, folder) { () throws(SystemError) in
      try FileDescriptor.createUnique(prefix: "\(folder)/customers-", suffix: suffix)
    }
  }

  public func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    try attributing { () throws(SystemError) in try descriptor.write(bytes, at: offset) }
  }

  public func read(at offset: Int, upTo count: Int) throws(FileError) -> [UInt8] {
    try attributing { () throws(SystemError) in try descriptor.read(at: offset, upTo: count) }
  }

  /// The error if bytes that were written are missing.
  package var incomplete: FileError {
    FileError(operation: .keepTemporaryFile, path: TemporaryFile.folder, reason: SystemError(code: EIO))
  }

  /// Discards all bytes and frees their space.
  func removeAll() throws(FileError) {
    try attributing { () throws(SystemError) in if ftruncate(descriptor.rawValue, 0) != 0 { throw .last } }
  }

  private func attributing<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    try FileError.attributing(.keepTemporaryFile, TemporaryFile.folder, body)
  }
}

/// A temporary file that another program edits; only its owner can read it (mode 0600).
public struct EditableFile: Sendable {
  public let path: String

  /// Creates the file with these bytes.
  public init(_ bytes: [UInt8], suffix: String) throws(FileError) {
    let (descriptor, path) = try TemporaryFile.create(suffix: suffix)
    defer { descriptor.close() }
    self.path = path
    TemporaryNames.note(path)
    do { try descriptor.write(bytes) } catch {
      remove()
      throw FileError(operation: .keepTemporaryFile, path: TemporaryFile.folder, reason: error)
    }
  }

  public func remove() {
    unsafe unlink(path)
    TemporaryNames.forget(path)
  }

  /// Writes more bytes at the end.
  public func append(_ bytes: [UInt8]) throws(FileError) {
    try FileError.attributing(.keepTemporaryFile, TemporaryFile.folder) { () throws(SystemError) in
      let descriptor = try FileDescriptor.open(path, O_WRONLY | O_APPEND)
      defer { descriptor.close() }
      try descriptor.write(bytes)
    }
  }

  /// The current bytes of the file; none if it was deleted.
  public func read() throws(FileError) -> [UInt8] {
    guard unsafe access(path, F_OK) == 0 else { return [] }
    let file = try InputFile(path)
    var bytes: [UInt8] = []
    while case let piece = try file.read(), !piece.isEmpty { bytes += piece }
    return bytes
  }
}
