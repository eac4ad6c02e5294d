internal import CustomersPlatform

/// A file that appears whole or not at all: it is written under another name in the same folder and renamed
/// when it is complete.
///
/// Only its owner can read it (mode 0600). If it is not committed, it is removed.
public final class AtomicFile {
  /// The final path of the file.
  public let path: String
  /// Its path until then; the file starts empty and closed.
  public let temporaryPath: String
  private var isCommitted = false

  public init(_ path: String) throws(SystemError) {
    self.path = path
    let (descriptor, temporaryPath) = try FileDescriptor.createUnique(prefix: path + ".")
    descriptor.close()
    self.temporaryPath = temporaryPath
  }

  deinit { if !isCommitted { unsafe unlink(temporaryPath) } }

  /// Renames the file to its final path, and waits until the file and its name are on disk.
  ///
  /// - Parameter replacing: whether an existing file may be replaced.
  /// - Throws: `SystemError`; one that `isExisting` if there is a file and it may not be replaced.
  public func commit(replacing: Bool) throws(SystemError) {
    try sync()
    if !replacing {
      // Claims the name at the last moment; of two programs that want it, one gets it.
      try FileDescriptor.open(path, O_CREAT | O_EXCL | O_WRONLY).close()
    }
    guard unsafe rename(temporaryPath, path) == 0 else { throw .last }
    isCommitted = true
    try Folder(ofFile: path).sync()
  }

  /// Removes the committed file, if it turns out to be useless.
  public func withdraw() { if isCommitted { unsafe unlink(path) } }

  private func sync() throws(SystemError) {
    let descriptor = try FileDescriptor.open(temporaryPath, O_RDONLY)
    defer { descriptor.close() }
    try descriptor.sync()
  }
}
