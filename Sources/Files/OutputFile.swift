internal import Platform

/// A file that takes the place of an older one only when all of it is written.
///
/// Only its owner can read it. A pipe or a device is written to as it is.
public final class OutputFile {
  /// Where its bytes go.
  public let descriptor: FileDescriptor
  private let path: String
  /// The file until it is finished; nil for a pipe or a device.
  private let file: AtomicFile?

  /// Opens the file; a pipe, when it has a reader.
  public init(_ path: String) throws(FileError) {
    self.path = path
    (file, descriptor) = try FileError.attributing(.write, path) { () throws(SystemError) in
      if let identity = FileIdentity(path), !identity.isRegular {
        return (nil, try FileDescriptor.open(path, O_WRONLY))
      }
      let file = try AtomicFile(path)
      return (file, try FileDescriptor.open(file.temporaryPath, O_WRONLY))
    }
  }

  deinit { descriptor.close() }

  /// Whether it is a file on a disk, and no pipe or device.
  public var isRegular: Bool { file != nil }

  /// Waits until what was written is on the disk, still under its other name.
  public func sync() throws(FileError) {
    guard file != nil else { return }
    try FileError.attributing(.write, path) { () throws(SystemError) in try descriptor.sync() }
  }

  /// Puts the file, safe on the disk, in its place.
  public func finish() throws(FileError) {
    try FileError.attributing(.write, path) { () throws(SystemError) in try file?.commit(replacing: true) }
  }
}
