internal import Platform

/// A file that is there as a whole or not at all: it is written under another name beside its place, and
/// renamed when it is whole.
///
/// Only its owner can read it (mode 0600). One that is not committed is removed.
public final class AtomicFile {
  /// Where the file is to be.
  public let path: String
  /// Where it is until then; it is empty at first, and closed.
  public let temporaryPath: String
  private var isCommitted = false

  public init(_ path: String) throws(SystemError) {
    self.path = path
    let (descriptor, temporaryPath) = try FileDescriptor.createUnique(prefix: path + ".")
    descriptor.close()
    self.temporaryPath = temporaryPath
  }

  deinit { if !isCommitted { unsafe unlink(temporaryPath) } }

  /// Puts the file in its place, and waits until file and name are on the disk.
  ///
  /// - Parameter replacing: whether a file that is there may be replaced.
  /// - Throws: `SystemError`; one that `isExisting` if a file is there that may not be replaced.
  public func commit(replacing: Bool) throws(SystemError) {
    try sync()
    if !replacing {
      // Takes the name at the last moment; of two programs that want it one gets it.
      try FileDescriptor.open(path, O_CREAT | O_EXCL | O_WRONLY).close()
    }
    guard unsafe rename(temporaryPath, path) == 0 else { throw .last }
    isCommitted = true
    try Folder(ofFile: path).sync()
  }

  /// Removes the file after it was put in its place, if it turns out to be useless.
  public func withdraw() { if isCommitted { unsafe unlink(path) } }

  private func sync() throws(SystemError) {
    let descriptor = try FileDescriptor.open(temporaryPath, O_RDONLY)
    defer { descriptor.close() }
    try descriptor.sync()
  }
}
