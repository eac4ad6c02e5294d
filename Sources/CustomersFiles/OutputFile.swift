internal import CustomersPlatform

/// A file that replaces an existing one only after it is completely written.
///
/// Only its owner can read it. A pipe or a device is written to directly.
public final class OutputFile {
  /// The descriptor it writes to.
  public let descriptor: FileDescriptor
  private let path: String
  /// The file that is being written; nil for a pipe or a device.
  private let file: AtomicFile?

  /// Opens the file; for a pipe, waits for a reader.
  public init(_ path: String) throws(FileError) {
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
  public var temporaryPath: String? { file?.temporaryPath }

  /// Whether it is a file on a disk, not a pipe or a device.
  public var isRegular: Bool { file != nil }

  /// Waits until all bytes are on disk; the file keeps its temporary name.
  public func sync() throws(FileError) {
    guard file != nil else { return }
    try FileError.attributing(.write, path) { () throws(SystemError) in try descriptor.sync() }
  }

  /// Makes the file durable and renames it to its final path.
  public func finish() throws(FileError) {
    try FileError.attributing(.write, path) { () throws(SystemError) in try file?.commit(replacing: true) }
  }
}
